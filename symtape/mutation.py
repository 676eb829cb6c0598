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
            "theory": _counts([_by_theory(each, matrix) for each in mutants]),
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
    cells = {lemma.name: matrix.cell(mutant, lemma) for lemma in matrix.lemmas}
    killers = matrix.killers(mutant, matrix.lemmas)
    equivalence = _equivalence(mutant, matrix)
    status, reason = _status(killers, equivalence, cells)
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
        "cells": {name: cell.as_json() for name, cell in cells.items() if cell is not None},
    }


def _equivalence(mutant: Mutant, matrix: Matrix) -> dict[str, Any] | None:
    """Whether the mutant is the runtime; `None` if that was not asked, or not in full."""
    found = [matrix.cells.get((mutant.name, each.name)) for each in matrix.equivalence]
    known = [each for each in found if each is not None]
    for cell in known:
        if cell.verdict is Verdict.REFUTED:
            return {"verdict": str(Verdict.REFUTED), "counterexample": cell.counterexample}
    if not known or len(known) < len(found):
        return None
    proved = all(each.verdict is Verdict.PROVED for each in known)
    return {"verdict": str(Verdict.PROVED if proved else Verdict.UNDECIDED), "counterexample": None}


def _status(
    killers: Sequence[str], equivalence: dict[str, Any] | None, cells: dict[str, Cell | None]
) -> tuple[str, str]:
    if killers:
        return KILLED, ""
    if any(cell is None for cell in cells.values()):
        return UNDECIDED, NOT_ASKED
    unclear = next((c for c in cells.values() if c is not None and _unclear(c)), None)
    if equivalence is not None and equivalence["verdict"] == Verdict.PROVED:
        return EQUIVALENT, "it is the runtime in other words, as far as the bound goes"
    if unclear is not None:
        return UNDECIDED, unclear.reason
    if equivalence is not None and equivalence["verdict"] == Verdict.REFUTED:
        return GAP, "it behaves otherwise than the runtime, and no lemma tells"
    return UNDECIDED, "whether it is the runtime in other words is not known"


def _unclear(cell: Cell) -> bool:
    return cell.verdict in (Verdict.UNDECIDED, Verdict.ERROR)


def _by_theory(mutant: dict[str, Any], matrix: Matrix) -> str:
    """The status of a mutant in the eyes of the theory alone: what only an addition notices is a gap of it."""
    if mutant["status"] != KILLED or set(mutant["killed_by"]) & {each.name for each in matrix.theory}:
        return str(mutant["status"])
    cells = (mutant["cells"].get(each.name) for each in matrix.theory)
    open_still = any(cell is None or cell["verdict"] in ("undecided", "error") for cell in cells)
    return UNDECIDED if open_still else GAP


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
    theory = set(data["theory"]["lemmas"])
    sound = {each["name"] for each in data["lemmas"] if each["on_runtime"] == Verdict.PROVED}
    for mutant in data["mutants"]:
        refuted = [name for name, cell in mutant["cells"].items() if cell["verdict"] == Verdict.REFUTED]
        if sorted(mutant["killed_by"]) != sorted(name for name in refuted if name in sound):
            raise ResultsError(f"{what}: what kills {mutant['name']} is not what its cells say")
        if (mutant["status"] == KILLED) != bool(mutant["killed_by"]):
            raise ResultsError(f"{what}: {mutant['name']} is called {mutant['status']} against its cells")
    said = [each["status"] for each in data["mutants"]]
    if data["counts"]["all"] != _counts(said):
        raise ResultsError(f"{what}: the counts are not those of the mutants")
    if data["counts"]["theory"][KILLED] != sum(1 for m in data["mutants"] if theory & set(m["killed_by"])):
        raise ResultsError(f"{what}: the counts are not those of the theory's lemmas")
