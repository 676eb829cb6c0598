"""Natural numbers that may be known or not: what every-size proofs count with.

A Z3 integer in a world of every size mostly stands for a natural number: constants are required not to be negative,
and sums are made of them. A difference of two positions may be none, so every fact about places asks for it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from symtape import terms
from symtape.logic import Formula, formula
from symtape.smt import z3


def known(number: Any) -> int | None:
    """The number, if it is a plain one or a numeral."""
    if isinstance(number, int):
        return number
    return int(number.as_long()) if z3.is_int_value(number) else None


def numeral(number: Any) -> Any:
    """The number as a Z3 term."""
    return _numeral(number) if isinstance(number, int) else number


@lru_cache(maxsize=1024)
def _numeral(number: int) -> Any:
    return z3.IntVal(number)


def plus(a: Any, b: Any) -> Any:
    """`a + b`, in the normal form: what is known is added up and stands on the right."""
    return _build(*_sum(_linear(a), _linear(b), 1))


def minus(a: Any, b: Any) -> Any:
    """`a - b`, in the normal form. Where `b` is larger this is no natural number.

    It is written as a sum: while a lemma is stated, integers have no `-`, since that of Lean's naturals is another.
    """
    return _build(*_sum(_linear(a), _linear(b), -1))


def less(a: Any, b: Any) -> Formula:
    """`a < b`."""
    if isinstance(a, int) and isinstance(b, int):
        return a < b
    return formula(terms.less(numeral(a), numeral(b)))


def normal(number: Any) -> Any:
    """The same number, written the same way however it was come by."""
    return _build(*_linear(number))


def predecessor(number: Any) -> Any:
    """The `k` of a number that is plainly `k + 1`, else `None`."""
    parts, known_part = _linear(number)
    natural = known_part > 0 and all(factor > 0 for _, factor in parts.values())
    return _build(parts, known_part - 1) if natural else None


def is_negative(number: Any) -> bool:
    """Whether it is plainly less than zero."""
    parts, known_part = _linear(number)
    return known_part < 0 and all(factor < 0 for _, factor in parts.values())


Linear = tuple[dict[int, tuple[Any, int]], int]
"""A sum: terms with their factors, by the ids of the terms, and what is known of it."""


_taken_apart: dict[int, tuple[Any, Linear]] = {}
"""The sums of terms that were looked at. The terms are kept, so that their ids stay their own."""
MOST_KEPT = 20_000


def _linear(number: Any) -> Linear:
    if isinstance(number, int):
        return {}, number
    key = number.get_id()
    if key not in _taken_apart:
        if len(_taken_apart) >= MOST_KEPT:
            _taken_apart.clear()
        _taken_apart[key] = (number, _take_apart(number))
    return _taken_apart[key][1]


def _take_apart(number: Any) -> Linear:
    value = known(number)
    if value is not None:
        return {}, value
    if z3.is_add(number):
        total: Linear = ({}, 0)
        for part in number.children():
            total = _sum(total, _linear(part), 1)
        return total
    if z3.is_sub(number):
        first, *rest = number.children()
        difference = _linear(first)
        for part in rest:
            difference = _sum(difference, _linear(part), -1)
        return difference
    if z3.is_mul(number) and number.num_args() == 2 and z3.is_int_value(number.arg(0)):
        return _sum(({}, 0), _linear(number.arg(1)), int(number.arg(0).as_long()))
    return {number.get_id(): (number, 1)}, 0


def _sum(a: Linear, b: Linear, times: int) -> Linear:
    parts = dict(a[0])
    for key, (part, factor) in b[0].items():
        together = times * factor + (parts[key][1] if key in parts else 0)
        parts.pop(key, None)
        if together:
            parts[key] = (part, together)
    return parts, a[1] + times * b[1]


_built: dict[tuple[Any, ...], Any] = {}
"""The terms of sums that were written before, with their parts, whose ids stay their own so."""


def _build(parts: dict[int, tuple[Any, int]], known_part: int) -> Any:
    if not parts:
        return known_part
    key = (known_part, *sorted((name, factor) for name, (_, factor) in parts.items()))
    if key not in _built:
        if len(_built) >= MOST_KEPT:
            _built.clear()
        _built[key] = (_written(list(parts.values()), known_part), parts)
    return _built[key][0]


def _written(summands: list[tuple[Any, int]], known_part: int) -> Any:
    if len(summands) > 1:
        summands.sort(key=lambda summand: summand[0].sexpr())
    written = [part if factor == 1 else z3.IntVal(factor) * part for part, factor in summands]
    if known_part:
        written.append(numeral(known_part))
    return written[0] if len(written) == 1 else z3.Sum(written)
