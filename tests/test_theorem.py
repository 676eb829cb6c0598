"""The kernel of every-size proofs: who may make a theorem, what it rests on, and what the results say of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symtape import Claim, Lemma, Verdict, admitted, by, equal, given, have, lemma
from symtape.conclude import Conclusion
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.backward import Engine
from symtape.encodings.lemmas.accumulation import addGradAll_ok_size
from symtape.encodings.parameter import Nat
from symtape.encodings.result import Result, success
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import SomeTensor
from symtape.every_size import conclusions
from symtape.results import ResultsError, _at_every_size, assemble, dump, load
from symtape.tasks import AtEverySize, Options, Outcome
from symtape.theorem import Checked, Label, Obligation, Refused, Theorem, admit, check, conclude, prove
from tests.changed_engines import Overwrite
from tests.deciding import lemmas
from tests.proving import LIMITS, checked, on, theorem
from tests.proving import chain as chain_of
from tests.written_results import every_size
from tests.written_results import lemma as written
from tests.written_results import results as run_of

STEP = "backwardDenseFromStep_ok_size"
FOLD = "foldlM_addGradAll_ok_size"
LOOP = "backwardDenseFromLoop_ok_size"
GRAPH = "backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx"


@lemma()
def all_tensors_are_one(v: SomeTensor, w: SomeTensor) -> Claim:
    """All tensors are equal."""
    return given().show(lambda: equal(v, w))


# --- who may make a theorem ---


def test_nobody_else_makes_a_theorem() -> None:
    for key in ((None,), (object(),), ("_KERNEL",)):
        with pytest.raises(TypeError, match="only the kernel makes theorems"):
            Theorem(all_tensors_are_one, Checked("", ()), (), frozenset(), *key)


def test_no_theorem_is_made_of_another() -> None:
    with pytest.raises(ValueError, match="must be specified"):
        replace(theorem("addGradAll_ok_size"), lemma=all_tensors_are_one)


def test_nothing_shown_is_no_theorem() -> None:
    name = all_tensors_are_one.fingerprint
    with pytest.raises(Refused, match="the goal was not shown in the claim"):
        conclude(all_tensors_are_one, Checked(name, ()), {})
    beside_the_point = Obligation("claim", Label("have", "it"), "have", 0.0, 0, ())
    with pytest.raises(Refused, match="the goal was not shown in the claim"):
        conclude(all_tensors_are_one, Checked(name, (beside_the_point,)), {})


def test_what_was_shown_of_another_lemma_is_no_theorem() -> None:
    with pytest.raises(Refused):
        conclude(all_tensors_are_one, checked(addGradAll_ok_size), {})


@pytest.mark.parametrize("part", ["base", "step"])
def test_half_an_induction_is_no_theorem(part: str) -> None:
    whole = checked(lemmas()[FOLD])
    half = replace(whole, obligations=tuple(each for each in whole.obligations if each.part == part))
    with pytest.raises(Refused):
        conclude(lemmas()[FOLD], half, {"addGradAll_ok_size": theorem("addGradAll_ok_size")})


def test_what_rests_on_no_theorem_is_none() -> None:
    shown = checked(lemmas()[STEP])
    with pytest.raises(Refused, match=f"{FOLD} is no theorem yet, so it cannot be used"):
        conclude(lemmas()[STEP], shown, {})
    with pytest.raises(Refused, match=f"{FOLD} is no theorem yet, so it cannot be used"):
        conclude(lemmas()[STEP], shown, {LOOP: theorem(LOOP)})
    assert conclude(lemmas()[STEP], shown, {FOLD: theorem(FOLD)}).rests_on == (theorem(FOLD),)


def test_what_is_declared_and_not_needed_need_not_be_a_theorem() -> None:
    assert "addGradAll_ok_size" in lemmas()[FOLD].uses
    assert conclude(lemmas()[FOLD], checked(lemmas()[FOLD]), {}).rests_on == ()


def test_a_theorem_about_another_engine_is_of_no_use() -> None:
    variants = on(Overwrite())
    with pytest.raises(Refused, match=f"{FOLD} is a theorem about another engine"):
        conclude(variants[STEP], check(variants[STEP], variants, LIMITS), {FOLD: theorem(FOLD)})
    with pytest.raises(Refused, match=f"{FOLD} is a theorem about another engine"):
        conclude(lemmas()[STEP], checked(lemmas()[STEP]), {FOLD: chain_of(FOLD, variants)[0][FOLD]})


class Switched(Engine):
    """An engine with a switch: on, it is the runtime; off, it overwrites."""

    def __init__(self, adds: bool) -> None:
        self.adds = adds

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return existing.add(contribution) if self.adds else success(existing.world, contribution)


def test_an_engine_of_the_same_class_is_another_engine() -> None:
    """Overwriting, the last-node step is false (see test_changed_engines); adding, what it uses is true."""
    fold, last = "foldlM_addGradAll_toIndexedShapeErasedArray_eq_add", "backwardDenseFromStep_addNode_lowerNode_last"
    adding = {fold: prove(lemmas()[fold].on(Switched(True)), {}, LIMITS)}
    overwriting = lemmas()[last].on(Switched(False))
    with pytest.raises(Refused):
        conclude(overwriting, check(overwriting, on(Switched(False)), LIMITS), adding)


ALIKE = ["addGradAll_ok_size # not", "induction hypothesis of mine"]


@pytest.mark.parametrize("name", ALIKE)
def test_a_lemma_whose_name_looks_like_another_is_none_of_these(name: str) -> None:
    """A false lemma is used under a name that is cut, or taken for the induction hypothesis."""
    liar = replace(all_tensors_are_one, name=name)
    user = replace(all_tensors_are_one, name="user", uses=(name,), proof=by(lambda: [liar.at()]))
    shown = check(user, {name: liar}, LIMITS)
    assert shown.uses("prove") == {name}
    with pytest.raises(Refused, match="is no theorem yet"):
        conclude(user, shown, {"addGradAll_ok_size": theorem("addGradAll_ok_size")})


def test_a_fact_is_not_called_as_the_goal_is() -> None:
    proof = by(lambda acc: [have(goal=equal(acc.size, acc.size + 0))])
    with pytest.raises(Refused, match="have goal: the name is taken"):
        checked(replace(addGradAll_ok_size, name="named so", proof=proof))


# --- what is admitted ---


def test_a_lemma_is_admitted_for_a_reason() -> None:
    with pytest.raises(ValueError, match="for a reason"):
        admit(all_tensors_are_one, "")


def chain() -> tuple[Lemma, Lemma, Lemma]:
    """A ← B ← C, each proved from the one before."""
    return lemmas()[FOLD], lemmas()[STEP], lemmas()[LOOP]


def test_what_is_admitted_taints_what_rests_on_it_and_nothing_else() -> None:
    a, b, c = chain()
    a = replace(a, proof=admitted("it is only a test"))
    proved: dict[str, Theorem] = {}
    for each in (a, b, c, lemmas()["addGradAll_ok_size"], lemmas()["getNode?_addNode_of_lt"]):
        proved[each.name] = prove(each, proved, LIMITS)
    assert {name: sorted(each.admitted) for name, each in proved.items()} == {
        FOLD: [FOLD],
        STEP: [FOLD],
        LOOP: [FOLD],
        "addGradAll_ok_size": [],
        "getNode?_addNode_of_lt": [],
    }


def test_what_is_admitted_and_not_needed_taints_nothing() -> None:
    unneeded = admit(lemmas()["addGradAll_ok_size"], "it is only a test")
    assert prove(lemmas()[FOLD], {"addGradAll_ok_size": unneeded}, LIMITS).admitted == frozenset()


def test_an_admitted_falsehood_proves_others_which_say_so() -> None:
    user = replace(all_tensors_are_one, name="user", uses=("all_tensors_are_one",))
    user = replace(user, proof=by(lambda: [all_tensors_are_one.at()]))
    taken = admit(all_tensors_are_one, "it is only a test")
    assert prove(user, {"all_tensors_are_one": taken}, LIMITS).admitted == {"all_tensors_are_one"}


# --- the results ---

WITNESS = {"t": 0}


def found(*each: Lemma) -> dict[str, AtEverySize]:
    """What a run finds of these lemmas."""
    return {
        one.name: AtEverySize(checked=None if one.proof.admitted else checked(one), witness=WITNESS) for one in each
    }


def said(lemmas_: tuple[Lemma, ...], at: dict[str, AtEverySize]) -> dict[str, dict[str, Any]]:
    return {name: each.as_json() for name, each in conclusions(lemmas_, at).items()}


def test_a_chain_of_proofs_is_proved_fully() -> None:
    for each in said(chain(), found(*chain())).values():
        assert (each["verdict"], each["fully"], each["admitted"], each["reason"]) == ("proved", True, [], "")


WHY = {
    "admitted": "admitted: it is only a test",
    "refused": "the claim: the goal does not follow",
    "not asked": "not asked, or not all",
    "no witness": "none was found",
}


@pytest.mark.parametrize("how", WHY)
def test_what_rests_on_something_that_is_not_proved_is_proved_but_not_fully(how: str) -> None:
    a, b, c = chain()
    if how == "admitted":
        a = replace(a, proof=admitted("it is only a test"))
    at = found(a, b, c)
    if how == "refused":
        at[FOLD] = AtEverySize(refused=(Verdict.UNDECIDED, "the claim: the goal does not follow"), witness=WITNESS)
    if how == "not asked":
        del at[FOLD]
    if how == "no witness":
        at[FOLD].witness, at[FOLD].unwitnessed = None, (Verdict.UNDECIDED, "none was found")
    first, *others = said((a, b, c), at).values()
    assert (first["verdict"], first["fully"], first["admitted"]) == ("undecided", False, [])
    assert (
        first["reason"]
        == {
            "admitted": "admitted: it is only a test",
            "refused": "the claim: the goal does not follow",
            "not asked": "not asked",
            "no witness": "none was found",
        }[how]
        or how == "not asked"
    )
    for each in others:
        assert (each["verdict"], each["fully"], each["admitted"]) == ("proved", False, [FOLD])
        assert each["reason"] == f"proved from {FOLD}, which is not"


def test_what_is_not_needed_is_told_from_what_is() -> None:
    names = [GRAPH, *lemmas()[GRAPH].uses]
    every = tuple(lemmas()[name] for name in lemmas() if name in names)
    at = {name: AtEverySize(checked=theorem(name).checked, witness=WITNESS) for name in names}
    uses = {each["name"]: (each["to_prove"], each["to_state"]) for each in said(every, at)[GRAPH]["uses"]}
    assert uses["backwardDenseFrom_addNode_lowerNode"][0]
    assert uses["lowerGraphDataToTape_values_eq"] == (False, True)
    assert uses["lowerGraphDataToTape_backward_pids_lt_id"] == (False, True)
    assert uses["backwardDenseFrom_addLeaves_empty"] == (True, False)


def test_what_no_core_needs_is_declared_in_vain() -> None:
    a, *_ = chain()
    (use,) = said((a,), found(a))[FOLD]["uses"]
    assert use == {"name": "addGradAll_ok_size", "to_prove": False, "to_state": False}


@lemma(uses=[FOLD])
def needs_nothing(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor, acc1: Accumulator) -> Claim:
    """A lemma that declares another, and does not even use it."""
    return given(h=equal(t.addGradAll(acc, id, g), equal_to(acc1))).show(lambda: equal(acc1.size, acc.size))


def equal_to(acc: Any) -> Any:
    """`ok acc`."""
    return acc.pure()


def test_what_is_declared_and_not_even_used_is_said_too() -> None:
    (each,) = said((needs_nothing,), found(needs_nothing)).values()
    assert each["verdict"] == "proved"
    assert [(use["to_prove"], use["to_state"]) for use in each["uses"]] == [(False, False)]


def results(*every: Lemma) -> dict[str, Any]:
    outcome = Outcome()
    outcome.every_size.update(found(*every))
    return assemble(every, Options(bound=None, every_size=True), outcome, "symtape prove --all-sizes")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, None),
        ({"fully": False}, "is called fully proved, or not, against what it rests on"),
        ({"admitted": [FOLD]}, "is called fully proved, or not, against what it rests on"),
        ({"witness": None}, "is called proved at every size, without a proof or a witness"),
        ({"obligations": []}, "is called proved at every size, without a proof or a witness"),
        ({"verdict": "undecided", "fully": False}, "is not the worst of its sizes"),
    ],
)
def test_results_that_say_more_than_was_shown_are_not_read(
    tmp_path: Path, change: dict[str, Any], says: str | None
) -> None:
    file = tmp_path / "results.json"
    data = json.loads(dump(results(*chain())))
    data["lemmas"][1]["every_size"] |= change
    file.write_text(json.dumps(data), "utf-8")
    if says is None:
        assert load(file)["verdict"] == "proved"
        return
    with pytest.raises(ResultsError, match=says):
        load(file)


def test_what_rests_on_a_lemma_that_is_refuted_at_a_known_size_is_not_proved() -> None:
    every = chain()
    outcome = Outcome()
    outcome.every_size.update(found(*every))
    first, *others = (each.name for each in every)
    said = _at_every_size(every, outcome, {first: Conclusion(Verdict.REFUTED, "", ())})
    assert said[first].verdict is Verdict.ERROR
    resting = [name for name in others if first in {use.lemma.name for use in said[name].theorem.rests_on}]
    assert resting
    for name in resting:
        assert said[name].verdict is Verdict.ERROR
        assert first in said[name].reason
        assert not said[name].as_json()["fully"]


@pytest.mark.parametrize(
    ("size", "asked", "says"),
    [
        ({}, {}, None),
        ({"trivial": True}, {"verdict": "vacuous"}, None),
        ({}, {"verdict": "undecided"}, "proved at tape size 1 against its obligations"),
        ({}, {"verdict": "error"}, "proved at tape size 1 against its obligations"),
        ({}, {"verdict": "vacuous"}, "proved at tape size 1 against its obligations"),
        ({}, {"size": 0}, "proved at tape size 1 against its obligations"),
        ({"trivial": True, "verdict": "undecided"}, {}, "is called trivial at tape size 1, but not proved"),
        ({}, {"smtlib": "../../elsewhere.smt2"}, "not a results file"),
    ],
)
def test_a_known_size_is_not_greener_than_its_obligations(
    tmp_path: Path, size: dict[str, Any], asked: dict[str, Any], says: str | None
) -> None:
    file = tmp_path / "results.json"
    each = written("mine", known=["proved", "proved"])
    each["sizes"][1] |= size
    each["obligations"][1] |= asked
    each["verdict"] = each["sizes"][1]["verdict"]
    file.write_text(dump(run_of(each)), "utf-8")
    if says is None:
        assert load(file)["verdict"] == "proved"
        return
    with pytest.raises(ResultsError, match=says):
        load(file)


@pytest.mark.parametrize("kind", ["prove", "state", ""])
@pytest.mark.parametrize("said", [[], ["taken"]])
def test_what_a_proof_rests_on_is_not_concealed(tmp_path: Path, kind: str, said: list[str]) -> None:
    file = tmp_path / "results.json"
    reason = "proved from taken, which is not" if said else ""
    lemmas = [
        written("taken", every_size(reason="admitted: on paper", proof="admitted: on paper")),
        written("between", every_size({"taken": "prove"}, admitted=["taken"], reason="proved from taken")),
        written("above", every_size({"between": kind}, admitted=said, reason=reason)),
    ]
    file.write_text(dump(run_of(*lemmas)), "utf-8")
    if kind and not said:
        with pytest.raises(ResultsError, match="above does not say that it rests on taken"):
            load(file)
    else:
        load(file)


@pytest.mark.parametrize("name", ["a\x00b", "a\rb"])
def test_a_name_that_no_page_can_hold_is_not_read(tmp_path: Path, name: str) -> None:
    file = tmp_path / "results.json"
    file.write_text(dump(run_of(written(name, every_size()))), "utf-8")
    with pytest.raises(ResultsError, match="no name of a lemma"):
        load(file)
