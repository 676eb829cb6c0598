"""Functions by recursion on a natural number: `f(0, x) = zero(x)` and `f(k + 1, x) = successor(k, f(k, ·), x)`.

Where the number is known, or plainly a successor, the function is computed; anywhere else it is an uninterpreted
function of its arguments. Every use is an instance of those two equations, and `successor` is only given the function
at the predecessor, so the equations have a solution: a definition by them adds no fact about anything else. One that
goes round by itself, by calling the function it defines, does not end and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from symtape.instances import Instances
from symtape.logic import Formula, all_of, equal, implies
from symtape.naturals import known, plus, predecessor
from symtape.smt import z3
from symtape.terms import Function
from symtape.world import World

DEEPEST = 12
"""Definitions inside one another: more of them are a definition that uses itself."""
LONGEST = 150
"""Steps inside one another of a computation: more of them are a definition that uses itself where it is computed."""


class DefinitionError(Exception):
    """A recursive definition that does not end."""


class Value(Protocol):
    """What a recursive function takes and gives: a value that is made of Z3 terms."""

    def leaves(self) -> list[Any]:
        """The terms that it is made of."""

    def like(self, leaves: Sequence[Any]) -> Any:
        """A value of this kind that is made of other terms. One that the recursion runs over has `sized(leaves,
        size)` as well: such a value whose size, or length, is known to be this."""


class _Definitions:
    """The recursive functions of a world, known by what they compute."""

    def __init__(self, world: World) -> None:
        self.depth = 0
        self.known: dict[int | None, list[Any]] = {}
        self._steps = 0

    @contextmanager
    def computing(self, name: str) -> Iterator[None]:
        """A step of a computation. Raises `DefinitionError` where there is no end of them."""
        self._steps += 1
        try:
            if self._steps > LONGEST:
                raise DefinitionError(f"the definition of {name} does not end: it is computed from itself")
            yield
        finally:
            self._steps -= 1


def recursive(
    world: World,
    name: str,
    count: Any,
    arguments: Sequence[Any],
    answer: Callable[..., Any],
    *,
    zero: Callable[..., Any],
    successor: Callable[..., Any],
    given: Sequence[Any] | None = None,
) -> Any:
    """`f(count, *arguments)` for `f(0, …) = zero(…)` and `f(k + 1, …) = successor(k, f(k, ·), …)`.

    `answer(*arguments)` is some value of the kind that `f` gives. `given`, if not `None`, is all that the equations
    mention besides the arguments; then they are looked at once, not at each use, to see which function it is. Raises
    `DefinitionError` for a definition that does not end.
    """

    functions: list[Any] | None = None
    definitions = world.share(_Definitions)

    def at(number: Any, values: Sequence[Any]) -> Any:
        with definitions.computing(name):
            if known(number) == 0:
                return zero(*values)
            below = predecessor(number)
            if below is not None:
                return successor(below, lambda *others: at(below, others), *values)
            return symbol(number, values)

    def symbol(number: Any, values: Sequence[Any]) -> Any:
        nonlocal functions
        leaves = [leaf for value in values for leaf in value.leaves()]
        if functions is None:
            key = None if given is None else _key(world, name, zero, successor, given)
            functions = definitions.known.get(key)
            if functions is None:
                functions = _functions(world, name, arguments, answer, zero, successor)
                if key is not None:
                    definitions.known[key] = functions
        applied = answer(*values).like([function(number, *leaves) for function in functions])
        if world.share(Instances).once("zero", functions[0].declaration, number, *leaves):
            world.require(implies(number == 0, all_of(*_agree(applied.leaves(), zero(*values).leaves()))))
        return applied

    return at(count, arguments)


def _functions(
    world: World,
    name: str,
    arguments: Sequence[Any],
    answer: Callable[..., Any],
    zero: Callable[..., Any],
    successor: Callable[..., Any],
) -> list[Any]:
    """The uninterpreted functions that stand for `f`: the same for two definitions with the same equations."""
    definitions, instances = world.share(_Definitions), world.share(Instances)
    definitions.depth += 1
    depth = definitions.depth
    try:
        if depth > DEEPEST:
            raise DefinitionError(
                f"the definition of {name} does not end: it uses itself, and not at the predecessor"
            )
        k = z3.Int(f"•{depth}.k")
        symbols = [
            [z3.Const(f"•{depth}.{i}.{j}", leaf.sort()) for j, leaf in enumerate(argument.leaves())]
            for i, argument in enumerate(arguments)
        ]
        domain = [z3.IntSort(), *(symbol.sort() for each in symbols for symbol in each)]
        sorts = [leaf.sort() for leaf in answer(*arguments).leaves()]
        itself = [Function(f"•{depth}.f.{j}", *domain, sort) for j, sort in enumerate(sorts)]

        def arbitrary(size: Any) -> list[Any]:
            return [
                argument.sized(leaves, size) if hasattr(argument, "sized") else argument.like(leaves)
                for argument, leaves in zip(arguments, symbols, strict=True)
            ]

        def at_predecessor(*others: Any) -> Any:
            leaves = [leaf for value in others for leaf in value.leaves()]
            return answer(*others).like([function(k, *leaves) for function in itself])

        with instances.aside():
            at_zero = zero(*arbitrary(0))
            at_successor = successor(k, at_predecessor, *arbitrary(plus(k, 1)))
            equations = [*at_zero.leaves(), *at_successor.leaves()]
        number = instances.number(name, *domain, *sorts, *equations)
    finally:
        definitions.depth -= 1
    return [Function(f"{name}!{number}.{j}", *domain, sort) for j, sort in enumerate(sorts)]


def _key(world: World, name: str, zero: Any, successor: Any, given: Sequence[Any]) -> int:
    """The number of a definition whose equations mention what is given, and nothing else."""
    # what is not made of terms, such as an engine, is known by itself
    leaves = [value.leaves() if hasattr(value, "leaves") else [value] for value in given]
    terms = [leaf for each in leaves for leaf in each]
    return world.share(Instances).number(name, zero.__code__, successor.__code__, *terms)


def _agree(leaves: Sequence[Any], others: Sequence[Any]) -> list[Formula]:
    """That two answers are one. An answer that is plainly an error has no value, so fewer leaves."""
    return [equal(leaf, other).holds() for leaf, other in zip(leaves, others, strict=False)]
