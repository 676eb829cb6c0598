"""Decide lemmas inside the test process, as the command line does in its workers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from symtape import Bound, Lemma, Verdict
from symtape.conclude import Conclusion, conclude
from symtape.discover import discover
from symtape.findings import Finding
from symtape.kernel import settle, survey
from symtape.obligation import tape_sizes
from symtape.solver import Limits

LIMITS = Limits(timeout=60.0)

SEED = (
    "getNode?_addNode_of_lt",
    "addGradAll_addNode_push",
    "foldlM_addGradAll_addNode_push",
    "backwardDenseFromStep_addNode_push",
    "backwardDenseFromLoop_addNode_push",
    "addNode_prefix_node_spec",
    "backwardDenseFromStep_addNode_lowerNode_last",
    "backwardDenseFrom_addNode_lowerNode",
)


@lru_cache(maxsize=1)
def lemmas() -> dict[str, Lemma]:
    return discover()


@dataclass(frozen=True)
class Decided:
    conclusion: Conclusion
    findings: list[Finding]

    @property
    def verdict(self) -> Verdict:
        return self.conclusion.verdict

    @property
    def refutations(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.verdict is Verdict.REFUTED]

    @property
    def core(self) -> set[str]:
        return {name for finding in self.findings for name in finding.core}


def decide(lemma: Lemma, bound: Bound, scalar: str = "uninterpreted", *, until_refuted: bool = False) -> Decided:
    """All findings on a lemma up to a bound; `until_refuted` stops at the first size with a refutation."""
    findings: list[Finding] = []
    expected: dict[int, int] = {}
    for size in tape_sizes(lemma, bound):
        cases, excluded = survey(lemma, bound, size, scalar, LIMITS)
        expected[size] = len(cases)
        findings += [] if excluded is None else [excluded]
        findings += [settle(lemma, case, bound, scalar, LIMITS) for case in cases]
        if until_refuted and any(finding.verdict is Verdict.REFUTED for finding in findings):
            break
    return Decided(conclude(lemma, bound, findings, expected), findings)
