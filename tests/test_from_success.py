"""The inductive step from success: two of the seed's five hypotheses suffice, at every size."""

from __future__ import annotations

import pytest

from symtape import Bound, Lemma, Verdict
from symtape.audit import ONE_QUESTION, OWN_PROOF, asking_less, proved_by
from symtape.encodings.backward import Engine
from symtape.theorem import Refused, prove
from tests import changed_engines as changed
from tests.deciding import decide, lemmas
from tests.proving import LIMITS, chain, checked, on, theorem
from tests.test_changed_engines import INDUCTIVE

FINAL = "backwardDenseFrom_addNode_lowerNode_of_ok"
FITS = "backwardDenseFromStep_addNode_lowerNode_last_of_fits"
NAMES = [name for name, lemma in lemmas().items() if lemma.group == "Inductive step, from success"]
NEEDLESS = ("hsize", "hvals", "hpids")


def test_they_are_ours_and_say_why() -> None:
    assert len(NAMES) == 10
    for name in NAMES:
        assert lemmas()[name].source.startswith("symtape's own: ")
        assert not theorem(name).admitted


@pytest.mark.parametrize("name", NAMES)
def test_what_they_rest_on_is_proved_and_not_by_the_seeds_lemmas(name: str) -> None:
    """The seed's own lemmas have the hypotheses that are shown to be needless: no proof here goes through them."""
    waiting, seen = [theorem(name)], set()
    while waiting:
        each = waiting.pop()
        seen.add(each.lemma.name)
        waiting += each.rests_on
    assert seen <= {*NAMES, "addGradAll_ok_size", "foldlM_addGradAll_toIndexedShapeErasedArray_eq_add"}


# --- the claim is the seed's ---


def weakened() -> Lemma:
    """The seed's theorem itself, without the three hypotheses."""
    return lemmas()[INDUCTIVE].without(*NEEDLESS)


def test_the_seeds_theorem_follows_without_three_of_its_hypotheses() -> None:
    variant = proved_by(weakened(), FINAL)
    proved = prove(variant, {FINAL: theorem(FINAL)}, LIMITS)
    assert proved.rests_on == (theorem(FINAL),)
    assert proved.checked.hypotheses | {"hreq", "hbp"} == {"hreq", "hbp"}
    assert set(lemmas()[FINAL].hypotheses) == set(variant.hypotheses) == {"hreq", "hbp"}


def test_and_says_no_less_than_the_seeds() -> None:
    """The other way round: with all five it follows from ours as well."""
    assert prove(proved_by(lemmas()[INDUCTIVE], FINAL), {FINAL: theorem(FINAL)}, LIMITS)


@pytest.mark.parametrize("route", [OWN_PROOF, ONE_QUESTION])
def test_no_other_route_shows_it(route: str) -> None:
    with pytest.raises(Refused, match="does not follow"):
        checked(proved_by(weakened(), route))


@pytest.mark.parametrize("hypothesis", ["hreq", "hbp"])
def test_it_is_no_proof_without_the_other_two(hypothesis: str) -> None:
    variant = proved_by(lemmas()[INDUCTIVE].without(hypothesis), FINAL)
    with pytest.raises(Refused, match=f"the use of {FINAL}: its hypothesis {hypothesis} does not follow"):
        checked(variant)


def test_it_is_the_only_lemma_that_the_audit_has_to_look_at() -> None:
    assert [other.name for other in asking_less(lemmas()[INDUCTIVE], lemmas().values())] == [FINAL]
    assert asking_less(lemmas()[FINAL], lemmas().values()) == []


# --- at known sizes ---


@pytest.mark.parametrize("name", NAMES)
def test_proved_at_known_sizes(name: str) -> None:
    decided = decide(lemmas()[name], Bound(2, 2, 2))
    assert decided.verdict is Verdict.PROVED, decided.conclusion.reason
    claims = [each for each in decided.findings if each.kind == "claim"]
    assert {each.size for each in claims if each.satisfiable} >= {1, 2}


@pytest.mark.parametrize("name", NAMES)
def test_proved_over_floats(name: str) -> None:
    assert decide(lemmas()[name], Bound(1, 1, 1), "float32").verdict is Verdict.PROVED


# --- wrong engines ---

PUSH = "addGradAll_addNode_push_of_ok"
SEES = [
    (changed.Overwrite, FITS),
    (changed.OperandsSwapped, FITS),
    (changed.AddedTwice, FITS),
    (changed.LastContributionLost, FITS),
    (changed.OnlyFirstContribution, FITS),
    (changed.StaleRead, FITS),
    (changed.FirstSlotRead, FITS),
    (changed.OwnSlotDoubled, FITS),
    (changed.LoopUpward, FINAL),
    (changed.LastNodeSkipped, FINAL),
    (changed.VisitedTwice, FINAL),
    (changed.NextSlotWritten, PUSH),
    (changed.PushedSlotWritten, PUSH),
    (changed.ArrayGrows, PUSH),
]


@pytest.mark.parametrize(("engine", "name"), SEES, ids=[f"{e.__name__}-{n}" for e, n in SEES])
def test_wrong_engines_are_refuted_up_to_a_bound_and_refused_at_every_size(engine: type[Engine], name: str) -> None:
    variants = on(engine())
    decided = decide(variants[name], Bound(2, 2, 1), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert shown.left != shown.right
    proved, refused = chain(name, variants)
    assert name not in proved
    assert refused


def test_what_the_seed_does_not_see_is_not_seen_from_success_either() -> None:
    proved, refused = chain(FINAL, on(changed.FlagsIgnored()))
    assert FINAL in proved
    assert not refused


def test_a_loop_that_goes_one_too_far_never_succeeds_on_the_whole_prefix() -> None:
    """So what is said of success is true of it, unlike the seed's lemma; the proof is none all the same, since it
    takes the loop over no ids to do nothing."""
    name = "backwardDenseFromLoop_addNode_push_of_ok"
    variants = on(changed.LoopOneLong())
    assert decide(variants[name], Bound(2, 1, 1)).verdict is Verdict.PROVED
    assert decide(variants["backwardDenseFromLoop_addNode_push"], Bound(1, 1, 1)).verdict is Verdict.REFUTED
    _, refused = chain(name, variants)
    assert refused == {name: "the base, m of size 0: the goal does not follow"}


def test_a_theorem_about_the_runtime_shows_nothing_of_another_engine() -> None:
    variant = proved_by(weakened().on(changed.Overwrite()), FINAL)
    with pytest.raises(Refused, match=f"{FINAL} is a theorem about another engine"):
        prove(variant, {FINAL: theorem(FINAL)}, LIMITS)
