"""Mutants files written by hand: small, or as large as a real one, valid against the schema, free of the solver."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from tests.written_audits import counterexample
from tests.written_results import lemma, results

VERDICTS = {"x": "refuted", ".": "proved", "0": "vacuous", "?": "undecided", "!": "error"}


def schema() -> dict[str, Any]:
    """The JSON Schema of the mutants file, as shipped."""
    loaded: dict[str, Any] = json.loads(files("symtape").joinpath("mutants.schema.json").read_text("utf-8"))
    return loaded


def cell(name: str, sign: str, size: int = 1, **shown: Any) -> dict[str, Any]:
    """A lemma's answer on a mutant; how signs are read stands in `VERDICTS`."""
    verdict = VERDICTS[sign]
    return {
        "verdict": verdict,
        "reason": {"?": "timeout", "!": "a process died"}.get(sign, ""),
        "seconds": 0.1,
        "size": size if sign == "x" else None,
        "counterexample": counterexample(name, sizes={"t": size}, **shown) if sign == "x" else None,
    }


def mutant(
    name: str,
    cells: Mapping[str, dict[str, Any]],
    *,
    equivalence: str | None = None,
    function: str = "addGradAll",
    operator: str = "drop a check",
    **changes: Any,
) -> dict[str, Any]:
    """A mutant with the status that its cells give it."""
    killed_by = [each for each, said in cells.items() if said["verdict"] == "refuted"]
    status = {"proved": "equivalent", "refuted": "gap"}.get(equivalence or "", "undecided")
    return {
        "name": name,
        "operator": operator,
        "function": function,
        "doc": f"What {name} changes.\n\nAnd `why`.",
        "source": "https://example.org/engine.lean#L7",
        "status": "killed" if killed_by else status,
        "reason": "" if killed_by or equivalence else "no answer in time",
        "killed_by": killed_by,
        "equivalence": None
        if equivalence is None
        else {
            "verdict": equivalence,
            "counterexample": counterexample(f"like_{name}") if equivalence == "refuted" else None,
        },
        "cells": dict(cells),
        **changes,
    }


def mutation(theory: Sequence[str], additions: Sequence[str], *mutants: dict[str, Any]) -> dict[str, Any]:
    """A mutants file."""
    run = results(lemma("any", known=["proved"]))
    alone = Counter(_by_theory(each, theory) for each in mutants)
    both = Counter(each["status"] for each in mutants)
    words = ("killed", "equivalent", "gap", "undecided")
    return {
        "schema": 1,
        "symtape": "0",
        "solver": run["solver"],
        "bound": {"tape": 2, "contributions": 2, "entries": 1},
        "scope": {"text": "tapes of 0-2 nodes", "tape": 2},
        "theory": {"name": "the seed", "lemmas": list(theory)},
        "additions": {"name": "Runtime equations", "lemmas": list(additions)},
        "lemmas": [
            {"name": each, "lean": f"Proofs.{each}", "group": "by hand", "summary": f"What `{each}` says."}
            for each in [*theory, *additions]
        ],
        "mutants": list(mutants),
        "counts": {"theory": {word: alone[word] for word in words}, "all": {word: both[word] for word in words}},
        "run": run["run"],
    }


def _by_theory(each: dict[str, Any], theory: Sequence[str]) -> str:
    if set(each["killed_by"]) & set(theory):
        return "killed"
    return "gap" if each["status"] == "killed" else str(each["status"])


def small() -> dict[str, Any]:
    """One mutant of each kind, and each kind of cell: four lemmas, the last two of them additions."""
    names = ("push", "loop", "addNode_eq", "addGrad_eq")

    def row(signs: str) -> dict[str, Any]:
        return {
            name: cell(name, sign, size=2 - i % 2) for i, (name, sign) in enumerate(zip(names, signs, strict=True))
        }

    return mutation(
        names[:2],
        names[2:],
        mutant("by-both", row("xxx0")),
        mutant("by-one-of-the-seed", row(".x.x")),
        mutant("by-loop-alone", row(".x..")),
        mutant("only-added", row("...x"), function="addNode", equivalence="refuted"),
        mutant("a-gap", row("...."), function="addNode", equivalence="refuted"),
        mutant("the-same", row("...."), function="addNode", operator="swap", equivalence="proved"),
        mutant("open", row(".?.!"), function="addNode", source="javascript:alert(1)"),
    )


def large(mutants: int = 130, lemmas: int = 30) -> dict[str, Any]:
    """As large as a real file, or larger."""
    names = [f"backwardDenseFrom_lowerGraphDataToTape_eq_{i}" for i in range(lemmas)]
    call = (
        "from symtape.encodings.replay import *; print(replay('x', " + "t=Tape([Node(Tensor((), [8]), True)]), " * 7
    )
    steps = [{"depth": i % 4, "text": f"step {i} of the backward pass, at a node with a scalar"} for i in range(40)]
    changed = [*steps[:20], {"depth": 1, "text": "something else"}, *steps[21:]]
    made = []
    for m in range(mutants):
        signs = ["x" if (m * 7 + i * i) % 5 == 0 and m % 11 else "." for i in range(lemmas)]
        shown = {"call": call, "steps": {"left": steps, "right": changed}, "pytest": f"{call}\n" * 3}
        cells = {name: cell(name, sign, **shown) for name, sign in zip(names, signs, strict=True)}
        made.append(
            mutant(
                f"mutant {m} of addGradAll: accept any shape",
                cells,
                function=f"function{m // 18}",
                operator=f"operator {m % 4}",
                equivalence=("proved", "refuted")[m % 2] if "x" not in signs else None,
            )
        )
    return mutation(names[: lemmas - 6], names[lemmas - 6 :], *made)
