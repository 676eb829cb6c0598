"""What the page on mutants derives from their file: which lemma catches which mutant, and what nothing catches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from symtape.reports.status import ALONE, CAUGHT, CELLS, GAP, KILLED, NOT_ASKED, PASSED, UNDECIDED

Mutant = dict[str, Any]
View = dict[str, Any]


def of_mutants(results: dict[str, Any]) -> View:
    """Everything that the page shows and that does not stand in the file word for word."""
    theory, additions = results["theory"]["lemmas"], results["additions"]["lemmas"]
    order = [*theory, *(name for name in additions if name not in theory)]
    mutants = [_of_mutant(each, theory, order) for each in results["mutants"]]
    described = {lemma["name"]: lemma for lemma in results["lemmas"]}
    columns = [
        _of_lemma(number, described.get(name, {"name": name, "lean": None, "group": "", "summary": ""}), mutants)
        for number, name in enumerate(order, 1)
    ]
    return {
        "mutants": mutants,
        "parts": [(part, columns[a:b]) for part, a, b in _parts(results, len(theory), len(order))],
        "columns": columns,
        "split": len(theory) + 1,
        "looks": [look for word, look in CELLS.items() if any(word in each["answers"] for each in mutants)],
        "groups": _groups(mutants),
        "gaps": [each for each in mutants if each["status"] == GAP],
        "undecided": [each for each in mutants if each["status"] == UNDECIDED],
        "only_added": [each for each in mutants if each["only_added"]],
    }


def _parts(results: dict[str, Any], theory: int, total: int) -> list[tuple[dict[str, Any], int, int]]:
    parts = [(results["theory"], 0, theory), (results["additions"], theory, total)]
    return [(part, a, b) for part, a, b in parts if a < b]


def headline(results: dict[str, Any]) -> str:
    """One sentence: how many mutants are caught, by the theory alone and with the additions."""
    alone, both = results["counts"]["theory"], results["counts"]["all"]
    total, added = both[KILLED] + both[GAP], len(results["additions"]["lemmas"])
    said = f"{alone[KILLED]} of {total} mutants that change behaviour are caught by {results['theory']['name']}"
    if total == 1:
        said = f"{alone[KILLED]} of 1 mutant that changes behaviour is caught by {results['theory']['name']}"
    if added:
        caught = "all" if both[KILLED] == total else str(both[KILLED])
        said += f" alone; with {results['additions']['name']} ({added} more), {caught} are"
    if both[UNDECIDED]:
        said += f"; {both[UNDECIDED]} undecided"
    return said + (" (interrupted)" if results["run"]["state"] == "interrupted" else "")


def anchor(name: str) -> str:
    """The id under which a mutant stands in the page."""
    return f"mutant-{quote(name, safe='')}"


def link(source: str) -> str | None:
    """A source as something to follow, if that is where it leads: other schemes could run what they carry."""
    try:
        parts = urlsplit(source)
    except ValueError:
        return None
    return source if parts.scheme in ("http", "https") and parts.netloc and source.isprintable() else None


def _of_mutant(mutant: Mutant, theory: Sequence[str], order: Sequence[str]) -> View:
    caught = [name for name in order if name in mutant["killed_by"]]
    by_theory = [name for name in caught if name in theory]
    smallest = _smallest(mutant, caught)
    return {
        **mutant,
        "caught": caught,
        "by_theory": by_theory,
        "only_added": bool(caught) and not by_theory,
        "standing": _by_theory(mutant, theory, by_theory),
        "answers": [_answer(mutant["cells"].get(name), len(caught)) for name in order],
        "shown": _shown(mutant, smallest),
        "shown_by": smallest,
        "others": [(name, mutant["cells"].get(name)) for name in caught if name != smallest],
        "unanswered": [
            (name, mutant["cells"][name])
            for name in order
            if name in mutant["cells"] and mutant["cells"][name]["verdict"] in (UNDECIDED, "error")
        ],
        "link": link(mutant["source"]),
    }


def _by_theory(mutant: Mutant, theory: Iterable[str], by_theory: Sequence[str]) -> str:
    """What stands of a mutant if there are no other lemmas: one that an addition catches does change behaviour."""
    if by_theory or mutant["status"] != KILLED:
        return KILLED if by_theory else str(mutant["status"])
    held = all(
        name in mutant["cells"] and mutant["cells"][name]["verdict"] in ("proved", "vacuous") for name in theory
    )
    return GAP if held else UNDECIDED


def _answer(cell: dict[str, Any] | None, caught: int) -> str:
    """The word of the table of statuses for a lemma's answer on a mutant."""
    if cell is None:
        return NOT_ASKED
    if cell["verdict"] == "refuted":
        return ALONE if caught == 1 else CAUGHT
    return PASSED if cell["verdict"] == "proved" else str(cell["verdict"])


def _smallest(mutant: Mutant, caught: Iterable[str]) -> str | None:
    """The lemma whose counterexample is the smallest: on the smallest tape, and there the simplest."""
    cells = [(name, mutant["cells"].get(name)) for name in caught]
    sizes = [
        (cell["size"] is None, cell["size"] or 0, shown.get("measure", []), len(shown["call"]), i, name)
        for i, (name, cell) in enumerate(cells)
        if cell is not None and (shown := cell["counterexample"]) is not None
    ]
    return min(sizes)[-1] if sizes else None


def _shown(mutant: Mutant, smallest: str | None) -> dict[str, Any] | None:
    """The one counterexample that is drawn: to a lemma, or to the mutant's being equivalent."""
    if smallest is not None:
        shown: dict[str, Any] | None = mutant["cells"][smallest]["counterexample"]
        return shown
    differs: dict[str, Any] | None = (mutant["equivalence"] or {"counterexample": None})["counterexample"]
    return differs


def _of_lemma(number: int, lemma: dict[str, Any], mutants: Sequence[View]) -> View:
    name = lemma["name"]
    return {
        **lemma,
        "number": number,
        "caught": [each["name"] for each in mutants if name in each["caught"]],
        "alone": [each["name"] for each in mutants if each["caught"] == [name]],
        "alone_in_theory": [each["name"] for each in mutants if each["by_theory"] == [name]],
    }


def _groups(mutants: Sequence[View]) -> list[View]:
    """The mutants by the function that they change, and in it by how."""
    functions: dict[str, dict[str, list[View]]] = {}
    for each in mutants:
        functions.setdefault(each["function"], {}).setdefault(each["operator"], []).append(each)
    return [
        {
            "function": function,
            "mutants": rows,
            "by_theory": sum(bool(each["by_theory"]) for each in rows),
            "caught": sum(bool(each["caught"]) for each in rows),
        }
        for function, by_operator in functions.items()
        for rows in [[each for same in by_operator.values() for each in same]]
    ]
