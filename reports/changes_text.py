"""What changed between two runs, for the terminal and as Markdown for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Callable

from symtape.markdown import code
from symtape.reports.comparison import GONE, LOST, Change, Comparison, Kind
from symtape.screen import Screen, printable
from symtape.table import paragraph

ROOM = 60_000
"""How many characters of changes a comment takes: forges refuse one of more than 65,536."""
LONGEST = 300
"""How much of one text it takes."""

STYLES = {LOST: "bad", GONE: "bad"}


def headline(comparison: Comparison, quote: Callable[[str], str] = printable) -> str:
    """One sentence: how much changed, and whether anything that was proved no longer is."""
    since = quote(comparison.since)
    if not comparison.changes:
        return f"nothing changed since the run of {since}"
    lost = len(comparison.no_longer_proved)
    counts = [f"{len(changes)} {kind.word}" for kind, changes in comparison.by_kind()]
    return (
        f"since the run of {since}: {', '.join(counts)}; lemmas unchanged: {comparison.unchanged}; "
        f"{lost or 'none'} of those that were proved {'is' if lost == 1 else 'are'} no longer proved"
    )


def terminal(comparison: Comparison, screen: Screen) -> list[str]:
    """A paragraph for each change, under the kinds."""
    lines = []
    for kind, changes in comparison.by_kind():
        lines.append(screen.paint(_title(kind), STYLES.get(kind.word, "title")))
        for change in changes:
            said = ": ".join(filter(None, (change.lemma, change.text)))
            lines += paragraph(said, screen, "  ")
        lines.append("")
    return [*lines, *paragraph(headline(comparison), screen)]


def markdown(comparison: Comparison) -> str:
    """The same for a comment; what there is no room for is counted."""
    lines = ["### symtape", "", headline(comparison, code), ""]
    room = ROOM
    for kind, changes in comparison.by_kind():
        lines += [f"**{_title(kind)}**", ""]
        left_out = 0
        for item in map(_item, changes):
            if len(item) <= room and not left_out:
                room -= len(item)
                lines.append(f"- {item}")
            else:
                left_out += 1
        lines += [f"- and {left_out} more", ""] if left_out else [""]
    return "\n".join(lines)


def _title(kind: Kind) -> str:
    return f"{kind.glyph} {kind.word}: {kind.meaning}"


def _item(change: Change) -> str:
    said = [code(_cut(text)) for text in (change.before, change.after) if text]
    lemma = [code(_cut(change.lemma))] if change.lemma else []
    what = (
        [code(_cut(change.what))] if change.what.startswith("hypothesis ") else [change.what] if change.what else []
    )
    return ": ".join([*lemma, *what, " → ".join(said)])


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
