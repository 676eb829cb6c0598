"""The questions that verdicts are answers to, as SMT-LIB files: for another solver, or for a reviewer.

Each file is one obligation: facts, hypotheses and the negated goal. `unsat` is what proves it.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from symtape.bound import Bound, Case
from symtape.evidence import Obligation
from symtape.obligation import Instance, obligation_name
from symtape.solver import smtlib, version
from symtape.statement import Lemma

FOLDER = "smt2"
ENDING = "; unsat proves it; written by symtape with z3"
"""How the head of a question ends: files without it are not ours, and are left alone."""


def place(name: str) -> str:
    """Where in a report the question of an obligation stands: readable, and no two alike."""
    readable = re.sub(r"[^\w=,]+", "-", name, flags=re.ASCII).strip("-")[:90]
    return f"{FOLDER}/{readable}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.smt2"


def at_every_size(lemma: str, number: int, obligation: Obligation) -> str:
    """The name of one obligation of a proof at every size; `number` counts them."""
    return f"{lemma}[every size, {number}: {obligation.part}, {obligation.of}, {obligation.what}]"


def write_known(lemma: Lemma, case: Case, bound: Bound, scalar: str, report: Path) -> None:
    """Write the question of a lemma at known sizes. Raises `OSError`."""
    instance = Instance.of(lemma, case, bound, scalar)
    facts, assumptions = instance.refutation()
    name = obligation_name(lemma, case)
    write(report, name, smtlib(facts, assumptions))


def forget(report: Path) -> None:
    """Take away the questions of an earlier run: they are no evidence for what the next says. Raises `OSError`."""
    for old in sorted((report / FOLDER).glob("*.smt2")):
        if old.is_file() and ENDING in old.read_text("utf-8", "replace")[:4000]:
            old.unlink()


def write(report: Path, name: str, text: str) -> None:
    """Write the question of an obligation into a report. Raises `OSError`."""
    path = report / place(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"; {' '.join(name.split())}\n{ENDING} {version()}\n{text}", "utf-8")
