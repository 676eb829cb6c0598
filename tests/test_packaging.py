"""The wheel has everything: built from the tree and from the sdist, installed alone, run from an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_no_init_file_where_python_would_take_it_for_its_own() -> None:
    """With encodings/__init__.py no Python would start that has the checkout on its path."""
    for folder in ("encodings", "reports"):
        assert not (ROOT / folder / "__init__.py").exists()
        assert (ROOT / "symtape" / folder).is_symlink()


def test_the_checkout_on_the_path_is_enough() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "symtape", "list"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "backwardDenseFrom_addNode_lowerNode" in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("by_way_of", ["tree", "sdist"])
def test_the_wheel(by_way_of: str, tmp_path: Path) -> None:
    how = ["--wheel"] if by_way_of == "tree" else []  # without --wheel, build makes the wheel from the sdist
    subprocess.run([sys.executable, "-m", "build", *how, "--outdir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for expected in (
        "symtape/cli.py",
        "symtape/results.schema.json",
        "symtape/encodings/backward.py",
        "symtape/encodings/lemmas/inductive_step.py",
        "symtape/encodings/mutants/checks.py",
        "symtape/reports/page.html.j2",
        "symtape/reports/page.css",
        "symtape/mutants.schema.json",
        "symtape/reports/mutants.html.j2",
        "symtape/reports/counterexample.css",
        "symtape/reports/changes.html.j2",
        "symtape/reports/changes.css",
    ):
        assert expected in names
    assert not [name for name in names if name.startswith(("encodings/", "reports/", "tests/"))]
    site = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site), str(wheel)], check=True
    )
    empty = tmp_path / "empty"
    empty.mkdir()
    code = "import sys, symtape.cli; assert 'site' in symtape.__file__; sys.exit(symtape.cli.main(sys.argv[1:]))"
    ran = subprocess.run(
        [sys.executable, "-c", code, "prove", "--bound", "1", "--all-sizes"],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "59 of 59 proved" in ran.stdout
    assert (empty / "symtape-report" / "index.html").exists()
