"""Z3 terms, made through Z3's C interface.

z3py's operators look for a context among their operands, coerce them, and ask for an error after each of the half a
dozen calls behind one term: that was most of the time in which goals were built. Here operands are terms of the main
context and nothing is coerced. What Z3 refuses is made again by z3py, which raises its own error.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from symtape.smt import z3


class _Library:
    """Z3's C functions without z3py's look for an error, and the main context."""

    def __init__(self) -> None:
        self.context = z3.main_ctx()
        self.ref = self.context.ref()
        self.inc_ref = _unchecked(z3.Z3_inc_ref)
        self.mk_not = _unchecked(z3.Z3_mk_not)
        self.mk_and = _unchecked(z3.Z3_mk_and)
        self.mk_or = _unchecked(z3.Z3_mk_or)
        self.mk_ite = _unchecked(z3.Z3_mk_ite)
        self.mk_eq = _unchecked(z3.Z3_mk_eq)
        self.mk_app = _unchecked(z3.Z3_mk_app)
        self.mk_lt = _unchecked(z3.Z3_mk_lt)
        self.mk_select = _unchecked(z3.Z3_mk_select)
        self.mk_store = _unchecked(z3.Z3_mk_store)

    def wrap(self, kind: Any, ast: Any) -> Any:
        """A new z3py object for a term; `kind` is the class that z3py has for its sort."""
        made = kind.__new__(kind)
        made.ast = ast
        made.ctx = self.context
        self.inc_ref(self.ref, ast)
        return made


def _unchecked(function: Any) -> Any:
    """The C function behind one of z3py's, which keeps it as a default; the given one if it does not."""
    return getattr((function.__defaults__ or (None,))[0], "f", function)


@lru_cache(maxsize=1)
def _library() -> _Library:
    return _Library()


def negation(part: Any) -> Any:
    z = _library()
    return z.wrap(z3.BoolRef, z.mk_not(z.ref, part.ast))


def conjunction(parts: Sequence[Any]) -> Any:
    """Of formulas, not of Python's truth values."""
    z = _library()
    return z.wrap(z3.BoolRef, z.mk_and(z.ref, len(parts), _array(parts)))


def disjunction(parts: Sequence[Any]) -> Any:
    """Of formulas, not of Python's truth values."""
    z = _library()
    return z.wrap(z3.BoolRef, z.mk_or(z.ref, len(parts), _array(parts)))


def choice(guard: Any, then: Any, otherwise: Any) -> Any:
    """`then` if the guard holds, else `otherwise`."""
    z = _library()
    made = z.mk_ite(z.ref, guard.ast, then.ast, otherwise.ast)
    kind = type(otherwise)
    # a numeral has a class of its own, which a choice between numerals does not have
    if made.value is None or kind is not type(then) or kind not in (z3.ExprRef, z3.BoolRef, z3.ArithRef):
        return z3.If(guard, then, otherwise)
    return z.wrap(kind, made)


def equation(lhs: Any, rhs: Any) -> Any:
    """Two terms of one sort are the same."""
    z = _library()
    made = z.mk_eq(z.ref, lhs.ast, rhs.ast)
    return lhs == rhs if made.value is None else z.wrap(z3.BoolRef, made)


def less(lhs: Any, rhs: Any) -> Any:
    """Of integers."""
    z = _library()
    return z.wrap(z3.BoolRef, z.mk_lt(z.ref, lhs.ast, rhs.ast))


def select(array: Any, index: Any) -> Any:
    """The element of an array of elements of an uninterpreted sort."""
    z = _library()
    made = z.mk_select(z.ref, array.ast, index.ast)
    return z3.Select(array, index) if made.value is None else z.wrap(z3.ExprRef, made)


def store(array: Any, index: Any, element: Any) -> Any:
    """The array with another element in one place."""
    z = _library()
    made = z.mk_store(z.ref, array.ast, index.ast, element.ast)
    return z3.Store(array, index, element) if made.value is None else z.wrap(z3.ArrayRef, made)


class Function:
    """An uninterpreted function; the last sort is that of its values."""

    def __init__(self, name: str, *sorts: Any) -> None:
        self.declaration = z3.Function(name, *sorts)
        self._kind = type(z3.Const("a value", sorts[-1]))

    def __call__(self, *arguments: Any) -> Any:
        z = _library()
        made = z.mk_app(z.ref, self.declaration.ast, len(arguments), _array(arguments))
        return self.declaration(*arguments) if made.value is None else z.wrap(self._kind, made)


def _array(parts: Sequence[Any]) -> Any:
    return (z3.Ast * len(parts))(*(part.ast for part in parts))
