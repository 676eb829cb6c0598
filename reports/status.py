"""How a verdict looks: glyph, word, colours and border, and the sentence that defines it.

At every size *proved* splits in two, since a proof there may rest on other lemmas and these may have none. What an
audit says of a hypothesis, and what is said of a mutant, look like verdicts do and have tables of their own.

Tables, from which nodes, cells, legends and style sheet are made. The colours pass WCAG AA in both themes and
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


def _table(*looks: Status) -> dict[str, Status]:
    return {look.word: look for look in looks}


STATUSES = _table(
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

NEEDED, REDUNDANT, WANTED = "needed", "redundant", "wanted by the proof"
VACUOUS, UNDECIDED, NOT_ASKED = "vacuous", "undecided", "not asked"

HYPOTHESES = _table(
    Status(
        NEEDED,
        "◆",
        "without the hypothesis, all others kept, the claim is false: there is a counterexample",
        ("#04295c", "#dfeafb"),
        ("#cfe2ff", "#16304f"),
    ),
    Status(
        REDUNDANT,
        "◇",
        "the claim still holds without the hypothesis, all others kept",
        ("#ffffff", "#6b2fa0"),
        ("#1e0836", "#d9b8ff"),
    ),
    Status(
        WANTED,
        "◈",
        "the claim still holds without the hypothesis up to the bound, but the given proof at every size does not go "
        "without it",
        ("#3d1466", "#e3d0f7"),
        ("#ecdcff", "#4d2a73"),
        "dashed",
    ),
    STATUSES[UNDECIDED],
)

KILLED, EQUIVALENT, GAP = "killed", "equivalent", "gap"

MUTANTS = _table(
    Status(
        GAP,
        "○",
        "the mutant behaves differently, which a replayed counterexample shows, and no lemma catches it",
        ("#ffffff", "#a81c0a"),
        ("#2b0a04", "#ff9c85"),
    ),
    STATUSES[UNDECIDED],
    Status(
        KILLED,
        "●",
        "a lemma catches the mutant: the lemma is false of it, which a replayed counterexample shows",
        ("#003b2f", "#a9e3cd"),
        ("#b3f3dc", "#12594a"),
    ),
    Status(
        EQUIVALENT,
        "≡",
        "the mutant behaves like the runtime, within the scope: there is nothing to catch",
        ("#3c4753", "#e6eaef"),
        ("#c3cdd8", "#252e39"),
        "dashed",
    ),
)

CAUGHT, ALONE, PASSED = "caught", "caught by it alone", "not caught"

CELLS = _table(
    Status(
        CAUGHT,
        "●",
        "the lemma is false of the mutant",
        ("#003b2f", "#a9e3cd"),
        ("#b3f3dc", "#12594a"),
    ),
    Status(
        ALONE,
        "◉",
        "the lemma is false of the mutant, and no other lemma was shown to be",
        ("#ffffff", "#005f4b"),
        ("#04241b", "#6fdcb5"),
    ),
    Status(
        PASSED,
        "·",
        "the lemma holds for the mutant too, within the scope",
        ("#4a5563", "#ffffff"),
        ("#b4c0cd", "#10151c"),
    ),
    STATUSES[VACUOUS],
    STATUSES[UNDECIDED],
    STATUSES["error"],
    STATUSES[NOT_ASKED],
)

LOOKS = STATUSES | HYPOTHESES | MUTANTS | CELLS

TRIVIAL = "trivial: nothing of this size satisfies the hypotheses, so there is nothing to show"


def status(word: str | None) -> Status:
    """The look of a word of any of the tables; `None` is a lemma that was not asked about."""
    return LOOKS[word or NOT_ASKED]


def palette() -> str:
    """The style sheet's part that the table decides."""
    light = "".join(f"--{_class(s)}-fg:{s.light[0]};--{_class(s)}-bg:{s.light[1]};" for s in LOOKS.values())
    dark = "".join(f"--{_class(s)}-fg:{s.dark[0]};--{_class(s)}-bg:{s.dark[1]};" for s in LOOKS.values())
    rules = "".join(
        f".{_class(s)}{{color:var(--{_class(s)}-fg);background:var(--{_class(s)}-bg);border-style:{s.border}}}"
        f"rect.{_class(s)},path.{_class(s)}{{fill:var(--{_class(s)}-bg);stroke:var(--{_class(s)}-fg)}}"
        f"text.{_class(s)}{{fill:var(--{_class(s)}-fg);background:none}}"
        for s in LOOKS.values()
    )
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


def css_class(word: str | None) -> str:
    """The class under which a status is styled."""
    return _class(status(word))


def _class(look: Status) -> str:
    return look.word.replace(",", "").replace(" ", "-")
