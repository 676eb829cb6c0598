"""What an audit says of the hypotheses of a lemma, and of all lemmas in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from symtape.reports.standing import Lemma
from symtape.reports.status import HYPOTHESES, NEEDED, REDUNDANT, UNDECIDED, WANTED

View = dict[str, Any]


def standing(hypothesis: str, audit: dict[str, Any]) -> str:
    """The word of the table of statuses that stands of a hypothesis."""
    if hypothesis in audit["needed"]:
        return NEEDED
    if hypothesis not in audit["redundant"]:
        return UNDECIDED
    return WANTED if hypothesis in audit["proof_needs"] else REDUNDANT


def of_audit(lemma: Lemma, bound: dict[str, int] | None) -> View | None:
    """What the page says of a lemma's audit; `None` if it has none."""
    audit = lemma.get("audit")
    if audit is None:
        return None
    names = [each["name"] for each in lemma["hypotheses"]]
    without = {each["hypothesis"]: each for each in audit["without"]}
    known = {frozenset(each["hypotheses"]): each for each in audit["sets"]}
    minimal = [(kept, known.get(frozenset(kept))) for kept in audit["minimal_sets"]]
    shown = {frozenset(kept) for kept in audit["minimal_sets"]}
    return {
        # What says that these are all the sets there are came later than the rest.
        "complete": False,
        **audit,
        "tapes": tapes(bound),
        "hypotheses": [(name, standing(name, audit), without.get(name)) for name in names],
        "minimal": minimal,
        "other_sets": [each for kept, each in known.items() if kept not in shown],
        "undecided": [kept for kept in audit["undecided"] if frozenset(kept) not in shown | set(known)],
    }


def tapes(bound: dict[str, int] | None) -> str:
    """The tapes for which an audit speaks, in words."""
    if bound is None:
        return "the tapes that were looked at"
    last = bound["tape"]
    return f"tapes of 0–{last} {'node' if last == 1 else 'nodes'}" if last else "the tape of no nodes"


def overview(lemmas: Sequence[Lemma], bound: dict[str, int] | None) -> View | None:
    """The table of lemmas and hypotheses, and what it shows in a sentence; `None` if nothing was audited."""
    audited = [(each, each["audit"]) for each in lemmas if each.get("audit") is not None]
    if not audited:
        return None
    rows = [
        (lemma["name"], {each["name"]: standing(each["name"], audit) for each in lemma["hypotheses"]}, audit)
        for lemma, audit in audited
    ]
    return {
        "looks": [look for word, look in HYPOTHESES.items() if any(word in found.values() for _, found, _ in rows)],
        "columns": list(dict.fromkeys(name for _, found, _ in rows for name in found)),
        "rows": rows,
        "found": _found([found for _, found, _ in rows], tapes(bound)),
        "unsatisfied": [name for name, _, audit in rows if not audit["satisfiable"]],
    }


def _found(rows: Iterable[dict[str, str]], where: str) -> str:
    rows = list(rows)
    words = [word for found in rows for word in found.values()]
    total, count = len(words), Counter(words)
    needless = count[REDUNDANT] + count[WANTED]
    lemmas = sum(any(word in (REDUNDANT, WANTED) for word in found.values()) for found in rows)
    if not needless:
        said = f"The audit found no needless hypothesis among the {_many(total, 'hypothesis', 'hypotheses')}"
    else:
        said = (
            f"{needless} of {_many(total, 'hypothesis', 'hypotheses')} are needless for the claim, each taken alone"
            if needless > 1
            else f"1 of {_many(total, 'hypothesis', 'hypotheses')} is needless for the claim"
        )
        said += f", in {lemmas} of {_many(len(rows), 'lemma', 'lemmas')}"
    said += f", on {where}; {count[NEEDED]} {'is' if count[NEEDED] == 1 else 'are'} needed"
    if count[UNDECIDED]:
        said += f", {count[UNDECIDED]} undecided"
    if count[WANTED]:
        said += f". Of the needless, {count[WANTED]} cannot be left out of the given proof at every size"
    return said + "."


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"
