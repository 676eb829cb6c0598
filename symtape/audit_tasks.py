"""The pieces of work that an audit is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from symtape.audit import OWN_PROOF, Audit, Tried, asking_less, named
from symtape.choose import with_used
from symtape.discover import discover
from symtape.marco import Names
from symtape.obligation import cases, tape_sizes
from symtape.probe import Probed
from symtape.statement import Lemma
from symtape.stronger import CONCLUSIONS
from symtape.tasks import Check, Options, Outcome, Task, Witness
from symtape.verdict import Verdict
from symtape.worker import check_without_task, probe_task, smallest_witness_task, stronger_task


def audits(lemmas: Sequence[Lemma], options: Options, outcome: Outcome) -> Iterator[Task]:
    """What to begin with, small tapes first; the rest follows from the answers."""
    known = discover(options.encodings)
    others = {lemma.name: asking_less(lemma, known.values()) for lemma in lemmas}
    for lemma in with_used([*lemmas, *(other for each in others.values() for other in each)], known):
        # what a proof without a hypothesis rests on has to be proved too
        if not lemma.proof.admitted and not options.every_size:
            yield from (Check(lemma), Witness(lemma))
    sizes = {lemma.name: tape_sizes(lemma, options.known_bound) for lemma in lemmas}
    for lemma in lemmas:
        outcome.audits[lemma.name] = Audit(lemma, sizes[lemma.name], others[lemma.name])
        yield SmallestWitness(lemma)
    for size in sorted({size for each in sizes.values() for size in each}):
        for lemma in lemmas:
            if size in sizes[lemma.name]:
                yield Probe(lemma, size, outcome.audits[lemma.name].begin(size))
    for lemma in lemmas:
        for conclusion in CONCLUSIONS:
            yield Stronger(lemma, conclusion)


def _dropped(lemma: Lemma, kept: Names) -> tuple[str, ...]:
    return tuple(name for name in lemma.hypotheses if name not in kept)


@dataclass(frozen=True)
class Probe(Task):
    """Ask whether the claim follows from these hypotheses alone, at one tape size."""

    size: int
    kept: Names
    exploring: bool = True

    @property
    def name(self) -> str:
        return f"{self.lemma.name}[{self.size}: from {', '.join(named(self.lemma, self.kept)) or 'nothing'}]"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.known_bound, self.size, options.scalar, options.limits]
        return probe_task, [options.encodings, self.lemma.name, _dropped(self.lemma, self.kept), *settings]

    def obligations(self, options: Options) -> int:
        return 1 + sum(1 for _ in cases(self.lemma, options.known_bound, self.size, apart=True))

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        return self._next(answer, outcome.audits[self.lemma.name])

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        lost = Probed(Verdict.UNDECIDED, reason=reason, seconds=seconds)
        return self._next(lost, outcome.audits[self.lemma.name])

    def _next(self, probed: Probed, audit: Audit) -> Sequence[Task]:
        if not self.exploring:
            audit.probes[self.size, self.kept] = probed
            return []
        following = audit.go_on(self.size, self.kept, probed)
        if following is not None:
            return [Probe(self.lemma, self.size, following)]
        return list(_once_explored(audit)) if audit.fully_explored else []


def _once_explored(audit: Audit) -> Iterator[Task]:
    """The minimal sets proved on their own, up to the bound and at every size; and whether the given proof goes
    without each hypothesis that the claim goes without."""
    for size, kept in audit.unproved():
        yield Probe(audit.lemma, size, kept, exploring=False)
    if audit.lemma.proof.admitted:
        return
    for kept in audit.sufficient:
        yield AtEverySize(audit.lemma, kept, OWN_PROOF)
    for name in audit.hypotheses:
        rest = audit.everything - {name}
        if audit.refuting_size(rest) is None and rest not in audit.sufficient:
            yield AtEverySize(audit.lemma, rest, OWN_PROOF)


@dataclass(frozen=True)
class AtEverySize(Task):
    """Try to prove the claim from these hypotheses at every size."""

    kept: Names
    route: str

    @property
    def name(self) -> str:
        return f"{self.lemma.name}[every size: from {', '.join(named(self.lemma, self.kept)) or 'nothing'}]"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        what = [self.lemma.name, _dropped(self.lemma, self.kept), self.route]
        return check_without_task, [options.encodings, *what, options.limits]

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        return self._next(Tried(*answer), outcome.audits[self.lemma.name])

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        return self._next(Tried(None, reason), outcome.audits[self.lemma.name])

    def _next(self, tried: Tried, audit: Audit) -> Sequence[Task]:
        audit.tried[self.kept, self.route] = tried
        if tried.checked is not None or self.kept not in audit.sufficient:
            return []
        routes = audit.routes(self.kept)
        following = routes[routes.index(self.route) + 1 :]
        return [AtEverySize(self.lemma, self.kept, route) for route in following[:1]]


@dataclass(frozen=True)
class Stronger(Task):
    """Ask whether a stronger conclusion follows as well."""

    conclusion: str

    @property
    def name(self) -> str:
        return f"{self.lemma.name}[{CONCLUSIONS[self.conclusion].question}]"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.known_bound, options.scalar, options.limits]
        return stronger_task, [options.encodings, self.lemma.name, self.conclusion, *settings]

    def obligations(self, options: Options) -> int:
        sizes = tape_sizes(self.lemma, options.known_bound)
        return sum(1 for size in sizes for _ in cases(self.lemma, options.known_bound, size, apart=True))

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        if answer is not None:
            outcome.audits[self.lemma.name].sharp[self.conclusion] = answer
        return []

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        lost = Probed(Verdict.UNDECIDED, reason=reason, seconds=seconds)
        outcome.audits[self.lemma.name].sharp[self.conclusion] = (None, lost)
        return []


@dataclass(frozen=True)
class SmallestWitness(Task):
    """Find the smallest case that satisfies the hypotheses and is about something."""

    @property
    def name(self) -> str:
        return f"{self.lemma.name}[smallest witness]"

    def call(self, options: Options) -> tuple[Callable[..., Any], list[Any]]:
        settings = [options.known_bound, options.scalar, options.limits]
        return smallest_witness_task, [options.encodings, self.lemma.name, *settings]

    def take(self, answer: Any, outcome: Outcome) -> Sequence[Task]:
        outcome.audits[self.lemma.name].witness = answer
        return []

    def fail(self, verdict: Verdict, reason: str, seconds: float, outcome: Outcome) -> Sequence[Task]:
        return []
