"""What stands in a box of the graph, and how large it is: a lemma, a group of lemmas, or what lies outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import quote

from symtape.reports.standing import (
    Lemma,
    admission_in_words,
    at_every_size,
    at_known_sizes,
    in_all,
    rests_on_unproved,
    sizes_in_words,
)
from symtape.reports.status import FULLY, NOT_FULLY, STATUSES, status
from symtape.verdict import Verdict

CHARACTER = 7.3
"""Width of a character of the node font, in pixels."""
LINES = {"group": 12.5, "name": 14.5, "word": 13.5}
"""Height of a line, by its style."""
WIDTH = 24
"""How many characters of a name stand in one line of a box."""
SMALL, SMALL_WIDTH = 6.7, 29
"""The same two for what stands below the name."""
CELL = 10.0
"""Width of one cell of the strip; seventeen fit into the widest box."""
SIDE = 12.0
OUTSIDE = "outside"
"""The style of a box for lemmas that the picture leaves out."""
TRIVIAL = "trivial"


@dataclass(frozen=True)
class Box:
    """One box: where it leads, what it says line by line, each with its style, and a strip with a cell a size."""

    key: str
    href: str
    group: str
    word: str | None
    """Its status, as a word of the table of statuses; `None` is one that was not asked about."""
    lines: tuple[tuple[str, str], ...]
    title: str
    style: str = ""
    is_lemma: bool = True
    tainted: bool = False
    strip: tuple[tuple[int, str], ...] = ()
    """Sizes and what was found there, in words of the table of statuses or `trivial`."""

    @property
    def columns(self) -> int:
        return max(1, int(SMALL * SMALL_WIDTH / CELL))

    @property
    def text_height(self) -> float:
        return sum(LINES[style] for style, _ in self.lines)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels."""
        longest = max(len(text) * (SMALL if style == "word" else CHARACTER) for style, text in self.lines)
        wide = max(longest, CELL * min(len(self.strip), self.columns), 80.0)
        rows = -(-len(self.strip) // self.columns)
        return round(wide + 2 * SIDE, 1), self.text_height + 12 + (CELL + 2) * rows + (3 if rows else 0)


def anchor(name: str) -> str:
    """The id under which a lemma's block stands in the page."""
    return f"lemma-{quote(name, safe='')}"


def group_anchor(group: str) -> str:
    """The id under which a group's own picture stands in the page."""
    return f"group-{quote(group, safe='')}"


def of_lemma(lemma: Lemma, *, grouped: bool = False) -> Box:
    """The box of a lemma: its group, if that is not the picture's, its name, a line for each thing asked, what taints
    it, and a cell for each size."""
    every, known, unproved = at_every_size(lemma), at_known_sizes(lemma), rests_on_unproved(lemma)
    group = lemma.get("group") or "no group"
    lines = [("group", piece) for piece in broken(group)] if grouped else []
    lines += [("name", piece) for piece in broken(lemma["name"])]
    if every is not None:
        lines += [("word", piece) for piece in broken(f"{_said(every)} at every size", SMALL_WIDTH)]
    if known is not None:
        lines += [("word", piece) for piece in broken(f"{_said(known)} at {sizes_in_words(lemma)}", SMALL_WIDTH)]
    if every is None and known is None:
        lines.append(("word", _said(in_all(lemma))))
    if unproved:
        lines += [("word", piece) for piece in broken(admission_in_words(unproved), SMALL_WIDTH)]
    look = status(in_all(lemma))
    return Box(
        key=lemma["name"],
        href=f"#{anchor(lemma['name'])}",
        group=lemma.get("group") or "",
        word=in_all(lemma),
        lines=tuple(lines),
        title=f"{lemma['name']} ({group}): {look.word}",
        tainted=bool(unproved),
        strip=tuple(
            (each["size"], TRIVIAL if each.get("trivial") else each["verdict"]) for each in lemma.get("sizes", [])
        ),
    )


def of_group(group: str, lemmas: Sequence[Lemma]) -> Box:
    """The box of a group: how many lemmas it has with each status, and the look of the worst."""
    words = [in_all(lemma) for lemma in lemmas]
    counted = Counter(status(word).word for word in words)
    lines = [("name", piece) for piece in broken(group or "no group")]
    lines.append(("word", f"{len(lemmas)} {'lemma' if len(lemmas) == 1 else 'lemmas'}"))
    lines += [("word", f"{counted[each]} {STATUSES[each].glyph} {each}") for each in STATUSES if counted[each]]
    worst = worst_of(words)
    said = ", ".join(text for style, text in lines if style == "word")
    tainted = any(rests_on_unproved(lemma) for lemma in lemmas)
    return Box(
        group,
        f"#{group_anchor(group)}",
        group,
        worst,
        tuple(lines),
        f"{group or 'no group'}: {said}",
        "",
        False,
        tainted,
    )


def outside(key: str, group: str, names: Sequence[str], said: str) -> Box:
    """The box that stands for the lemmas of another group which a picture leaves out."""
    count = f"{len(names)} {'lemma' if len(names) == 1 else 'lemmas'} {said}"
    lines = [("group", piece) for piece in broken(group or "no group")] + [("word", count)]
    title = f"{group or 'no group'}: {count}: {', '.join(names)}"
    return Box(key, f"#{group_anchor(group)}", group, None, tuple(lines), title, OUTSIDE, False)


def strip_in_words(strip: Sequence[tuple[int, str]]) -> str:
    """`tape sizes 0: trivial; 1-16: proved`."""
    runs = [(word, [size for size, _ in run]) for word, run in groupby(strip, key=lambda each: each[1])]
    said = (f"{_range(sizes)}: {word}" for word, sizes in runs)
    return f"tape sizes {'; '.join(said)}"


def _range(sizes: Sequence[int]) -> str:
    return f"{sizes[0]}-{sizes[-1]}" if len(sizes) > 1 else f"{sizes[0]}"


def worst_of(words: Sequence[str | None]) -> str | None:
    """The status that a whole group has: no better than that of any of its lemmas."""
    verdicts = [Verdict(word) for word in words if word in {str(each) for each in Verdict}]
    worst = Verdict.worst(verdicts) if verdicts else None
    if worst is not None and worst != Verdict.PROVED:
        return str(worst)
    if None in words:
        return None
    return NOT_FULLY if NOT_FULLY in words else FULLY if worst is None and words else str(Verdict.PROVED)


def _said(word: str | None) -> str:
    look = status(word)
    return f"{look.glyph} {look.word}"


def broken(text: str, width: int = WIDTH) -> list[str]:
    """A text in lines of at most this many characters: broken behind underscores, points and spaces, else before a
    capital letter, else anywhere. Nothing is cut off."""
    lines = [""]
    for piece in re.findall(r"[^_. ]*[_. ]+|[^_. ]+", text):
        for part in _parts(piece, width):
            if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
                lines.append("")
            lines[-1] += part
    return [line.strip() for line in lines]


def _parts(piece: str, width: int) -> list[str]:
    if len(piece.rstrip()) <= width:
        return [piece]
    humps = re.findall(r"[A-Z]*[^A-Z]+|[A-Z]+", piece)
    return [hump[i : i + width] for hump in humps for i in range(0, len(hump), width)]
