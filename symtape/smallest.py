"""The smallest case that satisfies a lemma's hypotheses and is about something: the witness that an audit shows."""

from __future__ import annotations

from typing import Any

from symtape.bound import Bound
from symtape.counterexample import confirmed
from symtape.kernel import survey
from symtape.obligation import Instance, tape_sizes, total
from symtape.solver import Answer, Limits, ask
from symtape.statement import Lemma, Replay
from symtape.world import ANY_ADDITION


def smallest_witness(lemma: Lemma, bound: Bound, scalar: str, limits: Limits) -> dict[str, Any] | None:
    """The smallest case that satisfies the hypotheses, on a tape with a node if there is one; where it can be had,
    one in which the sides of the goal succeed and something flows."""
    least = bound.shrink(contributions=min(1, bound.contributions), entries=min(1, bound.entries))
    # whole numbers are an element type like any other, and easier to read than letters with a table
    plain = "int" if scalar == ANY_ADDITION else scalar
    sizes = [*tape_sizes(lemma, bound)]
    for size in [*sizes[1:], *sizes[:1]]:
        open_cases, _ = survey(lemma, bound, size, scalar, limits)
        for case in sorted(open_cases, key=lambda each: (0 in dict(each.sizes).values(), total(each))):
            for room in (least, bound):
                replay = _witness(Instance.of(lemma, case, room, plain), limits)
                if replay is not None:
                    return {"sizes": dict(case.sizes), "call": replay.call, "parameters": replay.parameters}
    return None


def _witness(instance: Instance, limits: Limits) -> Replay | None:
    """A case of these sizes that satisfies the hypotheses in full, which the interpreter confirmed."""
    # stating the goal meets terms, and these have facts and wishes of their own
    wished = [instance.succeeding(), *instance.world.signs_of_life, *instance.world.preferences]
    hypotheses = instance.for_refuting()

    def asked(wishes: list[Any]) -> Answer:
        return ask([*instance.world.constraints, *wishes], hypotheses, limits)

    plainest = best = asked([])
    granted: list[Any] = []
    for wish in wished if best.status == "sat" else ():
        answer = asked([*granted, wish])
        if answer.status == "sat":
            granted, best = [*granted, wish], answer
    for answer in (best, plainest):
        replay = None if answer.status != "sat" else confirmed(instance, answer.model)
        if replay is not None and replay.satisfies_hypotheses:
            return replay
    return None
