"""Counterexamples: looked for in small settings first, read from the model, and replayed before they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symtape.bound import Bound
from symtape.findings import Unreplayed
from symtape.logic import negate
from symtape.obligation import Instance
from symtape.solver import Answer, smtlib
from symtape.statement import Replay
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
    entries, then one in which nothing fails, then whole numbers before elements of an uninterpreted type."""
    unreplayed = None
    for bound in _bounds(instance):
        questions = [_Question(instance, bound, scalar) for scalar in _scalars(instance)]
        for wishes in (_Question.plain_and_succeeding, _Question.plain, _Question.anything):
            for question in questions:
                model = question.model(ask, wishes)
                if model is None:
                    continue
                smaller = question.instance
                found = judged(smaller, model, smaller.world.constraints, question.assumptions)
                if found.refutation is not None:
                    return found
                unreplayed = found.unreplayed
    return Searched(unreplayed=unreplayed)


class _Question:
    """A lemma in a smaller setting, whose goal is to be false; worked out when it is first asked."""

    def __init__(self, instance: Instance, bound: Bound, scalar: str) -> None:
        self._setting = (instance.lemma, instance.case, bound, scalar)
        self._possible: Answer | None = None

    @cached_property
    def instance(self) -> Instance:
        return Instance.of(*self._setting)

    @cached_property
    def assumptions(self) -> dict[str, Any]:
        goal = negate(self.instance.goal())
        return {**self.instance.for_refuting(), "¬goal": goal}

    def plain_and_succeeding(self) -> list[Any]:
        return [*self.plain(), self.instance.succeeding()]

    def plain(self) -> list[Any]:
        return self.instance.world.preferences

    def anything(self) -> list[Any]:
        return []

    def model(self, ask: Ask, wishes: Callable[[_Question], list[Any]]) -> Any:
        """A model that fulfils the wishes, or `None`."""
        if self._possible is not None and self._possible.status == "unsat":
            return None
        wished = wishes(self)
        answer = self._answer(ask, wished) if wished or self._possible is None else self._possible
        if self._possible is None and answer.status == "unsat":
            # most questions have no model whatever is wished for: further wishes need not be tried then
            self._possible = self._answer(ask, []) if wished else answer
        return answer.model if answer.status == "sat" else None

    def _answer(self, ask: Ask, wished: list[Any]) -> Answer:
        # stating the question adds to the facts; nothing is named, since no core is wanted
        assumptions = self.assumptions
        return ask([*self.instance.world.constraints, *wished, *assumptions.values()], {})


def judged(instance: Instance, model: Any, constraints: Sequence[Any], assumptions: Mapping[str, Any]) -> Searched:
    """What the interpreter says of one model of a question. What it is simplified to counts only if that was replayed
    in its turn."""
    replay = confirmed(instance, model)
    if not replay.refutes:
        return Searched(unreplayed=Unreplayed.of(replay, smtlib(constraints, assumptions)))
    kind = instance.lemma.arguments[0].kind
    simplest = kind.interpretation().simplest(instance.lemma, instance.values, Evaluation(instance.world, model))
    return Searched(simplest if simplest.refutes else replay)


def _bounds(instance: Instance) -> Iterator[Bound]:
    bound = instance.world.bound
    longest = max((size for name, size in instance.case.sizes if _is_list(instance, name)), default=0)
    # One entry a tensor reads better than none, so that is tried first.
    widths = sorted(range(bound.entries + 1), key=lambda entries: (entries != 1, entries))
    for contributions in range(longest, bound.contributions + 1):
        for entries in widths:
            yield bound.shrink(contributions=contributions, entries=entries)


def _scalars(instance: Instance) -> list[str]:
    # Whole numbers are an element type like any other, and easier to read than a table; but their addition
    # commutes, so a claim that is only false where it does not needs the uninterpreted one.
    scalar = instance.world.scalar
    return ["int", ANY_ADDITION] if scalar == ANY_ADDITION else [scalar]


def _is_list(instance: Instance, name: str) -> bool:
    return any(a.name == name and a.kind.sized == "list" for a in instance.lemma.arguments)
