"""Tensors of which only the shape and the addition are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symtape.encodings.free.sorts import Fixed, Sorts, function
from symtape.encodings.result import Result, failure, success
from symtape.encodings.tensor import MISMATCH
from symtape.logic import Formula, equal, implies, same, select_leaf
from symtape.smt import z3
from symtape.statement import StatementError
from symtape.terms import equation
from symtape.world import World

if TYPE_CHECKING:
    from symtape.encodings.free.tape import FreeNode


class FreeTensor(Fixed):
    """A shape-erased tensor. `typed` is its shape where its type says so, as in `Tensor α τ`; after a `cast` that is
    still to be shown."""

    def __init__(self, world: World, term: Any, typed: Any = None, *, cast: bool = False) -> None:
        self.world = world
        self.term = term
        self.typed = typed
        if typed is not None and not cast:
            world.require(equal(world.share(Sorts).shape_of(term), typed))

    @classmethod
    def declare(cls, world: World, name: str, shape: Any = None) -> FreeTensor:
        """An arbitrary tensor; `shape` may be given by its type."""
        return cls(world, z3.Const(name, world.share(Sorts).tensor), shape)

    @property
    def shape(self) -> Any:
        return self.world.share(Sorts).shape_of(self.term)

    def leaves(self) -> list[Any]:
        return [self.term]

    def like(self, leaves: Sequence[Any]) -> FreeTensor:
        return FreeTensor(self.world, leaves[0])

    def erase(self) -> FreeTensor:
        """`Spec.SomeTensor.ofTensor`."""
        return FreeTensor(self.world, self.term)

    def leaf(self) -> FreeNode:
        """`leafNodeOfSomeTensor`."""
        from symtape.encodings.free.tape import leafNodeOfSomeTensor

        return leafNodeOfSomeTensor(self)

    def error(self, message: str) -> Result[Any]:
        """`Except.error message`."""
        return failure(self.world, message)

    def cast(self, shape: Any) -> FreeTensor:
        """`v.cast h`, where `h` says that the tensor has this shape: nothing is known of it where it has not."""
        term = function(self.world, "cast", self.term.sort(), shape.sort(), self.term.sort())(self.term, shape)
        self.world.require(implies(equal(self.shape, shape), equal(term, self.term)))
        # that it has the shape is not required: where this one has another, there might be no tensor that has it
        return FreeTensor(self.world, term, shape, cast=True)

    def plus(self, other: FreeTensor) -> FreeTensor:
        """The elementwise sum of two tensors of one shape, entries of `self` as left operands.

        Raises `StatementError` unless the shapes are known to be one; `add` is for any two tensors.
        """
        mine, its = self._known_shape, other._known_shape
        if not same(mine, its):
            raise StatementError("plus needs two tensors of one shape; add is for any two")
        return self.sum(other)

    @property
    def _known_shape(self) -> Any:
        return self.shape if self.typed is None else self.typed

    def sum(self, other: FreeTensor) -> FreeTensor:
        """The sum where the shapes are one; it has the shape of `self`."""
        sorts = self.world.share(Sorts)
        added = sorts.sum(self.term, other.term)
        self.world.require(equation(sorts.shape_of(added), self.shape))
        return FreeTensor(self.world, added, self.typed)

    def with_first_of(self, other: FreeTensor) -> FreeTensor:
        """This tensor with the first entry of another one of its shape: some tensor of that shape, nothing else is
        known of it."""
        sort = self.term.sort()
        made = function(self.world, "with first of", sort, sort, sort)(self.term, other.term)
        self.world.require(equal(self.world.share(Sorts).shape_of(made), self.shape))
        return FreeTensor(self.world, made, self.typed)

    def add(self, other: FreeTensor) -> Result[FreeTensor]:
        """`SomeTensor.add`: the elementwise sum if the shapes are equal, else an error."""
        agree = equal(self.shape, other.shape).holds()
        return Result.select(
            self.world, [(agree, success(self.world, self.sum(other)))], failure(self.world, MISMATCH)
        )

    def equals(self, other: FreeTensor) -> Formula:
        return equal(self.term, other.term).holds()

    @classmethod
    def select(
        cls, options: Sequence[tuple[Formula, FreeTensor]], otherwise: FreeTensor, *, anything_else: bool
    ) -> FreeTensor:
        """The tensor whose guard holds."""
        terms = [(g, tensor.term) for g, tensor in options]
        return FreeTensor(otherwise.world, select_leaf(terms, otherwise.term, anything_else=anything_else))
