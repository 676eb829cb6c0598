"""The proof report: a folder with `index.html`, which opens from disk, and what goes with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symtape.reports import arrows, graph_view, view
from symtape.reports.environment import environment
from symtape.reports.files import write_files
from symtape.reports.graph import export
from symtape.reports.rules import RULES
from symtape.reports.status import STATUSES, TRIVIAL, palette
from symtape.results import dump, write
from symtape.terminal import headline


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
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            results=results,
            headline=headline(results),
            drawn=graph_view.of_graph(results["lemmas"]),
            around=graph_view.around(results["lemmas"]),
            statuses=list(STATUSES.values()),
            trivial=TRIVIAL,
            rules=RULES,
            styles=palette() + arrows.style(),
            **view.of_results(results),
        )
    )
