"""Plain text in columns, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest


def columns(rows: Sequence[Sequence[str]], *, gap: str = "  ") -> list[str]:
    """Rows with each column as wide as its widest cell; the last column is left as it is."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    return [
        gap.join(cell if i == len(row) - 1 else cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]


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
