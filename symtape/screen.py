"""What a stream can show: how wide it is, whether colours are wanted, and which characters it has."""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

NARROW = 80
"""How wide what is printed may be where nothing is known of the reader's screen: a pipe, a file, a log."""

STYLES = {"bad": "31", "good": "32", "open": "33", "partly": "36", "title": "1"}

PLAIN = {
    **{"✓": "+", "✗": "x", "∅": "0", "◐": "~", "≠": "#", "·": ".", "–": "-", "…": "...", "→": "->", "×": "x"},
    **{"≤": "<=", "▼": "v", "▲": "^", "−": "-", "“": '"', "”": '"'},
}
"""What stands for a character where the stream's encoding has none for it; anything else is shown by its number."""


@dataclass(frozen=True)
class Screen:
    """Where a result is printed."""

    width: int = NARROW
    colour: bool = False

    @staticmethod
    def of(stream: TextIO, environ: Mapping[str, str] = os.environ) -> Screen:
        """What is known of a stream. One that is no terminal is as narrow as any: what is printed there is the same
        on every machine."""
        width = shutil.get_terminal_size().columns if stream.isatty() else NARROW
        return Screen(width, _colour(stream, environ))

    def paint(self, text: str, style: str) -> str:
        """The text in the colour of a style, if this screen shows any."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colour and style and text else text


def _colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """As Python itself decides it from 3.13 on: https://no-color.org, https://force-color.org, then the terminal."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()


def display_width(text: str) -> int:
    """How many columns a terminal gives a text: two to a wide character, none to a combining one."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def printable(text: str) -> str:
    """A text on one line that moves no cursor and hides nothing: a results file may come from anywhere."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else f"\\u{ord(c):04x}" for c in text)


def never_fail(stream: TextIO) -> None:
    """Make a stream show what its encoding cannot, rather than raise; one that was set up otherwise stays so."""
    codecs.register_error("symtape", _replace)
    if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
        stream.reconfigure(errors="symtape")


def _replace(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    missing = problem.object[problem.start : problem.end]
    shown = "".join(PLAIN.get(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in missing)
    return shown, problem.end


def shows(text: str) -> bool:
    """Whether stdout has characters for all of a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
