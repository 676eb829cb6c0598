"""`Result β` = `Except String β`: a value or the message of the first error, as a value in the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from symtape.encodings.sorts import named_sort
from symtape.logic import (
    Formula,
    Symbolic,
    all_of,
    equal,
    formula,
    iff,
    implies,
    negate,
    select_formula,
    select_leaf,
    term,
)
from symtape.smt import z3
from symtape.world import World

T = TypeVar("T")
U = TypeVar("U")


class Messages:
    """The sort of error messages: the runtime's own, pairwise distinct, among arbitrary others.

    A node's `backward` may fail with any message, those of the runtime included.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.sort = named_sort("Message")
        self.unspecified = z3.Const("message of a success", self.sort)
        """The message of a result that is ok: one that nobody may look at."""
        self.known: dict[str, Any] = {}

    def of(self, text: str) -> Any:
        if text not in self.known:
            constant = z3.Const(f"message {text}", self.sort)
            self._world.require(*(constant != other for other in self.known.values()))
            self.known[text] = constant
        return self.known[text]


@dataclass(frozen=True, eq=False)
class Result(Symbolic, Generic[T]):
    """`ok value` or `error message`. When `ok` is false, `value` is a value that nobody may look at: leaving it
    unspecified, instead of choosing one, is what lets two runs share their terms."""

    world: World
    ok: Formula
    message: Any
    value: T

    def bind(self, then: Callable[[T], Result[U]]) -> Result[U]:
        """Go on with the value; the first error stops."""
        if self.ok is False:
            return Result(self.world, False, self.message, self.value)  # type: ignore[arg-type]
        after = then(self.value)
        message = select_leaf([(negate(self.ok), self.message)], after.message)
        return Result(self.world, all_of(self.ok, after.ok), message, after.value)

    def map(self, function: Callable[[T], U]) -> Result[U]:
        """`Except.map`: acts on `ok` alone."""
        value: Any = self.value if self.ok is False else function(self.value)
        if value is None and self.ok is not False:
            raise TypeError("the function given to map must return a value, and do nothing else")
        return Result(self.world, self.ok, self.message, value)

    def isOk(self) -> Formula:
        """`Except.isOk`."""
        return self.ok

    def equals(self, other: Result[T]) -> Formula:
        """Both errors with the same message, or both values and those equal."""
        values = True if self.ok is False or other.ok is False else formula(equal(self.value, other.value))
        # values that plainly differ, such as arrays of two sizes, leave errors only: said so that it is seen to be
        # false where one side is plainly ok
        agree = iff(self.ok, other.ok) if values is not False else all_of(negate(self.ok), negate(other.ok))
        return all_of(agree, implies(negate(self.ok), equal(self.message, other.message)), implies(self.ok, values))

    def leaves(self) -> list[Any]:
        """The terms that it is made of; an error that is plainly one has no value."""
        value: Any = self.value
        return [term(self.ok), self.message, *([] if value is None else value.leaves())]

    def like(self, leaves: Sequence[Any]) -> Result[T]:
        """A result that is made of other terms."""
        value: Any = self.value
        return Result(self.world, leaves[0], leaves[1], value.like(leaves[2:]))

    @staticmethod
    def select(world: World, options: Sequence[tuple[Formula, Result[Any]]], otherwise: Result[Any]) -> Result[Any]:
        """The result whose guard holds; guards exclude each other."""
        live = [(guard, result) for guard, result in options if guard is not False]
        for guard, result in live:
            if guard is True:
                return result
        ok = select_formula([(g, r.ok) for g, r in live], otherwise.ok)
        failing = [(g, r.message) for g, r in live if r.ok is not True]
        message = otherwise.message
        if failing:
            message = select_leaf(failing, otherwise.message, anything_else=otherwise.ok is True)
        values = [(g, r.value) for g, r in live if r.ok is not False]
        if otherwise.ok is not False:
            value = _select_value(values, otherwise.value, anything_else=False)
        elif values:
            value = _select_value(values, values[0][1], anything_else=True)
        else:
            value = otherwise.value
        return Result(world, ok, message, value)


def _select_value(options: Sequence[tuple[Formula, Any]], otherwise: Any, *, anything_else: bool) -> Any:
    if not options:
        return otherwise
    if hasattr(otherwise, "select"):
        return otherwise.select(options, otherwise, anything_else=anything_else)
    return select_leaf(options, otherwise, anything_else=anything_else)


def success(world: World, value: T) -> Result[T]:
    """`Except.ok value`."""
    return Result(world, True, world.share(Messages).unspecified, value)


def failure(world: World, text: str) -> Result[Any]:
    """`Except.error text`."""
    return Result(world, False, world.share(Messages).of(text), None)


def ok(value: Any) -> Any:
    """`Except.ok value`, in a lemma: of a symbolic value or of an interpreter's."""
    return value.pure()
