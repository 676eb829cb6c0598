"""symtape and two provers on the seed's eight theorems for every tape size, in one run.

Whole processes are timed by the wall clock, each started anew and with an empty cache; the contenders take turns.
Printed are the median, the fastest and the slowest, and the ratio of the median to symtape's: above 1, symtape is the
faster. A contender that is not installed is named, with the command that installs it. Exits 1 if one that is
installed does not prove all eight.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from symtape.choose import with_used
from symtape.discover import discover
from symtape.table import columns

RIVALS = Path(__file__).resolve().parent / "rivals"
KNUCKLEDRAGGER, DAFNY = RIVALS / "eight_knuckledragger.py", RIVALS / "eight.dfy"
EIGHT = [
    "getNode?_addNode_of_lt",
    "addGradAll_addNode_push",
    "foldlM_addGradAll_addNode_push",
    "backwardDenseFromStep_addNode_push",
    "backwardDenseFromLoop_addNode_push",
    "addNode_prefix_node_spec",
    "backwardDenseFromStep_addNode_lowerNode_last",
    "backwardDenseFrom_addNode_lowerNode",
]


@dataclass
class Contender:
    name: str
    command: list[str] | None
    """None if it is not installed."""
    success: str
    """What it prints, besides exiting with 0, when it has proved all eight."""
    install: str
    seconds: list[float] = field(default_factory=list)
    failed: str = ""
    """What went wrong, the last time that something did."""

    def run(self, timeout: float) -> None:
        assert self.command is not None
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as empty:
            environment = {**os.environ, "XDG_CACHE_HOME": empty}
            try:
                done = subprocess.run(
                    self.command, check=False, env=environment, capture_output=True, text=True, timeout=timeout
                )
                self.seconds.append(time.monotonic() - started)
                if done.returncode != 0 or self.success not in done.stdout:
                    self.failed = f"exit code {done.returncode}"
            except subprocess.TimeoutExpired:
                self.seconds.append(time.monotonic() - started)
                self.failed = f"killed after {timeout:g} s"


def contenders(asked: argparse.Namespace) -> list[Contender]:
    """symtape first."""
    sizes = ["--all-sizes"] if asked.bound is None else ["--bound", str(asked.bound)]
    symtape = [sys.executable, "-m", "symtape", "prove", *EIGHT, *sizes, "--no-report"]
    python, dafny = asked.knuckledragger, shutil.which(asked.dafny)
    lemmas = discover()
    # at every size it proves what the eight use as well
    count = len(EIGHT if asked.bound is not None else with_used([lemmas[name] for name in EIGHT], lemmas))
    return [
        Contender(f"symtape {' '.join(sizes)}", symtape, f"{count} of {count} proved", "pip install ."),
        Contender(
            "knuckledragger",
            [python, str(KNUCKLEDRAGGER)] if has_knuckledragger(python) else None,
            f"proved {EIGHT[-1]}",
            "python3 -m venv rivals-venv && rivals-venv/bin/pip install -r benchmarks/rivals/requirements.txt, "
            "then --knuckledragger rivals-venv/bin/python",
        ),
        Contender(
            "Dafny",
            [dafny, "/compile:0", str(DAFNY)] if dafny else None,
            " 0 errors",
            "apt-get install dafny (Debian), or --dafny COMMAND for another",
        ),
    ]


def has_knuckledragger(python: str) -> bool:
    if python == sys.executable:
        return importlib.util.find_spec("kdrag") is not None
    try:
        return subprocess.run([python, "-c", "import kdrag"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def rows(of: list[Contender]) -> list[list[str]]:
    ours = of[0]
    shown = [["contender", " median", "fastest", "slowest", "ratio", ""]]
    for each in of:
        if each.command is None:
            shown.append([each.name, "", "", "", "", f"not installed: {each.install}"])
            continue
        middle = statistics.median(each.seconds)
        row = [each.name, *(f"{seconds:7.2f}" for seconds in (middle, min(each.seconds), max(each.seconds)))]
        comparable = each is not ours and not ours.failed and not each.failed
        row.append(f"{middle / statistics.median(ours.seconds):5.2f}" if comparable else "")
        shown.append([*row, each.failed and f"NOT PROVED: {each.failed}"])
    return shown


def lines_of_knuckledragger() -> list[str]:
    """Semantics, statements and proofs, as its headings divide it."""
    parts = KNUCKLEDRAGGER.read_text().split("\n# ---- ")[1:]
    return [str(sum(1 for line in part.splitlines()[1:] if code(line, "#"))) for part in parts]


def lines_of_dafny() -> list[str]:
    """The same; a theorem's statement ends where its proof's brace begins, and what stands after all eight helps."""
    semantics, theorems, helpers = DAFNY.read_text().split("\n// ---- ")[1:]
    counts = {"statement": 0, "proof": 0}
    part = "proof"
    for line in theorems.splitlines()[1:]:
        if line.startswith("lemma"):
            part = "statement"
        elif line.startswith("{"):
            part = "proof"
        counts[part] += code(line, "//")
    proofs = counts["proof"] + sum(code(line, "//") for line in helpers.splitlines()[1:])
    return [
        str(sum(code(line, "//") for line in semantics.splitlines()[1:])),
        str(counts["statement"]),
        str(proofs),
    ]


def code(line: str, comment: str) -> bool:
    return bool(line.strip()) and not line.strip().startswith(comment)


def main() -> int:
    parser = argparse.ArgumentParser(description="symtape, knuckledragger and Dafny on the seed's eight theorems.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is run (default 5)")
    parser.add_argument("--timeout", type=float, default=300.0, help="wall clock of each process (default 300 s)")
    parser.add_argument("--bound", type=int, help="symtape proves up to this bound, instead of every size")
    parser.add_argument("--knuckledragger", metavar="PYTHON", default=sys.executable, help="a Python that has it")
    parser.add_argument("--dafny", metavar="COMMAND", default="dafny", help="Dafny's command (default dafny)")
    parser.add_argument("--lines", action="store_true", help="count the lines of both rivals, and run nothing")
    asked = parser.parse_args()

    if asked.lines:
        counted = [["", "semantics", "statements", "proofs"]]
        counted += [["knuckledragger", *lines_of_knuckledragger()], ["Dafny", *lines_of_dafny()]]
        print("\n".join(columns(counted)))
        return 0
    everyone = contenders(asked)
    for _ in range(asked.rounds):
        for each in everyone:
            if each.command is not None:
                each.run(asked.timeout)
    print("\n".join(columns(rows(everyone))))
    return 1 if any(each.failed for each in everyone) else 0


if __name__ == "__main__":
    sys.exit(main())
