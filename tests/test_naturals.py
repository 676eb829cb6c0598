"""Sums of natural numbers, against the integers."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtape.naturals import (
    is_negative,
    known,
    less,
    minus,
    normal,
    numeral,
    plus,
    predecessor,
)
from symtape.smt import z3

NAMES = ("a", "b", "c")
QUICK = settings(max_examples=150, deadline=None)

numbers = st.integers(0, 5)
values = st.fixed_dictionaries(dict.fromkeys(NAMES, numbers))
terms = st.recursive(
    st.one_of(numbers, st.sampled_from(NAMES).map(z3.Int), numbers.map(z3.IntVal)),
    lambda parts: st.one_of(
        st.tuples(parts, parts).map(lambda ab: plus(*ab)),
        st.lists(parts, min_size=1, max_size=3).map(lambda some: z3.Sum([numeral(one) for one in some])),
        st.tuples(st.integers(0, 3), parts).map(lambda nt: z3.IntVal(nt[0]) * numeral(nt[1])),
    ),
    max_leaves=6,
)
"""Sums of natural numbers, written in any way."""
differences = st.one_of(terms, st.tuples(terms, terms).map(lambda ab: minus(*ab)))


def at(number: Any, assigned: dict[str, int]) -> int:
    """The number where the letters have these values."""
    if isinstance(number, int):
        return number
    put = [(z3.Int(name), z3.IntVal(value)) for name, value in assigned.items()]
    return int(z3.simplify(z3.substitute(number, *put)).as_long())


@QUICK
@given(differences, differences, values)
def test_plus_and_minus(a: Any, b: Any, assigned: dict[str, int]) -> None:
    assert at(plus(a, b), assigned) == at(a, assigned) + at(b, assigned)
    assert at(minus(a, b), assigned) == at(a, assigned) - at(b, assigned)


@QUICK
@given(differences, values)
def test_the_normal_form_is_the_same_number(a: Any, assigned: dict[str, int]) -> None:
    assert at(normal(a), assigned) == at(a, assigned)
    assert same(normal(normal(a)), normal(a))
    assert known(minus(a, a)) == 0


@QUICK
@given(st.lists(terms, min_size=1, max_size=3))
def test_the_normal_form_does_not_depend_on_the_order(parts: list[Any]) -> None:
    written = []
    for order in permutations(parts):
        total: Any = 0
        for part in order:
            total = plus(total, part)
        written.append(total)
    assert all(same(each, written[0]) for each in written)
    assert same(normal(z3.Sum([numeral(part) for part in parts])), written[0])


@QUICK
@given(terms, terms, values)
def test_what_was_added_is_taken_away_again(a: Any, b: Any, assigned: dict[str, int]) -> None:
    assert same(minus(plus(a, b), b), normal(a))
    assert at(minus(plus(a, b), b), assigned) == at(a, assigned)


@QUICK
@given(differences, values)
def test_a_predecessor_is_one_less_and_a_natural(a: Any, assigned: dict[str, int]) -> None:
    below = predecessor(a)
    if below is not None:
        assert at(below, assigned) == at(a, assigned) - 1
        assert at(below, assigned) >= 0


@QUICK
@given(terms)
def test_what_is_one_more_has_a_predecessor(a: Any) -> None:
    assert same(predecessor(plus(a, 1)), normal(a))


@QUICK
@given(differences, values)
def test_what_is_said_of_the_sign_is_true(a: Any, assigned: dict[str, int]) -> None:
    assert not is_negative(a) or at(a, assigned) < 0


@QUICK
@given(terms)
def test_sums_are_natural(a: Any) -> None:
    assert is_negative(minus(0, plus(a, 1)))


@QUICK
@given(differences, differences, values)
def test_less(a: Any, b: Any, assigned: dict[str, int]) -> None:
    put = [(z3.Int(name), z3.IntVal(value)) for name, value in assigned.items()]
    said = less(a, b)
    truth = said if isinstance(said, bool) else z3.is_true(z3.simplify(z3.substitute(said, *put)))
    assert truth == (at(a, assigned) < at(b, assigned))


@pytest.mark.parametrize(("number", "value"), [(0, 0), (7, 7), (z3.IntVal(3), 3), (z3.Int("a"), None)])
def test_known(number: Any, value: int | None) -> None:
    assert known(number) == value


def test_zero_and_what_may_be_zero_have_no_predecessor() -> None:
    a = z3.Int("a")
    assert [predecessor(n) for n in (0, a, plus(a, a), minus(plus(a, 2), z3.Int("b")))] == [None] * 4
    assert predecessor(1) == 0


def test_a_difference_of_the_solvers_and_one_is_no_successor() -> None:
    assert predecessor(z3.Int("a") - z3.Int("b") + 1) is None


def same(a: Any, b: Any) -> bool:
    """Whether two numbers are written alike."""
    return a == b if isinstance(a, int) or isinstance(b, int) else bool(a.eq(b))
