"""One question of an audit, at one tape size: does the claim hold without these hypotheses?

Answered by the kernel, case by case, until one refutes it. Runs in a worker process.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from symtape.bound import Bound
from symtape.findings import Finding
from symtape.kernel import settle, survey
from symtape.obligation import Instance, cases, tape_sizes, total
from symtape.smt import stating
from symtape.solver import Limits
from symtape.statement import Lemma
from symtape.stronger import asks_more
from symtape.verdict import Verdict


@dataclass(frozen=True)
class Probed:
    """What became of a claim at one tape size, with whatever sizes its other parameters have."""

    verdict: Verdict
    """`proved` also where nothing satisfies the hypotheses: at this size alone that is no fault of the lemma."""
    reason: str = ""
    used: tuple[str, ...] = ()
    """The hypotheses that the cores of a proof name between them."""
    satisfiable: bool = False
    """Whether some case has a witness of the hypotheses, which the interpreter confirmed."""
    counterexample: dict[str, Any] | None = None
    unreplayed: dict[str, Any] | None = None
    """The model that did not replay, where that is why nothing is decided."""
    obligations: int = 0
    seconds: float = 0.0
    sizes: dict[str, int] = field(default_factory=dict)
    """The sizes of the refuted case."""


def probe(lemma: Lemma, bound: Bound, size: int, scalar: str, limits: Limits) -> Probed:
    """Decide a lemma at one tape size. The smallest cases come first, and the first that is refuted ends it."""
    started = time.perf_counter()
    open_cases, excluded = survey(lemma, bound, size, scalar, limits, apart=True)
    findings = [] if excluded is None else [excluded]
    for case in sorted(open_cases, key=total):
        findings.append(settle(lemma, case, bound, scalar, limits))
        if findings[-1].verdict is Verdict.REFUTED:
            break
    return _merged(findings, time.perf_counter() - started)


def _merged(findings: list[Finding], seconds: float) -> Probed:
    telling = next((each for each in findings if each.verdict is Verdict.REFUTED), None)
    held = (Verdict.PROVED, Verdict.VACUOUS)
    telling = telling or next((each for each in findings if each.verdict not in held), None)
    satisfiable = any(each.satisfiable and each.kind == "claim" for each in findings)
    common: dict[str, Any] = {"satisfiable": satisfiable, "obligations": len(findings), "seconds": seconds}
    if telling is None:
        used = {name: None for each in findings for name in each.core}
        return Probed(Verdict.PROVED, used=tuple(used), **common)
    verdict = Verdict.REFUTED if telling.verdict is Verdict.REFUTED else Verdict.UNDECIDED
    shown, left = telling.counterexample, telling.unreplayed
    return Probed(
        verdict,
        reason=telling.reason,
        counterexample=None if shown is None else shown.as_json(),
        unreplayed=None if left is None else left.as_json(),
        sizes=dict(telling.sizes),
        **common,
    )


Answered = tuple[int | None, Probed]
"""The tape size at which a question was refuted, `None` where it was at none, and what was found."""


def stronger(lemma: Lemma, conclusion: str, bound: Bound, scalar: str, limits: Limits) -> Answered | None:
    """Whether a stronger conclusion holds up to the bound; `None` where the claim leaves nothing to ask."""
    if not any(_asked(lemma, bound, size, scalar) for size in tape_sizes(lemma, bound)):
        return None
    variant = lemma.concluding(conclusion)
    found: list[Probed] = []
    for size in tape_sizes(lemma, bound):
        found.append(probe(variant, bound, size, scalar, limits))
        if found[-1].verdict is Verdict.REFUTED:
            return size, found[-1]
    undecided = next((each for each in found if each.verdict is not Verdict.PROVED), None)
    return None, undecided or found[-1]


def _asked(lemma: Lemma, bound: Bound, size: int, scalar: str) -> bool:
    """Whether the goal is at some case of this size one that could say more."""
    for instance in Instance.of_each(lemma, cases(lemma, bound, size), bound, scalar):
        if not instance.excluding():
            with stating():
                if asks_more(instance.claim.goal()):
                    return True
    return False
