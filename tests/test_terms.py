"""Terms made through Z3's C interface are those that z3py makes, and a tensor's two sides say the same."""

from __future__ import annotations

import pytest

from symtape import Bound
from symtape.encodings.sorts import named_sort
from symtape.encodings.tensor import Entries, SomeTensor, plus
from symtape.smt import z3
from symtape.terms import Function, choice, conjunction, disjunction, equation, negation
from symtape.world import World

p, q = z3.Bools("p q")
i, j = z3.Ints("i j")
x, y = z3.FPs("x y", z3.Float32())


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (negation(p), z3.Not(p)),
        (conjunction([p, q]), z3.And(p, q)),
        (disjunction([p, q]), z3.Or(p, q)),
        (choice(p, i, j), z3.If(p, i, j)),
        (choice(p, z3.IntVal(1), z3.IntVal(2)), z3.If(p, z3.IntVal(1), z3.IntVal(2))),
        (choice(p, x, y), z3.If(p, x, y)),
        (equation(i, j), i == j),
        (equation(x, y), x == y),
        (Function("f", z3.IntSort(), z3.BoolSort())(i), z3.Function("f", z3.IntSort(), z3.BoolSort())(i)),
        (Function("g", z3.IntSort(), z3.IntSort())(i), z3.Function("g", z3.IntSort(), z3.IntSort())(i)),
    ],
    ids=str,
)
def test_the_same_term_of_the_same_class(made: object, expected: object) -> None:
    assert made.eq(expected)  # type: ignore[attr-defined]
    assert type(made) is type(expected)


def test_what_is_ill_typed_is_refused_and_the_next_term_is_not() -> None:
    shape = z3.Const("s", named_sort("Shape"))
    for make in (
        lambda: equation(shape, i),
        lambda: choice(p, shape, i),
        lambda: Function("f", z3.IntSort(), z3.BoolSort())(shape),
    ):
        with pytest.raises((z3.Z3Exception, AttributeError)):  # z3py's own, whichever it has for this
            make()
        assert negation(p).eq(z3.Not(p))


def test_entries_and_terms_of_a_sum_say_the_same() -> None:
    world = World(Bound(1, 1, 2))
    a = SomeTensor.declare(world, "a", 0)
    b = SomeTensor.declare(world, "b", 0, a.shape)
    total = a.plus(b)
    assert [str(entry) for entry in a.entries] == ["a[0]", "a[1]"]
    assert list(total.entries) == [plus()(x, y) for x, y in zip(a.entries, b.entries, strict=True)]
    lowered = [world.share(Entries).lower(entry) for entry in total.entries]
    assert all(one.eq(other) for one, other in zip(lowered, total.terms, strict=True))
    from_sympy = SomeTensor(world, a.shape, total.entries)
    assert all(one.eq(other) for one, other in zip(from_sympy.terms, total.terms, strict=True))
