"""A results file as a value that notebooks show: the same facts as the table that a run ends with on a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from symtape import audit_text, markdown, mutation, mutation_text, results, terminal
from symtape.screen import Screen, printable
from symtape.table import Cell, Column, Table, lay_out, paragraph


@dataclass(frozen=True)
class Results:
    """What `symtape.load_results` gives. `data` is what stands in the file, as its JSON Schema says."""

    data: dict[str, Any]

    def __repr__(self) -> str:
        screen = Screen()
        return "\n".join([*lay_out(self.table, screen), "", *paragraph(self.headline, screen)])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="{_side(c)}">{escape(c.title)}</th>' for c in self.table.columns)
        rows = "".join(
            f"<tr>{''.join(_cell(cell, c) for cell, c in zip(row, self.table.columns, strict=True))}</tr>"
            for row in self.table.rows
        )
        caption = escape(printable(self.headline))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{caption}</p>"

    def _repr_markdown_(self) -> str:
        return f"{markdown.table(self.table)}\n{markdown.plain(self.headline)}\n"

    @property
    def table(self) -> Table:
        """A row for each lemma."""
        if "mutants" in self.data:
            return mutation_text.table(self.data)
        return audit_text.table(self.data) if self._audited else terminal.table(self.data)

    @property
    def headline(self) -> str:
        """What the table comes to."""
        if "mutants" in self.data:
            return mutation_text.headline(self.data)
        said = terminal.headline(self.data)
        return f"{said}; {audit_text.finding(self.data['lemmas'])}" if self._audited else said

    @property
    def _audited(self) -> bool:
        return bool(self.data["lemmas"]) and all(lemma.get("audit") is not None for lemma in self.data["lemmas"])


def load_results(path: str | PathLike[str]) -> Results:
    """Read the results file of `symtape prove`, `audit` or `mutate`. Raises `ResultsError`."""
    file = Path(path)
    return Results(mutation.load(file) if "mutants" in results.read(file) else results.load(file))


def _side(column: Column) -> str:
    return f"text-align:{'right' if column.right else 'left'}"


def _cell(cell: Cell, column: Column) -> str:
    text = escape(printable(cell.text))
    # only verdicts have a style; the rest are names and numbers
    shown = text if cell.style or column.right else f"<code>{text}</code>"
    return f'<td style="{_side(column)}">{shown}</td>'
