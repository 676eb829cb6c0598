"""Arrays of any size.

An array of Lean is a size and a total array that holds one and the same junk outside the size. So two arrays are
equal exactly if their sizes and total arrays are, and `push` and `set` are stores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.encodings.free.sorts import Fixed, Sorts
from symtape.encodings.free.tensor import FreeTensor
from symtape.encodings.result import Result, failure, success
from symtape.instances import INDEX, Instances, meet_index, natural
from symtape.logic import Formula, all_of, equal, formula, implies, same, select_leaf
from symtape.naturals import known, less, minus, numeral, plus
from symtape.smt import z3
from symtape.terms import equation, select, store
from symtape.world import World


def pointwise(world: World, size: Any, sort: Any, at: Callable[[Any], Any]) -> Any:
    """The array of this size whose element i is `at(i)`, as a Z3 array; the same for the same elements."""
    instances = world.share(Instances)
    with instances.aside():
        element = at(z3.Int(f"•{instances.looking}.i"))
    number = instances.number("array", sort, size, element)
    array = z3.Const(f"array!{number}", z3.ArraySort(z3.IntSort(), sort))
    if instances.once("array", number):
        instances.rule(INDEX, lambda i: implies(less(i, size), equation(select(array, i), at(i))))
    return array


def arrays_equal(world: World, a: tuple[Any, Any], b: tuple[Any, Any]) -> Formula:
    """Equality of two arrays, each a Z3 array with its size. If they differ, they do so somewhere within it."""
    (array_a, size_a), (array_b, size_b) = a, b
    sizes = equal(size_a, size_b).holds()
    if sizes is False:
        return False
    if same(array_a, array_b):
        return sizes
    instances = world.share(Instances)
    same_arrays = equation(array_a, array_b)
    number = instances.number("differ", array_a, size_a, array_b)
    if instances.once("differ", number):
        where = natural(world, f"differ!{number}")
        instances.meet(INDEX, where)
        agree = equation(select(array_a, where), select(array_b, where))
        world.require(implies(all_of(sizes, implies(less(where, size_a), agree)), same_arrays))
    return all_of(sizes, same_arrays)


class FreeAccumulator(Fixed):
    """An array of shape-erased tensors."""

    __iter__ = None

    def __init__(
        self, world: World, array: Any, size: Any, pushed: tuple[FreeAccumulator, FreeTensor] | None = None
    ) -> None:
        self.world = world
        self.array = array
        self.size = size
        self._pushed = pushed

    def leaves(self) -> list[Any]:
        return [self.array, numeral(self.size)]

    def like(self, leaves: Sequence[Any]) -> FreeAccumulator:
        array, size = leaves
        self.world.require(formula(size >= 0))
        return FreeAccumulator(self.world, array, size)

    def push(self, tensor: FreeTensor) -> FreeAccumulator:
        """`acc.push v`."""
        longer = store(self.array, numeral(self.size), tensor.term)
        return FreeAccumulator(self.world, longer, plus(self.size, 1), (self, tensor))

    def append(self, other: FreeAccumulator) -> FreeAccumulator:
        """`a ++ b`."""
        if known(other.size) == 0:
            return self
        if known(self.size) == 0:
            return other
        if other._pushed is not None:
            shorter, last = other._pushed
            return self.append(shorter).push(last)
        size = plus(self.size, other.size)

        def at(i: Any) -> Any:
            position = minus(i, self.size)
            meet_index(self.world, position, leads_on=True)
            behind = select(other.array, numeral(position))
            return select_leaf([(less(i, self.size), select(self.array, i))], behind)

        array = pointwise(self.world, size, self.world.share(Sorts).tensor, at)
        return FreeAccumulator(self.world, array, size)

    def __getitem__(self, identifier: Any) -> FreeTensor:
        """The tensor in a slot. Out of range it is any tensor."""
        meet_index(self.world, identifier)
        return FreeTensor(self.world, select(self.array, numeral(identifier)))

    def set(self, identifier: Any, tensor: FreeTensor) -> FreeAccumulator:
        """`acc with acc[id] := tensor`; outside the array nothing changes, as with Lean's `set!`."""
        meet_index(self.world, identifier)
        stored = store(self.array, numeral(identifier), tensor.term)
        inside = all_of(INDEX.guard(identifier), less(identifier, self.size))
        array = select_leaf([(inside, stored)], self.array)
        return FreeAccumulator(self.world, array, self.size)

    def filled(self, tensor: FreeTensor) -> FreeAccumulator:
        """An array of this size with `tensor` in every slot."""
        array = pointwise(self.world, self.size, self.world.share(Sorts).tensor, lambda _: tensor.term)
        return FreeAccumulator(self.world, array, self.size)

    def pure(self) -> Result[FreeAccumulator]:
        """`Except.ok acc`."""
        return success(self.world, self)

    def error(self, message: str) -> Result[Any]:
        """`Except.error message`."""
        return failure(self.world, message)

    def equals(self, other: FreeAccumulator) -> Formula:
        return arrays_equal(self.world, (self.array, self.size), (other.array, other.size))

    @classmethod
    def select(
        cls, options: Sequence[tuple[Formula, FreeAccumulator]], otherwise: FreeAccumulator, *, anything_else: bool
    ) -> FreeAccumulator:
        """The accumulator whose guard holds."""
        array = select_leaf([(g, a.array) for g, a in options], otherwise.array, anything_else=anything_else)
        sizes = [(g, numeral(a.size)) for g, a in options]
        size = select_leaf(sizes, numeral(otherwise.size), anything_else=anything_else)
        return FreeAccumulator(otherwise.world, array, size)
