"""The kernel of every-size proofs: what counts as one. Nothing else can make a `Theorem`.

A lemma claims, for all values of its parameters: hypotheses → goal. It is proved by one of these rules.

discharge   facts ∧ hypotheses ∧ conclusions of what is used ∧ ¬goal is unsatisfiable. Facts are what holds of every
            value by its type and by definition; sizes are arbitrary naturals, so one question covers every size.
induction   on the size n of one parameter (a natural number itself, or the length of a list): the claim is discharged
            at n = 0, and at n = k + 1 from the same claim at size k. That may only be used at other values of the
            parameters it was generalised over, and of those whose type mentions the one that the induction is on.
use         of an earlier theorem at named values: that these have the types of its parameters, and that they satisfy
            its hypotheses, are obligations; then its goal at these values is a conclusion. The induction hypothesis
            is used in the same way, with one obligation more: that the size is k.
admit       a lemma is taken to be true. What rests on it carries that on.

This module says which obligations make a proof, and `discharge` how each is shown. A theorem can only be used when
it exists, so no proof goes in a circle. Every question is free of quantifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass

from symtape.discharge import Keep, Part, Refused
from symtape.evidence import THE_GOAL, Checked, Label, Obligation
from symtape.instances import TooManyInstancesError
from symtape.recursion import DefinitionError
from symtape.script import Script
from symtape.solver import Limits
from symtape.statement import Argument, Lemma

__all__ = [
    "THE_GOAL",
    "Checked",
    "Label",
    "Obligation",
    "Refused",
    "Theorem",
    "admit",
    "check",
    "conclude",
    "prove",
]

_KERNEL = object()


@dataclass(frozen=True)
class Theorem:
    """A lemma that holds at every size. Only this module makes one."""

    lemma: Lemma
    checked: Checked
    rests_on: tuple[Theorem, ...]
    admitted: frozenset[str]
    """The lemmas that were taken to be true without proof, by this theorem or by one that it rests on."""
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not _KERNEL:
            raise TypeError("only the kernel makes theorems: prove or admit the lemma")


def admit(lemma: Lemma, reason: str) -> Theorem:
    """Take a lemma to be true. Raises `ValueError` without a reason."""
    if not reason:
        raise ValueError("a lemma is admitted for a reason")
    return Theorem(lemma, Checked(lemma.fingerprint, ()), (), frozenset({lemma.name}), _KERNEL)


def prove(lemma: Lemma, theorems: Mapping[str, Theorem], limits: Limits) -> Theorem:
    """The lemma as a theorem, by its own script and by earlier theorems. Raises `Refused`, and `StatementError` for a
    lemma that cannot be stated at every size."""
    if lemma.proof.admitted:
        return admit(lemma, lemma.proof.admitted)
    return conclude(lemma, check(lemma, {name: each.lemma for name, each in theorems.items()}, limits), theorems)


def check(lemma: Lemma, earlier: Mapping[str, Lemma], limits: Limits, keep: Keep | None = None) -> Checked:
    """Show all obligations of a lemma's proof, given that the earlier lemmas it uses are true. Raises like `prove`.

    It can be done in another process than `conclude`, and before the earlier lemmas are proved. `keep` is given each
    obligation that needed the solver, with its question in SMT-LIB.
    """
    script = lemma.proof
    if script.admitted:
        raise Refused("it is admitted, so there is no proof to check")
    given = tuple((name, earlier[name].fingerprint) for name in lemma.uses if name in earlier)
    try:
        if script.on is None:
            claim = Part("claim", lemma, earlier, limits, keep=keep).discharge(script.uses)
            return Checked(lemma.fingerprint, tuple(claim), given)
        argument = _inducted(lemma, script)
        base = Part("base", lemma, earlier, limits, argument, keep).discharge(script.base)
        step = Part("step", lemma, earlier, limits, argument, keep).discharge(script.uses)
        return Checked(lemma.fingerprint, (*base, *step), given)
    except (DefinitionError, TooManyInstancesError) as problem:
        raise Refused(str(problem)) from problem


def conclude(lemma: Lemma, checked: Checked, theorems: Mapping[str, Theorem]) -> Theorem:
    """The theorem whose obligations were shown. Raises `Refused` unless all that it rests on are theorems."""
    if checked.lemma != lemma.fingerprint:
        raise Refused("what was shown is about another lemma")
    for part in ["claim"] if lemma.proof.on is None else ["base", "step"]:
        if not any(each.of == THE_GOAL and each.part == part for each in checked.obligations):
            raise Refused(f"the goal was not shown in the {part}")
    used = checked.uses("prove") | checked.uses("state")
    for name in sorted(used):
        if name not in theorems:
            raise Refused(f"{name} is no theorem yet, so it cannot be used")
        if theorems[name].lemma.engine is not lemma.engine:
            raise Refused(f"{name} is a theorem about another engine")
        if (name, theorems[name].lemma.fingerprint) not in checked.given:
            raise Refused(f"{name} is a theorem, but not of the claim that the proof used")
    rests_on = tuple(theorems[name] for name in lemma.uses if name in used)
    admitted: frozenset[str] = frozenset().union(*(theorem.admitted for theorem in rests_on))
    return Theorem(lemma, checked, rests_on, admitted, _KERNEL)


def _inducted(lemma: Lemma, script: Script) -> Argument:
    """The parameter that an induction is on."""
    for argument in lemma.arguments:
        if argument.name == script.on:
            if argument.kind.sized is None or argument.kind.at_every_size().size is None:
                raise Refused(f"{argument.name} has no size of its own, so there is no induction on it")
            if taken := {"k", "ih"} & {each.name for each in lemma.arguments}:
                raise Refused(f"{', '.join(sorted(taken))} is what the induction calls its own: rename the parameter")
            unknown = set(script.generalizing) - {each.name for each in lemma.arguments}
            if unknown:
                raise Refused(f"the proof generalizes over {', '.join(sorted(unknown))}, which is no parameter")
            return argument
    raise Refused(f"the proof is by induction on {script.on}, which is no parameter")
