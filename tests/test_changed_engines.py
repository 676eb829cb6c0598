"""Wrong engines: those that the eight see are refuted with a replayed counterexample; some they do not see."""

from __future__ import annotations

import pytest

from symtape import Bound, Verdict
from symtape.encodings.backward import Engine
from tests import changed_engines as changed
from tests.deciding import SEED, decide, lemmas

STEP_LAST = "backwardDenseFromStep_addNode_lowerNode_last"
INDUCTIVE = "backwardDenseFrom_addNode_lowerNode"

SEEN = [
    (changed.Overwrite, STEP_LAST),
    (changed.OperandsSwapped, STEP_LAST),
    (changed.AddedTwice, STEP_LAST),
    (changed.LoopUpward, INDUCTIVE),
    (changed.LastNodeSkipped, INDUCTIVE),
    (changed.LoopOneLong, "backwardDenseFromLoop_addNode_push"),
    (changed.VisitedTwice, INDUCTIVE),
    (changed.LastContributionLost, STEP_LAST),
    (changed.OnlyFirstContribution, STEP_LAST),
    (changed.NextSlotWritten, "addGradAll_addNode_push"),
    (changed.PushedSlotWritten, "addGradAll_addNode_push"),
    (changed.RangeOneShort, "addGradAll_addNode_push"),
    (changed.StaleRead, STEP_LAST),
    (changed.FirstSlotRead, STEP_LAST),
    (changed.OwnSlotDoubled, STEP_LAST),
]


@pytest.mark.parametrize(("engine", "name"), SEEN, ids=[engine.__name__ for engine, _ in SEEN])
def test_seen(engine: type[Engine], name: str) -> None:
    decided = decide(lemmas()[name].on(engine()), Bound(2, 2, 1), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert shown.left != shown.right


@pytest.mark.parametrize("name", SEED)
@pytest.mark.parametrize("engine", [changed.FlagsIgnored, changed.ContributionsReversed])
def test_not_seen_by_the_eight(engine: type[Engine], name: str) -> None:
    """A gap of the seed, not of symtape: these engines are wrong, and the eight hold of them all the same."""
    assert decide(lemmas()[name].on(engine()), Bound(2, 2, 1)).verdict is Verdict.PROVED


def test_overwriting_is_seen_by_the_two_lemmas_that_mention_a_sum() -> None:
    verdicts = {name: decide(lemmas()[name].on(changed.Overwrite()), Bound(2, 1, 1)).verdict for name in SEED}
    assert verdicts.pop(STEP_LAST) is Verdict.REFUTED
    assert verdicts.pop(INDUCTIVE) is Verdict.REFUTED
    assert set(verdicts.values()) == {Verdict.PROVED}
