"""What stands of a lemma, as words of the table of statuses: at every size, at known sizes, and in all.

The two are kept apart wherever they are shown: a proof at every size is another thing than an answer at each size up
to a bound. A lemma of a results file from before proofs at every size, or of no results file at all, has neither key.
"""

from __future__ import annotations

from typing import Any

from symtape.reports.status import FULLY, NOT_FULLY
from symtape.verdict import Verdict

Lemma = dict[str, Any]


def at_every_size(lemma: Lemma) -> str | None:
    """The status of the proof at every size; `None` if none was asked for."""
    every = lemma.get("every_size")
    if every is None:
        return None
    if every["verdict"] != Verdict.PROVED:
        return str(every["verdict"])
    return FULLY if every["fully"] else NOT_FULLY


def at_known_sizes(lemma: Lemma) -> str | None:
    """The worst verdict of the known sizes; `None` if none were asked for."""
    said = [Verdict(each["verdict"]) for each in lemma.get("sizes", [])]
    return str(Verdict.worst(said)) if said else None


def in_all(lemma: Lemma) -> str | None:
    """The status that a lemma has in the graph: its verdict, and if that is a proof at every size, how full a one."""
    verdict: str | None = lemma["verdict"]
    return at_every_size(lemma) or verdict if verdict == Verdict.PROVED else verdict


def sizes_in_words(lemma: Lemma) -> str:
    """The known tape sizes that were asked for: `sizes 0-4`."""
    sizes = [each["size"] for each in lemma.get("sizes", [])]
    first, last = min(sizes, default=0), max(sizes, default=0)
    return f"sizes {first}-{last}" if first < last else f"size {first}"


def rests_on_unproved(lemma: Lemma) -> list[str]:
    """The lemmas that its proof at every size takes to be true, directly or through others."""
    return list((lemma.get("every_size") or {"admitted": []})["admitted"])


def admission_in_words(names: list[str]) -> str:
    """What a lemma rests on without proof, short enough for a box of the graph."""
    first, *others = names
    return f"rests on {first}, not proved" if not others else f"rests on {first} and {len(others)} more, not proved"
