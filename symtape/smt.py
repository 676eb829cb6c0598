"""Z3, loaded when it is first used: `symtape list` and `--help` do not pay for it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import z3
else:

    class _LoadedOnFirstUse:
        """The module z3. Not even looked for before that: a counterexample is replayed where it is not installed."""

        def __getattr__(self, name: str) -> Any:
            try:
                found = getattr(importlib.import_module("z3"), name)
            except ModuleNotFoundError as problem:
                raise ImportError("symtape needs the Python package z3: pip install z3-solver") from problem
            # kept, so that the innermost loops find it at once
            setattr(self, name, found)
            return found

    z3 = _LoadedOnFirstUse()


@contextmanager
def stating() -> Iterator[None]:
    """While a lemma is stated, Z3 terms have no truth value, and natural numbers no `-` or `/`.

    Z3 answers `bool(i == j)` by comparing the terms, so that `not (i == j)` would be true of any two variables; and
    its integers subtract below zero, which Lean's natural numbers do not.
    """

    def no_truth(_: object) -> bool:
        raise TypeError(
            "a formula has no truth value: use all_of, any_of, negate, implies instead of and, or, not, if"
        )

    def no_arithmetic(_: object, *__: object) -> object:
        raise TypeError("natural numbers have no - or / here: Lean's differ from the solver's; state it with +")

    names = (
        "__sub__",
        "__rsub__",
        "__neg__",
        "__div__",
        "__rdiv__",
        "__truediv__",
        "__rtruediv__",
        "__mod__",
        "__rmod__",
    )

    def no_hash(_: object) -> int:
        raise TypeError("a term cannot be in a set or be a key: sets and keys are compared with ==")

    kept = [(z3.AstRef, "__bool__", z3.AstRef.__bool__), (z3.AstRef, "__hash__", z3.AstRef.__hash__)]
    kept += [(z3.ArithRef, name, getattr(z3.ArithRef, name)) for name in names]
    for owner, name, _ in kept:
        setattr(owner, name, {"__bool__": no_truth, "__hash__": no_hash}.get(name, no_arithmetic))
    try:
        yield
    finally:
        for owner, name, method in kept:
            setattr(owner, name, method)


__all__ = ["stating", "z3"]
