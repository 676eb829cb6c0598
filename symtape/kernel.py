"""The only place that may say *proved*.

`settle` puts one obligation to the solver and judges the answers:

1. The hypotheses must have a witness: a model in which they hold in full, confirmed by the interpreter. If even
   their instances contradict each other the obligation is vacuous; if neither is shown it is undecided.
2. Instances of the hypotheses ∧ ¬goal must be unsatisfiable. Then it is proved, and since the hypotheses do have a
   witness, it is ¬goal that they contradict.
3. If that is satisfiable, only a counterexample that the interpreter confirms refutes it.

Everything else is undecided: a timeout, a resource limit, an incomplete answer, a model that does not replay.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from symtape.bound import Bound, Case
from symtape.counterexample import confirmed, search
from symtape.findings import Counterexample, Finding
from symtape.logic import any_of, implies, negate
from symtape.obligation import Instance, cases, obligation_name
from symtape.smt import z3
from symtape.solver import Answer, Limits, ask
from symtape.statement import Lemma
from symtape.verdict import Verdict

GOAL = "¬goal"


@dataclass
class Effort:
    """What is left of one obligation's limits, and what its questions cost together."""

    limits: Limits
    rlimit: int = 0
    started: float = field(default_factory=time.perf_counter)

    def ask(self, constraints: Any, assumptions: dict[str, Any]) -> Answer:
        answer = ask(constraints, assumptions, self.limits.after(self.seconds), keep=[GOAL])
        self.rlimit += answer.rlimit
        return answer

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started


def settle(lemma: Lemma, case: Case, bound: Bound, scalar: str, limits: Limits) -> Finding:
    """Decide the obligation of a lemma at known sizes."""
    effort = Effort(limits)
    instance = Instance.of(lemma, case, bound, scalar)
    finding = _settle(instance, effort)
    return finding.costing(effort.seconds, effort.rlimit)


def _settle(instance: Instance, effort: Effort) -> Finding:
    def finding(verdict: Verdict, **evidence: Any) -> Finding:
        case = instance.case
        name = obligation_name(instance.lemma, case)
        return Finding(name, case.size, verdict, sizes=dict(case.sizes), **evidence)

    witness = effort.ask(instance.world.constraints, instance.for_refuting())
    if witness.status != "sat":
        weakest = effort.ask(instance.world.constraints, instance.for_proving())
        if weakest.status == "unsat":
            return finding(
                Verdict.VACUOUS,
                core=weakest.core,
                satisfiable=False,
                reason=f"the hypotheses contradict each other: {', '.join(weakest.core)}",
            )
        reason = witness.reason or "no witness satisfies them in full"
        return finding(Verdict.UNDECIDED, reason=f"hypotheses not shown satisfiable: {reason}")
    if not confirmed(instance, witness.model).satisfies_hypotheses:
        return finding(Verdict.UNDECIDED, reason="hypotheses not shown satisfiable: the witness did not replay")

    goal = instance.goal()
    hypotheses = instance.for_proving()
    answer = effort.ask(instance.world.constraints, {**hypotheses, GOAL: negate(goal)})
    if answer.status == "unsat":
        used = tuple(name for name in answer.core if name != GOAL)
        return finding(Verdict.PROVED, core=used, satisfiable=True)
    if answer.status == "unknown":
        return finding(Verdict.UNDECIDED, reason=answer.reason, satisfiable=True)

    found = search(instance, effort.ask)
    if found is None:
        return finding(Verdict.UNDECIDED, reason="model did not replay", satisfiable=True)
    return finding(
        Verdict.REFUTED, satisfiable=True, counterexample=Counterexample.of(found, dict(instance.case.sizes))
    )


def survey(lemma: Lemma, bound: Bound, size: int, scalar: str, limits: Limits) -> tuple[list[Case], Finding | None]:
    """The cases of a lemma at a tape size that need asking, and the proof that the others need not.

    A case needs no asking when a hypothesis is plainly false there, such as `acc.size = t.nodes.size` at sizes
    3 and 4. That some hypothesis excludes each of them is itself an obligation, whose core says which do.
    """
    effort = Effort(limits)
    open_cases: list[Case] = []
    excluded: list[tuple[Case, list[str]]] = []
    for case in cases(lemma, bound, size):
        excluding = Instance.of(lemma, case, bound, scalar).excluding()
        if excluding:
            excluded.append((case, excluding))
        else:
            open_cases.append(case)
    if not excluded:
        return open_cases, None
    chosen = [z3.Bool(f"sizes {case}") for case, _ in excluded]
    held = {name: z3.Bool(f"hypothesis {name}") for name in lemma.hypotheses}
    contradictions = [
        implies(choice, negate(held[name]))
        for choice, (_, names) in zip(chosen, excluded, strict=True)
        for name in names
    ]
    answer = effort.ask([any_of(*chosen), *contradictions], held)
    proved = answer.status == "unsat" and bool(answer.core)
    return open_cases, Finding(
        f"{lemma.name}[{size}: other sizes]",
        size,
        Verdict.PROVED if proved else Verdict.UNDECIDED,
        kind="sizes",
        reason="" if proved else answer.reason or "sizes not ruled out",
        core=answer.core,
    ).costing(effort.seconds, effort.rlimit)
