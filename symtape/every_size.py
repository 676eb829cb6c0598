"""From what a run found at every size to what is said of each lemma there, always with what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symtape.conclude import NOT_ASKED
from symtape.questions import at_every_size
from symtape.statement import Lemma
from symtape.tasks import AtEverySize
from symtape.theorem import Obligation, Refused, Theorem, admit, conclude
from symtape.verdict import Verdict

SCOPE = "tapes of every size, every number of contributions, every shape, every element type with an addition"


@dataclass(frozen=True)
class Conclusion:
    """What is said of a lemma at every size."""

    lemma: Lemma
    verdict: Verdict
    reason: str
    theorem: Theorem
    """The theorem; of a lemma without a proof, its admission for what rests on it."""
    found: AtEverySize

    @property
    def fully(self) -> bool:
        """Whether all that it rests on is proved too."""
        return self.verdict is Verdict.PROVED and not self.theorem.admitted

    def as_json(self) -> dict[str, Any]:
        shown = self.verdict is Verdict.PROVED
        checked = self.theorem.checked
        prove, state = (checked.uses("prove"), checked.uses("state")) if shown else ((), ())
        return {
            "verdict": str(self.verdict),
            "reason": self.reason,
            "fully": self.fully,
            "admitted": sorted(self.theorem.admitted) if shown else [],
            "scope": {"text": SCOPE},
            "proof": str(self.lemma.proof),
            "uses": [
                {"name": name, "to_prove": name in prove, "to_state": name in state} for name in self.lemma.uses
            ],
            "hypotheses": [name for name in self.lemma.hypotheses if name in checked.hypotheses],
            "witness": self.found.witness,
            "seconds": round(self.found.seconds, 6),
            "obligations": [
                _obligation(each, each in checked.needed, at_every_size(self.lemma.name, number, each))
                for number, each in enumerate(checked.obligations)
            ],
        }


def _obligation(each: Obligation, needed: bool, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "part": each.part,
        "of": str(each.of),
        "what": each.what,
        "seconds": round(each.seconds, 6),
        "rlimit": each.rlimit,
        "core": [str(label) for label in each.core],
        "needed": needed,
    }


def conclusions(lemmas: Sequence[Lemma], found: Mapping[str, AtEverySize]) -> dict[str, Conclusion]:
    """What is said of each lemma, each after those that it uses. One that has no proof is admitted for what rests on
    it, which is then proved, but not fully."""
    said: dict[str, Conclusion] = {}
    theorems: dict[str, Theorem] = {}
    for lemma in lemmas:
        each = _conclude(lemma, found.get(lemma.name, AtEverySize()), theorems)
        said[lemma.name] = each
        theorems[lemma.name] = each.theorem
    return said


def contradicted(each: Conclusion, rests_on: Sequence[str] = ()) -> Conclusion:
    """What is said of a lemma that was proved at every size and refuted at one: that one of the two is wrong; and of
    one whose proof rests on such lemmas."""
    reason = "proved at every size and refuted at a known one: a fault of symtape or of the lemma's helpers"
    if rests_on:
        reason = f"proved from {', '.join(rests_on)}, of which something is refuted at a known size"
    return replace(each, verdict=Verdict.ERROR, reason=reason)


def _conclude(lemma: Lemma, found: AtEverySize, theorems: Mapping[str, Theorem]) -> Conclusion:
    def without(verdict: Verdict, reason: str) -> Conclusion:
        return Conclusion(lemma, verdict, reason, admit(lemma, reason), found)

    if lemma.proof.admitted:
        return without(Verdict.UNDECIDED, f"admitted: {lemma.proof.admitted}")
    if found.refused is not None:
        return without(*found.refused)
    if found.checked is None:
        return without(Verdict.UNDECIDED, NOT_ASKED)
    if found.witness is None:
        return without(*(found.unwitnessed or (Verdict.UNDECIDED, NOT_ASKED)))
    try:
        theorem = conclude(lemma, found.checked, theorems)
    except Refused as problem:
        return without(Verdict.UNDECIDED, str(problem))
    reason = f"proved from {', '.join(sorted(theorem.admitted))}, which is not" if theorem.admitted else ""
    return Conclusion(lemma, Verdict.PROVED, reason, theorem, found)
