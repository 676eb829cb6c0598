"""From a lemma and a bound to the questions that are put to the solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from symtape.bound import Bound, Case
from symtape.logic import Equation, Formula, all_of, formula, negate
from symtape.smt import stating
from symtape.statement import Argument, Claim, Lemma, Universal
from symtape.world import World


def cases(lemma: Lemma, bound: Bound, size: int, *, apart: bool = False) -> Iterator[Case]:
    """Every choice of the lemma's sizes that is filed under this tape size.

    The leading argument (the first tape, else the first argument that has a size) has the size itself, and every
    other tape any size within the bound. An accumulator, a shape list or a loop runs from 0 to one more than the
    leading size, so that what a hypothesis ties together comes apart when it is dropped; with `apart` to the bound
    on tapes where that is more. A list runs from 0 to the bound on contributions. Sizes that no arguments of these
    types have together are no case: see `Parameter.fits`.
    """
    sized = [argument for argument in lemma.arguments if argument.kind.sized is not None]
    leading = _leading(lemma)

    def range_of(argument: Argument) -> range:
        if argument is leading:
            return range(size, size + 1)
        if argument.kind.leads:
            return range(bound.tape + 1)
        if argument.kind.sized == "list":
            return range(bound.contributions + 1)
        return range(max(size + 1, bound.tape if apart else 0) + 1)

    ranges = [range_of(argument) for argument in sized]
    for sizes in product(*ranges):
        named = dict(zip((a.name for a in sized), sizes, strict=True))
        if all(_fits(argument, named) for argument in lemma.arguments):
            yield Case(size, tuple(named.items()))


def _fits(argument: Argument, sizes: dict[str, int]) -> bool:
    over = [sum(sizes.get(name, 0) for name in names) for names in argument.mentions]
    return argument.kind.fits(sizes.get(argument.name, 0), *over)


def _leading(lemma: Lemma) -> Argument | None:
    sized = [argument for argument in lemma.arguments if argument.kind.sized == "tape"]
    return next((argument for argument in sized if argument.kind.leads), sized[0] if sized else None)


def tape_sizes(lemma: Lemma, bound: Bound) -> range:
    """The sizes under which a lemma's results are filed; only 0 for a lemma about nothing that has a size."""
    return range(bound.tape + 1) if any(a.kind.sized == "tape" for a in lemma.arguments) else range(1)


def total(case: Case) -> int:
    """All sizes of a case together: what makes one smaller than another."""
    return sum(size for _, size in case.sizes)


def obligation_name(lemma: Lemma, case: Case) -> str:
    """The stable name of a question: `addGradAll_addNode_push[t=3,acc=3]`."""
    return f"{lemma.name}[{case}]"


GOAL = "¬goal"
"""The name of the negated goal among the assumptions of a question."""


@dataclass(eq=False)
class Instance:
    """A lemma at known sizes: its symbols, and the claim about them."""

    lemma: Lemma
    case: Case
    world: World
    values: dict[str, Any]
    claim: Claim

    @staticmethod
    def of(lemma: Lemma, case: Case, bound: Bound, scalar: str) -> Instance:
        """Make arbitrary symbols for the lemma's parameters and state it of them."""
        return next(Instance.of_each(lemma, [case], bound, scalar))

    @staticmethod
    def of_each(lemma: Lemma, cases: Iterable[Case], bound: Bound, scalar: str) -> Iterator[Instance]:
        """The lemma at each of these sizes, stated in one world of parameters that are made once for each size. To
        ask the solver about one of them, make it alone: here it would be told of the symbols of all."""
        world = World(bound, scalar, lemma.engine)
        made: dict[Any, Any] = {}
        for case in cases:
            values: dict[str, Any] = {}
            for argument in lemma.arguments:
                size = case.of(argument.name) or 0
                # what an argument depends on stays alive in `made`, so its identity is its own
                key = (argument.name, size, *(id(values[name]) for names in argument.mentions for name in names))
                if key not in made:
                    over = argument.typed_over(values)
                    made[key] = argument.kind.declare(world, argument.name, size, *over)
                values[argument.name] = made[key]
            with stating():
                claim = lemma.state(values)
            yield Instance(lemma, case, world, values, claim)

    def excluding(self) -> list[str]:
        """The hypotheses that are plainly false at these sizes, whatever the symbols are."""
        return [
            name
            for name, prop in self.claim.hypotheses.items()
            if not isinstance(prop, Universal) and formula(prop) is False
        ]

    def goal(self) -> Formula:
        """The goal as a formula; building it also meets the terms at which hypotheses are instantiated."""
        return self._formula

    def succeeding(self) -> Formula:
        """That neither side of the goal is an error, as far as its sides can be one."""
        goal = self._goal
        sides = (goal.lhs, goal.rhs) if isinstance(goal, Equation) else ()
        return all_of(*(side.isOk() for side in sides if hasattr(side, "isOk")))

    @cached_property
    def _goal(self) -> Any:
        with stating():
            return self.claim.goal()

    @cached_property
    def _formula(self) -> Formula:
        goal = self._goal
        with stating():
            return formula(goal.showing() if isinstance(goal, Universal) else goal)

    def refutation(self) -> tuple[list[Any], dict[str, Formula]]:
        """The question whose answer `unsat` proves the claim: typing facts, and by name the hypotheses, or what is
        weaker, and the negated goal."""
        goal = negate(self.goal())
        # stating the goal meets terms at which hypotheses are instantiated, and what is known of these
        assumptions = {**self.for_proving(), GOAL: goal}
        return self.world.constraints, assumptions

    def for_proving(self) -> dict[str, Formula]:
        """The hypotheses, or what is weaker: from these a goal may be concluded."""
        return self._hypotheses(lambda universal: universal.proving())

    def for_refuting(self) -> dict[str, Formula]:
        """The hypotheses, or what is stronger: a model of these satisfies the hypotheses in full."""
        return self._hypotheses(lambda universal: universal.refuting())

    def _hypotheses(self, instantiate: Any) -> dict[str, Formula]:
        plain = {n: formula(p) for n, p in self.claim.hypotheses.items() if not isinstance(p, Universal)}
        universal = {n: p for n, p in self.claim.hypotheses.items() if isinstance(p, Universal)}
        # Instantiating one hypothesis may meet terms at which another must be instantiated.
        instances: dict[str, Formula] = {}
        met = -1
        while met != len(self.world.constraints):
            met = len(self.world.constraints)
            instances = {name: all_of(instantiate(prop)) for name, prop in universal.items()}
        return {name: instances.get(name, plain.get(name, True)) for name in self.claim.hypotheses}
