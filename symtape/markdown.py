"""Text for Markdown as forges show it, with nothing in it taken for markup."""

from __future__ import annotations

import re

from symtape.screen import printable
from symtape.table import Table


def code(text: str) -> str:
    """A text as a code span, in which no markup, no mention and no reference to an issue is seen."""
    shown = printable(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    space = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{space}{shown}{space}{fence}"


def plain(text: str) -> str:
    """A text as it stands, in running text."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~@&-])", r"\\\1", printable(text))


def table(facts: Table) -> str:
    """A table; names are code spans, and only verdicts, which have a style, and numbers are not."""
    lines = [[column.title for column in facts.columns], ["--:" if c.right else "---" for c in facts.columns]]
    for row in facts.rows:
        cells = zip(row, facts.columns, strict=True)
        lines.append([cell.text if cell.style or column.right else code(cell.text) for cell, column in cells])
    return "".join(f"| {' | '.join(_in_cell(text) for text in line)} |\n" for line in lines)


def _in_cell(text: str) -> str:
    # a bar ends a cell, in a code span too
    return text.replace("|", "\\|")
