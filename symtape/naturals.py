"""Natural numbers that may be known or not: what every-size proofs count with.

Every Z3 integer in a world of every size stands for a natural number: constants are required not to be negative, and
sums are all that is made of them.
"""

from __future__ import annotations

from typing import Any

from symtape.smt import z3


def known(number: Any) -> int | None:
    """The number, if it is a plain one or a numeral."""
    if isinstance(number, int):
        return number
    return int(number.as_long()) if z3.is_int_value(number) else None


def numeral(number: Any) -> Any:
    """The number as a Z3 term."""
    return z3.IntVal(number) if isinstance(number, int) else number


def plus(a: Any, b: Any) -> Any:
    """`a + b`, with what is known of it added up and on the right, so that a successor is seen to be one."""
    (base_a, more_a), (base_b, more_b) = _split(a), _split(b)
    more = more_a + more_b
    if base_a is None and base_b is None:
        return more
    base = base_a if base_b is None else base_b if base_a is None else base_a + base_b
    return base if more == 0 else base + more


def predecessor(number: Any) -> Any:
    """The `k` of a number that is plainly `k + 1`, else `None`."""
    base, more = _split(number)
    if more == 0:
        return None
    return more - 1 if base is None else base if more == 1 else base + (more - 1)


def minus(a: Any, b: Any) -> Any:
    """`a - b` for a position `a` that lies behind `b`. It is written as a sum: while a lemma is stated, integers have
    no `-`, since that of Lean's naturals is another."""
    if known(b) == 0 or (known(a) is not None and known(b) is not None):
        return a if known(b) == 0 else (known(a) or 0) - (known(b) or 0)
    return a + z3.IntVal(-1) * b


def _split(number: Any) -> tuple[Any, int]:
    """What is not known of a sum, and what is."""
    value = known(number)
    if value is not None:
        return None, value
    if z3.is_add(number) and number.num_args() == 2 and z3.is_int_value(number.arg(1)):
        base, more = _split(number.arg(0))
        return base, more + int(number.arg(1).as_long())
    return number, 0
