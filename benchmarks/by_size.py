"""How the cost of each lemma grows with the tape: every case of every size, asked one after the other in one process.

Prints three tables with a column for each tape size: CPU seconds, Z3's rlimit in thousands (the same on every
machine), and the number of cases that were settled. `survey`, which rules out the other cases, is counted in. Exits 1
if any lemma is not proved.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from symtape import Bound, Lemma, Verdict
from symtape.conclude import conclude
from symtape.discover import discover
from symtape.findings import Finding
from symtape.kernel import settle, survey
from symtape.obligation import tape_sizes
from symtape.solver import Limits
from symtape.table import columns


@dataclass
class Cell:
    """One lemma at one tape size."""

    seconds: float
    rlimit: int
    cases: int
    findings: list[Finding]


def measure(lemma: Lemma, bound: Bound, size: int, limits: Limits) -> Cell:
    started = time.process_time()
    cases, excluded = survey(lemma, bound, size, "uninterpreted", limits)
    findings = [settle(lemma, case, bound, "uninterpreted", limits) for case in cases]
    if excluded is not None:
        findings.append(excluded)
    return Cell(time.process_time() - started, sum(finding.rlimit for finding in findings), len(cases), findings)


def table(title: str, numbers: dict[str, list[float]], sizes: Sequence[int], form: str) -> str:
    """A row for each lemma and one for their sum, numbers to the right."""
    sums = [sum(row[size] for row in numbers.values() if size < len(row)) for size in sizes]
    cells = {name: [format(number, form) for number in row] for name, row in [*numbers.items(), ("all", sums)]}
    width = max(len(cell) for row in cells.values() for cell in row)
    header = [title, *(f"n={size}".rjust(width) for size in sizes)]
    body = [[name, *(cell.rjust(width) for cell in row)] for name, row in cells.items()]
    return "\n".join(columns([header, *body]))


def main() -> int:
    parser = argparse.ArgumentParser(description="Time and effort of every lemma by tape size.")
    parser.add_argument("--bound", type=int, default=8, help="tapes of 0 to so many nodes (default 8)")
    parser.add_argument("--contributions", type=int, default=2, help="at most so many per node (default 2)")
    parser.add_argument("--entries", type=int, default=2, help="tensors of at most so many entries (default 2)")
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="seconds of wall clock for each case (default 60)"
    )
    asked = parser.parse_args()
    bound = Bound(asked.bound, asked.contributions, asked.entries)
    limits = Limits(timeout=asked.timeout)
    lemmas = discover()

    # what is imported at the first use must not count as the cost of whatever comes first
    measure(next(iter(lemmas.values())), bound, 0, limits)
    grid = {
        name: [measure(lemma, bound, size, limits) for size in tape_sizes(lemma, bound)]
        for name, lemma in lemmas.items()
    }

    sizes = range(bound.tape + 1)
    for title, form, number in (
        ("seconds", ".2f", lambda cell: cell.seconds),
        ("rlimit / 1000", ".0f", lambda cell: cell.rlimit / 1000),
        ("cases", "d", lambda cell: cell.cases),
    ):
        print(table(title, {name: [number(cell) for cell in row] for name, row in grid.items()}, sizes, form))
        print()
    proved = True
    for name, row in grid.items():
        findings = [finding for cell in row for finding in cell.findings]
        conclusion = conclude(lemmas[name], bound, findings, {size: cell.cases for size, cell in enumerate(row)})
        if conclusion.verdict is not Verdict.PROVED:
            print(f"NOT PROVED: {name}: {conclusion.verdict}: {conclusion.reason}")
            proved = False
    return 0 if proved else 1


if __name__ == "__main__":
    sys.exit(main())
