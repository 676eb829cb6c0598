"""An audit in a results file may not be greener than its own parts."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from symtape import Bound
from symtape.results import ResultsError, dump, load
from tests.test_audit import MINE, audit

NAMES = ("two_ways", "never", "comes_apart", "false_throughout")

FALSE = '''

@lemma()
def false_throughout(t: Tape, acc: Accumulator, i: Nat) -> Claim:
    """False at every size, also without the hypothesis."""
    return given(h=equal(acc.size, t.size)).show(lambda: i < 5)
'''


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("audit") / "mine.py"
    path.write_text(MINE + FALSE, "utf-8")
    return audit(path, *NAMES, bound=Bound(1, 1, 1))


def _needed_is_redundant(audits: dict[str, Any]) -> None:
    said = audits["never"]
    said["redundant"], said["needed"] = said["needed"], []


def _needed_is_redundant_throughout(audits: dict[str, Any]) -> None:
    _needed_is_redundant(audits)
    for each in audits["never"]["without"]:
        each |= {"verdict": "proved", "counterexample": None}


def _satisfiable(audits: dict[str, Any]) -> None:
    audits["never"]["satisfiable"] = True


def _complete(audits: dict[str, Any]) -> None:
    audits["false_throughout"]["complete"] = True


def _sufficient(audits: dict[str, Any]) -> None:
    shown = {"verdict": "proved", "reason": "", "obligations": 1, "seconds": 0.1, "every_size": None}
    audits["false_throughout"]["sets"] = [{**shown, "hypotheses": []}]
    audits["false_throughout"]["minimal_sets"] = [[]]


def _emptied(audits: dict[str, Any]) -> None:
    audits["never"]["sets"][0]["hypotheses"] = []
    audits["never"]["minimal_sets"] = [[]]


def _unproved(audits: dict[str, Any]) -> None:
    audits["comes_apart"]["sets"][0]["verdict"] = "undecided"


def _left_out(audits: dict[str, Any]) -> None:
    del audits["comes_apart"]["without"][0]


def _fully(audits: dict[str, Any]) -> None:
    every = {"verdict": "undecided", "fully": True, "route": "", "reason": ""}
    audits["comes_apart"]["sets"][0]["every_size"] = every


@pytest.mark.parametrize(
    "spoil",
    [
        _needed_is_redundant,
        _needed_is_redundant_throughout,
        _satisfiable,
        _complete,
        _sufficient,
        _emptied,
        _unproved,
        _left_out,
        _fully,
    ],
)
def test_a_file_that_is_greener_than_its_evidence_is_refused(
    written: dict[str, Any], tmp_path: Path, spoil: Callable[[dict[str, Any]], None]
) -> None:
    path = tmp_path / "results.json"
    path.write_text(dump(written))
    load(path)
    spoiled = deepcopy(written)
    spoil({each["name"]: each["audit"] for each in spoiled["lemmas"]})
    path.write_text(dump(spoiled))
    with pytest.raises(ResultsError, match="the audit of"):
        load(path)


def test_without_a_hypothesis_a_false_claim_is_as_false(written: dict[str, Any]) -> None:
    wrong = next(each["audit"] for each in written["lemmas"] if each["name"] == "false_throughout")
    assert {each["reason"] for each in wrong["without"]} == {"the claim is false with all of its hypotheses"}
