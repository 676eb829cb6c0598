"""The runtime's functions, row by row: proved, each hypothesis needed, and together they notice every mutant."""

from __future__ import annotations

from contextlib import suppress

import pytest

from symtape import Bound, Lemma, Verdict
from symtape.discover import discover_equivalence, find_lemma
from symtape.mutant import Mutant
from symtape.theorem import Refused, check
from tests.deciding import decide, lemmas
from tests.pasting import paste
from tests.proving import LIMITS, theorem
from tests.test_mutants import EQUIVALENT, MUTANTS

EQUATIONS = [name for name, lemma in lemmas().items() if lemma.group == "Runtime equations"]
NOTICING = [*EQUATIONS, "lowerNode_backward_of_shape", "lowerNode_backward_of_ne"]
"""With the two lemmas on what a lowered node's backward function answers these are the whole runtime."""

NOTHING_THERE = {
    "addGradAll_of_not_requiresGrad",
    "addGradAll_of_wrong_contribution",
    "addGradAll_of_out_of_bounds",
    "addGradAll_of_wrong_slot",
    "addGradAll_of_fits",
    "backwardDenseFromStep_of_not_requiresGrad",
    "backwardDenseFromStep_of_out_of_bounds",
    "backwardDenseFromStep_of_wrong_slot",
    "backwardDenseFromStep_of_error",
    "backwardDenseFromStep_eq_foldlM",
}
"""They speak of a node that exists, so on the empty tape they say nothing."""

NEEDLESS = {
    ("addGradAll_of_fits", "hid"),
    ("backwardDenseFromStep_of_error", "hid"),
    ("backwardDenseFromStep_eq_foldlM", "hid"),
}
"""At known sizes what is outside an array has a shape that nothing else has, so that a slot fits says that there is
one. At every size it is needed, and in Lean the statement has no meaning without it."""

HYPOTHESES = [(name, hypothesis) for name in EQUATIONS for hypothesis in lemmas()[name].hypotheses]


@pytest.mark.parametrize("name", EQUATIONS)
def test_ours_and_without_a_script(name: str) -> None:
    lemma = lemmas()[name]
    assert lemma.lean is None
    assert lemma.source.startswith("symtape's own")
    assert not lemma.uses


@pytest.mark.parametrize("name", EQUATIONS)
def test_proved_at_known_sizes(name: str) -> None:
    decided = decide(lemmas()[name], Bound(2, 2, 2))
    assert decided.verdict is Verdict.PROVED, decided.conclusion.reason
    claims = [finding for finding in decided.findings if finding.kind == "claim"]
    sizes = {0, 1, 2} - ({0} if name in NOTHING_THERE else set())
    assert {finding.size for finding in claims if finding.satisfiable} == sizes


@pytest.mark.parametrize("name", EQUATIONS)
def test_proved_at_every_size(name: str) -> None:
    assert not theorem(name).admitted


@pytest.mark.parametrize(("name", "hypothesis"), HYPOTHESES)
def test_each_hypothesis_is_needed(name: str, hypothesis: str) -> None:
    variant = lemmas()[name].without(hypothesis)
    decided = decide(variant, Bound(2, 2, 1), until_refuted=True)
    if (name, hypothesis) in NEEDLESS:
        assert decided.verdict is Verdict.PROVED
        with pytest.raises(Refused, match="does not follow"):
            check(variant, lemmas(), LIMITS)
        return
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert "goal: FAILS" in paste(shown.call)


# --- together they notice every mutant ---


def first_refutation(lemma: Lemma, bound: Bound) -> str | None:
    decided = decide(lemma, bound, until_refuted=True)
    if decided.verdict is not Verdict.REFUTED:
        return None
    shown = decided.refutations[0].counterexample
    assert shown is not None
    return shown.call


def equations_on(function: str) -> list[str]:
    """Those that speak of a function: its own rows."""
    functions = function.split(", ")
    return [name for name in NOTICING if name.split("_")[0] in functions]


def theorems_on(mutant: Mutant, equations: list[str]) -> set[str]:
    """Those that are theorems about a mutant at every size."""
    proved = set()
    for equation in equations:
        with suppress(Refused):
            check(lemmas()[equation].on_mutant(mutant), {}, LIMITS)
            proved.add(equation)
    return proved


@pytest.mark.parametrize("name", MUTANTS)
def test_not_all_rows_of_its_function_are_theorems_about_a_mutant_unless_it_is_equivalent(name: str) -> None:
    equations = equations_on(MUTANTS[name].function)
    missing = set(equations) - theorems_on(MUTANTS[name], equations)
    assert bool(missing) is (name not in EQUIVALENT)


@pytest.mark.parametrize("name", sorted(EQUIVALENT))
def test_equations_are_theorems_about_an_equivalent_mutant(name: str) -> None:
    assert theorems_on(MUTANTS[name], NOTICING) == set(NOTICING)
    assert check(find_lemma("addGradAll_is_the_runtime").on_mutant(MUTANTS[name]), {}, LIMITS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in EQUIVALENT][::6])
def test_a_row_of_its_own_function_notices_every_mutant(name: str) -> None:
    """Some of them; the published matrix has all, and any lemma there."""
    mutant = MUTANTS[name]
    for equation in equations_on(mutant.function):
        call = first_refutation(lemmas()[equation].on_mutant(mutant), Bound(2, 2, 2))
        if call is not None:
            assert f"engine={name!r}" in call
            assert "goal: FAILS" in paste(call)
            return
    pytest.fail(f"no equation notices: {mutant.doc}")


# --- being the runtime ---


def test_the_runtime_is_the_runtime() -> None:
    for lemma in discover_equivalence():
        assert lemma.name not in lemmas(), "true of the runtime for no reason, so nothing to list"
        assert find_lemma(lemma.name).name == lemma.name
        assert decide(lemma, Bound(1, 1, 1)).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("addGradAll: overwriting", "addGradAll"),
        ("backwardDenseFromStep: contributions reversed", "backwardDenseFromStep"),
        ("backwardDenseFromLoop: upward", "backwardDenseFromLoop"),
        ("backwardDenseFrom: 'wrong length' dropped", "backwardDenseFrom"),
        ("lowerNode: flag false", "lowerNode_requiresGrad"),
        ("lowerNode: value doubled", "lowerNode_value"),
        ("lowerNode: vjp at another context", "lowerNode_backward"),
    ],
)
def test_that_a_mutant_is_not_the_runtime_is_shown_by_a_line_that_can_be_pasted(name: str, function: str) -> None:
    call = first_refutation(find_lemma(f"{function}_is_the_runtime").on_mutant(MUTANTS[name]), Bound(2, 2, 1))
    assert call is not None
    assert "goal: FAILS" in paste(call)
