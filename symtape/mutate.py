"""The kill matrix: which lemmas notice which mutants of the runtime, and what the mutants are that none notices.

A mutant that no lemma refutes is either the runtime in other words, which is then proved, or a gap: it behaves
otherwise, as a counterexample shows, and the theory says nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from symtape.kill import Cell
from symtape.mutant import Mutant
from symtape.obligation import cases, tape_sizes
from symtape.statement import Lemma
from symtape.tasks import Options, Outcome, Task
from symtape.verdict import Verdict
from symtape.worker import cell_task

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

    @property
    def lemmas(self) -> list[Lemma]:
        return [*self.theory, *self.additions]

    def tasks(self) -> Iterator[Task]:
        """What to begin with; whether a mutant is the runtime is asked once no lemma has noticed it."""
        for lemma in self.lemmas:
            yield Baseline(lemma, self)
        for mutant in self.mutants:
            for lemma in self.lemmas:
                if affects(mutant, lemma):
                    yield Notice(lemma, self, mutant)

    def cell(self, mutant: Mutant, lemma: Lemma) -> Cell | None:
        """What became of a lemma on a mutant; `None` if it is not known."""
        if affects(mutant, lemma):
            return self.cells.get((mutant.name, lemma.name))
        known = self.unchanged.get(lemma.name)
        return known and Cell(known.verdict, known.reason or NOT_AFFECTED)

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
class _Cell(Task):
    matrix: Matrix = field(compare=False, repr=False)

    def obligations(self, options: Options) -> int:
        sizes = tape_sizes(self.lemma, options.known_bound)
        return 1 + sum(1 for size in sizes for _ in cases(self.lemma, options.known_bound, size))

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.known_bound, options.scalar, options.limits]
        return cell_task, [options.encodings, self.lemma.name, self._mutant, *settings]

    @property
    def _mutant(self) -> str:
        return ""

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        return self.take(Cell(verdict, reason, seconds), outcome)


@dataclass(frozen=True)
class Baseline(_Cell):
    """Decide a lemma on the runtime: only of one that holds there a refutation tells something of a mutant."""

    @property
    def name(self) -> str:
        return f"{self.lemma.name} on the runtime"

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        self.matrix.unchanged[self.lemma.name] = answer
        return []


@dataclass(frozen=True)
class Notice(_Cell):
    """Decide a lemma on a mutant."""

    mutant: Mutant

    @property
    def name(self) -> str:
        return f"{self.lemma.name} on {self.mutant.name}"

    @property
    def _mutant(self) -> str:
        return self.mutant.name

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        known = self.matrix.survivor(self.mutant)
        self.matrix.cells[self.mutant.name, self.lemma.name] = answer
        if known or not self.matrix.survivor(self.mutant):
            return []
        return [Notice(each, self.matrix, self.mutant) for each in self.matrix.equivalence]


def affects(mutant: Mutant, lemma: Lemma) -> bool:
    """Whether a lemma runs what a mutant changes."""
    return True
