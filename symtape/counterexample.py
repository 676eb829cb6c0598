"""Counterexamples: looked for in small settings first, read from the model, and replayed before they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symtape import solver
from symtape.bound import Bound
from symtape.findings import Unreplayed
from symtape.logic import negate
from symtape.obligation import Instance
from symtape.smt import stating
from symtape.solver import Answer, Limits, smtlib
from symtape.statement import Replay
from symtape.stronger import asks_more, strengthened
from symtape.world import ANY_ADDITION, Evaluation

Ask = Callable[[Any, dict[str, Any]], Answer]


@dataclass(frozen=True)
class Searched:
    """What a search came to."""

    refutation: Replay | None = None
    """The simplest counterexample that the first confirmed one leads to."""
    unreplayed: Unreplayed | None = None
    """The last model that was not confirmed, if none was."""


def confirmed(instance: Instance, model: Any) -> Replay:
    """What the interpreter makes of a model's values."""
    kind = instance.lemma.arguments[0].kind
    return kind.interpretation().replay(instance.lemma, instance.values, Evaluation(instance.world, model))


def search(instance: Instance, ask: Ask) -> Searched:
    """The first confirmed counterexample at the instance's sizes, simplified: few contributions first, then few
    entries, whole numbers before elements of an uninterpreted type, and no errors before errors."""
    unreplayed = None
    for bound, scalar in _settings(instance):
        smaller = Instance.of(instance.lemma, instance.case, bound, scalar)
        question = {"¬goal": negate(smaller.goal())}
        hypotheses = smaller.for_refuting()
        assumptions, facts = {**hypotheses, **question}, smaller.world.constraints
        for wishes, answer in _models(smaller, assumptions, ask):
            found = judged(smaller, answer.model, [*facts, *wishes], assumptions)
            if found.refutation is not None:
                return found
            unreplayed = found.unreplayed
    return Searched(unreplayed=unreplayed)


def judged(instance: Instance, model: Any, constraints: Sequence[Any], assumptions: Mapping[str, Any]) -> Searched:
    """What the interpreter says of one model of a question. What it is simplified to counts only if that was replayed
    in its turn."""
    replay = confirmed(instance, model)
    if not replay.refutes:
        return Searched(unreplayed=Unreplayed.of(replay, smtlib(constraints, assumptions)))
    kind = instance.lemma.arguments[0].kind
    simplest = kind.interpretation().simplest(instance.lemma, instance.values, Evaluation(instance.world, model))
    return Searched(simplest if simplest.refutes else replay)


def _models(instance: Instance, assumptions: dict[str, Any], ask: Ask) -> Iterator[tuple[list[Any], Answer]]:
    """Models of a question, those that are easier to read first, and what was wished for."""
    facts = list(instance.world.constraints)
    anything = ask(facts, assumptions)
    if anything.status == "unsat":
        return
    plain = instance.world.preferences
    for wishes in ([*plain, instance.succeeding()], plain):
        answer = ask([*facts, *wishes], assumptions)
        if answer.status == "sat":
            yield wishes, answer
    if anything.status == "sat":
        yield [], anything


def witness(instance: Instance, limits: Limits) -> Replay | None:
    """A small case that satisfies the hypotheses of an instance in full, which the interpreter confirmed; one that
    says something about the goal, where there is such a case."""
    goal = _goal(instance)
    world = instance.world
    hypotheses = instance.for_refuting()
    lively = [*world.constraints, *world.preferences, *world.signs_of_life]
    if asks_more(goal):
        lively.append(strengthened(goal, "succeeds"))
    for facts in (lively, [*world.constraints, *world.preferences], world.constraints):
        answer = solver.ask(facts, hypotheses, limits)
        if answer.status == "sat":
            replay = confirmed(instance, answer.model)
            if replay.satisfies_hypotheses:
                return replay
    return None


def _goal(instance: Instance) -> Any:
    with stating():
        return instance.claim.goal()


def _settings(instance: Instance) -> Iterator[tuple[Bound, str]]:
    world = instance.world
    # Whole numbers are an element type like any other, and easier to read than a table; but their addition
    # commutes, so a claim that is only false where it does not needs the uninterpreted one.
    scalars = ["int", ANY_ADDITION] if world.scalar == ANY_ADDITION else [world.scalar]
    longest = max((size for name, size in instance.case.sizes if _is_list(instance, name)), default=0)
    # One entry a tensor reads better than none, so that is tried first.
    widths = sorted(range(world.bound.entries + 1), key=lambda entries: (entries != 1, entries))
    for contributions in range(longest, world.bound.contributions + 1):
        for entries in widths:
            for scalar in scalars:
                yield world.bound.shrink(contributions=contributions, entries=entries), scalar


def _is_list(instance: Instance, name: str) -> bool:
    return any(a.name == name and a.kind.sized == "list" for a in instance.lemma.arguments)
