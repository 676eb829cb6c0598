"""Plain text in columns, for the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap

from symtape.screen import Screen, display_width, printable

GAP = "  "
LEAST = 8
"""No column that wraps is made narrower than this: a screen that is too narrow even so is run over."""


@dataclass(frozen=True)
class Column:
    """A column of a table. Only one that wraps gives way where there is no room for all."""

    title: str
    wraps: bool = False
    right: bool = False


@dataclass(frozen=True)
class Cell:
    """What stands in a row, and the style in which a screen with colours shows it."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Table:
    """Facts in rows, to be shown in any form."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def lay_out(table: Table, screen: Screen) -> list[str]:
    """The lines of a table, no wider than the screen. Nothing is left out: a cell that is too long is wrapped."""
    titles = tuple(Cell(column.title, "title") for column in table.columns)
    rows = [[(printable(cell.text), cell.style) for cell in row] for row in (titles, *table.rows)]
    natural = [max(display_width(row[i][0]) for row in rows) for i in range(len(titles))]
    widths = _fitted(table.columns, natural, screen.width)
    lines = []
    for row in rows:
        cells = [_broken(text, width) for (text, _), width in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            shown = [
                _aligned(part, width, column, style, screen)
                for part, width, column, (_, style) in zip(parts, widths, table.columns, row, strict=True)
            ]
            lines.append(GAP.join(shown).rstrip())
    return lines


def paragraph(text: str, screen: Screen, indent: str = "") -> list[str]:
    """Running text, wrapped between words."""
    return wrap(
        printable(text),
        screen.width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _fitted(columns: Sequence[Column], natural: Sequence[int], width: int) -> list[int]:
    """How wide each column is: the widest of those that wrap give way first."""
    room = width - len(GAP) * (len(columns) - 1)
    widths = list(natural)
    while sum(widths) > room:
        giving = [i for i, column in enumerate(columns) if column.wraps and widths[i] > LEAST]
        if not giving:
            break
        widths[max(giving, key=lambda i: widths[i])] -= 1
    return widths


def _broken(text: str, width: int) -> list[str]:
    """A text in lines of at most this width, broken after a space, else after the joints of a name, else anywhere."""
    lines = [""]
    for piece in re.findall(r"[^ _.,]*[ _.,]+|[^ _.,]+", text):
        if display_width((lines[-1] + piece).rstrip()) <= width:
            lines[-1] += piece
            continue
        lines.append("")
        for character in piece:
            if display_width((lines[-1] + character).rstrip()) > width:
                lines.append("")
            lines[-1] += character
    return [line.strip() for line in lines if line.strip()] or [""]


def _aligned(text: str, width: int, column: Column, style: str, screen: Screen) -> str:
    space = " " * (width - display_width(text))
    painted = screen.paint(text, style)
    return space + painted if column.right else painted + space


def step_by_step(left: Sequence[str], right: Sequence[str], titles: tuple[str, str] = ("left", "right")) -> list[str]:
    """What two sides ran: once as long as they agree, then each, where they part marked."""
    alike = next((i for i, (a, b) in enumerate(zip_longest(left, right)) if a != b), len(left))
    width = max(map(len, titles))
    shown = [f"  {'both'.ljust(width)}  {line}" for line in left[:alike]]
    for title, lines in zip(titles, (left, right), strict=True):
        shown += [f"{' ' if i else '≠'} {title.ljust(width)}  {line}" for i, line in enumerate(lines[alike:])]
    return shown


def side_by_side(left: Sequence[str], right: Sequence[str], titles: tuple[str, str] = ("left", "right")) -> list[str]:
    """Two results, lines that agree once and lines that differ one under the other, marked."""
    shown: list[str] = []
    width = max(map(len, titles))
    for a, b in zip_longest(left, right, fillvalue=""):
        if a == b:
            shown.append(f"  {'both'.ljust(width)}  {a}")
        else:
            shown += [f"≠ {titles[0].ljust(width)}  {a}", f"≠ {titles[1].ljust(width)}  {b}"]
    return [line.rstrip() for line in shown]
