"""The tables in docs/audit.md are what the commands find."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.findings import audit_table, kill_table
from symtape.mutation import load as load_matrix
from symtape.results import load
from tests.test_cli import Run, symtape  # noqa: F401

PUBLISHED = (Path(__file__).parent.parent / "docs" / "audit.md").read_text("utf-8")

pytestmark = pytest.mark.slow


def test_what_hypotheses_are_worth(symtape: Run) -> None:  # noqa: F811
    code, _, err = symtape("audit", "Push commutation", "Last-node step", "Inductive step", "--bound", "3")
    assert code == 0, err
    lemmas = load(Path("symtape-report/results.json"))["lemmas"]
    assert "\n".join(audit_table(lemmas)) in PUBLISHED
    needed = [each for lemma in lemmas for each in lemma["audit"]["without"] if each["verdict"] == "refuted"]
    assert len(needed) == 18
    assert max(each["counterexample"]["measure"][0] for each in needed) == 2


def test_what_is_noticed(symtape: Run) -> None:  # noqa: F811
    code, _, err = symtape("mutate", "--bound", "3")
    assert code == 0, err
    results = load_matrix(Path("symtape-report/mutants.json"))
    assert "\n".join(kill_table(results)) in PUBLISHED
    assert results["counts"]["all"] == {"killed": 141, "equivalent": 2, "gap": 0, "undecided": 0}
