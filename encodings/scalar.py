"""The element type α: a sort and an addition, nothing else is assumed of it.

The seed asks only `[Add α]`, so the default addition is an uninterpreted function: neither associative nor
commutative, without a zero. Real, Int and the IEEE floats are further theories, each with its own addition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symtape.encodings.sorts import named_sort
from symtape.smt import z3
from symtape.terms import Function
from symtape.world import World


class ScalarError(ValueError):
    """A name of no scalar theory."""


@dataclass(frozen=True)
class ScalarTheory:
    """A Z3 sort with an addition, and the filler that stands in the entries a tensor does not have."""

    name: str
    sort: Any
    add: Callable[[Any, Any], Any]
    filler: Any
    """`filler + filler = filler`: a tensor's missing entries stay canonical under addition. This costs no
    generality: any α can be extended by such an element, and a model's filler is never read as an entry."""
    readable: Callable[[Any], Any] = lambda element: True
    """The elements that a person reads most easily."""


def _uninterpreted() -> ScalarTheory:
    sort = named_sort("α")
    add = Function("add", sort, sort, sort)
    return ScalarTheory("uninterpreted", sort, add, z3.Const("filler", sort))


def _real() -> ScalarTheory:
    return ScalarTheory("real", z3.RealSort(), lambda a, b: a + b, z3.RealVal(0), _one_digit)


def _int() -> ScalarTheory:
    return ScalarTheory("int", z3.IntSort(), lambda a, b: a + b, z3.IntVal(0), _one_digit)


def _one_digit(element: Any) -> Any:
    return z3.And(element >= 1, element <= 9)


def _float(name: str, sort: Callable[[], Any]) -> Callable[[], ScalarTheory]:
    def make() -> ScalarTheory:
        made = sort()
        return ScalarTheory(name, made, lambda a, b: z3.fpAdd(z3.RNE(), a, b), z3.FPVal(0.0, made))

    return make


_THEORIES: dict[str, Callable[[], ScalarTheory]] = {
    "uninterpreted": _uninterpreted,
    "real": _real,
    "int": _int,
    "float32": _float("float32", lambda: z3.Float32()),
    "float64": _float("float64", lambda: z3.Float64()),
}

SCALARS = tuple(_THEORIES)


def scalars(world: World) -> ScalarTheory:
    """The scalar theory of a world; use as `world.share(scalars)`. Raises `ScalarError` for an unknown name."""
    if world.scalar not in _THEORIES:
        raise ScalarError(f"unknown scalar theory {world.scalar!r}; known: {', '.join(SCALARS)}")
    theory = _THEORIES[world.scalar]()
    world.require(theory.add(theory.filler, theory.filler) == theory.filler)
    return theory
