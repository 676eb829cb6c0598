"""The proof report: a folder with `index.html`, which opens from disk, and what goes with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symtape.reports import arrows, view
from symtape.reports.files import write_files
from symtape.reports.graph import export
from symtape.reports.rules import RULES
from symtape.reports.status import STATUSES, TRIVIAL, css_class, palette, status
from symtape.reports.svg import anchor, draw, sample
from symtape.results import dump, write
from symtape.table import side_by_side
from symtape.terminal import headline, step_lines


def write_report(results: dict[str, Any], folder: Path) -> None:
    """Write `index.html`, `results.json`, `graph.svg`, `graph.dot` and `graph.graphml`, a test file for each refuted
    lemma, and what did not replay. Raises `OSError`."""
    write(folder / "results.json", dump(results))
    for form in ("svg", "dot", "graphml"):
        write(folder / f"graph.{form}", export(results["lemmas"], form))
    write_files(results["lemmas"], folder)
    write(folder / "index.html", render(results))


def render(results: dict[str, Any]) -> str:
    """The page as one HTML text: no script, no network, the same for the same results. All text is escaped."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        look=status,
        css=css_class,
        anchor=anchor,
        duration=duration,
        differing=_differing,
        steps=_steps,
        prose=_prose,
        sample=sample,
    )
    return environment.get_template("page.html.j2").render(
        results=results,
        headline=headline(results),
        graph=draw(results["lemmas"]),
        statuses=list(STATUSES.values()),
        trivial=TRIVIAL,
        rules=RULES,
        styles=palette() + arrows.style(),
        **view.of_results(results),
    )


def duration(seconds: float) -> str:
    """Milliseconds below a second, else seconds."""
    if 0 < seconds < 0.001:
        return "< 1 ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _prose(text: str) -> str:
    """A docstring's paragraph with what stands between backticks as code, everything escaped."""
    from markupsafe import Markup, escape

    pieces = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if i % 2 and i < len(pieces) - 1 else escape(piece)
        for i, piece in enumerate(pieces)
    )


def _differing(shown: dict[str, Any]) -> list[tuple[bool, str]]:
    """Both sides of a counterexample line by line, each with whether it differs."""
    return [(line.startswith("≠"), line) for line in side_by_side(shown["left"], shown["right"])]


def _steps(shown: dict[str, Any]) -> list[tuple[bool, str]]:
    """What both sides of a counterexample ran, each line with whether the sides part there."""
    return [(line.startswith("≠"), line) for line in step_lines(shown)]
