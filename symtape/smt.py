"""Z3, loaded when it is first used: `symtape list` and `--help` do not pay for it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import z3
else:

    def _load_on_first_use(name: str):
        if name in sys.modules:
            return sys.modules[name]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            raise ImportError(f"symtape needs the Python package {name}: pip install z3-solver")
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    z3 = _load_on_first_use("z3")


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
