"""Whether a lemma notices that an engine is not the runtime: one cell of a kill matrix. Runs in a worker process."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from symtape.bound import Bound
from symtape.findings import Finding
from symtape.kernel import settle, survey, unrefutable, witnessed
from symtape.obligation import cases, tape_sizes, total
from symtape.solver import Limits
from symtape.statement import Lemma
from symtape.verdict import Verdict


@dataclass(frozen=True)
class Cell:
    """What became of a lemma on a changed engine."""

    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0
    size: int | None = None
    """The tape size at which it was refuted."""
    counterexample: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": str(self.verdict),
            "reason": self.reason,
            "seconds": round(self.seconds, 6),
            "size": self.size,
            "counterexample": self.counterexample,
        }


def decide(lemma: Lemma, bound: Bound, scalar: str, limits: Limits) -> Cell:
    """The verdict on a lemma up to a bound. Small sizes come first, and the first refutation ends it."""
    started = time.perf_counter()
    findings: list[Finding] = []
    sizes = tape_sizes(lemma, bound)
    if unrefutable(lemma, [case for size in sizes for case in cases(lemma, bound, size)], bound, limits):
        sizes = range(0)
    for size in sizes:
        open_cases, excluded = survey(lemma, bound, size, scalar, limits)
        findings += [] if excluded is None else [excluded]
        if unrefutable(lemma, open_cases, bound, limits):
            continue
        for case in sorted(open_cases, key=total):
            found = settle(lemma, case, bound, scalar, limits, minimal_cores=False)
            findings.append(found)
            if found.counterexample is not None:
                seconds = time.perf_counter() - started
                return Cell(Verdict.REFUTED, "", seconds, size, found.counterexample.as_json())
    verdict, reason = _unnoticed(lemma, findings, limits)
    return Cell(verdict, reason, time.perf_counter() - started)


def _unnoticed(lemma: Lemma, findings: list[Finding], limits: Limits) -> tuple[Verdict, str]:
    """What is said of a lemma that no case refutes."""
    open_still = next((f for f in findings if f.verdict not in (Verdict.PROVED, Verdict.VACUOUS)), None)
    if open_still is not None:
        return open_still.verdict, open_still.reason
    sizes, _ = witnessed(lemma, limits)
    if sizes is None:
        return Verdict.VACUOUS, "nothing small satisfies the hypotheses on this engine"
    return Verdict.PROVED, ""
