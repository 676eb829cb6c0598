"""Statements about all members of a domain: whatever is true of them, the facts that are used allow it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtape import Bound
from symtape.encodings.free.accumulator import FreeAccumulator, pointwise
from symtape.encodings.free.sorts import Sorts
from symtape.instances import INDEX, Instances, TooManyInstancesError, meet_index
from symtape.logic import all_of, any_of, for_all, formula, implies, negate, term
from symtape.naturals import plus
from symtape.smt import z3
from symtape.world import World, in_world

QUICK = settings(max_examples=25, deadline=None, print_blob=False)

P = z3.Function("P", z3.IntSort(), z3.BoolSort())
R = z3.Function("R", z3.IntSort(), z3.IntSort(), z3.BoolSort())
NEXT = z3.Function("next", z3.IntSort(), z3.IntSort())
C, N = z3.Int("c"), z3.Int("n")
REACH = 2
"""P, R and next are the same from here on, and no constant is larger."""
EVERY = range(REACH + 4)
"""Enough numbers to look at: those beyond REACH are told apart by their order alone, and at most three occur."""


@dataclass(frozen=True)
class Interpretation:
    """What P, R, next, c and n are."""

    p: tuple[bool, ...]
    r: tuple[bool, ...]
    next: tuple[int, ...]
    c: int
    n: int

    def put(self, formula_: Any) -> Any:
        """The formula with their meanings for their names."""
        i, j = z3.Var(0, z3.IntSort()), z3.Var(1, z3.IntSort())
        place = z3.If(i >= REACH, REACH, i)
        column = z3.If(j >= REACH, REACH, j)
        relation = [
            z3.And(place == a, column == b)
            for (a, b), holds in zip(product(range(REACH + 1), repeat=2), self.r, strict=True)
            if holds
        ]
        predicate = z3.Or(*(place == a for a, holds in enumerate(self.p) if holds))
        following: Any = z3.IntVal(self.next[-1])
        for a, value in enumerate(self.next[:-1]):
            following = z3.If(place == a, z3.IntVal(value), following)
        replaced = z3.substitute_funs(formula_, (P, predicate), (R, z3.Or(*relation)), (NEXT, following))
        return z3.substitute(replaced, (C, z3.IntVal(self.c)), (N, z3.IntVal(self.n)))


bits = st.booleans()
small = st.integers(0, REACH)
interpretations = st.builds(
    Interpretation,
    st.tuples(*[bits] * (REACH + 1)),
    st.tuples(*[bits] * (REACH + 1) ** 2),
    st.tuples(*[small] * (REACH + 1)),
    small,
    small,
)

Scope = tuple[Any, ...]
Body = Callable[[Scope], Any]
"""A formula about the numbers that are quantified over around it."""


def numbers(depth: int) -> st.SearchStrategy[Callable[[Scope], Any]]:
    """A number: one that is quantified over, a constant, what follows one."""
    here = [lambda scope, i=i: scope[i] for i in range(depth)]
    base = st.sampled_from([*here, lambda _: C, lambda _: z3.IntVal(1), lambda _: z3.IntVal(0)])
    return st.one_of(base, base.map(lambda number: lambda scope: NEXT(number(scope))))


def atoms(depth: int) -> st.SearchStrategy[Body]:
    a, b = numbers(depth), numbers(depth)
    return st.one_of(
        a.map(lambda x: lambda scope: P(x(scope))),
        st.tuples(a, b).map(lambda xy: lambda scope: R(xy[0](scope), xy[1](scope))),
        st.tuples(a, b).map(lambda xy: lambda scope: xy[0](scope) < xy[1](scope)),
        a.map(lambda x: lambda scope: x(scope) < N),
    )


def bodies(depth: int, nesting: int) -> st.SearchStrategy[Body]:
    """A formula with universals in it, so many inside one another."""
    base = atoms(depth)
    if nesting:
        inner = bodies(depth + 1, nesting - 1)
        base = st.one_of(base, inner.map(lambda body: lambda scope: forall(lambda i: body((*scope, i)))))
    pair = st.tuples(base, base)
    return st.one_of(
        base,
        base.map(lambda a: lambda scope: negate(a(scope))),
        pair.map(lambda ab: lambda scope: all_of(ab[0](scope), ab[1](scope))),
        pair.map(lambda ab: lambda scope: any_of(ab[0](scope), ab[1](scope))),
        pair.map(lambda ab: lambda scope: implies(ab[0](scope), ab[1](scope))),
    )


_worlds: list[World] = []
"""Where `forall` makes symbols; in none, it looks at all numbers."""
_truths: list[Interpretation] = []


def forall(body: Callable[[Any], Any]) -> Any:
    """`∀ i, body i`: in a world as its symbol, else by looking at every number: a few beyond REACH stand for all."""
    if _worlds:
        return _worlds[-1].share(Instances).forall(INDEX, body)
    return all_of(*(body(z3.IntVal(i)) for i in EVERY))


def in_fact(body: Body, interpretation: Interpretation) -> bool:
    """Whether a formula without free numbers holds of the interpretation."""
    return bool(z3.is_true(z3.simplify(interpretation.put(term(body(()))))))


universals = bodies(1, 1).map(lambda body: lambda scope: forall(lambda i: body((*scope, i))))


def allowed(said: list[Body], interpretation: Interpretation, met: int) -> None:
    """With the symbols for universals chosen well, each statement has the truth value that it has in fact, and that
    of all statements at once."""
    world = World(Bound(0, 0, 0), every_size=True)
    _worlds.append(world)
    try:
        claims = [body(()) for body in said]
        for number in (met, C):
            meet_index(world, number)
        world.share(Instances).saturate()
    finally:
        _worlds.pop()
    solver = z3.Solver()
    solver.add(*(interpretation.put(term(fact)) for fact in world.constraints))
    assert solver.check() == z3.sat, "the facts are true of something"
    for body, claim in zip(said, claims, strict=True):
        truth = in_fact(body, interpretation)
        solver.add(interpretation.put(term(claim if truth else negate(claim))))
    assert solver.check() == z3.sat


SAID = (st.lists(st.one_of(universals, bodies(0, 2)), min_size=1, max_size=2), interpretations, small)


@settings(max_examples=8, deadline=None)
@given(*SAID)
def test_the_facts_allow_what_is_true(said: list[Body], interpretation: Interpretation, met: int) -> None:
    allowed(said, interpretation, met)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(*SAID)
def test_the_facts_allow_what_is_true_of_many(said: list[Body], interpretation: Interpretation, met: int) -> None:
    allowed(said, interpretation, met)


@QUICK
@given(bodies(1, 0), interpretations, small)
def test_a_universal_that_holds_does_so_at_each_member_that_is_met(
    body: Body, interpretation: Interpretation, member: int
) -> None:
    world = World(Bound(0, 0, 0), every_size=True)
    holds = world.share(Instances).forall(INDEX, lambda i: body((i,)))
    meet_index(world, member)
    world.share(Instances).saturate()
    solver = z3.Solver()
    facts = [*world.constraints, holds, negate(body((z3.IntVal(member),)))]
    solver.add(*(interpretation.put(term(fact)) for fact in facts))
    assert solver.check() == z3.unsat


@QUICK
@given(bodies(1, 0), interpretations)
def test_a_universal_that_fails_does_so_somewhere(body: Body, interpretation: Interpretation) -> None:
    """So one that holds of all numbers cannot fail: that is how it is proved."""
    world = World(Bound(0, 0, 0), every_size=True)
    holds = world.share(Instances).forall(INDEX, lambda i: body((i,)))
    world.share(Instances).saturate()
    solver = z3.Solver()
    solver.add(*(interpretation.put(term(fact)) for fact in [*world.constraints, negate(holds)]))
    everywhere = all(in_fact(lambda _, i=i: body((z3.IntVal(i),)), interpretation) for i in EVERY)
    assert (solver.check() == z3.unsat) == everywhere


def fresh() -> tuple[World, Instances]:
    world = World(Bound(0, 0, 0), every_size=True)
    return world, world.share(Instances)


def provable(world: World, prop: Any) -> bool:
    world.share(Instances).saturate()
    solver = z3.Solver()
    solver.add(*(term(fact) for fact in world.constraints), term(negate(prop)))
    return bool(solver.check() == z3.unsat)


def test_the_same_statement_is_one_symbol_and_another_is_not() -> None:
    world, instances = fresh()
    one = instances.forall(INDEX, lambda i: P(i))
    assert one.eq(instances.forall(INDEX, lambda j: P(j)))
    other = instances.forall(INDEX, lambda i: P(NEXT(i)))
    assert not provable(world, one == other)
    assert not provable(world, implies(other, one))


def test_a_universal_in_another_has_a_symbol_of_its_own() -> None:
    """They had one between them, so that this could not be said without a contradiction."""
    world, instances = fresh()
    holds = instances.forall(INDEX, lambda i: negate(instances.forall(INDEX, lambda j: R(i, j))))
    assert not provable(world, holds)
    assert not provable(world, negate(holds))


def test_the_order_of_nested_universals_matters_where_they_are_not_about_the_same() -> None:
    world, instances = fresh()
    rows = instances.forall(INDEX, lambda i: any_of(P(i), instances.forall(INDEX, lambda j: R(i, j))))
    columns = instances.forall(INDEX, lambda i: any_of(P(i), instances.forall(INDEX, lambda j: R(j, i))))
    assert not provable(world, implies(rows, columns))
    assert not provable(world, implies(columns, rows))


def test_universals_that_mention_the_witness_of_another_are_not_taken_for_one() -> None:
    """The inner ones are written alike but for whose witness they mention."""
    world, instances = fresh()
    inner: list[Any] = []

    def outer(i: Any) -> Any:
        inner.append(instances.forall(INDEX, lambda j: R(i, j)))
        return inner[-1]

    first, second = (
        instances.forall(INDEX, outer),
        instances.forall(INDEX, lambda i: any_of(P(i), negate(outer(i)))),
    )
    assert not provable(world, first == second)
    assert not provable(world, inner[0] == inner[1])


def test_nothing_is_said_of_numbers_below_zero() -> None:
    world, instances = fresh()
    holds = instances.forall(INDEX, lambda i: P(i))
    meet_index(world, z3.IntVal(-1))
    meet_index(world, C)
    assert not provable(world, implies(holds, P(z3.IntVal(-1))))
    assert provable(world, implies(all_of(holds, C >= 0), P(C)))


def test_what_is_looked_at_aside_is_forgotten() -> None:
    world, instances = fresh()
    before = list(world.constraints)
    with instances.aside():
        meet_index(world, C)
        looked_at = instances.forall(INDEX, lambda i: P(i))
        assert looked_at is not None
        assert instances.once("here")
    assert world.constraints == before
    assert instances.once("here")
    holds = instances.forall(INDEX, lambda i: P(i))
    meet_index(world, N)
    assert not provable(world, holds)
    assert provable(world, implies(all_of(holds, N >= 0), P(N)))


def test_the_facts_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that leads to new members is used at these, and those that they lead to, and then no more."""
    world, instances = fresh()

    def leads_on(i: Any) -> Any:
        meet_index(world, NEXT(i), leads_on=True)
        return implies(P(i), P(NEXT(i)))

    instances.rule(INDEX, leads_on)
    meet_index(world, C)
    instances.saturate()
    assert len(world.constraints) < 10
    monkeypatch.setattr("symtape.instances.MOST", 100)
    many = Instances(world)
    many.rule(INDEX, lambda i: P(i))
    for i in range(101):
        many.meet(INDEX, z3.IntVal(i))
    with pytest.raises(TooManyInstancesError, match="more than"):
        many.saturate()


def test_for_all_below_a_number_says_nothing_of_others() -> None:
    from symtape import below

    world, _ = fresh()
    with in_world(world):
        holds = for_all(below(N), lambda i: P(i))
    meet_index(world, C)
    world.require(C >= 0, N >= 0)
    assert provable(world, implies(all_of(holds, C < N), P(C)))
    assert not provable(world, implies(holds, P(C)))


# --- arrays, of which these facts are said ---


def accumulator(world: World, name: str, size: Any) -> FreeAccumulator:
    return FreeAccumulator(world, z3.Const(name, world.share(Sorts).tensors), size)


def test_arrays_by_their_elements() -> None:
    world, _ = fresh()
    sorts = world.share(Sorts)
    a, b = accumulator(world, "a", N), accumulator(world, "b", N)
    world.require(N >= 0, C >= 0)
    added = pointwise(world, N, sorts.tensor, lambda i: sorts.sum(z3.Select(a.array, i), z3.Select(b.array, i)))
    meet_index(world, C)
    assert provable(world, implies(C < N, z3.Select(added, C) == sorts.sum(a[C].term, b[C].term)))
    assert not provable(world, z3.Select(added, C) == sorts.sum(a[C].term, b[C].term))
    other = pointwise(world, N, sorts.tensor, lambda i: sorts.sum(z3.Select(b.array, i), z3.Select(a.array, i)))
    assert not provable(world, added == other)


def test_arrays_of_what_depends_on_the_place_are_not_confused() -> None:
    """Element i of the one is made of `a[i] + b[j]` for all j, of the other of `a[j] + b[i]`."""
    world, _ = fresh()
    sorts = world.share(Sorts)
    a, b = (z3.Const(name, sorts.tensors) for name in "ab")
    whole = z3.Function("whole", sorts.tensors, sorts.tensor)

    def rows(i: Any) -> Any:
        return whole(pointwise(world, N, sorts.tensor, lambda j: sorts.sum(z3.Select(a, i), z3.Select(b, j))))

    def columns(i: Any) -> Any:
        return whole(pointwise(world, N, sorts.tensor, lambda j: sorts.sum(z3.Select(a, j), z3.Select(b, i))))

    assert not provable(world, pointwise(world, N, sorts.tensor, rows) == pointwise(world, N, sorts.tensor, columns))


def test_a_number_is_no_term_whose_id_it_is() -> None:
    _, instances = fresh()
    assert instances.number("array", C.get_id()) != instances.number("array", C)


def test_equal_arrays_are_equal_everywhere_and_others_somewhere() -> None:
    world, _ = fresh()
    a, b = accumulator(world, "a", N), accumulator(world, "b", N)
    world.require(N >= 0)
    equal_arrays = formula(a.equals(b))
    meet_index(world, C)
    assert provable(world, implies(equal_arrays, a[C].term == b[C].term))
    assert provable(world, implies(N == 0, equal_arrays))
    assert not provable(world, equal_arrays)
    assert not provable(world, implies(N == 1, equal_arrays))
    longer = accumulator(world, "b", plus(N, 1))
    assert provable(world, negate(a.equals(longer)))
