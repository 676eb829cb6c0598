"""Where the pages' templates are found, and what these can ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from symtape.reports.boxes import anchor
from symtape.reports.counterexample import of_counterexample
from symtape.reports.finding import order, uses
from symtape.reports.status import css_class, status
from symtape.reports.svg import sample

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup


def environment() -> jinja2.Environment:
    """Templates of this folder. All text that they are given is escaped."""
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters.update(
        look=status,
        css=css_class,
        anchor=anchor,
        duration=duration,
        drawn=of_counterexample,
        prose=_prose,
        sample=sample,
        uses=uses,
        order=order,
    )
    return made


def duration(seconds: float) -> str:
    """Milliseconds below a second, else seconds."""
    if 0 < seconds < 0.001:
        return "< 1 ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _prose(text: str) -> Markup:
    """A docstring's paragraph with what stands between backticks as code, everything escaped."""
    from markupsafe import Markup, escape

    pieces = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if i % 2 and i < len(pieces) - 1 else escape(piece)
        for i, piece in enumerate(pieces)
    )
