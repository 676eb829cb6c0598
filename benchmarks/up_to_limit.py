"""How far each encoding comes: the loop lemma (t = m = acc = n) and the assembled theorem (ss = t = n) at one size
after the other, each answer from a process that is killed after so many CPU seconds.

A contender that was killed is not asked for a larger size. Printed are CPU seconds after the imports, and in brackets
the ratio to symtape's at the same size: above 1, symtape is the faster. The baselines state only the loop lemma.
symtape settles in full: witness, replay, core. The others only answer whether the negated goal is unsatisfiable.
Exits 1 on an answer that contradicts a lemma.
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

SYMTAPE = "symtape"
OWN = {
    SYMTAPE: ["single_case.py"],
    "tracked hypotheses": ["earlier_encodings.py", "--version", "tracked"],
    "named states": ["earlier_encodings.py", "--version", "named"],
}
BASELINES = {
    "flat, cases": ["baseline_flat.py", "--form", "cases"],
    "flat, lookup": ["baseline_flat.py", "--form", "lookup"],
    "quantified": ["baseline_quantified.py"],
}
RIGHT = ("proved", "unsat")


@dataclass(frozen=True)
class Cell:
    """One answer; `status` is `killed` where there was none in time."""

    status: str
    seconds: float

    @property
    def answered(self) -> bool:
        return self.status not in ("killed", "unknown", "undecided")

    def shown(self, ours: Cell | None, limit: int) -> str:
        if not self.answered:
            return f"> {limit}" if self.status == "killed" else self.status
        ratio = f" ({self.seconds / ours.seconds:.1f})" if ours is not None and ours.answered else ""
        return f"{self.seconds:.2f}{ratio}"


def ask(command: list[str], limit: int) -> Cell:
    """Ask in a process that may use so many CPU seconds, and is killed after four times as many of wall clock."""
    script, *arguments = command
    call = [sys.executable, str(Path(__file__).parent / script), *arguments, "--timeout", str(4 * limit)]
    try:
        done = subprocess.run(
            call,
            check=False,
            stdout=subprocess.PIPE,
            text=True,
            timeout=4 * limit,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )
    except subprocess.TimeoutExpired:
        return Cell("killed", float(limit))
    if done.returncode < 0:
        return Cell("killed", float(limit))
    if done.returncode:
        raise SystemExit(f"{' '.join(call)} failed")
    answer = json.loads(done.stdout)
    return Cell(answer["status"], answer["seconds"])


def main() -> int:
    parser = argparse.ArgumentParser(description="The largest tapes that each encoding can answer for.")
    parser.add_argument(
        "--nodes", type=int, nargs="+", default=[4, 6, 8, 12, 16, 24, 32, 48, 64], help="tape sizes, ascending"
    )
    parser.add_argument("--contributions", type=int, default=2, help="at most so many per node (default 2)")
    parser.add_argument("--entries", type=int, default=2, help="tensors of at most so many entries (default 2)")
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds of each process (default 120)")
    asked = parser.parse_args()

    wrong = False
    for lemma in ("loop", "assembled"):
        own = {name: [*command, "--lemma", lemma, "--entries", str(asked.entries)] for name, command in OWN.items()}
        contenders = own | (BASELINES if lemma == "loop" else {})
        rows = {name: [name] for name in contenders}
        running = list(contenders)
        for nodes in asked.nodes:
            ours: Cell | None = None
            for name in running:
                size = ["--nodes", str(nodes), "--contributions", str(asked.contributions)]
                cell = ask([*contenders[name], *size], asked.limit)
                print(f"{lemma} n={nodes} {name}: {cell.status} {cell.seconds:.2f}", file=sys.stderr)
                wrong |= cell.answered and cell.status not in RIGHT
                rows[name].append(cell.shown(ours, asked.limit))
                ours = cell if name == SYMTAPE else ours
                if not cell.answered:
                    running = [other for other in running if other != name]
        width = len(asked.nodes) + 1
        body = [row + ["-"] * (width - len(row)) for row in rows.values()]
        print("\n".join(columns([[lemma, *(f"n={nodes}" for nodes in asked.nodes)], *body])), end="\n\n", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
