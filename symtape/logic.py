"""Propositions that are either Python truth values or Z3 formulas, and what can be said with them.

A lemma's body is run twice: on symbolic values, where a comparison is a Z3 formula, and on the plain
values of a counterexample, where it is a `bool`. Everything here folds constants and never touches Z3
when no Z3 term is involved, so that a counterexample replays without the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from symtape.smt import z3
from symtape.terms import choice, conjunction, disjunction, equation, negation

Formula = bool | Any
"""A `bool` or a `z3.BoolRef`; Z3 ships no types."""


class Symbolic:
    """A value of the model. Python's own equality would compare objects, which says nothing about values."""

    def __eq__(self, other: object) -> bool:
        raise TypeError("values of the model are compared with equal(a, b), not with == or !=")

    def __hash__(self) -> int:
        raise TypeError("values of the model cannot be in a set or be keys: sets and keys are compared with ==")

    def __bool__(self) -> bool:
        raise TypeError("a value of the model has no truth value: ask it with exists, equal, map")


@dataclass(frozen=True, eq=False)
class Equation(Symbolic):
    """`lhs = rhs`, kept as its two sides so that a counterexample can show both."""

    lhs: Any
    rhs: Any

    def holds(self) -> Formula:
        """The equation as a formula. Values with a method `equals` decide for themselves.

        Raises `TypeError` for values that cannot be compared, such as functions.
        """
        lhs, rhs = self.lhs, self.rhs
        if hasattr(lhs, "equals") and (
            isinstance(rhs, type(lhs)) or isinstance(lhs, type(rhs)) or _results(lhs, rhs)
        ):
            return formula(lhs.equals(rhs))
        if not (_comparable(lhs) and _comparable(rhs)):
            raise TypeError(f"{type(lhs).__name__} and {type(rhs).__name__} cannot be compared")
        if same(lhs, rhs):
            return True
        both_terms = hasattr(lhs, "ast") and hasattr(rhs, "ast")
        return formula(equation(lhs, rhs) if both_terms else lhs == rhs)

    def __bool__(self) -> bool:
        raise TypeError(
            "equal(...) has no truth value: use all_of, any_of, negate, implies instead of and, or, not, if"
        )


def _results(lhs: Any, rhs: Any) -> bool:
    """Whether these are plain values whose type may differ, such as `Ok` and `Error`."""
    return not isinstance(lhs, Symbolic) and not isinstance(rhs, Symbolic) and hasattr(rhs, "equals")


def _comparable(leaf: Any) -> bool:
    """Whether `==` is equality on it: numbers, texts, Z3 terms, and the shapes of a replay."""
    if isinstance(leaf, tuple):
        return all(isinstance(side, int) for side in leaf)
    return leaf is None or isinstance(leaf, bool | int | str) or hasattr(leaf, "ast")


def equal(lhs: Any, rhs: Any) -> Equation:
    """Lean's `lhs = rhs`. For floats it is identity (NaN = NaN, +0 ≠ -0), not IEEE's comparison."""
    return Equation(lhs, rhs)


def same(a: Any, b: Any) -> bool:
    """Whether two leaves are one object, one plain value or one hash-consed Z3 term."""
    if a is b:
        return True
    # Z3 keeps equal terms of one context at one address; reading it spares a call, and this is the innermost loop
    left, right = getattr(a, "ast", None), getattr(b, "ast", None)
    if left is None or right is None:
        return bool(_identity(a) == _identity(b))
    return bool(left.value == right.value)


def _identity(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, bool | int | str):
        return type(leaf), leaf
    ast = getattr(leaf, "ast", None)
    return id(leaf) if ast is None else ast.value


@lru_cache(maxsize=1)
def _literals() -> tuple[Any, Any]:
    return z3.BoolVal(True), z3.BoolVal(False)


@lru_cache(maxsize=1)
def _truth_values() -> dict[int, bool]:
    """What Z3's own `true` and `false` mean, by their addresses."""
    true, false = _literals()
    return {true.ast.value: True, false.ast.value: False}


def formula(prop: Any) -> Formula:
    """A proposition as `bool` or `z3.BoolRef`, with Z3's own `true` and `false` folded to `bool`.

    Raises `TypeError` for anything else, so that a stray value is never taken for a truth value.
    """
    if prop is True or prop is False:
        return prop
    if isinstance(prop, Equation):
        return prop.holds()
    if isinstance(prop, z3.BoolRef):
        return _truth_values().get(prop.ast.value, prop)
    raise TypeError(f"a proposition was expected, not {type(prop).__name__}")


def term(prop: Any) -> z3.BoolRef:
    """A proposition as a Z3 term, for the solver."""
    folded = formula(prop)
    return z3.BoolVal(folded) if isinstance(folded, bool) else folded


def negate(prop: Any) -> Formula:
    folded = formula(prop)
    return not folded if isinstance(folded, bool) else negation(folded)


def all_of(*props: Any) -> Formula:
    """The conjunction; true of nothing. Stops at the first part that is plainly false."""
    parts = _parts(props, decisive=False)
    if parts is None:
        return False
    return True if not parts else parts[0] if len(parts) == 1 else conjunction(parts)


def any_of(*props: Any) -> Formula:
    """The disjunction; false of nothing. Stops at the first part that is plainly true."""
    parts = _parts(props, decisive=True)
    if parts is None:
        return True
    return False if not parts else parts[0] if len(parts) == 1 else disjunction(parts)


def _parts(props: Iterable[Any], *, decisive: bool) -> list[Any] | None:
    """The formulas that are not plainly the neutral value, each once; `None` if one is plainly the decisive value."""
    parts: dict[Any, Any] = {}
    for prop in props:
        folded = formula(prop)
        if folded is decisive:
            return None
        if not isinstance(folded, bool):
            parts.setdefault(_identity(folded), folded)
    return list(parts.values())


def implies(premise: Any, conclusion: Any) -> Formula:
    return any_of(negate(premise), conclusion)


def iff(a: Any, b: Any) -> Formula:
    a, b = formula(a), formula(b)
    if isinstance(a, bool):
        return b if a else negate(b)
    if isinstance(b, bool):
        return a if b else negate(a)
    return True if same(a, b) else formula(equation(a, b))


@dataclass(frozen=True)
class Below:
    """The natural numbers less than one that is not known."""

    count: Any


def below(count: Any) -> range | Below:
    """The natural numbers less than `count`, to quantify over: `for_all(below(t.size), lambda i: ...)`."""
    return range(count) if isinstance(count, int) else Below(count)


def for_all(values: Sequence[Any] | range | Below, body: Callable[[Any], Any]) -> Formula:
    """`∀ x ∈ values, body x`."""
    if isinstance(values, Below):
        from symtape.instances import INDEX, Instances
        from symtape.world import current_world

        count = values.count
        try:
            world = current_world()
        except LookupError:
            raise TypeError("at known sizes, below(n) needs a size or another known number, not a Nat") from None
        return world.share(Instances).forall(INDEX, lambda i: implies(i < count, body(i)))
    return all_of(*(body(value) for value in values))


def select_leaf(options: Sequence[tuple[Formula, Any]], otherwise: Any, *, anything_else: bool = False) -> Any:
    """The leaf whose guard holds; guards exclude each other. `anything_else`: `otherwise` is never looked at.

    Leaves that are the same term are merged, and the terms are nested in the order of the options, so that
    two selections over the same guards share their common part: that sharing is what makes the queries
    about an extended tape and its prefix small.
    """
    if anything_else:
        otherwise = _most_common([leaf for _, leaf in options])
    if isinstance(otherwise, bool) or any(isinstance(leaf, bool) for _, leaf in options):
        return select_formula(options, otherwise)
    result = otherwise
    for guard, leaf in options:
        if same(leaf, otherwise) or guard is False:
            continue
        result = leaf if guard is True else choice(guard, leaf, result)
    return result


def select_formula(options: Sequence[tuple[Formula, Any]], otherwise: Any) -> Formula:
    """As `select_leaf`, for truth values: a flat disjunction where everything else is false."""
    if formula(otherwise) is False:
        return any_of(*(all_of(guard, leaf) for guard, leaf in options))
    if formula(otherwise) is True:
        return all_of(*(implies(guard, leaf) for guard, leaf in options))
    none = negate(any_of(*(guard for guard, _ in options)))
    return any_of(*(all_of(guard, leaf) for guard, leaf in options), all_of(none, otherwise))


def _most_common(leaves: Sequence[Any]) -> Any:
    (identity, _), *_ = Counter(map(_identity, leaves)).most_common(1)
    return next(leaf for leaf in leaves if _identity(leaf) == identity)
