"""The kill matrix: what is noticed, what is a gap, what is the runtime in other words, and what is not known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from symtape import Bound, Verdict
from symtape.choose import theory
from symtape.discover import discover, discover_equivalence, discover_mutants, discover_runtime
from symtape.footprint import changed, read
from symtape.kill import decide
from symtape.mutation import load, schema
from symtape.results import ResultsError
from symtape.solver import Limits
from tests.deciding import lemmas
from tests.pasting import paste
from tests.test_cli import Run, symtape  # noqa: F401

OVERWRITING = "addGradAll: overwriting"
FLAGS = "addGradAll, backwardDenseFromStep: flags ignored"
EQUIVALENT = "addGradAll: own check dropped"
BOUND = Bound(1, 1, 1)

MINE = '''
from symtape import Mutant
from symtape.encodings.backward import Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.plain import Ok
from symtape.encodings.result import success


class Keeps(Engine):
    """The slot stays as it is."""

    def combine(self, existing, contribution):
        return success(existing.world, existing)

    def interpreter(self):
        return KeepsInPlainPython


class KeepsInPlainPython(Runtime):
    def combine(self, existing, contribution):
        return Ok(existing)


class TwoMinds(Keeps):
    """The model keeps the slot, the interpreter does what the runtime does."""

    def interpreter(self):
        return type("TheRuntimeAfterAll", (Runtime,), {})


class Unreplayable(Keeps):
    """There is no interpreter of it."""

    def interpreter(self):
        return Runtime


def made(name, engine):
    return Mutant(name, operator="by hand", function="addGradAll", doc="What it does.", engine=engine)


MUTANTS = (made("keeps", Keeps()), made("two minds", TwoMinds()), made("unreplayable", Unreplayable()))
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE, "utf-8")
    return path


@pytest.fixture
def matrix(symtape: Run) -> Callable[..., tuple[int, dict[str, Any]]]:  # noqa: F811
    """Run a small `symtape mutate`: exit code, and results."""

    def run(*arguments: str) -> tuple[int, dict[str, Any]]:
        small = ("--bound", "1", "--contributions", "1", "--entries", "1", "--no-report", "--json", "-")
        code, out, err = symtape("mutate", *arguments, *small)
        assert out, err
        results = json.loads(out)
        jsonschema.validate(results, schema())
        return code, results

    return run


Matrix = Callable[..., tuple[int, dict[str, Any]]]


def test_a_kill_is_a_counterexample_that_runs(matrix: Matrix) -> None:
    code, results = matrix("--mutant", OVERWRITING)
    (mutant,) = results["mutants"]
    assert code == 0
    assert mutant["status"] == "killed"
    assert results["counts"]["theory"]["killed"] == 1
    assert "addGradAll_of_fits" in mutant["killed_by"]
    for name in mutant["killed_by"]:
        said = paste(mutant["cells"][name]["counterexample"]["call"])
        assert "goal: FAILS" in said
        assert "FAILS" not in said.replace("goal: FAILS", "")


def test_a_gap_of_the_seed_that_the_additions_close(matrix: Matrix) -> None:
    code, results = matrix("--mutant", FLAGS)
    assert code == 0
    assert results["counts"]["theory"]["gap"] == 1
    assert results["counts"]["all"] == {"killed": 1, "equivalent": 0, "gap": 0, "undecided": 0}


def test_a_gap_is_shown_where_it_behaves_otherwise(matrix: Matrix) -> None:
    code, results = matrix("Push commutation", "--mutant", FLAGS)
    (mutant,) = results["mutants"]
    assert code == 1
    assert mutant["status"] == "gap"
    assert mutant["killed_by"] == []
    said = paste(mutant["equivalence"]["counterexample"]["call"])
    assert "goal: FAILS" in said


def test_a_mutant_that_is_the_runtime_is_proved_to_be(matrix: Matrix) -> None:
    code, results = matrix("--mutant", EQUIVALENT)
    (mutant,) = results["mutants"]
    assert code == 0
    assert mutant["status"] == "equivalent"
    assert mutant["equivalence"] == {"verdict": "proved", "counterexample": None}


def test_without_answers_nothing_is_said(matrix: Matrix) -> None:
    code, results = matrix("Push commutation", "--mutant", OVERWRITING, "--rlimit", "1")
    (mutant,) = results["mutants"]
    assert code == 3
    assert mutant["status"] == "undecided"
    assert mutant["reason"]


def test_a_mutant_of_ones_own(matrix: Matrix, mine: Path) -> None:
    code, results = matrix("addGradAll_of_fits", "--mutant", "keeps", "--encodings", str(mine))
    (mutant,) = results["mutants"]
    assert code == 0
    assert mutant["killed_by"] == ["addGradAll_of_fits"]
    assert "goal: FAILS" in paste(mutant["cells"]["addGradAll_of_fits"]["counterexample"]["call"])


def test_what_does_not_replay_is_no_kill(matrix: Matrix, mine: Path) -> None:
    code, results = matrix("addGradAll_of_fits", "--mutant", "two minds", "--encodings", str(mine))
    (mutant,) = results["mutants"]
    assert code == 3
    assert mutant["status"] == "undecided"
    assert mutant["killed_by"] == []
    assert mutant["cells"]["addGradAll_of_fits"]["reason"] == "model did not replay"


def test_what_cannot_be_replayed_is_no_kill(matrix: Matrix, mine: Path) -> None:
    code, results = matrix("addGradAll_of_fits", "--mutant", "unreplayable", "--encodings", str(mine))
    (mutant,) = results["mutants"]
    assert code == 3
    assert mutant["status"] == "undecided"
    assert "needs interpreter()" in mutant["reason"]


def test_a_lemma_that_is_false_of_the_runtime_kills_nothing(matrix: Matrix, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from symtape import equal, given, lemma\n"
        "from symtape.encodings.accumulator import Accumulator\n"
        "from symtape.encodings.parameter import Nat\n"
        "from symtape.encodings.result import ok\n"
        "from symtape.encodings.tape import Tape\n"
        "from symtape.encodings.tensor import SomeTensor\n\n\n"
        "@lemma()\n"
        "def wrong(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor):\n"
        "    'It never changes anything.'\n"
        "    return given().show(lambda: equal(t.addGradAll(acc, id, g), ok(acc)))\n",
        "utf-8",
    )
    code, results = matrix("wrong", "--mutant", OVERWRITING, "--encodings", str(wrong))
    assert code == 1, "a refuted lemma is no theory"
    assert results["mutants"][0]["killed_by"] == []
    assert results["lemmas"][0]["on_runtime"] == "refuted"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--mutant", "nothing like it"), "no mutant 'nothing like it'"),
        (("no_such_lemma",), "no lemma, group or pattern"),
        (("--bound", "-1"), "must be between 0"),
    ],
)
def test_mistakes_are_one_line(symtape: Run, arguments: tuple[str, ...], said: str) -> None:  # noqa: F811
    code, out, err = symtape("mutate", *arguments)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
    assert not out


def test_two_runs_are_the_same(matrix: Matrix) -> None:
    def told(results: dict[str, Any]) -> Any:
        for mutant in results["mutants"]:
            for cell in mutant["cells"].values():
                cell["seconds"] = 0
        return results["mutants"], results["counts"]

    arguments = ("addGradAll_of_fits", "Inductive step", "--mutant", "operands swapped", "--mutant", "stale read")
    one, two = (told(matrix(*arguments, "--jobs", jobs)[1]) for jobs in ("1", "2"))
    assert one == two


# --- what a lemma runs ---


@pytest.mark.parametrize("name", ["addGradAll_of_fits", "backwardDenseFrom_of_size_ne", "lowerNode_value"])
def test_a_lemma_that_runs_nothing_of_the_change_holds_of_the_mutant(name: str) -> None:
    lemma = lemmas()[name]
    ran = read(lemma, BOUND, discover_runtime())
    spared = [m for m in discover_mutants().values() if not (changed(m.engine, discover_runtime()) or ran) & ran]
    assert spared
    for mutant in spared[:: max(1, len(spared) // 6)]:
        assert decide(lemma.on_mutant(mutant), BOUND, "uninterpreted", Limits()).verdict is Verdict.PROVED


def test_what_a_lemma_runs() -> None:
    ran = {
        name: read(lemmas()[name], BOUND, discover_runtime()) for name in ("addGradAll_of_fits", "lowerNode_value")
    }
    assert {"addGradAll_cases", "combine", "write"} <= ran["addGradAll_of_fits"]
    assert "backwardDenseFromStep_cases" not in ran["addGradAll_of_fits"]
    assert not any(name.endswith("_cases") for name in ran["lowerNode_value"])
    assert read(lemmas()["getNode?_addNode_of_lt"], BOUND, discover_runtime()) == frozenset()


def test_what_cannot_be_told_of_an_engine_counts_as_everything() -> None:
    runtime = discover_runtime()
    watching = type(
        "Watching", (type(runtime),), {"__getattribute__": lambda self, name: object.__getattribute__(self, name)}
    )
    assert changed(watching(), runtime) is None
    assert changed(object(), runtime) is None
    engine = type("Attribute", (type(runtime),), {})()
    engine.combine = runtime.combine
    assert changed(engine, runtime) == {"combine"}


def test_the_theory_and_what_is_added() -> None:
    (seed, added), eight, additions = theory(discover(), [])
    assert (seed, len(eight)) == ("the seed", 8)
    assert added == "the runtime's equations"
    assert {each.group for each in additions} == {"Runtime equations", "Lowered node"}
    assert not {each.name for each in eight} & {each.name for each in additions}
    assert theory(discover(), ["Runtime equations"])[2] == [], "alone they are the theory"
    assert len(discover_equivalence()) == 7


# --- the file ---


def test_a_file_that_is_greener_than_its_evidence_is_refused(matrix: Matrix, tmp_path: Path) -> None:
    _, results = matrix("Push commutation", "--mutant", FLAGS)
    path = tmp_path / "mutants.json"

    def written(change: Callable[[dict[str, Any]], None]) -> None:
        data = json.loads(json.dumps(results))
        change(data)
        path.write_text(json.dumps(data), "utf-8")

    written(lambda data: None)
    assert load(path) == results

    def killed(data: dict[str, Any]) -> None:
        data["mutants"][0]["killed_by"] = ["addGradAll_addNode_push"]
        data["mutants"][0]["status"] = "killed"
        data["counts"]["all"] = {"killed": 1, "equivalent": 0, "gap": 0, "undecided": 0}

    def equivalent(data: dict[str, Any]) -> None:
        data["mutants"][0]["status"] = "equivalent"
        data["counts"]["all"] = {"killed": 0, "equivalent": 1, "gap": 0, "undecided": 0}

    def counted(data: dict[str, Any]) -> None:
        data["counts"]["all"] = {"killed": 1, "equivalent": 0, "gap": 0, "undecided": 0}

    for change in (killed, equivalent, counted):
        written(change)
        with pytest.raises(ResultsError):
            load(path)
