"""Whether a lemma notices that an engine is not the runtime: one cell of a kill matrix. Runs in a worker process."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from symtape.bound import Bound
from symtape.findings import Finding
from symtape.kernel import satisfiable, settle, survey, unrefutable
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
    unreplayed: dict[str, Any] | None = None
    """The model that did not replay, where that is why nothing is decided."""

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": str(self.verdict),
            "reason": self.reason,
            "seconds": round(self.seconds, 6),
            "size": self.size,
            "counterexample": self.counterexample,
            "unreplayed": self.unreplayed,
        }


def decide(lemma: Lemma, bound: Bound, scalar: str, limits: Limits, *, apart: bool = False) -> Cell:
    """The verdict on a lemma up to a bound. Small sizes come first, and the first refutation ends it.

    With `apart` each case is put to the kernel on its own, which takes longer, and where the interpreter has a say
    also in what is proved.
    """
    started = time.perf_counter()
    findings: list[Finding] = []
    sizes = tape_sizes(lemma, bound)
    every = [case for size in sizes for case in cases(lemma, bound, size)]
    if not apart and unrefutable(lemma, every, bound, limits):
        sizes = range(0)
    for size in sizes:
        open_cases, excluded = survey(lemma, bound, size, scalar, limits)
        findings += [] if excluded is None else [excluded]
        if not apart and unrefutable(lemma, open_cases, bound, limits):
            continue
        for case in sorted(open_cases, key=total):
            found = settle(lemma, case, bound, scalar, limits, minimal_cores=False)
            findings.append(found)
            if found.counterexample is not None:
                seconds = time.perf_counter() - started
                return Cell(Verdict.REFUTED, "", seconds, size, found.counterexample.as_json())
    return replace(_unnoticed(lemma, findings, bound, limits), seconds=time.perf_counter() - started)


def _unnoticed(lemma: Lemma, findings: list[Finding], bound: Bound, limits: Limits) -> Cell:
    """What is said of a lemma that no case refutes."""
    open_still = [f for f in findings if f.verdict not in (Verdict.PROVED, Verdict.VACUOUS)]
    if open_still:
        telling = next((f for f in open_still if f.unreplayed is not None), open_still[0])
        left = None if telling.unreplayed is None else telling.unreplayed.as_json()
        return Cell(telling.verdict, telling.reason, unreplayed=left)
    if any(f.satisfiable for f in findings):
        return Cell(Verdict.PROVED)
    return Cell(*satisfiable(lemma, bound, limits))
