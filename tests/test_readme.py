"""The README's promises: its lemmas, its exit codes, its commands."""

from __future__ import annotations

import re
from pathlib import Path

from symtape import Bound, Verdict
from symtape.cli import parser
from symtape.discover import discover
from symtape.reports import comparison, junit, sarif
from symtape.solver import Limits
from symtape.theorem import prove
from symtape.verdict import EXIT_CODES
from tests.deciding import decide
from tests.pasting import paste

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def _blocks(language: str) -> list[str]:
    every = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for marked, text in every if marked == language]


def test_the_lemmas_in_the_readme(tmp_path: Path) -> None:
    (code,) = _blocks("python")
    mine = tmp_path / "mine.py"
    mine.write_text(code, "utf-8")
    stated = discover([mine])
    assert decide(stated["addGradAll_other_slot"], Bound(3, 2, 2)).verdict is Verdict.PROVED
    assert decide(stated["foldlM_other_slot"], Bound(2, 2, 1)).verdict is Verdict.PROVED
    theorem = prove(
        stated["foldlM_other_slot"],
        {"addGradAll_other_slot": prove(stated["addGradAll_other_slot"], {}, Limits())},
        Limits(),
    )
    assert not theorem.admitted
    refuted = decide(stated["addGradAll_comm"], Bound(3, 2, 2), until_refuted=True)
    assert refuted.verdict is Verdict.REFUTED
    shown = refuted.refutations[0].counterexample
    assert shown is not None
    assert "add=Sums(" in shown.call
    assert "goal: FAILS" in paste(shown.call)


def test_exit_codes_agree_with_help() -> None:
    table = {verdict: int(code) for verdict, code in re.findall(r"^\| `(\w+)` \|.*\| (\d) \|$", README, re.MULTILINE)}
    assert table == {str(verdict): verdict.exit_code for verdict in Verdict}
    assert re.search(r"bad input exits with 2, an interrupted run with 130", README)
    help_text = parser().format_help()
    for code, meaning in EXIT_CODES.items():
        assert f"{code:3}  {meaning}" in help_text


def test_every_option_of_prove_is_in_the_readme_and_the_other_way_round() -> None:
    synopsis = next(block for block in _blocks("") if block.startswith("symtape prove"))
    said = set(re.findall(r"--[a-z-]+", synopsis.split("symtape audit")[0]))
    commands = next(action for action in parser()._actions if action.dest == "command")
    prove = commands.choices["prove"]  # type: ignore[index,call-overload]
    assert said == set(re.findall(r"--[a-z-]+", prove.format_usage()))


def test_ci_runs_the_readmes_test_command() -> None:
    set_up_and_test = next(block for block in _blocks("sh") if "pytest" in block).strip()
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    for step in set_up_and_test.split(" && "):
        assert step in script


def _rows(text: str, title: str) -> list[list[str]]:
    """The cells of a table's rows, by how its head begins."""
    table = text[text.index(f"| {title} |") :].partition("\n\n")[0]
    return [[cell.strip(" `") for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]


def test_what_the_docs_say_of_reports_is_so() -> None:
    docs = (ROOT / "docs" / "reports.md").read_text("utf-8")
    assert {row[0]: row[1] for row in _rows(docs, "verdict")} == {"proved": "pass", **junit.KINDS}
    assert {row[0]: row[1] for row in _rows(docs, "rule")} == sarif.LEVELS
    marks = [mark for row in _rows(docs, "mark") for mark in row[0].split(", ")]
    assert sorted(marks) == sorted(comparison.KINDS)
    assert f"with {comparison.RLIMIT_TIMES} times the Z3 resource units" in docs
    assert f"at least {comparison.RLIMIT_MORE:,} more" in docs
    assert f"from {comparison.SECONDS_TIMES:.0f} times and {comparison.SECONDS_MORE:.0f} s on" in docs
