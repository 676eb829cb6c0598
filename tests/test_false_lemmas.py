"""False lemmas: refuted, the counterexample small, replayed, the same each time, and its line can be pasted."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtape import Bound, Verdict
from symtape.discover import discover
from tests.deciding import decide
from tests.pasting import paste

FILE = Path(__file__).parent / "false_lemmas.py"
FALSE = {name: lemma for name, lemma in discover([FILE]).items() if lemma.group == "false"}


def test_there_are_a_dozen() -> None:
    assert len(FALSE) >= 12


@pytest.mark.parametrize("name", FALSE)
def test_refuted_by_a_line_that_can_be_pasted(name: str) -> None:
    decided = decide(FALSE[name], Bound(2, 2, 2), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert "\n" not in shown.call
    said = paste(shown.call)
    assert "goal: FAILS" in said
    assert "FAILS" not in said.replace("goal: FAILS", "")
    again = decide(FALSE[name], Bound(2, 2, 2), until_refuted=True).refutations[0].counterexample
    assert again == shown


@pytest.mark.parametrize("name", ["addGradAll_any_order", "last_step_vjp_on_the_left"])
def test_a_claim_that_only_needs_a_commutative_ring_is_true_of_the_integers(name: str) -> None:
    """So the uninterpreted default is not a matter of taste: Real and Int would have called these proved."""
    lemma = FALSE[name]
    assert decide(lemma, Bound(1, 1, 1), "uninterpreted").verdict is Verdict.REFUTED


def test_float_addition_is_not_associative_but_the_vjp_may_be_on_either_side_of_a_float_sum() -> None:
    lemma = FALSE["last_step_vjp_on_the_left"]
    assert decide(lemma, Bound(1, 1, 1), "int").verdict is Verdict.PROVED
    assert decide(lemma, Bound(1, 1, 1), "float32").verdict is Verdict.PROVED
    assert decide(lemma, Bound(1, 1, 1), "uninterpreted").verdict is Verdict.REFUTED
