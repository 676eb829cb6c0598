"""What a kill matrix came to, for the terminal."""

from __future__ import annotations

from collections import Counter
from typing import Any

from symtape.mutation import EQUIVALENT, GAP, KILLED, UNDECIDED
from symtape.screen import Screen
from symtape.table import Cell, Column, Table, lay_out, paragraph
from symtape.terminal import refutation, verdict


def summary(results: dict[str, Any], screen: Screen) -> list[str]:
    """The mutants that no lemma catches, at the end a table of what each lemma catches, and what that comes to."""
    lines = []
    for status, title in ((GAP, "gaps: these behave otherwise, and no lemma tells"), (UNDECIDED, "undecided")):
        lines += _listed(results, status, title)
    lines += _listed(results, EQUIVALENT, "equivalent: these are the runtime in other words, up to the bound")
    lines += _only_by_additions(results)
    lines += _not_proved(results)
    return [*lines, *lay_out(table(results), screen), "", *paragraph(headline(results), screen)]


def table(results: dict[str, Any]) -> Table:
    """What each lemma is on the runtime itself, how many mutants it catches, and how many no other does."""
    caught = Counter(name for mutant in results["mutants"] for name in mutant["killed_by"])
    alone = Counter(m["killed_by"][0] for m in results["mutants"] if len(m["killed_by"]) == 1)
    columns = (
        Column("on the runtime"),
        Column("catches", right=True),
        Column("alone", right=True),
        Column("lemma", wraps=True),
    )
    return Table(
        columns,
        tuple(
            (
                verdict({"verdict": lemma["on_runtime"]}),
                Cell(str(caught[lemma["name"]])),
                Cell(str(alone[lemma["name"]] or "–")),
                Cell(lemma["name"]),
            )
            for lemma in results["lemmas"]
        ),
    )


def headline(results: dict[str, Any]) -> str:
    """One sentence: how many mutants the theory catches, and how many with the additions."""
    total = len(results["mutants"])
    theory, every = results["counts"]["theory"], results["counts"]["all"]
    said = f"{results['theory']['name']} catches {theory[KILLED]} of {total} mutants"
    if results["additions"]["lemmas"]:
        said += f"; with {results['additions']['name']} {every[KILLED]} are caught"
    rest = [f"{every[status]} {status}" for status in (EQUIVALENT, GAP, UNDECIDED) if every[status]]
    stopped = " (interrupted)" if results["run"]["state"] == "interrupted" else ""
    return f"{', '.join([said, *rest])}{stopped}: {results['scope']['text']}"


def _listed(results: dict[str, Any], status: str, title: str) -> list[str]:
    chosen = [each for each in results["mutants"] if each["status"] == status]
    if not chosen:
        return []
    lines = [title]
    for mutant in chosen:
        lines.append(f"  {mutant['name']}: {mutant['doc']}")
        if status == UNDECIDED:
            lines.append(f"    {mutant['reason']}")
        shown = mutant["equivalence"] and mutant["equivalence"]["counterexample"]
        if shown:
            lines += [f"    {line}" for line in refutation(f"that {mutant['name']} is the runtime", shown)]
    return [*lines, ""]


def _only_by_additions(results: dict[str, Any]) -> list[str]:
    """The mutants that the theory does not see, and what sees them."""
    theory = set(results["theory"]["lemmas"])
    chosen = [m for m in results["mutants"] if m["killed_by"] and not theory & set(m["killed_by"])]
    if not chosen:
        return []
    title = f"not seen by {results['theory']['name']}, caught by {results['additions']['name']}"
    return [title, *(f"  {m['name']}: {', '.join(m['killed_by'])}" for m in chosen), ""]


def _not_proved(results: dict[str, Any]) -> list[str]:
    """The lemmas that are not proved of the runtime itself: what they say of a mutant tells nothing."""
    chosen = [each for each in results["lemmas"] if each["on_runtime"] != "proved"]
    title = "not proved on the runtime, so these lemmas catch nothing"
    return [title, *(f"  {each['name']}: {each['on_runtime']}" for each in chosen), ""] if chosen else []
