"""Proofs at every size: each built-in lemma is a theorem; what is false at some small size is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symtape import Bound, Verdict
from symtape.discover import discover
from symtape.encodings.accumulator import SizesDifferError
from symtape.encodings.backward import Engine
from symtape.theorem import THE_GOAL, Refused, Theorem, check
from tests import changed_engines as changed
from tests.deciding import decide, lemmas
from tests.proving import LIMITS, chain, checked, on, theorem
from tests.test_changed_engines import INDUCTIVE, SEEN, STEP_LAST
from tests.test_seed import NEEDLESS

HERE = Path(__file__).parent
FALSE = {
    name: lemma
    for name, lemma in discover([HERE / "false_lemmas.py", HERE / "false_graphs.py"]).items()
    if lemma.group == "false"
}
FOLD = "foldlM_addGradAll_toIndexedShapeErasedArray_eq_add"
GRAPH = "backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx"

WHERE = r"(the claim|the base, \S+ of size 0|the step, \S+ of size k \+ 1): "
WHAT = (
    r"(the goal does not follow|have \w+: it does not follow|"
    r"the use of .+: its hypothesis \w+ does not follow|.+ is no theorem yet, so it cannot be used)"
)
SAYS = re.compile(WHERE + WHAT)
"""Which part of a proof is none, and what in it failed."""


# --- the lemmas that come with symtape ---


@pytest.mark.parametrize("name", lemmas())
def test_every_lemma_is_a_theorem(name: str) -> None:
    proved = theorem(name)
    assert proved.lemma is lemmas()[name]
    assert not proved.admitted
    parts = {each.part for each in proved.checked.obligations}
    assert parts == ({"claim"} if proved.lemma.proof.on is None else {"base", "step"})
    assert {each.part for each in proved.checked.obligations if each.of == THE_GOAL} == parts
    assert {each.lemma.name for each in proved.rests_on} <= set(proved.lemma.uses)
    needless = {hypothesis for lemma, hypothesis in NEEDLESS if lemma == name}
    assert proved.checked.hypotheses >= set(proved.lemma.hypotheses) - needless


@pytest.mark.parametrize("name", lemmas())
def test_every_lemma_is_also_proved_directly(name: str) -> None:
    """The two modes share the engine's text, and nothing below it: tapes, arrays, packs and lists are other ones."""
    assert decide(lemmas()[name], Bound(2, 1, 1)).verdict is Verdict.PROVED


NOT_NEEDED = {
    ("foldlM_addGradAll_ok_size", "addGradAll_ok_size"),
    ("backwardDenseFromStep_addLeaves_empty", "getNode?_addLeaves_empty"),
    ("addNode_prefix_node_spec", "getNode?_addNode_of_lt"),
    (STEP_LAST, "addNode_prefix_node_spec"),
    (STEP_LAST, "lowerNode_backward_of_shape"),
    ("addGradAll_addNode_push", "getNode?_addNode_of_lt"),
    ("foldlM_addGradAll_addNode_push", "addGradAll_ok_size"),
    ("foldlM_addGradAll_addNode_push", "addGradAll_addNode_push"),
    ("backwardDenseFromStep_addNode_push", "getNode?_addNode_of_lt"),
    ("foldlM_addGradAll_addNode_push_of_ok", "addGradAll_addNode_push_of_ok"),
    ("foldlM_addGradAll_ok_shapes", "addGradAll_ok_size"),
    ("foldlM_addGradAll_ok_shapes", "addGradAll_ok_shapes"),
    ("backwardDenseFromLoop_addLeaves_empty", "backwardDenseFromStep_addLeaves_empty"),
    ("backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx", "lowerGraphDataToTape_nodes_size"),
    ("backwardDenseFrom_lowerGraphToTape_eq_backpropAllCtx", "lowerGraphToTape_nodes_size"),
}
"""What the Lean proof uses and the proof here does not need: the definitions of what runs say as much, or another
lemma that is used."""


def test_what_is_declared_and_not_needed_is_known() -> None:
    assert {
        (name, used)
        for name, lemma in lemmas().items()
        for used in lemma.uses
        if used not in theorem(name).checked.uses("prove") | theorem(name).checked.uses("state")
    } == NOT_NEEDED


@pytest.mark.parametrize("name", [name for name, lemma in lemmas().items() if lemma.proof.on is not None])
def test_the_induction_hypothesis_is_needed(name: str) -> None:
    needed = [each for each in theorem(name).checked.needed if each.part == "step"]
    assert any(used.kind == "ih" for each in needed for used in each.core)
    assert not any(each.of.startswith("induction hypothesis") for each in needed if each.part == "base")


# --- hypotheses dropped ---

EVERY_HYPOTHESIS = [(name, hypothesis) for name in lemmas() for hypothesis in lemmas()[name].hypotheses]

ONLY_DIRECTLY = {
    # the proof runs through lemmas that have these as hypotheses; that the claim does without them is the theorem
    # backwardDenseFrom_addNode_lowerNode_of_ok
    (INDUCTIVE, "hvals"): f"the use of {STEP_LAST}: its hypothesis hvals",
    (INDUCTIVE, "hpids"): "the use of backwardDenseFromLoop_addNode_push: its hypothesis hpids",
}
"""The hypotheses that the claim does without, and the proof that it comes with does not."""


@pytest.mark.parametrize(("name", "hypothesis"), EVERY_HYPOTHESIS)
def test_each_hypothesis_dropped(name: str, hypothesis: str) -> None:
    """Those that the direct mode needs (see test_seed and test_around_the_seed) are needed here."""
    lemma = lemmas()[name].without(hypothesis)
    if (name, hypothesis) in NEEDLESS and (name, hypothesis) not in ONLY_DIRECTLY:
        assert checked(lemma).obligations
        return
    with pytest.raises(Refused) as refused:
        checked(lemma)
    assert SAYS.fullmatch(str(refused.value)), refused.value
    assert ONLY_DIRECTLY.get((name, hypothesis), "") in str(refused.value)


def test_all_needless_hypotheses_can_be_dropped_together() -> None:
    lemma = lemmas()[STEP_LAST].without("hsize")
    fit = lemmas()["addNode_prefix_node_spec"].without("hsize")
    assert checked(lemma) and checked(fit)


# --- false lemmas ---


@pytest.mark.parametrize("name", FALSE)
def test_false_lemmas_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        checked(FALSE[name])
    assert str(refused.value) == "the claim: the goal does not follow"


# --- changed engines ---

AT_EVERY_SIZE = [
    *SEEN,
    (changed.ArrayGrows, "addGradAll_ok_size"),
    (changed.RangeOneShort, FOLD),
]
BY_WHAT_IT_USES = {changed.Overwrite, changed.OperandsSwapped, changed.AddedTwice}
"""What is wrong with a sum, is wrong where contributions are folded; the step is no more than a use of that."""


@pytest.mark.parametrize(("engine", "name"), AT_EVERY_SIZE, ids=[f"{e.__name__}-{n}" for e, n in AT_EVERY_SIZE])
def test_what_sees_a_wrong_engine_is_no_theorem_about_it(engine: type[Engine], name: str) -> None:
    proved, refused = chain(name, on(engine()))
    assert name not in proved
    assert all(SAYS.fullmatch(said) for said in refused.values()), refused
    if engine in BY_WHAT_IT_USES:
        assert refused[name] == f"the claim: {FOLD} is no theorem yet, so it cannot be used"
        assert refused[FOLD] == "the step, ss of size k + 1: have hadd0: it does not follow"


@pytest.mark.parametrize(("engine", "name"), AT_EVERY_SIZE, ids=[f"{e.__name__}-{n}" for e, n in AT_EVERY_SIZE])
def test_what_sees_a_wrong_engine_does_not_follow_even_from_all_it_uses(engine: type[Engine], name: str) -> None:
    """Given that all others are true of the engine as well, which some of them are not."""
    variants = on(engine())
    if engine in BY_WHAT_IT_USES:
        assert check(variants[name], variants, LIMITS)
        name = FOLD
    with pytest.raises(Refused, match=WHERE + WHAT):
        check(variants[name], variants, LIMITS)


def test_what_the_seed_does_not_see_is_not_seen_at_every_size_either() -> None:
    proved, refused = chain(INDUCTIVE, on(changed.FlagsIgnored()))
    assert INDUCTIVE in proved
    assert not refused


@pytest.mark.parametrize("name", ["backwardDenseFromStep_ok_size", "backwardDenseFromStep_addNode_push"])
def test_nothing_is_known_of_a_list_that_is_reversed(name: str) -> None:
    """It is true at known sizes (see test_changed_engines), and cannot be proved at every size: `reverse` is any
    function there, so not even a step on leaves can be computed."""
    variants = on(changed.ContributionsReversed())
    with pytest.raises(Refused, match="the claim: the goal does not follow"):
        check(variants[name], variants, LIMITS)
    assert decide(variants[name], Bound(1, 1, 1)).verdict is Verdict.PROVED


ENGINES = sorted(
    {*(engine for engine, _ in AT_EVERY_SIZE), changed.FlagsIgnored, changed.ContributionsReversed},
    key=lambda engine: engine.__name__,
)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES[::3])
def test_no_theorem_about_a_wrong_engine_is_refuted_at_small_sizes(engine: type[Engine]) -> None:
    variants = on(engine())
    proved: dict[str, Theorem] = {}
    for name in lemmas():
        more, _ = chain(name, variants) if name not in proved else ({}, {})
        proved |= more
    for name in proved:
        try:
            decided = decide(variants[name], Bound(2, 1, 1), until_refuted=True)
        except SizesDifferError:  # an array that grows cannot be stated of at known sizes
            continue
        assert decided.verdict is not Verdict.REFUTED, name
