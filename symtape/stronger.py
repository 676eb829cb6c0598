"""Conclusions that say more than a lemma's own, where they can be asked for at little cost.

An equation between two results also claims that they fail alike. Whether they can fail, and whether they can succeed,
tells its author if the claim could say more, or says less than it seems to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtape.logic import Equation, Formula, all_of, formula, negate


@dataclass(frozen=True)
class Conclusion:
    """What is asked of both sides of an equation of results, and what the answers mean."""

    question: str
    proved: str
    refuted: str


CONCLUSIONS = {
    "succeeds": Conclusion(
        "do both sides always succeed?",
        "both sides always succeed: the conclusion could say so",
        "both sides can fail: that they fail alike is a part of the claim",
    ),
    "fails": Conclusion(
        "do both sides always fail?",
        "neither side ever succeeds: the claim is about errors alone",
        "both sides can succeed: the claim is about values too",
    ),
}


def asks_more(goal: Any) -> bool:
    """Whether a goal is an equation of two results of which neither is plainly a success or an error."""
    if not isinstance(goal, Equation) or not all(hasattr(side, "isOk") for side in (goal.lhs, goal.rhs)):
        return False
    return not any(isinstance(formula(side.isOk()), bool) for side in (goal.lhs, goal.rhs))


def strengthened(goal: Equation, conclusion: str) -> Formula:
    """The stronger conclusion in the place of an equation of results."""
    sides = (formula(side.isOk()) for side in (goal.lhs, goal.rhs))
    return all_of(*(each if conclusion == "succeeds" else negate(each) for each in sides))
