"""Proofs that are none: each is refused, and the message says which part of it fails, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtape.discover import EncodingsError, discover
from symtape.theorem import Refused, check, prove
from tests.deciding import lemmas
from tests.proving import LIMITS, checked, theorem
from tests.wrong_proofs import WRONG


@pytest.mark.parametrize("name", WRONG)
def test_wrong_proofs_are_refused(name: str) -> None:
    lemma, says = WRONG[name]
    with pytest.raises(Refused, match=rf"\A{says}") as refused:
        checked(lemma)
    assert "\n" not in str(refused.value)


RIGHT = sorted({lemma.name.partition(", ")[0] for lemma, _ in WRONG.values()} & set(lemmas()))


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_proofs_of_the_same_lemmas_are_not(name: str) -> None:
    """So it is what was changed in them that is refused."""
    assert theorem(name)


HEADER = "from symtape import by, equal, given, induction, lemma\nfrom symtape.encodings.tape import Tape\n"
CIRCLE = """
@lemma(uses=["second"], proof=by(lambda: [second.at()]))
def first(t: Tape):
    "The size is 0."
    return given().show(lambda: equal(t.size, 0))


@lemma(uses=["first"], proof=by(lambda: [first.at()]))
def second(t: Tape):
    "The size is 0."
    return given().show(lambda: equal(t.size, 0))
"""


def test_two_lemmas_that_use_each_other_are_no_file_of_lemmas(tmp_path: Path) -> None:
    file = tmp_path / "circle.py"
    file.write_text(HEADER + CIRCLE, "utf-8")
    with pytest.raises(EncodingsError, match=r"circle\.py:4: lemma first: uses itself, by way of first, second"):
        discover([file])


def test_two_lemmas_that_use_each_other_prove_nothing() -> None:
    """Each follows from the other, and neither can be the first to be a theorem."""
    from tests.circle import first, second

    both = {"first": first, "second": second}
    assert check(first, both, LIMITS).uses("prove") == {"second"}
    assert check(second, both, LIMITS).uses("prove") == {"first"}
    for lemma in (first, second):
        with pytest.raises(Refused, match=r"the claim: .* is no theorem yet, so it cannot be used"):
            prove(lemma, {}, LIMITS)


def test_an_admitted_lemma_has_no_proof_to_check() -> None:
    from tests.circle import third

    with pytest.raises(Refused, match="it is admitted, so there is no proof to check"):
        checked(third)
