"""A run that goes wrong: interrupted, hanging, killed. What was not answered is never proved."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

import symtape.pool
from symtape import Bound, Verdict
from symtape.conclude import conclude
from symtape.discover import discover
from symtape.results import assemble, schema
from symtape.run import Options, Progress, run
from symtape.solver import Limits
from tests.deciding import SEED, lemmas


def test_an_interrupt_keeps_what_was_finished() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.done >= 12:
            raise KeyboardInterrupt

    options = Options(Bound(3, 1, 1), jobs=2)
    asked = [lemmas()[name] for name in SEED]
    outcome = run(asked, options, interrupt)
    assert outcome.interrupted
    finished = [finding for findings in outcome.findings.values() for finding in findings]
    assert len(finished) > 0
    results = assemble(asked, options, outcome, "symtape prove")
    jsonschema.validate(results, schema())
    assert results["run"]["state"] == "interrupted"
    assert results["verdict"] == "undecided"
    for each in results["lemmas"]:
        for size in each["sizes"]:
            settled = sum(o["size"] == size["size"] and o["kind"] == "claim" for o in each["obligations"])
            if settled < outcome.expected[each["name"]].get(size["size"], 1):
                assert size["verdict"] == "undecided"


def test_a_lemma_that_never_ends_is_killed_and_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symtape.pool, "GRACE", 0.5)
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from symtape import given, lemma\nfrom symtape.encodings.tape import Tape\n\n"
        "def forever():\n    while True:\n        pass\n\n"
        "@lemma()\ndef endless(t: Tape):\n    'Never ends.'\n    return given().show(forever)\n",
        "utf-8",
    )
    lemma = discover([mine])["endless"]
    options = Options(Bound(0, 1, 1), limits=Limits(timeout=0.5), jobs=1, encodings=(str(mine),))
    outcome = run([lemma], options)
    said = conclude(lemma, options.bound, outcome.findings[lemma.name], outcome.expected[lemma.name])
    assert said.verdict is Verdict.UNDECIDED
    assert "timeout" in said.reason


def test_one_worker_and_two_find_the_same() -> None:
    asked = [lemmas()[name] for name in SEED]

    def found(jobs: int) -> list[tuple[str, str, tuple[str, ...], int]]:
        outcome = run(asked, Options(Bound(2, 1, 1), jobs=jobs))
        return [(f.name, f.verdict, f.core, f.rlimit) for name in SEED for f in outcome.findings[name]]

    assert found(1) == found(2)
