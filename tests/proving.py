"""Prove lemmas at every size inside the test process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from symtape import Lemma
from symtape.choose import with_used
from symtape.solver import Limits
from symtape.theorem import Checked, Refused, Theorem, check, prove
from tests.deciding import lemmas

LIMITS = Limits(timeout=60.0)


@cache
def theorem(name: str) -> Theorem:
    """A built-in lemma as a theorem, proved from those that it uses."""
    lemma = lemmas()[name]
    return prove(lemma, {used: theorem(used) for used in lemma.uses}, LIMITS)


def checked(lemma: Lemma, *others: Lemma) -> Checked:
    """What is shown of a lemma, given that the built-in ones and the others are true. Raises `Refused`."""
    return check(lemma, {**lemmas(), **{other.name: other for other in others}}, LIMITS)


def on(engine: Any) -> dict[str, Lemma]:
    """The built-in lemmas about another engine, under their own names, by which proofs use them."""
    return {name: lemma.on(engine) for name, lemma in lemmas().items()}


def chain(name: str, variants: Mapping[str, Lemma]) -> tuple[dict[str, Theorem], dict[str, str]]:
    """A lemma and all that it uses, each proved from those before it: the theorems, and why the others are none."""
    proved: dict[str, Theorem] = {}
    refused: dict[str, str] = {}
    for each in with_used([lemmas()[name]], lemmas()):
        try:
            proved[each.name] = prove(variants[each.name], proved, LIMITS)
        except Refused as problem:
            refused[each.name] = str(problem)
    return proved, refused
