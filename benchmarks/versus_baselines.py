"""symtape and the two baselines on one question, at the same sizes, in one run.

The question is the loop lemma at t = m = acc = n. Every answer comes from a fresh process; the contenders take turns,
and each is asked several times, the baselines with another random seed of Z3 each time, since their times depend on
it. Printed are medians in CPU seconds, `inside` the process after its imports and of the `whole` process, and the
ratios of these to symtape's: above 1, symtape is the faster. After `>` no more is known than that it takes longer.

symtape finds and replays a witness of the hypotheses and minimises the core as well, which the baselines do not.
Exits 1 on an answer that contradicts the lemma, and when symtape does not prove it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from symtape.table import columns

CONTENDERS = {
    "quantified": ["baseline_quantified.py"],
    "flat, lookup": ["baseline_flat.py", "--form", "lookup"],
    "flat, cases": ["baseline_flat.py", "--form", "cases"],
    "flat, cases, SimpleSolver": ["baseline_flat.py", "--form", "cases", "--solver", "simple"],
}
SYMTAPE = {f"symtape, E={entries}": ["single_case.py", "--entries", str(entries)] for entries in (1, 2)}
GRACE = 30.0
"""Seconds after its limit at which a process is killed: Z3's own limit is soft."""


@dataclass(frozen=True)
class Run:
    """One answer; the times are in CPU seconds."""

    status: str
    inside: float
    whole: float

    @property
    def answered(self) -> bool:
        return self.status not in ("unknown", "undecided", "killed")


def run(command: list[str], timeout: float) -> Run:
    """Ask in a process of its own; `timeout` in seconds of wall clock."""
    before = children_seconds()
    script, *arguments = command
    call = [sys.executable, str(Path(__file__).parent / script), *arguments, "--timeout", str(timeout)]
    try:
        done = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=True, timeout=timeout + GRACE)
    except subprocess.TimeoutExpired:
        seconds = children_seconds() - before
        return Run("killed", seconds, seconds)
    answer = json.loads(done.stdout)
    return Run(answer["status"], answer["seconds"], children_seconds() - before)


def children_seconds() -> float:
    """CPU seconds of all processes that were started and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def middle(runs: list[Run]) -> Run:
    """The run with the median time inside; what was not answered takes longer than what was."""
    return sorted(runs, key=lambda run: (not run.answered, run.inside))[len(runs) // 2]


def rows(runs: dict[str, list[Run]], nodes: int, contributions: int) -> list[list[str]]:
    middles = {name: middle(each) for name, each in runs.items()}
    shown = []
    for name, theirs in middles.items():
        mark = "" if theirs.answered else ">"
        row = [str(nodes), str(contributions), name, "/".join(each.status for each in runs[name])]
        row += [f"{mark}{seconds:.2f}".rjust(7) for seconds in (theirs.inside, theirs.whole)]
        if name in CONTENDERS:
            for ours in (middles[symtape] for symtape in SYMTAPE):
                ratios = theirs.inside / ours.inside, theirs.whole / ours.whole
                row += [f"{mark}{ratio:.2f}".rjust(10) for ratio in ratios]
        shown.append(row)
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description="symtape and the two baselines on the loop lemma.")
    parser.add_argument("--nodes", type=int, nargs="+", default=[3, 4, 5], help="tape sizes (default 3 4 5)")
    parser.add_argument("--contributions", type=int, default=2, help="at most so many per node (default 2)")
    parser.add_argument("--timeout", type=float, default=120.0, help="wall clock of each process (default 120 s)")
    parser.add_argument("--repeat", type=int, default=3, help="how often each is asked (default 3)")
    asked = parser.parse_args()

    titles = [f"{what}/{symtape[9:]}" for symtape in SYMTAPE for what in ("inside", "whole")]
    table = [["n", "K", "contender", "answers", " inside", "  whole", *(title.rjust(10) for title in titles)]]
    wrong = False
    for nodes in asked.nodes:
        size = ["--nodes", str(nodes), "--contributions", str(asked.contributions)]
        runs: dict[str, list[Run]] = {name: [] for name in [*CONTENDERS, *SYMTAPE]}
        for seed in range(asked.repeat):
            for name, command in CONTENDERS.items():
                runs[name].append(run([*command, *size, "--seed", str(seed)], asked.timeout))
            for name, command in SYMTAPE.items():
                runs[name].append(run([*command, *size], asked.timeout))
        table += rows(runs, nodes, asked.contributions)
        wrong |= any(each.answered and each.status != "unsat" for name in CONTENDERS for each in runs[name])
        wrong |= any(each.status != "proved" for name in SYMTAPE for each in runs[name])
    print("\n".join(columns(table)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
