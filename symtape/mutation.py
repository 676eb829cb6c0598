"""What a kill matrix came to, as JSON data: the file `mutants.json`, version 1."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from symtape.conclude import NOT_ASKED, scope
from symtape.kill import Cell
from symtape.mutant import Mutant
from symtape.mutate import Matrix
from symtape.results import ResultsError, check_against, provenance, read
from symtape.statement import Lemma
from symtape.tasks import Options, Outcome
from symtape.verdict import Verdict

SCHEMA_VERSION = 1

KILLED, EQUIVALENT, GAP, UNDECIDED = "killed", "equivalent", "gap", "undecided"
STATUSES = (KILLED, EQUIVALENT, GAP, UNDECIDED)


def schema() -> dict[str, Any]:
    """The JSON Schema of the file, as shipped."""
    loaded: dict[str, Any] = json.loads(files("symtape").joinpath("mutants.schema.json").read_text("utf-8"))
    return loaded


def assemble(
    matrix: Matrix, names: tuple[str, str], options: Options, outcome: Outcome, command: str
) -> dict[str, Any]:
    """The results of a run as JSON data; `names` are what the theory and the additions are called."""
    mutants = [_mutant(each, matrix) for each in matrix.mutants]
    return {
        "schema": SCHEMA_VERSION,
        "bound": options.known_bound.as_json(),
        "scope": scope(options.known_bound, options.scalar),
        "theory": {"name": names[0], "lemmas": [each.name for each in matrix.theory]},
        "additions": {"name": names[1], "lemmas": [each.name for each in matrix.additions]},
        "lemmas": [_lemma(each, matrix) for each in matrix.lemmas],
        "mutants": mutants,
        "counts": {
            "theory": _counts([_by_theory(each, [lemma.name for lemma in matrix.theory]) for each in mutants]),
            "all": _counts([each["status"] for each in mutants]),
        },
        **provenance(options, outcome, command),
    }


def _lemma(lemma: Lemma, matrix: Matrix) -> dict[str, Any]:
    known = matrix.unchanged.get(lemma.name)
    return {
        "name": lemma.name,
        "lean": lemma.lean,
        "group": lemma.group,
        "summary": lemma.summary,
        "on_runtime": str(known.verdict) if known is not None else str(Verdict.UNDECIDED),
    }


def _mutant(mutant: Mutant, matrix: Matrix) -> dict[str, Any]:
    known = {lemma.name: matrix.cell(mutant, lemma) for lemma in matrix.lemmas}
    cells = {name: cell.as_json() for name, cell in known.items() if cell is not None}
    killers = matrix.killers(mutant, matrix.lemmas)
    equivalence = _equivalence(mutant, matrix)
    status, reason = _status(killers, equivalence, [cells.get(name) for name in known])
    return {
        "name": mutant.name,
        "operator": mutant.operator,
        "function": mutant.function,
        "doc": mutant.doc,
        "source": mutant.source,
        "status": status,
        "reason": reason,
        "killed_by": killers,
        "equivalence": equivalence,
        "cells": cells,
    }


def _equivalence(mutant: Mutant, matrix: Matrix) -> dict[str, Any] | None:
    """Whether the mutant is the runtime; `None` if that was not asked, or not in full."""
    found = [matrix.cells.get((mutant.name, each.name)) for each in matrix.equivalence]
    known = [each for each in found if each is not None]
    for cell in known:
        if cell.verdict is Verdict.REFUTED:
            return _compared(Verdict.REFUTED, cell)
    if not known or len(known) < len(found):
        return None
    unclear = [each for each in known if each.verdict is not Verdict.PROVED]
    if not unclear:
        return _compared(Verdict.PROVED, known[0])
    return _compared(Verdict.UNDECIDED, next((each for each in unclear if each.unreplayed is not None), unclear[0]))


def _compared(verdict: Verdict, telling: Cell) -> dict[str, Any]:
    return {
        "verdict": str(verdict),
        "reason": telling.reason,
        "counterexample": telling.counterexample,
        "unreplayed": telling.unreplayed,
    }


Cells = Sequence[dict[str, Any] | None]
"""What some lemmas say of a mutant, as JSON data; `None` where that is not known."""


def _status(killers: Sequence[str], equivalence: dict[str, Any] | None, cells: Cells) -> tuple[str, str]:
    if killers:
        return KILLED, ""
    if None in cells:
        return UNDECIDED, NOT_ASKED
    unclear = next((cell for cell in cells if _unclear(cell)), None)
    if equivalence is not None and equivalence["verdict"] == Verdict.PROVED:
        return EQUIVALENT, "it is the runtime in other words, as far as the bound goes"
    if unclear is not None:
        return UNDECIDED, unclear["reason"]
    if equivalence is not None and equivalence["verdict"] == Verdict.REFUTED:
        return GAP, "it behaves otherwise than the runtime, and no lemma tells"
    said = f": {equivalence['reason']}" if equivalence is not None and equivalence.get("reason") else ""
    return UNDECIDED, f"whether it is the runtime in other words is not known{said}"


def _unclear(cell: dict[str, Any] | None) -> bool:
    return cell is None or cell["verdict"] in (Verdict.UNDECIDED, Verdict.ERROR)


def _by_theory(mutant: dict[str, Any], theory: Sequence[str]) -> str:
    """The status of a mutant in the eyes of the theory alone: what only an addition notices is a gap of it."""
    if mutant["status"] != KILLED or set(mutant["killed_by"]) & set(theory):
        return str(mutant["status"])
    return UNDECIDED if any(_unclear(mutant["cells"].get(name)) for name in theory) else GAP


def _counts(said: Sequence[str]) -> dict[str, int]:
    return {status: said.count(status) for status in STATUSES}


def load(path: Path) -> dict[str, Any]:
    """Read such a file and check it against the schema and against itself. Raises `ResultsError`."""
    data = read(path)
    check(data, str(path))
    return data


def check(data: dict[str, Any], what: str) -> None:
    """Raise `ResultsError` if the data is not as the schema says, or greener than the evidence in it."""
    check_against(schema(), data, what)
    names = [each["name"] for each in data["lemmas"]]
    theory = data["theory"]["lemmas"]
    if _twice(names) or sorted(names) != sorted([*theory, *data["additions"]["lemmas"]]):
        raise ResultsError(f"{what}: the lemmas are not those of the theory and its additions, each once")
    if _twice([each["name"] for each in data["mutants"]]):
        raise ResultsError(f"{what}: two mutants have one name")
    sound = {each["name"] for each in data["lemmas"] if each.get("on_runtime") == Verdict.PROVED}
    for mutant in data["mutants"]:
        cells = mutant["cells"]
        refuted = [name for name, cell in cells.items() if cell["verdict"] == Verdict.REFUTED]
        if sorted(mutant["killed_by"]) != sorted(name for name in refuted if name in sound):
            raise ResultsError(f"{what}: what kills {mutant['name']} is not what its cells say")
        status, _ = _status(mutant["killed_by"], mutant["equivalence"], [cells.get(name) for name in names])
        if mutant["status"] != status:
            raise ResultsError(f"{what}: {mutant['name']} is called {mutant['status']} against its cells")
    if data["counts"]["all"] != _counts([each["status"] for each in data["mutants"]]):
        raise ResultsError(f"{what}: the counts are not those of the mutants")
    if data["counts"]["theory"] != _counts([_by_theory(each, theory) for each in data["mutants"]]):
        raise ResultsError(f"{what}: the counts are not those of the theory's lemmas")


def _twice(names: Sequence[str]) -> bool:
    return len(set(names)) < len(names)
