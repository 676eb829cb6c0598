"""Lists of contributions of any length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.encodings.free.sorts import MEMBER, Fixed, Sorts, function
from symtape.encodings.free.tensor import FreeTensor
from symtape.encodings.result import Result, success
from symtape.instances import Instances
from symtape.logic import Formula, all_of, equal, formula, implies, negate, select_leaf
from symtape.naturals import known, less, minus, numeral, plus, predecessor
from symtape.recursion import recursive
from symtape.smt import z3
from symtape.terms import equation
from symtape.world import World


class FreeContributions(Fixed):
    """`List (ℕ × Spec.SomeTensor α)`: a term with its length."""

    def __init__(self, world: World, term: Any, length: Any = None) -> None:
        self.world = world
        self.term = term
        self.length = world.share(Sorts).length(term) if length is None else length
        world.require(equal(world.share(Sorts).length(term), self.length), formula(self.length >= 0))

    @classmethod
    def nil(cls, world: World) -> FreeContributions:
        """`[]`."""
        sorts, instances = world.share(Sorts), world.share(Instances)
        empty = z3.Const("[]", sorts.contributions)
        if instances.once("[]"):
            instances.rule(MEMBER, lambda pid, pg: negate(sorts.member(empty, pid, pg)))
        return cls(world, empty, 0)

    @property
    def head(self) -> tuple[Any, FreeTensor]:
        """The id and gradient of the first contribution. Only of a list that is known to have one."""
        sorts = self.world.share(Sorts)
        pid = sorts.head_pid(self.term)
        self.world.require(pid >= 0)
        return pid, FreeTensor(self.world, sorts.head_gradient(self.term))

    @property
    def tail(self) -> FreeContributions:
        """All but the first contribution. Only of a list that is known to have one."""
        return FreeContributions(self.world, self.world.share(Sorts).tail(self.term), predecessor(self.length))

    def leaves(self) -> list[Any]:
        return [self.term]

    def like(self, leaves: Sequence[Any]) -> FreeContributions:
        return FreeContributions(self.world, leaves[0])

    def sized(self, leaves: Sequence[Any], length: Any) -> FreeContributions:
        return FreeContributions(self.world, leaves[0], length)

    def forall(self, body: Callable[[Any, FreeTensor], Any]) -> Formula:
        """`∀ (pid, pg) ∈ cs, body pid pg`."""
        if known(self.length) == 0:
            return True
        if predecessor(self.length) is not None:
            return all_of(body(*self.head), self.tail.forall(body))
        belongs = self.world.share(Sorts).member
        return self.world.share(Instances).forall(
            MEMBER, lambda pid, pg: implies(belongs(self.term, pid, pg), body(pid, FreeTensor(self.world, pg)))
        )

    def foldlM(self, step: Callable[[Any, Any, FreeTensor], Any], start: Any) -> Any:
        """`List.foldlM` of `step acc pid pg` from `start`: in order, stopped by the first error."""
        return recursive(
            self.world,
            "foldlM",
            self.length,
            [self, start],
            lambda _, state: success(self.world, state),
            zero=lambda cs, state: success(self.world, state),
            successor=lambda k, fold, cs, state: step(state, *cs.head).bind(lambda after: fold(cs.tail, after)),
        )

    def take(self, count: Any) -> FreeContributions:
        """`cs.take n`. Unless it is empty it is some list: nothing is known of it."""
        return FreeContributions.nil(self.world) if known(count) == 0 else self._made("take", numeral(count))

    def drop(self, count: Any) -> FreeContributions:
        """`cs.drop n`. It is some list: nothing is known of it."""
        return self._made("drop", numeral(count))

    def dropLast(self) -> FreeContributions:
        """`cs.dropLast`. It is some list: nothing is known of it."""
        return self._made("dropLast")

    def reverse(self) -> FreeContributions:
        """`cs.reverse`. It is some list: nothing is known of it."""
        return self._made("reverse")

    def _made(self, name: str, *arguments: Any) -> FreeContributions:
        """The list that a function makes of this one and the arguments."""
        operands = (self.term, *arguments)
        sorts = [*(operand.sort() for operand in operands), self.term.sort()]
        return FreeContributions(self.world, function(self.world, name, *sorts)(*operands))

    def pure(self) -> Result[FreeContributions]:
        """`Except.ok cs`."""
        return success(self.world, self)

    def equals(self, other: FreeContributions) -> Formula:
        return equal(self.term, other.term).holds()

    @classmethod
    def select(
        cls,
        options: Sequence[tuple[Formula, FreeContributions]],
        otherwise: FreeContributions,
        *,
        anything_else: bool,
    ) -> FreeContributions:
        """The list whose guard holds."""
        terms = [(g, cs.term) for g, cs in options]
        return FreeContributions(otherwise.world, select_leaf(terms, otherwise.term, anything_else=anything_else))


class Indexed(FreeContributions):
    """`toIndexedShapeErasedArray`: the pairs `(start + i, at(i))` for `i < length`, where `array` is the array of the
    `at(i)`, and `tail()` is the list without the first."""

    def __init__(
        self, world: World, array: Any, length: Any, start: Any, at: Callable[[Any], Any], tail: Callable[[], Any]
    ) -> None:
        sorts, instances = world.share(Sorts), world.share(Instances)
        term = sorts.indexed(array, numeral(length), numeral(start))
        super().__init__(world, term, length)
        self._start, self._at, self._tail = start, at, tail
        if instances.once("indexed", term):

            def belongs(pid: Any, gradient: Any) -> Formula:
                inside = all_of(negate(less(pid, start)), less(pid, plus(start, length)))
                return equal(
                    sorts.member(term, pid, gradient), all_of(inside, equation(gradient, at(minus(pid, start))))
                ).holds()

            instances.rule(MEMBER, belongs)

    @property
    def head(self) -> tuple[Any, FreeTensor]:
        return self._start, FreeTensor(self.world, self._at(0))

    @property
    def tail(self) -> FreeContributions:
        tail: FreeContributions = self._tail()
        return tail
