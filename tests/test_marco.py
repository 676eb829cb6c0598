"""The enumeration of minimal sufficient sets, against families of sets that are known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from symtape.marco import Explored, Names, Said, Sufficiency, explore, jointly_minimal

ELEMENTS = ("a", "b", "c", "d", "e")

families = st.lists(st.frozensets(st.sampled_from(ELEMENTS)), max_size=5)


def minimal(sets: list[Names]) -> set[Names]:
    return {each for each in sets if not any(other < each for other in sets)}


def subsets() -> list[Names]:
    chosen = chain.from_iterable(combinations(ELEMENTS, size) for size in range(len(ELEMENTS) + 1))
    return [frozenset(each) for each in chosen]


def explored(answer: Callable[[Names], Said]) -> tuple[Explored, list[Names]]:
    """What is found, and what was asked."""
    asked: list[Names] = []
    exploration = explore(ELEMENTS)
    try:
        kept = next(exploration)
        while True:
            asked.append(kept)
            kept = exploration.send(answer(kept))
    except StopIteration as done:
        return done.value, asked


def sufficient(family: list[Names], kept: Names) -> bool:
    return any(each <= kept for each in family)


@given(families, st.randoms(use_true_random=False))
def test_all_minimal_and_all_maximal_sets_are_found(family: list[Names], random: object) -> None:
    def answer(kept: Names) -> Said:
        if not sufficient(family, kept):
            return Said(Sufficiency.INSUFFICIENT, kept)
        # a core is some part of the set that suffices, not the smallest
        cores = [each for each in subsets() if each <= kept and sufficient(family, each)]
        return Said(Sufficiency.SUFFICIENT, random.choice(cores))  # type: ignore[attr-defined]

    found, asked = explored(answer)
    assert set(found.minimal) == minimal(family)
    insufficient = [each for each in subsets() if not sufficient(family, each)]
    assert set(found.maximal) == {s for s in insufficient if not any(s < other for other in insufficient)}
    assert not found.undecided
    assert len(asked) == len(set(asked)), "a set is asked about once"


@given(families, st.frozensets(st.sampled_from(subsets()), max_size=6))
def test_without_an_answer_nothing_is_claimed(family: list[Names], silent: frozenset[Names]) -> None:
    def answer(kept: Names) -> Said:
        if kept in silent:
            return Said(Sufficiency.UNDECIDED, kept)
        return Said(Sufficiency.SUFFICIENT if sufficient(family, kept) else Sufficiency.INSUFFICIENT, kept)

    found, asked = explored(answer)
    assert all(sufficient(family, each) for each in found.minimal)
    assert not any(sufficient(family, each) for each in found.maximal)
    assert set(found.undecided) <= silent
    assert len(asked) == len(set(asked))
    # what is minimal may be smaller only by way of a set without an answer
    for each in found.minimal:
        smaller = [other for other in minimal(family) if other < each]
        assert not smaller or any(undecided < each for undecided in found.undecided)


@given(st.lists(families.filter(bool), min_size=1, max_size=3))
def test_what_suffices_everywhere(places: list[list[Names]]) -> None:
    everywhere = [kept for kept in subsets() if all(sufficient(place, kept) for place in places)]
    joint = jointly_minimal([sorted(minimal(place), key=sorted) for place in places], ELEMENTS)
    assert set(joint) == minimal(everywhere)


def test_a_lemma_without_hypotheses_is_asked_about_once() -> None:
    exploration = explore(())
    assert next(exploration) == frozenset()
    try:
        exploration.send(Said(Sufficiency.SUFFICIENT, frozenset()))
    except StopIteration as done:
        assert done.value == Explored(minimal=[frozenset()])
