"""How a lemma is proved at every size, as its author says it. A script is a suggestion: the kernel makes the theorem.

@lemma(
    uses=["backwardDenseFromStep_addNode_push", "backwardDenseFromStep_ok_size"],
    proof=induction(
        "m",
        generalizing=["acc"],
        step=lambda ih, k, t, acc: [
            backwardDenseFromStep_addNode_push.at(id=k),
            backwardDenseFromStep_ok_size.at(id=k, acc1=t.backwardDenseFromStep(acc, k)),
            ih.at(m=k, acc=t.backwardDenseFromStep(acc, k)),
        ],
    ),
)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Use:
    """An earlier lemma, or the induction hypothesis, at named values."""

    lemma: str | None
    """`None` is the induction hypothesis."""
    values: Mapping[str, Any] = field(default_factory=dict)
    every: tuple[str, ...] = ()
    """The arguments that it is used for every value of."""


@dataclass(frozen=True)
class Have:
    """A fact of its own, shown before what comes after it, which may use it."""

    name: str
    prop: Any


def have(**props: Any) -> Have:
    """`have h : …` of a Lean proof: `have(hset=equal(…, …))`. Raises `TypeError` unless it is one named fact."""
    if len(props) != 1:
        raise TypeError("have(name=fact) states one fact")
    ((name, prop),) = props.items()
    return Have(name, prop)


class Hypothesis:
    """The induction hypothesis, as a script sees it."""

    def at(self, **values: Any) -> Use:
        """The hypothesis at these values; an argument that is left out is the one of the claim."""
        return Use(None, values)

    def for_every(self, *names: str, **values: Any) -> Use:
        """As `at`, for every value of the arguments that are named."""
        return Use(None, values, names)


Uses = Callable[..., Iterable[Use | Have]]
"""What a part of a proof uses: a function of the lemma's arguments (those that it names), and in an induction of `k`,
the number that the induction has come to, and `ih`, the hypothesis about it."""


def _nothing() -> Iterable[Use | Have]:
    return ()


@dataclass(frozen=True)
class Script:
    """How a lemma is proved: by one question, by induction, or not at all."""

    uses: Uses = _nothing
    """What the claim itself uses; in an induction, what the step uses."""
    on: str | None = None
    """The argument that the induction is on: a natural number, or a list, whose length counts."""
    generalizing: tuple[str, ...] = ()
    """The arguments that the induction hypothesis holds for every value of."""
    base: Uses = _nothing
    admitted: str = ""
    """Why it is taken to be true without a proof."""

    def __str__(self) -> str:
        if self.admitted:
            return f"admitted: {self.admitted}"
        if self.on is None:
            return "direct"
        every = f", for every {', '.join(self.generalizing)}" if self.generalizing else ""
        return f"induction on {self.on}{every}"


def by(uses: Uses) -> Script:
    """A proof by one question to the solver, given earlier lemmas."""
    return Script(uses)


def induction(on: str, *, generalizing: Iterable[str] = (), base: Uses = _nothing, step: Uses = _nothing) -> Script:
    """A proof by induction on an argument: at 0, and at k + 1 from the hypothesis at k."""
    return Script(step, on, tuple(generalizing), base)


def admitted(reason: str) -> Script:
    """No proof: the lemma is taken to be true, and every theorem that rests on it says so.

    Raises `ValueError` without a reason.
    """
    if not reason.strip():
        raise ValueError('a lemma is admitted for a reason: admitted("why")')
    return Script(admitted=reason)
