"""Functions by recursion on a number: computed where it is known, one function for the same equations, no circles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from symtape import Bound
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.backward import Engine, Loop
from symtape.encodings.result import Result
from symtape.encodings.tape import Tape
from symtape.instances import Instances
from symtape.logic import negate, term
from symtape.naturals import plus
from symtape.recursion import DefinitionError, recursive
from symtape.smt import z3
from symtape.theorem import Refused, check
from symtape.world import World
from tests.proving import LIMITS, on

SORT = z3.DeclareSort("Thing")
TWO = z3.Function("two", SORT, SORT, SORT)


class Thing:
    """A value that is one term."""

    def __init__(self, term: Any) -> None:
        self.term = term

    def leaves(self) -> list[Any]:
        return [self.term]

    def like(self, leaves: Sequence[Any]) -> Thing:
        return Thing(leaves[0])

    def with_(self, other: Thing) -> Thing:
        return Thing(TWO(self.term, other.term))


def thing(name: str) -> Thing:
    return Thing(z3.Const(name, SORT))


def world() -> World:
    return World(Bound(0, 0, 0), every_size=True)


def number(w: World, name: str) -> Any:
    n = z3.Int(name)
    w.require(n >= 0)
    return n


def provable(w: World, prop: Any) -> bool:
    """Whether the facts of the world give the formula."""
    w.share(Instances).saturate()
    solver = z3.Solver()
    solver.add(*(term(fact) for fact in w.constraints), term(negate(prop)))
    return bool(solver.check() == z3.unsat)


def same(w: World, a: Thing, b: Thing) -> bool:
    return provable(w, a.term == b.term)


def repeat(w: World, n: Any, x: Thing, y: Thing, name: str = "repeat", **options: Any) -> Thing:
    """`f(0, x) = x`, `f(k + 1, x) = two(f(k, x), y)`."""
    made: Thing = recursive(
        w, name, n, [x], lambda v: v, zero=lambda v: v, successor=lambda k, f, v: f(v).with_(y), **options
    )
    return made


@pytest.mark.parametrize("count", [0, 1, 5])
def test_it_is_computed_at_known_numbers(count: int) -> None:
    w = world()
    x, y = thing("x"), thing("y")
    expected = x
    for _ in range(count):
        expected = expected.with_(y)
    for written in (count, z3.IntVal(count)):
        assert repeat(w, written, x, y).term.eq(expected.term)
    assert not w.constraints


def test_it_is_unfolded_at_successors_and_not_elsewhere() -> None:
    w = world()
    x, y, k = thing("x"), thing("y"), number(w, "k")
    at_k = repeat(w, k, x, y)
    assert at_k.term.decl().name().startswith("repeat!")
    assert repeat(w, plus(k, 1), x, y).term.eq(at_k.with_(y).term)
    assert repeat(w, plus(k, 3), x, y).term.eq(at_k.with_(y).with_(y).with_(y).term)
    assert not same(w, at_k, x)


def test_at_a_number_that_is_zero_it_is_what_it_starts_from() -> None:
    w = world()
    x, y, n = thing("x"), thing("y"), number(w, "n")
    at_n = repeat(w, n, x, y)
    assert provable(w, z3.Implies(n == 0, at_n.term == x.term))
    assert not provable(w, z3.Implies(n == 1, at_n.term == x.term))


def test_the_number_that_it_has_come_to_is_given() -> None:
    w = world()
    n = number(w, "n")
    tag = z3.Function("tag", z3.IntSort(), SORT)

    def made(count: Any) -> Thing:
        return recursive(  # type: ignore[no-any-return]
            w, "tags", count, [], lambda: thing("x"), zero=lambda: thing("x"), successor=lambda k, f: Thing(tag(k))
        )

    assert made(3).term.eq(tag(2))
    assert made(plus(n, 1)).term.eq(tag(n))


# --- which function it is ---


def test_the_same_equations_are_one_function() -> None:
    w = world()
    x, y, n = thing("x"), thing("y"), number(w, "n")
    again = recursive(
        w, "repeat", n, [x], lambda v: v, zero=lambda u: u, successor=lambda i, go, u: Thing(TWO(go(u).term, y.term))
    )
    assert again.term.eq(repeat(w, n, x, y).term)


def other_start(w: World, n: Any, x: Thing, y: Thing) -> Thing:
    made: Thing = recursive(
        w, "repeat", n, [x], lambda v: v, zero=lambda v: y, successor=lambda k, f, v: f(v).with_(y)
    )
    return made


def other_side(w: World, n: Any, x: Thing, y: Thing) -> Thing:
    made: Thing = recursive(
        w, "repeat", n, [x], lambda v: v, zero=lambda v: v, successor=lambda k, f, v: y.with_(f(v))
    )
    return made


def other_argument(w: World, n: Any, x: Thing, y: Thing) -> Thing:
    made: Thing = recursive(
        w, "repeat", n, [x], lambda v: v, zero=lambda v: v, successor=lambda k, f, v: f(v.with_(y))
    )
    return made


def not_at_all(w: World, n: Any, x: Thing, y: Thing) -> Thing:
    made: Thing = recursive(w, "repeat", n, [x], lambda v: v, zero=lambda v: v, successor=lambda k, f, v: f(v))
    return made


@pytest.mark.parametrize("other", [other_start, other_side, other_argument, not_at_all])
def test_other_equations_are_another_function(other: Callable[..., Thing]) -> None:
    w = world()
    x, y, n = thing("x"), thing("y"), number(w, "n")
    assert not same(w, repeat(w, n, x, y), other(w, n, x, y))


@pytest.mark.parametrize("given", [False, True])
def test_what_a_closure_captures_is_not_confused(given: bool) -> None:
    """The same code about another value is another function, whether it says what it captures or not."""
    w = world()
    x, n = thing("x"), number(w, "n")
    made = [
        repeat(w, n, x, y, **({"given": [y]} if given else {}))
        for y in (thing("y"), thing("z"), thing("y").with_(thing("z")), thing("y"))
    ]
    assert made[0].term.eq(made[3].term)
    assert not any(same(w, made[i], made[j]) for i, j in [(0, 1), (0, 2), (1, 2)])


def test_values_that_are_made_and_forgotten_are_not_confused() -> None:
    """Z3 gives the id of a term that is no longer held to the next one."""
    w = world()
    x, n = thing("x"), number(w, "n")
    made = []
    for i in range(40):
        y = thing(f"y{i}").with_(thing(f"z{i}"))
        made.append(repeat(w, n, x, y, given=[y]).term.decl().name())
        del y
    assert len(set(made)) == len(made)


def test_other_arguments_are_another_value() -> None:
    w = world()
    x, y, n, m = thing("x"), thing("y"), number(w, "n"), number(w, "m")
    assert not same(w, repeat(w, n, x, y), repeat(w, n, y, y))
    assert not same(w, repeat(w, n, x, y), repeat(w, m, x, y))
    assert provable(w, z3.Implies(n == m, repeat(w, n, x, y).term == repeat(w, m, x, y).term))


def test_a_function_may_use_another_and_itself_below() -> None:
    w = world()
    x, y, n, m = thing("x"), thing("y"), number(w, "n"), number(w, "m")

    def twice(count: Any, v: Thing) -> Thing:
        made: Thing = recursive(
            w, "twice", count, [v], lambda u: u, zero=lambda u: u, successor=lambda k, f, u: repeat(w, m, f(f(u)), y)
        )
        return made

    assert same(w, twice(n, x), twice(n, x))
    assert twice(2, x).term.eq(repeat(w, m, repeat(w, m, repeat(w, m, x, y), y), y).term), (
        "f(2) = g(f(f(x))) with f(1) = g(x)"
    )
    assert not same(w, twice(n, x), repeat(w, n, x, y))


# --- circles ---


def circular(w: World, n: Any, x: Thing, at: Callable[[Any], Any]) -> Thing:
    """A function that says what it is by saying what it is not."""
    made: Thing = recursive(
        w,
        "circle",
        n,
        [x],
        lambda v: v,
        zero=lambda v: v,
        successor=lambda k, f, v: circular(w, at(k), v, at).with_(v),
    )
    return made


def test_a_function_of_itself_is_refused() -> None:
    w = world()
    n = number(w, "n")
    before = list(w.constraints)
    for _ in range(2):
        with pytest.raises(DefinitionError, match="the definition of circle does not end: it uses itself"):
            circular(w, n, thing("x"), lambda _: n)
    assert w.constraints == before, "nothing is known that was not known"
    assert repeat(w, 1, thing("x"), thing("y")).term.eq(thing("x").with_(thing("y")).term)
    assert repeat(w, n, thing("x"), thing("y"))


def test_a_function_of_itself_at_the_same_number_is_refused() -> None:
    w = world()
    with pytest.raises(DefinitionError):
        circular(w, plus(number(w, "n"), 1), thing("x"), lambda k: plus(k, 1))


def even(w: World, n: Any, x: Thing, below: bool) -> Thing:
    made: Thing = recursive(
        w,
        "even",
        n,
        [x],
        lambda v: v,
        zero=lambda v: v,
        successor=lambda k, _, v: odd(w, k if below else n, v, below).with_(v),
    )
    return made


def odd(w: World, n: Any, x: Thing, below: bool) -> Thing:
    made: Thing = recursive(
        w,
        "odd",
        n,
        [x],
        lambda v: v,
        zero=lambda v: v,
        successor=lambda k, _, v: even(w, k if below else n, v, below),
    )
    return made


@pytest.mark.parametrize("below", [True, False])
def test_two_functions_of_each_other_are_refused(below: bool) -> None:
    """Also where they would end: that is nothing that is looked for."""
    w = world()
    with pytest.raises(DefinitionError, match="does not end"):
        even(w, number(w, "n"), thing("x"), below)


def test_two_functions_of_each_other_are_computed_at_known_numbers() -> None:
    w = world()
    x = thing("x")
    assert even(w, 3, x, True).term.eq(x.with_(x).with_(x).term)


# --- engines that define their loop in a circle ---


class SameNumber(Engine):
    """The loop over n + 1 ids is the loop over n + 1 ids."""

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Result[Accumulator]:
        return self.backwardDenseFromLoop(t, plus(n, 1), acc)


class WholeTape(Engine):
    """The loop over no ids is the loop over all."""

    def backwardDenseFromLoop_zero(self, t: Tape, acc: Accumulator) -> Result[Accumulator]:
        return self.backwardDenseFromLoop(t, acc.size, acc)


class NotBelow(Engine):
    """The loop over n + 1 ids is the loop over n, but not by what it is given."""

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Result[Accumulator]:
        return self.backwardDenseFromLoop(t, n, acc)


class NoIdsAgain(Engine):
    """The loop over no ids is the loop over no ids."""

    def backwardDenseFromLoop_zero(self, t: Tape, acc: Accumulator) -> Result[Accumulator]:
        return self.backwardDenseFromLoop(t, 0, acc)


@pytest.mark.parametrize(
    "engine",
    [WholeTape, NotBelow, SameNumber, NoIdsAgain],
)
def test_a_loop_that_does_not_end_proves_nothing(engine: type[Engine]) -> None:
    variants = on(engine())
    with pytest.raises(Refused, match="the definition of backwardDenseFromLoop does not end"):
        check(variants["backwardDenseFromLoop_ok_size"], variants, LIMITS)
    assert check(variants["addGradAll_ok_size"], variants, LIMITS)
