"""What a run is made of: pieces of work for a process of their own, and what becomes of their answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from symtape.audit import Audit
from symtape.bound import Bound, Case
from symtape.findings import Finding
from symtape.obligation import obligation_name
from symtape.solver import Limits
from symtape.statement import Lemma
from symtape.theorem import Checked
from symtape.verdict import Verdict
from symtape.worker import check_task, settle_task, survey_task, witness_task


@dataclass(frozen=True)
class Options:
    """What a run was asked to do: at known sizes up to a bound, at every size, or both."""

    bound: Bound | None = field(default_factory=Bound)
    scalar: str = "uninterpreted"
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    encodings: tuple[str, ...] = ()
    every_size: bool = False
    audit: bool = False
    questions: str | None = None
    """The report that every question goes into, if any."""

    @property
    def known_bound(self) -> Bound:
        """The bound, where there must be one. Raises `ValueError` where only every size was asked for."""
        if self.bound is None:
            raise ValueError("known sizes need a bound")
        return self.bound


@dataclass
class AtEverySize:
    """What a run found about a lemma at every size. What was not done is `None`."""

    checked: Checked | None = None
    refused: tuple[Verdict, str] | None = None
    """Why there is no proof."""
    witness: dict[str, int] | None = None
    """The sizes of a case that satisfies the hypotheses, which the interpreter confirmed."""
    unwitnessed: tuple[Verdict, str] | None = None
    """Why there is no such case."""
    seconds: float = 0.0


@dataclass
class Outcome:
    """What a run found, lemma by lemma."""

    findings: dict[str, list[Finding]] = field(default_factory=lambda: defaultdict(list))
    expected: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    """How many claims each surveyed tape size of a lemma has to settle."""
    every_size: dict[str, AtEverySize] = field(default_factory=lambda: defaultdict(AtEverySize))
    audits: dict[str, Audit] = field(default_factory=dict)
    interrupted: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class Task(ABC):
    """A piece of work about one lemma."""

    lemma: Lemma

    @property
    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        """The function to run in another process, and its arguments."""

    @abstractmethod
    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        """Record the answer; the tasks that follow from it."""

    @abstractmethod
    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        """Record that there is no answer; the tasks that follow all the same."""

    def obligations(self, options: Options) -> int:
        """How many obligations it settles at most: each may take as long as the limits allow."""
        return 1


@dataclass(frozen=True)
class Survey(Task):
    """Find the cases of a lemma at one tape size."""

    size: int

    @property
    def name(self) -> str:
        return f"{self.lemma.name}[{self.size}: sizes]"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.bound, self.size, options.scalar, options.limits]
        return survey_task, [options.encodings, self.lemma.name, *settings]

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        cases, excluded = answer
        outcome.expected[self.lemma.name][self.size] = len(cases)
        if excluded is not None:
            outcome.findings[self.lemma.name].append(Finding.from_json(excluded))
        return [Settle(self.lemma, case) for case in cases]

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        outcome.findings[self.lemma.name].append(
            Finding(self.name, self.size, verdict, reason=reason, seconds=seconds)
        )
        return []


@dataclass(frozen=True)
class Settle(Task):
    """Decide a lemma at known sizes."""

    case: Case

    @property
    def name(self) -> str:
        return obligation_name(self.lemma, self.case)

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.bound, self.case, options.scalar, options.limits, options.questions]
        return settle_task, [options.encodings, self.lemma.name, *settings]

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        outcome.findings[self.lemma.name].append(Finding.from_json(answer))
        return []

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        sizes = dict(self.case.sizes)
        outcome.findings[self.lemma.name].append(
            Finding(self.name, self.case.size, verdict, sizes=sizes, reason=reason, seconds=seconds)
        )
        return []


@dataclass(frozen=True)
class Check(Task):
    """Check a lemma's proof at every size."""

    @property
    def name(self) -> str:
        return f"{self.lemma.name}[every size]"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        return check_task, [options.encodings, self.lemma.name, options.limits, options.questions]

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        checked, refused, seconds = answer
        found = outcome.every_size[self.lemma.name]
        found.checked, found.seconds = checked, seconds
        found.refused = None if refused is None else (Verdict.UNDECIDED, refused)
        return []

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        outcome.every_size[self.lemma.name].refused = (verdict, reason)
        outcome.every_size[self.lemma.name].seconds = seconds
        return []


@dataclass(frozen=True)
class Witness(Task):
    """Find a small case that satisfies a lemma's hypotheses."""

    @property
    def name(self) -> str:
        return f"{self.lemma.name}[witness]"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        return witness_task, [options.encodings, self.lemma.name, options.limits]

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        found = outcome.every_size[self.lemma.name]
        found.witness, why = answer
        found.unwitnessed = None if found.witness is not None else (Verdict.UNDECIDED, why)
        return []

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        outcome.every_size[self.lemma.name].unwitnessed = (verdict, f"while a witness was looked for: {reason}")
        return []
