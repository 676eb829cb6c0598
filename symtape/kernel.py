"""The only place that may say *proved*.

`settle` puts one obligation to the solver and judges the answers:

1. The hypotheses must have a witness: a model in which they hold in full, confirmed by the interpreter. If even
   their instances contradict each other the obligation is vacuous; if neither is shown it is undecided.
2. Instances of the hypotheses ∧ ¬goal must be unsatisfiable, and the same instances without ¬goal satisfiable.
   Then it is proved, unless the interpreter finds the goal false of one of the models met on the way.
3. If that is satisfiable, only a counterexample that the interpreter confirms refutes it.

Everything else is undecided: a timeout, a resource limit, an incomplete answer, a model that does not replay.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from symtape.bound import Bound, Case
from symtape.conclude import OUT_OF_SIGHT
from symtape.counterexample import Searched, confirmed, judged, search
from symtape.findings import Counterexample, Finding
from symtape.logic import all_of, any_of, implies, negate
from symtape.obligation import GOAL, Instance, cases, obligation_name, tape_sizes
from symtape.smt import z3
from symtape.solver import Answer, Limits, ask
from symtape.statement import Lemma
from symtape.verdict import Verdict
from symtape.world import ANY_ADDITION

SMALL = Bound(2, 1, 1)
"""Where a case is looked for that satisfies the hypotheses of a lemma about every size."""
UNSHOWN = "hypotheses not shown satisfiable"


@dataclass
class Effort:
    """What is left of one obligation's limits, and what its questions cost together."""

    limits: Limits
    minimal_cores: bool = True
    rlimit: int = 0
    started: float = field(default_factory=time.perf_counter)
    false_of_values: bool = False
    """Whether the interpreter found the goal false of some values that satisfy the hypotheses."""

    def ask(self, constraints: Any, assumptions: dict[str, Any]) -> Answer:
        keep = [GOAL] if self.minimal_cores else list(assumptions)
        answer = ask(constraints, assumptions, self.limits.after(self.seconds), keep=keep)
        self.rlimit += answer.rlimit
        return answer

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started


def settle(
    lemma: Lemma, case: Case, bound: Bound, scalar: str, limits: Limits, *, minimal_cores: bool = True
) -> Finding:
    """Decide the obligation of a lemma at known sizes. Cores that need not be minimal cost fewer questions."""
    effort = Effort(limits, minimal_cores)
    instance = Instance.of(lemma, case, bound, scalar)
    finding = _without_witness(instance, effort) or _claim(instance, effort)
    return replace(
        finding,
        name=obligation_name(lemma, case),
        size=case.size,
        sizes=dict(case.sizes),
        seconds=effort.seconds,
        rlimit=effort.rlimit,
    )


def _without_witness(instance: Instance, effort: Effort) -> Finding | None:
    """The finding when the hypotheses cannot be shown satisfiable; `None` when they were."""
    witness = effort.ask(instance.world.constraints, instance.for_refuting())
    if witness.status == "sat":
        if _confirms(instance, witness, effort) or _confirmed_without_entries(instance, effort):
            return None
        return _finding(Verdict.UNDECIDED, reason=f"{UNSHOWN}: the witness did not replay")
    weakest = effort.ask(instance.world.constraints, instance.for_proving())
    if weakest.status == "unsat" and not weakest.core:
        return _finding(Verdict.ERROR, reason="the typing facts contradict each other")
    if weakest.status == "unsat":
        reason = f"the hypotheses contradict each other within the bound: {', '.join(weakest.core)}"
        return _finding(Verdict.VACUOUS, core=weakest.core, satisfiable=False, reason=reason)
    return _finding(Verdict.UNDECIDED, reason=f"{UNSHOWN}: {witness.reason or 'no witness satisfies them in full'}")


def _confirms(instance: Instance, witness: Answer, effort: Effort) -> bool:
    replay = confirmed(instance, witness.model)
    effort.false_of_values |= replay.refutes
    return replay.satisfies_hypotheses


def _confirmed_without_entries(instance: Instance, effort: Effort) -> bool:
    """Whether tensors without entries give a witness: there is so little of them that the interpreter can try all."""
    world = instance.world
    bare = Instance.of(instance.lemma, instance.case, replace(world.bound, entries=0), world.scalar)
    witness = effort.ask(bare.world.constraints, bare.for_refuting())
    return witness.status == "sat" and _confirms(bare, witness, effort)


def _claim(instance: Instance, effort: Effort) -> Finding:
    """The finding on a claim whose hypotheses are satisfiable."""
    world = instance.world
    searched = Searched()
    if world.scalar != ANY_ADDITION:
        # What holds of every addition holds of this one, and is much easier to ask than of floats; and if it is false
        # of this one, small tensors mostly show it long before large ones do.
        general = Instance.of(instance.lemma, instance.case, world.bound, ANY_ADDITION)
        answer = _refutable(general, effort)
        if answer.status == "unsat":
            return _proved(general, answer, effort, reason="holds of every addition")
        searched = search(instance, effort.ask)
    if searched.refutation is None:
        answer = _refutable(instance, effort)
        if answer.status == "unsat":
            return _proved(instance, answer, effort)
        if answer.status == "unknown":
            return _finding(Verdict.UNDECIDED, reason=answer.reason, satisfiable=True)
        if world.scalar == ANY_ADDITION:
            searched = search(instance, effort.ask)
        if searched == Searched():
            searched = judged(instance, answer.model, *instance.refutation())
    if searched.refutation is None:
        left = searched.unreplayed
        return _finding(Verdict.UNDECIDED, reason="model did not replay", satisfiable=True, unreplayed=left)
    shown = Counterexample.of(searched.refutation, dict(instance.case.sizes))
    return _finding(Verdict.REFUTED, satisfiable=True, counterexample=shown)


def _proved(instance: Instance, answer: Answer, effort: Effort, reason: str = "") -> Finding:
    """The finding on a claim whose negation is unsatisfiable: proved, if it is the negation that makes it so.

    Building the goal met new terms, and with them came typing facts and instances of the hypotheses that the witness
    knew nothing of. If these contradict each other by themselves, nothing was shown.
    """
    without_goal = effort.ask(instance.world.constraints, instance.for_proving())
    if without_goal.status == "sat":
        # The models met are cases to try: where the interpreter finds the goal false of one, the lemma's text says
        # something else of symbols than of values, and no answer about symbols counts.
        if effort.false_of_values or confirmed(instance, without_goal.model).refutes:
            return _finding(Verdict.ERROR, reason="proved of symbols, but false of values: see docs/model.md")
        return _finding(Verdict.PROVED, core=answer.core, satisfiable=True, reason=reason)
    if without_goal.status == "unknown":
        return _finding(Verdict.UNDECIDED, reason=f"{UNSHOWN}: {without_goal.reason}")
    if not without_goal.core:
        return _finding(Verdict.ERROR, reason="the typing facts contradict each other")
    reason = f"the hypotheses contradict each other where the goal uses them: {', '.join(without_goal.core)}"
    return _finding(Verdict.VACUOUS, core=without_goal.core, satisfiable=False, reason=reason)


def _refutable(instance: Instance, effort: Effort) -> Answer:
    """Whether instances of the hypotheses leave room for the goal to fail; the core without the goal."""
    answer = effort.ask(*instance.refutation())
    return replace(answer, core=tuple(name for name in answer.core if name != GOAL))


def _finding(verdict: Verdict, **evidence: Any) -> Finding:
    return Finding("", 0, verdict, **evidence)


def survey(
    lemma: Lemma, bound: Bound, size: int, scalar: str, limits: Limits, *, apart: bool = False
) -> tuple[list[Case], Finding | None]:
    """The cases of a lemma at a tape size that need asking, and the proof that the others need not.

    A case needs no asking when a hypothesis is plainly false there, such as `acc.size = t.nodes.size` at sizes
    3 and 4. That some hypothesis excludes each of them is itself an obligation, whose core says which do. For
    `apart`, see `cases`.
    """
    effort = Effort(limits)
    open_cases: list[Case] = []
    excluded: list[tuple[Case, list[str]]] = []
    for instance in Instance.of_each(lemma, cases(lemma, bound, size, apart=apart), bound, scalar):
        excluding = instance.excluding()
        if excluding:
            excluded.append((instance.case, excluding))
        else:
            open_cases.append(instance.case)
    if not excluded:
        return open_cases, None
    chosen = [z3.Bool(f"sizes {case}") for case, _ in excluded]
    names = dict.fromkeys(name for _, excluding in excluded for name in excluding)
    held = {name: z3.Bool(f"hypothesis {name}") for name in names}
    contradictions = [
        implies(choice, negate(held[name]))
        for choice, (_, excluding) in zip(chosen, excluded, strict=True)
        for name in excluding
    ]
    answer = effort.ask([any_of(*chosen), *contradictions], held)
    proved = answer.status == "unsat" and bool(answer.core)
    return open_cases, Finding(
        f"{lemma.name}[{size}: other sizes]",
        size,
        Verdict.PROVED if proved else Verdict.UNDECIDED,
        kind="sizes",
        reason="" if proved else answer.reason or "sizes not ruled out",
        seconds=effort.seconds,
        rlimit=effort.rlimit,
        core=answer.core,
    )


def unrefutable(lemma: Lemma, asked: Sequence[Case], bound: Bound, limits: Limits) -> bool:
    """Whether none of these cases can be refuted, over any addition, asked in one question.

    It says nothing of whether the hypotheses can hold. If not, a case may be refutable, or need to be asked alone.
    """
    instances = list(Instance.of_each(lemma, asked, bound, ANY_ADDITION))
    goals = [instance.goal() for instance in instances]
    refuted = [
        all_of(*each.for_proving().values(), negate(goal)) for each, goal in zip(instances, goals, strict=True)
    ]
    if not refuted:
        return True
    effort = Effort(limits, minimal_cores=False)
    return effort.ask(instances[0].world.constraints, {GOAL: any_of(*refuted)}).status == "unsat"


def witnessed(lemma: Lemma, limits: Limits) -> tuple[dict[str, int] | None, str]:
    """The sizes of the smallest case, among small ones, in which the hypotheses hold in full, confirmed by the
    interpreter; or why there is none. A lemma about every size says nothing if nothing satisfies its hypotheses."""
    for instance, missing in _witnesses(lemma, SMALL, limits):
        if missing is None:
            return dict(instance.case.sizes), ""
    return None, f"{UNSHOWN}: at no size up to {SMALL.tape} was there a case"


def satisfiable(lemma: Lemma, bound: Bound, limits: Limits) -> tuple[Verdict, str]:
    """Whether the hypotheses hold in full in some case up to a bound: `proved`; `vacuous` where they contradict each
    other in every case; else `undecided`, with the reason."""
    small = Bound(*map(min, astuple(SMALL), astuple(bound)))
    found: list[Finding] = []
    for room in dict.fromkeys((small, bound)):
        found = []
        for _, missing in _witnesses(lemma, room, limits):
            if missing is None:
                return Verdict.PROVED, ""
            found.append(missing)
    unclear = next((each for each in found if each.verdict is not Verdict.VACUOUS), None)
    if unclear is not None:
        return Verdict.UNDECIDED, unclear.reason
    return (Verdict.VACUOUS, found[0].reason) if found else (Verdict.UNDECIDED, OUT_OF_SIGHT)


def _witnesses(lemma: Lemma, bound: Bound, limits: Limits) -> Iterator[tuple[Instance, Finding | None]]:
    """The cases that no hypothesis plainly excludes, small tapes first, each with what is found where no witness of
    the hypotheses is."""
    for size in tape_sizes(lemma, bound):
        for instance in Instance.of_each(lemma, cases(lemma, bound, size), bound, ANY_ADDITION):
            if not instance.excluding():
                alone = Instance.of(lemma, instance.case, bound, ANY_ADDITION)
                yield alone, _without_witness(alone, Effort(limits))
