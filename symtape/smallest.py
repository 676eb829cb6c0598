"""The smallest case that satisfies a lemma's hypotheses and is about something: what an audit shows as their witness."""

from __future__ import annotations

from typing import Any

from symtape.bound import Bound
from symtape.counterexample import confirmed
from symtape.kernel import survey
from symtape.obligation import Instance, tape_sizes, total
from symtape.solver import Limits, ask
from symtape.statement import Lemma, Replay


def smallest_witness(lemma: Lemma, bound: Bound, scalar: str, limits: Limits) -> dict[str, Any] | None:
    """The smallest case that satisfies the hypotheses, on a tape with a node if there is one; where it can be had,
    one in which the sides of the goal succeed and something flows."""
    sizes = [*tape_sizes(lemma, bound)]
    for size in [*sizes[1:], *sizes[:1]]:
        open_cases, _ = survey(lemma, bound, size, scalar, limits)
        for case in sorted(open_cases, key=lambda each: (0 in dict(each.sizes).values(), total(each))):
            for small in (
                bound.shrink(contributions=min(1, bound.contributions), entries=min(1, bound.entries)),
                bound,
            ):
                replay = _witness(Instance.of(lemma, case, small, scalar), limits)
                if replay is None:
                    continue
                return {"sizes": dict(case.sizes), "call": replay.call, "parameters": replay.parameters}
    return None


def _witness(instance: Instance, limits: Limits) -> Replay | None:
    """A case of these sizes that satisfies the hypotheses in full, which the interpreter confirmed."""
    succeeding = instance.succeeding()
    world, hypotheses = instance.world, instance.for_refuting()
    plain = world.preferences
    for wishes in ([*plain, *world.signs_of_life, succeeding], [*plain, succeeding], plain, []):
        answer = ask([*world.constraints, *wishes], hypotheses, limits)
        if answer.status == "sat":
            replay = confirmed(instance, answer.model)
            if replay.satisfies_hypotheses:
                return replay
    return None
