"""How mutants are made: one change, said of both engines.

A change of a table is an `Edit`, which is carried out on the symbolic table and on the interpreter's. A change of a
hook is given twice, as a function for each. Where a check is gone that the rest relies on, both engines do nothing
about a missing node, and meet the tensor of a shape of its own that arrays have outside of their size.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from symtape.encodings import plain
from symtape.encodings.backward import Engine
from symtape.encodings.interpreter import Row, Runtime
from symtape.encodings.result import failure, success
from symtape.logic import negate
from symtape.mutant import Mutant

ADD, STEP, LOOP, PASS, LOWER = (
    "addGradAll",
    "backwardDenseFromStep",
    "backwardDenseFromLoop",
    "backwardDenseFrom",
    "lowerNode",
)
"""The functions of the runtime."""

TABLES = {
    ADD: ("addGradAll_cases", "addGradAll_rows"),
    STEP: ("backwardDenseFromStep_cases", "backwardDenseFromStep_rows"),
    PASS: ("backwardDenseFrom_cases", "backwardDenseFrom_rows"),
    LOWER: ("lowered_cases", "lowered_rows"),
}
"""What the table of a function is called in the symbolic engine, and in the interpreter."""


def mutant(
    function: str,
    change: str,
    operator: str,
    doc: str,
    *,
    symbolic: dict[str, Any],
    plain: dict[str, Any],
    source: str = "",
) -> Mutant:
    """The mutant with these attributes of `Engine` and of `Runtime` replaced."""
    name = f"{function}: {change}"
    class_name = re.sub(r"\W+", "_", name).strip("_")
    runtime = type(f"{class_name}_in_plain_Python", (Runtime,), {**plain, "__doc__": doc})
    engine = type(class_name, (Engine,), {**symbolic, "__doc__": doc, "interpreter": lambda self: runtime})
    return Mutant(name, operator, function, doc, engine(), source)


# --- the two sides of a row ---


@dataclass(frozen=True)
class Both:
    """One side of a row in both semantics: each is given the engine and what the function was called with."""

    symbolic: Callable[..., Any]
    plain: Callable[..., Any]


ALWAYS = Both(lambda *_: True, lambda *_: True)
OK_ACC = Both(lambda run, t, acc, *_: success(t.world, acc), lambda run, t, acc, *_: plain.Ok(acc))
"""Nothing is done, and that is no error."""


def fails(message: str) -> Both:
    """An error with this message."""
    return Both(lambda run, t, *_: failure(t.world, message), lambda *_: plain.Error(message))


# --- edits of a table ---


class Side(Protocol):
    """One of the two engines, while a table of it is edited."""

    def bound(self, both: Both) -> Callable[..., Any]:
        """The side of a row that `both` is here."""

    def inverted(self, when: Callable[..., Any]) -> Callable[..., Any]:
        """The opposite of a row's condition."""


@dataclass(frozen=True)
class _Symbolic:
    engine: Engine
    arguments: tuple[Any, ...]

    def bound(self, both: Both) -> Callable[..., Any]:
        return lambda: both.symbolic(self.engine, *self.arguments)

    def inverted(self, when: Callable[..., Any]) -> Callable[..., Any]:
        return lambda: negate(when())


class _Plain:
    def bound(self, both: Both) -> Callable[..., Any]:
        return both.plain

    def inverted(self, when: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: not when(*arguments)


Rows = list[Any]
"""Rows of one engine: `Case` or `Row`."""
Edit = Callable[[Rows, Side], Rows]


def edited(function: str, change: str, operator: str, doc: str, *edits: Edit, source: str = "") -> Mutant:
    """The mutant whose table of this function is edited."""
    symbolic, interpreted = tables(function, *edits)
    return mutant(function, change, operator, doc, symbolic=symbolic, plain=interpreted, source=source)


def tables(function: str, *edits: Edit) -> tuple[dict[str, Any], dict[str, Any]]:
    """The edited table of a function, as attributes of the symbolic engine and of the interpreter."""
    cases_name, rows_name = TABLES[function]

    def cases(engine: Engine, *arguments: Any) -> Rows:
        return _carried_out(edits, getattr(Engine, cases_name)(engine, *arguments), _Symbolic(engine, arguments))

    rows: tuple[Row, ...] = tuple(_carried_out(edits, list(getattr(Runtime, rows_name)), _Plain()))
    return {cases_name: cases}, {rows_name: rows}


def _carried_out(edits: tuple[Edit, ...], rows: Rows, side: Side) -> Rows:
    for edit in edits:
        rows = edit(rows, side)
    return rows


def _position(rows: Rows, name: str) -> int:
    return [row.name for row in rows].index(name)


def dropped(name: str) -> Edit:
    """The table without a row."""

    def edit(rows: Rows, side: Side) -> Rows:
        at = _position(rows, name)
        return [*rows[:at], *rows[at + 1 :]]

    return edit


def _changed(name: str, change: Callable[[Any, Side], Any]) -> Edit:
    def edit(rows: Rows, side: Side) -> Rows:
        at = _position(rows, name)
        return [*rows[:at], change(rows[at], side), *rows[at + 1 :]]

    return edit


def asks(name: str, when: Both) -> Edit:
    """A row applies under another condition."""
    return _changed(name, lambda row, side: replace(row, when=side.bound(when)))


def inverts(name: str) -> Edit:
    """A row applies where it should not."""
    return _changed(name, lambda row, side: replace(row, when=side.inverted(row.when)))


def answers(name: str, then: Both) -> Edit:
    """A row has another result."""
    return _changed(name, lambda row, side: replace(row, then=side.bound(then)))


def followed(name: str, when: Both, then: Both) -> Edit:
    """A row stands behind another one. It is made like that, with both sides changed."""

    def edit(rows: Rows, side: Side) -> Rows:
        at = _position(rows, name)
        new = replace(rows[at], name=f"after {name}", when=side.bound(when), then=side.bound(then))
        return [*rows[: at + 1], new, *rows[at + 1 :]]

    return edit


def moved(name: str, *, before: str) -> Edit:
    """A row stands just before another one."""

    def edit(rows: Rows, side: Side) -> Rows:
        row = rows[_position(rows, name)]
        rest = dropped(name)(rows, side)
        at = _position(rest, before)
        return [*rest[:at], row, *rest[at:]]

    return edit


def exchanges(first: str, second: str) -> Edit:
    """Two rows have each other's result."""

    def edit(rows: Rows, side: Side) -> Rows:
        a, b = rows[_position(rows, first)], rows[_position(rows, second)]
        then = {first: b.then, second: a.then}
        return [replace(row, then=then.get(row.name, row.then)) for row in rows]

    return edit
