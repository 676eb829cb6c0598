"""The proof report: a folder with `index.html`, which opens from disk, and what goes with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symtape.reports import arrows, changes_text, graph_view, view
from symtape.reports.comparison import KINDS, Comparison
from symtape.reports.environment import environment
from symtape.reports.files import write_files
from symtape.reports.graph import export
from symtape.reports.inline import inlined, source
from symtape.reports.junit import junit
from symtape.reports.rules import RULES
from symtape.reports.sarif import sarif
from symtape.reports.status import STATUSES, TRIVIAL, palette
from symtape.results import dump, write
from symtape.terminal import headline

SHEETS = ("page.css", "graph.css", "counterexample.css", "changes.css", "controls.css", "print.css")
SCRIPTS = ("theme.js", "page.js")


def write_report(results: dict[str, Any], folder: Path, comparison: Comparison | None = None) -> None:
    """Write `index.html`, `results.json`, `graph.svg`, `graph.dot` and `graph.graphml`, `junit.xml` and
    `report.sarif`, a test file for each refuted lemma, and what did not replay. Raises `OSError`."""
    write(folder / "results.json", dump(results))
    for form in ("svg", "dot", "graphml"):
        write(folder / f"graph.{form}", export(results["lemmas"], form))
    write(folder / "junit.xml", junit(results))
    write(folder / "report.sarif", sarif(results))
    write_files(results["lemmas"], folder)
    write(folder / "index.html", render(results, comparison, frozenset(_present(results, folder))))


def _present(results: dict[str, Any], folder: Path) -> Iterator[str]:
    """The questions that stand in the folder: a report made again elsewhere has none, and links to none."""
    for lemma in results["lemmas"]:
        every = lemma.get("every_size") or {"obligations": []}
        for obligation in (*lemma["obligations"], *every["obligations"]):
            place = obligation.get("smtlib")
            if place and (folder / place).is_file():
                yield place


def render(
    results: dict[str, Any], comparison: Comparison | None = None, questions: frozenset[str] = frozenset()
) -> str:
    """The page as one HTML text: whole without its script, no network, the same for the same results. Its text is
    escaped.

    `questions` are the files with questions that stand beside it.
    """
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            results=results,
            questions=questions,
            headline=headline(results),
            drawn=graph_view.of_graph(results["lemmas"]),
            around=graph_view.around(results["lemmas"]),
            statuses=list(STATUSES.values()),
            trivial=TRIVIAL,
            rules=RULES,
            changes=comparison,
            changed_in_words=changes_text.headline,
            kinds=KINDS,
            **inlined(palette() + arrows.style() + "".join(map(source, SHEETS)), *map(source, SCRIPTS)),
            **view.of_results(results),
        )
    )
