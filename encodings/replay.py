"""Run a lemma again on plain Python values, without the solver.

>>> from symtape.encodings.replay import *
>>> replay("addGradAll_addNode_push", t=Tape([]), ...)   # the line that a counterexample prints
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import copysign, inf, nan
from typing import Any

from symtape.discover import find_lemma, find_mutant
from symtape.encodings.interpreter import Runtime
from symtape.encodings.plain import Accumulator, Backward, Contributions, Error, Node, Ok, Tape, Tensor, using
from symtape.encodings.plain_graph import Graph, GraphData
from symtape.encodings.plain_packs import NodeData, Pack, ReverseProgram, ShapeList
from symtape.logic import Equation, formula
from symtape.statement import Lemma, Replay, StatementError, Universal
from symtape.table import side_by_side

__all__ = [  # the names that a counterexample's line is made of
    "Accumulator",
    "Backward",
    "Contributions",
    "Error",
    "Fraction",
    "Graph",
    "GraphData",
    "Node",
    "NodeData",
    "Ok",
    "Pack",
    "ReverseProgram",
    "ShapeList",
    "Sums",
    "Tape",
    "Tensor",
    "inf",
    "nan",
    "replay",
]


@dataclass(frozen=True)
class Sums:
    """The addition of a finite type: its elements, some sums, and what every other sum is."""

    elements: str
    sums: dict[str, str] = field(default_factory=dict)
    otherwise: str = ""

    @staticmethod
    def of(table: dict[tuple[str, str], str]) -> Sums:
        """The shortest way to say a full table."""
        usual = Counter(table.values()).most_common(1)[0][0] if table else ""
        elements = " ".join(sorted({x for pair in table for x in pair}))
        return Sums(elements, {f"{a} + {b}": total for (a, b), total in table.items() if total != usual}, usual)

    def table(self) -> dict[tuple[str, str], str]:
        """Every sum."""
        carrier = self.elements.split()
        return {(a, b): self.sums.get(f"{a} + {b}", self.otherwise) for a in carrier for b in carrier}

    def __repr__(self) -> str:
        return f"Sums({self.elements!r}, {self.sums!r}, {self.otherwise!r})"

    def lines(self) -> list[str]:
        said = [f"{pair} = {total}" for pair, total in self.sums.items()]
        return (
            [*said, f"every {'other ' if said else ''}sum = {self.otherwise}"] if self.elements else ["no elements"]
        )


@dataclass(frozen=True)
class Arithmetic:
    """An element type for the interpreter: a number type by its name, or a finite type by its addition table."""

    name: str
    table: dict[tuple[str, str], str] = field(default_factory=dict)

    def runtime(self, engine: Any = None) -> Runtime:
        make = Runtime if engine is None else engine.interpreter()
        if make is Runtime and not (engine is None or engine.unchanged):
            raise StatementError(f"{type(engine).__name__} needs interpreter(): the same change in plain Python")
        if self.name == "table":
            carrier = sorted({x for pair in self.table for x in pair})
            made: Runtime = make(lambda a, b: self.table[a, b], carrier)
        else:
            made = make(_ADDITIONS[self.name])
        return made

    def shown(self) -> dict[str, list[str]]:
        """What a reader has to be told of the addition: nothing where it is the usual one."""
        return {"+": Sums.of(self.table).lines()} if self.table else {}

    def argument(self) -> str:
        """How a counterexample's line passes it."""
        if self.name == "table":
            return f", add={Sums.of(self.table)!r}"
        return "" if self.name == "int" else f", add={self.name!r}"


def _add_float64(a: float, b: float) -> float:
    return a + b


def _add_float32(a: float, b: float) -> float:
    # A double has more than twice the digits of a float, so rounding its sum once more is the float's own sum.
    total = a + b
    try:
        return float(struct.unpack("f", struct.pack("f", total))[0])
    except OverflowError:
        return copysign(inf, total)


def _add_exact(a: int | Fraction, b: int | Fraction) -> int | Fraction:
    return a + b


_ADDITIONS = {"int": _add_exact, "real": _add_exact, "float32": _add_float32, "float64": _add_float64}


def replay(
    lemma: str,
    *,
    without: Sequence[str] = (),
    concluding: str = "",
    encodings: Sequence[str] = (),
    engine: str = "",
    add: str | Sums = "int",
    **parameters: Any,
) -> Verdict:
    """Evaluate a lemma on plain values and show both sides of its goal.

    `add` is a number type (`int`, `real`, `float32`, `float64`) or the `Sums` of a finite type; `engine` the name
    of a mutant that it is said of instead of the runtime; `encodings` the files with the lemma and the mutant, where
    these are not symtape's own. Raises `UnknownLemmaError` and `UnknownMutantError`.
    """
    stated = find_lemma(lemma, encodings)
    if without:
        stated = stated.without(*without)
    if concluding:
        stated = stated.concluding(concluding)
    if engine:
        stated = stated.on_mutant(find_mutant(engine, encodings))
    arithmetic = Arithmetic(add) if isinstance(add, str) else Arithmetic("table", add.table())
    return Verdict(replay_values(stated, parameters, arithmetic))


@dataclass(frozen=True)
class Verdict:
    """A replay that prints itself."""

    replay: Replay

    def __bool__(self) -> bool:
        """Whether the values refute the lemma: all hypotheses hold and the goal does not."""
        return self.replay.refutes

    def __repr__(self) -> str:
        hypotheses = [f"{name}: {'holds' if holds else 'FAILS'}" for name, holds in self.replay.hypotheses.items()]
        goal = "goal: holds" if self.replay.goal else "goal: FAILS"
        return "\n".join([*hypotheses, goal, *side_by_side(self.replay.left, self.replay.right)])


@dataclass(frozen=True)
class Said:
    """What a lemma says of plain values."""

    hypotheses: dict[str, bool]
    holds: bool
    goal: Any

    @property
    def refutes(self) -> bool:
        return all(self.hypotheses.values()) and not self.holds

    @property
    def failures(self) -> int:
        """How many sides of the goal are errors."""
        sides = (self.goal.lhs, self.goal.rhs) if isinstance(self.goal, Equation) else ()
        return sum(isinstance(side, Error) for side in sides)


def evaluate(lemma: Lemma, values: dict[str, Any], arithmetic: Arithmetic) -> Said:
    """Run a lemma on interpreter values."""
    with using(arithmetic.runtime(lemma.engine)):
        claim = lemma.state(values)
        hypotheses = {name: _truth(prop) for name, prop in claim.hypotheses.items()}
        goal = claim.goal()
        return Said(hypotheses, _truth(goal), goal)


def replay_values(lemma: Lemma, values: dict[str, Any], arithmetic: Arithmetic) -> Replay:
    """The replay of a lemma on interpreter values."""
    said = evaluate(lemma, values, arithmetic)
    left, right = _sides(said.goal)
    return Replay(
        hypotheses=said.hypotheses,
        goal=said.holds,
        left=left,
        right=right,
        call=_call(lemma, values, arithmetic),
        parameters={name: _lines(value) for name, value in values.items()} | arithmetic.shown(),
    )


def _truth(prop: Any) -> bool:
    if isinstance(prop, Universal):
        raise TypeError("a hypothesis about all values must be decided by the interpreter")
    folded = formula(prop)
    if not isinstance(folded, bool):
        raise TypeError("a replay must not reach the solver")
    return folded


def _sides(goal: Any) -> tuple[list[str], list[str]]:
    return (_lines(goal.lhs), _lines(goal.rhs)) if isinstance(goal, Equation) else ([], [])


def _lines(value: Any) -> list[str]:
    return list(value.lines()) if hasattr(value, "lines") else [repr(value) if isinstance(value, str) else str(value)]


def _call(lemma: Lemma, values: dict[str, Any], arithmetic: Arithmetic) -> str:
    return f"from symtape.encodings.replay import *; print({replay_call(lemma, values, arithmetic)})"


def replay_call(lemma: Lemma, values: dict[str, Any], arithmetic: Arithmetic) -> str:
    """The call of `replay` that replays a lemma on these values."""
    from symtape.discover import call_reference

    arguments = ", ".join(f"{name}={value!r}" for name, value in values.items())
    return f"replay({call_reference(lemma)}{arithmetic.argument()}, {arguments})"
