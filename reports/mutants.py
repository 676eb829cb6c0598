"""The report on mutants: `mutants.html`, which opens from disk, and the data beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symtape.reports import kills
from symtape.reports.environment import environment
from symtape.reports.files import write_kills, write_unreplayed_mutants
from symtape.reports.inline import inlined, source
from symtape.reports.status import MUTANTS, palette
from symtape.results import dump, write

SHEETS = ("page.css", "counterexample.css", "mutants.css")


def write_mutants_report(results: dict[str, Any], folder: Path) -> Path:
    """Write `mutants.html`, `mutants.json` and a test file for each mutant that is caught or behaves otherwise, and
    say where the page is. Raises `OSError`."""
    write(folder / "mutants.json", dump(results))
    write_kills({each["name"]: each["shown"] for each in kills.of_mutants(results)["mutants"]}, folder)
    page = folder / "mutants.html"
    write(page, render(results))
    write_unreplayed_mutants(results["mutants"], folder)
    return page


def render(results: dict[str, Any]) -> str:
    """The page as one HTML text: no script, no network, the same for the same results. All text is escaped."""
    made = environment()
    made.filters["mutant"] = kills.anchor
    return made.get_template("mutants.html.j2").render(
        results=results,
        headline=kills.headline(results),
        statuses=list(MUTANTS.values()),
        **inlined(palette() + "".join(map(source, SHEETS))),
        **kills.of_mutants(results),
    )
