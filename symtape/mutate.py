"""The kill matrix: which lemmas notice which mutants of the runtime, and what the mutants are that none notices.

A mutant that no lemma refutes is either the runtime in other words, which is then proved, or a gap: it behaves
otherwise, as a counterexample shows, and the theory says nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from symtape.discover import discover_runtime
from symtape.footprint import Attributes, changed
from symtape.kill import Cell
from symtape.mutant import Mutant
from symtape.obligation import cases, tape_sizes
from symtape.statement import Lemma
from symtape.tasks import Options, Outcome, Task
from symtape.verdict import Verdict
from symtape.worker import baseline_task, cell_task

NOT_AFFECTED = "it never runs what is changed"


@dataclass
class Matrix:
    """What was found so far."""

    mutants: Sequence[Mutant]
    theory: Sequence[Lemma]
    additions: Sequence[Lemma]
    equivalence: Sequence[Lemma]
    """What holds of an engine if and only if it is the runtime."""
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)
    """By mutant and lemma, the claims of `equivalence` among them."""
    unchanged: dict[str, Cell] = field(default_factory=dict)
    """What becomes of each lemma on the runtime itself."""
    footprints: dict[str, Attributes] = field(default_factory=dict)
    """What each lemma reads of the runtime."""
    changes: dict[str, Attributes | None] = field(default_factory=dict)
    """What each mutant has others of; `None` where that is not known."""
    _compared: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        runtime = discover_runtime()
        self.changes = {mutant.name: changed(mutant.engine, runtime) for mutant in self.mutants}

    @property
    def lemmas(self) -> list[Lemma]:
        return [*self.theory, *self.additions]

    def tasks(self) -> Iterator[Task]:
        """What to begin with: how each lemma fares on the runtime, and what it runs. The rest follows from that."""
        for lemma in self.lemmas:
            yield Baseline(lemma, self)

    def affects(self, mutant: Mutant, lemma: Lemma) -> bool:
        """Whether a lemma runs what a mutant changes, as far as is known."""
        changes, footprint = self.changes[mutant.name], self.footprints.get(lemma.name)
        return changes is None or footprint is None or not footprint.isdisjoint(changes)

    def cell(self, mutant: Mutant, lemma: Lemma) -> Cell | None:
        """What became of a lemma on a mutant; `None` if it is not known."""
        if self.affects(mutant, lemma):
            return self.cells.get((mutant.name, lemma.name))
        known = self.unchanged[lemma.name]
        return replace(known, reason=known.reason or NOT_AFFECTED, seconds=0.0)

    def equivalence_of(self, mutant: Mutant) -> Iterator[Task]:
        """Whether a mutant is the runtime in other words: asked once, when no lemma has noticed it."""
        if mutant.name not in self._compared and self.survivor(mutant):
            self._compared.add(mutant.name)
            yield from (Notice(each, self, mutant) for each in self.equivalence)

    def killers(self, mutant: Mutant, lemmas: Sequence[Lemma]) -> list[str]:
        """The lemmas that notice a mutant: they are refuted on it, and proved on the runtime."""
        cells = ((lemma, self.cell(mutant, lemma)) for lemma in lemmas if self.sound(lemma))
        return [lemma.name for lemma, cell in cells if cell is not None and cell.verdict is Verdict.REFUTED]

    def sound(self, lemma: Lemma) -> bool:
        """Whether a lemma is known to hold on the runtime."""
        known = self.unchanged.get(lemma.name)
        return known is not None and known.verdict is Verdict.PROVED

    def survivor(self, mutant: Mutant) -> bool:
        """Whether every lemma was asked, and none noticed."""
        asked = all(self.cell(mutant, lemma) is not None for lemma in self.lemmas)
        return asked and not self.killers(mutant, self.lemmas)


@dataclass(frozen=True)
class Baseline(Task):
    """Decide a lemma on the runtime, and see what it runs. Only of a lemma that holds there a refutation tells
    something of a mutant."""

    matrix: Matrix = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        return f"{self.lemma.name} on the runtime"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.known_bound, options.scalar, options.limits]
        return baseline_task, [options.encodings, self.lemma.name, *settings]

    def obligations(self, options: Options) -> int:
        return _obligations(self.lemma, options)

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        self.matrix.unchanged[self.lemma.name], footprint = answer
        self.matrix.footprints[self.lemma.name] = footprint
        affected = [mutant for mutant in self.matrix.mutants if self.matrix.affects(mutant, self.lemma)]
        others = [mutant for mutant in self.matrix.mutants if mutant not in affected]
        compared = [task for mutant in others for task in self.matrix.equivalence_of(mutant)]
        return [*(Notice(self.lemma, self.matrix, mutant) for mutant in affected), *compared]

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        every = frozenset(name for changes in self.matrix.changes.values() for name in changes or ())
        return self.take((Cell(verdict, reason, seconds), every), outcome)


@dataclass(frozen=True)
class Notice(Task):
    """Decide a lemma on a mutant."""

    matrix: Matrix = field(compare=False, repr=False)
    mutant: Mutant

    @property
    def name(self) -> str:
        return f"{self.lemma.name} on {self.mutant.name}"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.known_bound, options.scalar, options.limits]
        return cell_task, [options.encodings, self.lemma.name, self.mutant.name, *settings]

    def obligations(self, options: Options) -> int:
        return _obligations(self.lemma, options)

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        self.matrix.cells[self.mutant.name, self.lemma.name] = answer
        return list(self.matrix.equivalence_of(self.mutant))

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        return self.take(Cell(verdict, reason, seconds), outcome)


def _obligations(lemma: Lemma, options: Options) -> int:
    """How many obligations a cell settles at most: all cases together, then each alone."""
    sizes = tape_sizes(lemma, options.known_bound)
    return 2 + sum(1 for size in sizes for _ in cases(lemma, options.known_bound, size))
