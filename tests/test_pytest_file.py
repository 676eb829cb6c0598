"""The test file of a counterexample: it fails on the engine, passes on a mended one, and needs no solver."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symtape.cli import main
from tests.refutations import refuted_lemmas, shown

BROKEN = '''
from symtape import Claim, equal, given, lemma
from symtape.encodings.backward import Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.plain import Ok
from symtape.encodings.result import success
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.parameter import Nat
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import SomeTensor


class Overwrites(Engine):
    def combine(self, existing, contribution):
        return success(existing.world, contribution)

    def interpreter(self):
        return PlainOverwrites


class PlainOverwrites(Runtime):
    def combine(self, existing, contribution):
        return Ok(contribution)


@lemma(group="mine")
def sums(t: Tape, acc: Accumulator, pid: Nat, g: SomeTensor) -> Claim:
    """After a success the slot holds the "sum", which needs no gradient back\\\\slash."""
    return given(hpid=pid < t.size, hreq=t.getNode(pid).exists(lambda node: node.requiresGrad)).show(
        lambda: equal(
            t.addGradAll(acc, pid, g).map(lambda a: a[pid]),
            t.addGradAll(acc, pid, g).bind(lambda a: acc[pid].add(g)),
        )
    )


broken = sums.on(Overwrites())
'''

MENDED = BROKEN.replace("success(existing.world, contribution)", "existing.add(contribution)").replace(
    "Ok(contribution)", "super().combine(existing, contribution)"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report that refutes a lemma of a user's on a user's engine."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "mine.py").write_text(BROKEN, "utf-8")
    arguments = ["prove", "mine", "--bound", "1", "--encodings", str(folder / "mine.py")]
    assert main([*arguments, "--report", str(folder / "report")]) == 1
    return folder / "report"


def run_without_solver(file: Path, no_solver: Path) -> subprocess.CompletedProcess[str]:
    """pytest on one file, where importing z3 raises."""
    no_solver.mkdir(exist_ok=True)
    (no_solver / "z3.py").write_text("raise ImportError('the solver was asked for')\n", "utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        env={**os.environ, "PYTHONPATH": str(no_solver)},
        cwd=no_solver,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_fails_on_the_broken_engine_and_passes_on_a_mended_one(report: Path, tmp_path: Path) -> None:
    (file,) = (report / "counterexamples").iterdir()
    assert file.name == "test_sums_on_Overwrites.py"
    ran = run_without_solver(file, tmp_path)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "goal: FAILS" in ran.stdout
    assert "≠ left" in ran.stdout and "≠ right" in ran.stdout
    mine = report.parent / "mine.py"
    mine.write_text(MENDED, "utf-8")
    try:
        ran = run_without_solver(file, tmp_path)
    finally:
        mine.write_text(BROKEN, "utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_it_passes_when_the_lemma_is_mended(report: Path, tmp_path: Path) -> None:
    (file,) = (report / "counterexamples").iterdir()
    mine = report.parent / "mine.py"
    mine.write_text(BROKEN.replace("hpid=pid < t.size", "hpid=pid < t.size, hone=equal(g, acc[pid])"), "utf-8")
    try:
        ran = run_without_solver(file, tmp_path)
    finally:
        mine.write_text(BROKEN, "utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_solver_is_not_even_looked_for_before_it_is_used() -> None:
    code = (
        "import sys; sys.modules['z3'] = None\n"
        "import symtape.encodings.replay, symtape.discover\n"
        "symtape.discover.discover()\n"
        "from symtape.smt import z3\n"
        "try:\n    z3.Int('x')\nexcept ImportError as problem:\n    print(problem)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "symtape needs the Python package z3: pip install z3-solver\n"


def test_the_docstring_says_what_is_refuted_of_what(report: Path) -> None:
    (file,) = (report / "counterexamples").iterdir()
    text = file.read_text("utf-8")
    compile(text, str(file), "exec")
    assert text.startswith('"""Refutes sums on Overwrites.')
    assert "Found by symtape 0.1.0" in " ".join(text.split())
    assert max(len(line) for line in text.splitlines() if "mine.py" not in line) <= 88


def test_what_an_earlier_run_found_is_taken_away(report: Path) -> None:
    """But nothing that is not ours."""
    results = json.loads((report / "results.json").read_text("utf-8"))
    kept = report / "counterexamples" / "test_own.py"
    kept.write_text("def test() -> None: ...\n", "utf-8")
    (report / "counterexamples" / "test_old.py").write_text('"""Refutes something else."""\n', "utf-8")
    file = report.parent / "again.json"
    file.write_text(json.dumps(results), "utf-8")
    assert main(["report", str(file), "--report", str(report)]) == 0
    left = sorted(each.name for each in (report / "counterexamples").iterdir())
    kept.unlink()
    assert left == ["test_own.py", "test_sums_on_Overwrites.py"]


def test_all_of_them_are_formatted_as_a_formatter_would(tmp_path: Path) -> None:
    for i, name in enumerate(refuted_lemmas()):
        (tmp_path / f"test_{i}.py").write_text(shown(name).pytest, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E4,E7,E9,F,I", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
