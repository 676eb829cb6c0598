"""What an arrow between two lemmas says: that the lower one uses the upper one, and what for.

One table, from which arrows, legend, style sheet and the exports' attributes are made. Kinds differ in line and
marks, not in colour. At every size the kind is read off the unsat cores; elsewhere a use is what the author declares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symtape.reports.standing import Lemma
from symtape.verdict import Verdict


@dataclass(frozen=True)
class Arrow:
    """The look of one kind of use."""

    kind: str
    words: str
    meaning: str
    dash: str = ""
    """The line's dashes and gaps, as SVG has them; none is solid."""
    width: float = 1.5
    marked: bool = False
    """Whether a dot stands at the arrow's start."""
    found: bool = True
    """Whether a core shows the use; if none does, the arrow's head is open."""
    graphviz: str = "solid"
    """The line's style in a `.dot` file."""


ARROWS = {
    arrow.kind: arrow
    for arrow in (
        Arrow("prove", "needed to prove", "a core of the goal, or of a fact on the way to it, needed the lemma"),
        Arrow(
            "state",
            "needed to state",
            "the lemma was needed to show that something else may be used: that its hypotheses and types fit",
            dash="7 4",
            graphviz="dashed",
        ),
        Arrow("prove and state", "needed to prove and to state", "both of these", marked=True, graphviz="bold"),
        Arrow(
            "not needed",
            "declared, not needed",
            "the lemma is declared to be used, but no core needed it",
            dash="1.5 4",
            width=1.1,
            found=False,
            graphviz="dotted",
        ),
        Arrow(
            "declared",
            "declared",
            "the lemma says that it uses the other; no proof at every size tells what for",
            width=1.1,
            found=False,
        ),
    )
}


def kinds(lemma: Lemma) -> dict[str, str]:
    """The kind of each use of a lemma. Only a proof at every size has cores that tell more than the declaration."""
    every: dict[str, Any] | None = lemma.get("every_size")
    said = dict.fromkeys(lemma["uses"], "declared")
    if every is not None and every["verdict"] == Verdict.PROVED:
        said |= {use["name"]: _kind(use["to_prove"], use["to_state"]) for use in every["uses"]}
    return said


def _kind(to_prove: bool, to_state: bool) -> str:
    return " and ".join(["prove"] * to_prove + ["state"] * to_state) or "not needed"


def joined(found: Sequence[str]) -> str:
    """The kind of one arrow that stands for several uses: whatever some of them are."""
    told = [kind for kind in found if ARROWS[kind].found]
    if not told:
        return "declared" if "declared" in found else "not needed"
    return _kind(any("prove" in kind for kind in told), any("state" in kind for kind in told))


def css_class(kind: str) -> str:
    """The class under which an arrow is styled."""
    return f"use-{kind.replace(' ', '-')}"


def style() -> str:
    """The style sheet's part that the table decides."""
    return "".join(
        f".{css_class(each.kind)}{{stroke-width:{each.width:g}"
        + (f";stroke-dasharray:{each.dash}" if each.dash else "")
        + "}"
        for each in ARROWS.values()
    )
