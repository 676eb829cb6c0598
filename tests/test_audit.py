"""Audits: what hypotheses are worth, in both polarities, and what is said when there is no answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from symtape import Bound
from symtape.audit_text import finding, summary
from symtape.discover import discover
from symtape.results import assemble, dump, load, schema
from symtape.run import run
from symtape.screen import Screen
from symtape.solver import Limits
from symtape.tasks import Options
from tests.deciding import SEED
from tests.pasting import paste
from tests.test_cli import Run, symtape  # noqa: F401

HEAD = """
from typing import Annotated
from symtape import Claim, all_of, equal, given, lemma, negate, over
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.graph import ShapeList, TensorPack
from symtape.encodings.parameter import Nat
from symtape.encodings.result import ok
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import SomeTensor

"""

MINE = (
    HEAD
    + '''
@lemma()
def two_ways(t: Tape, nd: Node, i: Nat) -> Claim:
    """Either of two hypotheses that say the same suffices."""
    return given(hlt=i < t.size, hle=i + 1 <= t.size, huseless=nd.requiresGrad).show(
        lambda: equal(t.addNode(nd).tape.getNode(i), t.getNode(i))
    )


@lemma()
def together(t: Tape, i: Nat, j: Nat) -> Claim:
    """Only all of the hypotheses suffice."""
    return given(hij=i < j, hj=j < t.size).show(lambda: t.getNode(i).exists(lambda node: True))


@lemma()
def needs_nothing(t: Tape, nd: Node, acc: Accumulator) -> Claim:
    """It holds without its hypothesis."""
    return given(hsize=equal(acc.size, t.size)).show(lambda: equal(t.addNode(nd).id, t.size))


@lemma()
def never(t: Tape, i: Nat) -> Claim:
    """The hypotheses contradict each other."""
    return given(hlow=i < t.size, hhigh=i > t.size).show(lambda: equal(t.size, 7))


@lemma()
def wrong(t: Tape, i: Nat) -> Claim:
    """It is false whatever is assumed."""
    return given(hi=i < t.size).show(lambda: t.getNode(i).exists(lambda node: node.requiresGrad))


@lemma()
def comes_apart(t: Tape, acc: Accumulator, i: Nat) -> Claim:
    """False only of an array that is two longer than the tape."""
    return given(hsize=equal(acc.size, t.size)).show(lambda: negate(equal(acc.size, t.size + 2)))
'''
)


def audit(path: Path, *names: str, bound: Bound | None = None, **settings: Any) -> dict[str, Any]:
    """The results of an audit of lemmas in a file."""
    lemmas = discover([path])
    limits = settings.pop("limits", Limits())
    options = Options(bound or Bound(2, 1, 1), limits=limits, jobs=2, encodings=(str(path),), audit=True, **settings)
    chosen = [lemmas[name] for name in names]
    results = assemble(chosen, options, run(chosen, options), "symtape audit")
    jsonschema.validate(results, schema())
    return results


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "mine.py"
    path.write_text(MINE, "utf-8")
    return path


@pytest.fixture(scope="module")
def audited(mine: Path) -> dict[str, Any]:
    names = ["two_ways", "together", "needs_nothing", "never", "wrong", "comes_apart"]
    return {lemma["name"]: lemma for lemma in audit(mine, *names)["lemmas"]}


def test_all_minimal_sets_are_found_and_proved(audited: dict[str, Any]) -> None:
    found = audited["two_ways"]["audit"]
    assert found["needed"] == []
    assert found["redundant"] == ["hlt", "hle", "huseless"], "each alone can be left out, but not both"
    assert found["minimal_sets"] == [["hlt"], ["hle"]]
    assert [each["verdict"] for each in found["sets"]] == ["proved", "proved"]
    assert all(each["every_size"]["verdict"] == "proved" for each in found["sets"])
    assert found["complete"]


def test_hypotheses_that_only_suffice_together(audited: dict[str, Any]) -> None:
    found = audited["together"]["audit"]
    assert found["needed"] == ["hij", "hj"]
    assert found["minimal_sets"] == [["hij", "hj"]]


def test_a_claim_that_holds_of_everything(audited: dict[str, Any]) -> None:
    found = audited["needs_nothing"]["audit"]
    assert found["redundant"] == ["hsize"]
    assert found["minimal_sets"] == [[]]


def test_contradicting_hypotheses_are_said_to_contradict(audited: dict[str, Any]) -> None:
    lemma = audited["never"]
    assert lemma["verdict"] == "vacuous"
    assert lemma["audit"]["satisfiable"] is False
    assert lemma["audit"]["witness"] is None
    assert all(not each["satisfiable"] for each in lemma["audit"]["by_size"])


def test_of_a_false_claim_nothing_suffices(audited: dict[str, Any]) -> None:
    lemma = audited["wrong"]
    assert lemma["verdict"] == "refuted"
    assert lemma["audit"]["minimal_sets"] == []
    assert lemma["audit"]["redundant"] == []


def test_sizes_come_apart_when_nothing_ties_them(audited: dict[str, Any]) -> None:
    """`prove` looks at arrays that are one longer than the tape; an audit at all up to the bound."""
    found = audited["comes_apart"]["audit"]
    assert found["needed"] == ["hsize"]
    without = found["without"][0]["counterexample"]
    assert without["sizes"] == {"t": 0, "acc": 2}


def test_every_needed_hypothesis_has_a_counterexample_that_runs(audited: dict[str, Any]) -> None:
    seen = 0
    for lemma in audited.values():
        for each in lemma["audit"]["without"]:
            assert (each["verdict"] == "refuted") == (each["hypothesis"] in lemma["audit"]["needed"])
            if each["verdict"] == "refuted" and lemma["verdict"] == "proved":
                said = paste(each["counterexample"]["call"])
                assert "goal: FAILS" in said
                assert "FAILS" not in said.replace("goal: FAILS", "")
                assert each["hypothesis"] not in said
                seen += 1
    assert seen == 3


def test_the_witness_satisfies_the_hypotheses_and_is_about_something(audited: dict[str, Any]) -> None:
    for name in ("two_ways", "together", "comes_apart"):
        shown = audited[name]["audit"]["witness"]
        assert shown["sizes"]["t"] > 0
        assert "FAILS" not in paste(shown["call"])


def test_the_seed(tmp_path: Path) -> None:
    """At a small bound; `tests/test_seed.py` has the verdicts one by one."""
    lemmas = discover()
    options = Options(Bound(1, 1, 1), jobs=2, audit=True)
    chosen = [lemmas[name] for name in SEED]
    results = assemble(chosen, options, run(chosen, options), "symtape audit")
    jsonschema.validate(results, schema())
    said = {lemma["name"]: lemma["audit"] for lemma in results["lemmas"]}
    assert finding(results["lemmas"]) == "of 23 hypotheses 18 are needed, 5 redundant"
    assert said["backwardDenseFrom_addNode_lowerNode"]["minimal_sets"] == [["hreq", "hbp"]]
    assert said["backwardDenseFrom_addNode_lowerNode"]["proof_needs"] == ["hvals", "hpids"]
    assert said["addNode_prefix_node_spec"]["sets"][0]["every_size"]["fully"] is True
    assert said["backwardDenseFrom_addNode_lowerNode"]["sets"][0]["every_size"] == {
        "verdict": "proved",
        "fully": True,
        "route": "backwardDenseFrom_addNode_lowerNode_of_ok",
        "reason": "",
    }
    questions = {each["question"]: each["verdict"] for each in said["addGradAll_addNode_push"]["sharp"]}
    assert set(questions.values()) == {"refuted"}
    assert said["backwardDenseFrom_addNode_lowerNode"]["sharp"] == [], "its right side is a success already"
    assert len({json.dumps(each["witness"]) for each in said.values()}) == len(SEED)
    text = "\n".join(summary(results, Screen(), witness=True))
    assert "hreq, hbp suffice, also at every size, by backwardDenseFrom_addNode_lowerNode_of_ok\n" in text
    assert "hsize is redundant for the claim\n" in text
    assert "hvals is redundant for the claim, but this proof at every size does not go without it" in text
    assert text.count("a case that satisfies the hypotheses") == len(SEED)


ANOTHER = (
    HEAD
    + '''
from symtape import admitted, by, have, induction
from symtape.encodings.accumulator import Contributions


def step(ih, cs, t, acc):
    return [ih.at(cs=cs.tail, acc=t.addGradAll(acc, *cs.head))]


def size_first(t, acc):
    return [have(hs=equal(acc.size, t.size))]


@lemma(proof=by(size_first))
def detour(t: Tape, cs: Contributions, acc: Accumulator, after: Accumulator) -> Claim:
    """The proof goes by way of a hypothesis that the claim does without, and shows nothing in the end."""
    return given(hsize=equal(acc.size, t.size), h=equal(cs.foldlM(t.addGradAll, acc), ok(after))).show(
        lambda: equal(after.size, acc.size)
    )
'''
)
LESS = '''

@lemma(PROOF)
def less(t: Tape, cs: Contributions, acc: Accumulator, after: Accumulator) -> Claim:
    """What asks for less."""
    return given(h=HYPOTHESIS).show(lambda: equal(after.size, SIZE))
'''
INDUCTION = 'proof=induction("cs", generalizing=["acc"], step=step)'


def less(
    proof: str, hypothesis: str = "equal(cs.foldlM(t.addGradAll, acc), ok(after))", size: str = "acc.size"
) -> str:
    """The file with another lemma about the same parameters."""
    return ANOTHER + LESS.replace("PROOF", proof).replace("HYPOTHESIS", hypothesis).replace("SIZE", size)


@pytest.mark.parametrize(
    ("text", "by_less"),
    [
        pytest.param(ANOTHER, False, id="there is none"),
        pytest.param(less(INDUCTION), True, id="a theorem"),
        pytest.param(less(INDUCTION, size="acc.size + 0"), True, id="in other words"),
        pytest.param(less(""), False, id="no theorem"),
        pytest.param(less("proof=admitted('why')"), False, id="admitted"),
        pytest.param(less("", size="after.size"), False, id="says less"),
        pytest.param(less("", "equal(acc.size, after.size)"), False, id="something else by that name"),
    ],
)
def test_another_lemma_shows_what_suffices_only_if_it_is_a_theorem_and_says_as_much(
    tmp_path: Path, text: str, by_less: bool
) -> None:
    path = tmp_path / "another.py"
    path.write_text(text, "utf-8")
    (lemma,) = audit(path, "detour", bound=Bound(1, 1, 1))["lemmas"]
    (found,) = lemma["audit"]["sets"]
    assert (found["hypotheses"], found["verdict"]) == (["h"], "proved")
    assert lemma["audit"]["redundant"] == ["hsize"]
    every = found["every_size"]
    assert (every["verdict"], every["route"]) == (("proved", "less") if by_less else ("undecided", ""))
    assert bool(every["reason"]) is not by_less


def test_without_time_nothing_is_claimed(mine: Path) -> None:
    results = audit(mine, "together", limits=Limits(rlimit=1))
    found = results["lemmas"][0]["audit"]
    assert not found["needed"]
    assert not found["redundant"]
    assert not found["minimal_sets"]
    assert not found["complete"]


@pytest.mark.parametrize("after", [3, 12, 20])
def test_interrupted_it_says_what_is_missing(mine: Path, tmp_path: Path, after: int) -> None:
    lemmas = discover([mine])
    options = Options(Bound(2, 1, 1), jobs=1, encodings=(str(mine),), audit=True)

    def interrupt(progress: Any) -> None:
        if progress.done >= after:
            raise KeyboardInterrupt

    chosen = [lemmas["two_ways"], lemmas["together"]]
    results = assemble(chosen, options, run(chosen, options, interrupt), "symtape audit")
    kept = tmp_path / "results.json"
    kept.write_text(dump(results), "utf-8")
    assert load(kept) == results
    assert results["run"]["state"] == "interrupted"
    assert not any(lemma["audit"]["complete"] for lemma in results["lemmas"])


def test_the_command(symtape: Run, mine: Path) -> None:  # noqa: F811
    code, out, err = symtape("audit", "two_ways", "together", "--encodings", str(mine), "--bound", "2")
    assert code == 0, err
    assert "hlt suffices, also at every size" in out
    assert "of 5 hypotheses 2 are needed, 3 redundant" in out
    results = json.loads(Path("symtape-report/results.json").read_text("utf-8"))
    assert results["lemmas"][0]["audit"]["minimal_sets"] == [["hlt"], ["hle"]]
    assert symtape("report", "symtape-report/results.json")[0] == 0


def test_two_runs_print_the_same(symtape: Run, mine: Path) -> None:  # noqa: F811
    arguments = ("audit", "two_ways", "comes_apart", "--encodings", str(mine), "--bound", "1", "--no-report")
    assert symtape(*arguments, "--jobs", "1") == symtape(*arguments, "--jobs", "2")


@pytest.mark.parametrize(("lemma", "code"), [("wrong", 1), ("never", 1), ("together", 0)])
def test_exit_codes(symtape: Run, mine: Path, lemma: str, code: int) -> None:  # noqa: F811
    assert symtape("audit", lemma, "--encodings", str(mine), "--bound", "2", "--no-report")[0] == code


def test_undecided_is_no_pass(symtape: Run, mine: Path) -> None:  # noqa: F811
    arguments = ("audit", "together", "--encodings", str(mine), "--bound", "2", "--no-report", "--rlimit", "1")
    assert symtape(*arguments)[0] == 3
