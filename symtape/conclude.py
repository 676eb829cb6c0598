"""From the findings on a lemma's obligations to what is said of the lemma, always with its scope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symtape.bound import Bound
from symtape.findings import Finding
from symtape.obligation import tape_sizes
from symtape.statement import Lemma
from symtape.verdict import Verdict

ELEMENT_TYPES = {
    "uninterpreted": "every element type with an addition",
    "real": "real numbers",
    "int": "integers",
    "float32": "IEEE 754 binary32",
    "float64": "IEEE 754 binary64",
}


NOT_ASKED = "not asked, or not all"
NO_SIZES = "no sizes of the parameters satisfy the hypotheses"
OUT_OF_SIGHT = "nothing within the scope satisfies the hypotheses"


@dataclass(frozen=True)
class AtSize:
    """The verdict at one tape size."""

    size: int
    verdict: Verdict
    trivial: bool
    """Nothing of this size satisfies the hypotheses, and some larger size does: the claim holds, but says nothing."""
    reason: str
    seconds: float
    obligations: int

    def as_json(self) -> dict[str, Any]:
        return {
            "size": self.size,
            "verdict": str(self.verdict),
            "trivial": self.trivial,
            "reason": self.reason,
            "seconds": round(self.seconds, 6),
            "obligations": self.obligations,
        }


@dataclass(frozen=True)
class Conclusion:
    """What is said of a lemma."""

    verdict: Verdict
    reason: str
    by_size: tuple[AtSize, ...]


def conclude(lemma: Lemma, bound: Bound, findings: Sequence[Finding], expected: Mapping[int, int]) -> Conclusion:
    """Merge findings into one verdict: the worst of all sizes.

    `expected` is how many claims there are to settle at each tape size; a size that is missing was never surveyed.

    A size at which the hypotheses cannot hold is trivial while it lies below every size at which they can, as
    size 0 is for a lemma about an existing id. Anywhere else it makes the lemma vacuous: the sizes that were asked
    for are not the sizes that were shown. What was not asked is undecided.
    """
    sizes = [
        _at_size(size, [f for f in findings if f.size == size], expected.get(size))
        for size in tape_sizes(lemma, bound)
    ]
    shown = [each.size for each in sizes if each.verdict is not Verdict.VACUOUS]
    first_shown = min(shown, default=None)
    judged = [
        _trivial(each)
        if each.verdict is Verdict.VACUOUS and first_shown is not None and each.size < first_shown
        else each
        for each in sizes
    ]
    judged = [_out_of_sight(each) if each.reason == NO_SIZES else each for each in judged]
    worst = Verdict.worst(each.verdict for each in judged)
    reason = next((each.reason for each in judged if each.verdict is worst and not each.trivial), "")
    if worst is Verdict.VACUOUS and not shown:
        reason = judged[-1].reason
    elif worst is Verdict.VACUOUS:
        empty = ", ".join(str(each.size) for each in judged if each.verdict is worst)
        reason = f"nothing satisfies the hypotheses at tape size {empty}, though something does at a smaller one"
    if reason == NOT_ASKED:
        done = [each.size for each in judged if each.verdict is Verdict.PROVED]
        reason += f"; proved at tape size {', '.join(map(str, done))}" if done else ""
    return Conclusion(worst, reason, tuple(judged))


def _at_size(size: int, findings: Sequence[Finding], expected: int | None) -> AtSize:
    seconds = sum(f.seconds for f in findings)
    claims = [f for f in findings if f.kind == "claim"]
    excluded = [f for f in findings if f.kind == "sizes"]
    telling = [f for f in claims if f.verdict is not Verdict.VACUOUS]
    missing = expected is None or len(claims) < expected
    if missing and all(f.verdict in (Verdict.PROVED, Verdict.VACUOUS) for f in findings):
        return AtSize(size, Verdict.UNDECIDED, False, NOT_ASKED, seconds, len(findings))
    if telling:
        worst = Verdict.worst(f.verdict for f in [*telling, *excluded])
        reason = next(f.reason for f in [*telling, *excluded] if f.verdict is worst)
        return AtSize(size, worst, False, reason, seconds, len(findings))
    if any(f.verdict is not Verdict.PROVED for f in excluded):
        return AtSize(size, Verdict.UNDECIDED, False, excluded[0].reason, seconds, len(findings))
    reason = claims[0].reason if claims else NO_SIZES
    return AtSize(size, Verdict.VACUOUS, False, reason, seconds, len(findings))


def _trivial(each: AtSize) -> AtSize:
    return AtSize(each.size, Verdict.PROVED, True, f"trivial: {each.reason}", each.seconds, each.obligations)


def _out_of_sight(each: AtSize) -> AtSize:
    """Not vacuous: something larger than was looked at might satisfy the hypotheses."""
    return AtSize(each.size, Verdict.UNDECIDED, False, OUT_OF_SIGHT, each.seconds, each.obligations)


def scope(bound: Bound, scalar: str) -> dict[str, Any]:
    """What a verdict covers, in words and in numbers."""
    nodes = "0" if bound.tape == 0 else f"0-{bound.tape}"
    text = (
        f"tapes of {nodes} nodes (other sizes up to one more), ≤ {bound.contributions} contributions a node or list, "
        f"tensors of ≤ {bound.entries} entries; {ELEMENT_TYPES[scalar]}"
    )
    return {**bound.as_json(), "scalar": scalar, "text": text}
