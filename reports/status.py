"""How a verdict looks: glyph, word, colours and border, and the sentence that defines it.

At every size *proved* splits in two, since a proof there may rest on other lemmas and these may have none.

One table, from which nodes, cells, legend and style sheet are made. The colours pass WCAG AA in both themes and
differ in lightness, not only in hue, so that they stay apart for the three common colour-blindnesses; glyph and
word carry the same fact without any colour.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Status:
    """The look of one verdict. A colour pair is text on background."""

    word: str
    glyph: str
    meaning: str
    light: tuple[str, str]
    dark: tuple[str, str]
    border: str = "solid"


FULLY = "fully proved"
NOT_FULLY = "proved, not fully"

STATUSES = {
    status.word: status
    for status in (
        Status(
            FULLY,
            "✓✓",
            "there is a proof at every size, and everything that it rests on has one too",
            ("#003b2f", "#a9e3cd"),
            ("#b3f3dc", "#12594a"),
        ),
        Status(
            NOT_FULLY,
            "◐",
            "there is a proof at every size, but it rests on a lemma that was taken to be true without one",
            ("#04295c", "#9fc3f3"),
            ("#eaf2ff", "#2c5da3"),
            "dashed",
        ),
        Status(
            "proved",
            "✓",
            "shown directly, from the definitions alone, at each of the known sizes in the scope and at no other: "
            "the negation is unsatisfiable, and the hypotheses have a witness",
            ("#00483a", "#e2f5ed"),
            ("#b3f3dc", "#0b2f28"),
        ),
        Status(
            "refuted",
            "✗",
            "there is a counterexample, and an independent interpreter confirmed it",
            ("#ffffff", "#a81c0a"),
            ("#2b0a04", "#ff9c85"),
        ),
        Status(
            "vacuous",
            "∅",
            "the hypotheses contradict each other, so nothing was shown",
            ("#4a5563", "#ffffff"),
            ("#b4c0cd", "#10151c"),
            "dashed",
        ),
        Status(
            "undecided",
            "?",
            "the solver gave no answer within its limits, its model did not replay, or there is no proof",
            ("#402a00", "#ffd166"),
            ("#fff0c9", "#8a5a00"),
        ),
        Status(
            "error",
            "!",
            "the question could not be put, or a process died",
            ("#402a00", "#ffd166"),
            ("#fff0c9", "#8a5a00"),
            "dotted",
        ),
        Status(
            "not asked",
            "–",
            "no solver was asked in this run",
            ("#4a5563", "#ffffff"),
            ("#b4c0cd", "#10151c"),
            "dotted",
        ),
    )
}

TRIVIAL = "trivial: nothing of this size satisfies the hypotheses, so there is nothing to show"


def status(word: str | None) -> Status:
    """The look of a verdict or of a proof at every size; `None` is a lemma that was not asked about."""
    return STATUSES[word or "not asked"]


def palette() -> str:
    """The style sheet's part that the table decides."""
    light = "".join(f"--{_class(s)}-fg:{s.light[0]};--{_class(s)}-bg:{s.light[1]};" for s in STATUSES.values())
    dark = "".join(f"--{_class(s)}-fg:{s.dark[0]};--{_class(s)}-bg:{s.dark[1]};" for s in STATUSES.values())
    rules = "".join(
        f".{_class(s)}{{color:var(--{_class(s)}-fg);background:var(--{_class(s)}-bg);border-style:{s.border}}}"
        f"rect.{_class(s)}{{fill:var(--{_class(s)}-bg);stroke:var(--{_class(s)}-fg)}}"
        f"text.{_class(s)}{{fill:var(--{_class(s)}-fg);background:none}}"
        for s in STATUSES.values()
    )
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


def css_class(word: str | None) -> str:
    """The class under which a status is styled."""
    return _class(status(word))


def _class(look: Status) -> str:
    return look.word.replace(",", "").replace(" ", "-")
