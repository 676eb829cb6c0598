"""The questions as files: another reader gets the answers that the verdicts rest on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import z3

from symtape.questions import FOLDER, place
from tests.test_cli import Run, lemma_file, symtape  # noqa: F401


def answers(report: Path) -> dict[str, str]:
    """What Z3 says to each file, read from its text in a context of its own."""
    said = {}
    for file in sorted((report / FOLDER).iterdir()):
        solver = z3.Solver(ctx=z3.Context())
        solver.from_file(str(file))
        said[f"{FOLDER}/{file.name}"] = str(solver.check())
    return said


def obligations(report: Path) -> list[dict[str, Any]]:
    results = json.loads((report / "results.json").read_text("utf-8"))
    return [
        each
        for lemma in results["lemmas"]
        for each in (*lemma["obligations"], *(lemma["every_size"] or {"obligations": []})["obligations"])
    ]


def test_what_is_proved_is_unsat(symtape: Run) -> None:  # noqa: F811
    assert symtape("prove", "foldlM_addGradAll_addNode_push", "--all-sizes", "--bound", "1", "--smtlib")[0] == 0
    report = Path("symtape-report")
    written = answers(report)
    assert set(written.values()) == {"unsat"}
    linked = {each["smtlib"] for each in obligations(report) if each["smtlib"]}
    assert linked == set(written)
    assert len(linked) > 10
    page = (report / "index.html").read_text("utf-8")
    assert all(f'href="{each}"' in page for each in linked)


def test_what_is_refuted_is_sat(symtape: Run, tmp_path: Path) -> None:  # noqa: F811
    wrong = lemma_file(tmp_path, "equal(acc.size, t.size)")
    arguments = ("mine", "--encodings", str(wrong), "--bound", "1", "--smtlib", "--scalar", "int")
    assert symtape("prove", *arguments)[0] == 1
    report = Path("symtape-report")
    written = answers(report)
    for each in obligations(report):
        if each["kind"] == "claim":
            assert (written[each["smtlib"]] == "unsat") == (each["verdict"] != "refuted")


def test_those_of_an_earlier_run_go(symtape: Run) -> None:  # noqa: F811
    assert symtape("prove", "addGradAll_addNode_push", "--bound", "1", "--smtlib")[0] == 0
    folder = Path("symtape-report") / FOLDER
    assert len(list(folder.iterdir())) > 1
    (folder / "mine.smt2").write_text("(check-sat)", "utf-8")
    assert symtape("prove", "addGradAll_addNode_push", "--bound", "1")[0] == 0
    assert [each.name for each in folder.iterdir()] == ["mine.smt2"], "what is not ours stays"
    assert "SMT-LIB" not in Path("symtape-report/index.html").read_text("utf-8")


def test_a_report_made_elsewhere_links_to_nothing(symtape: Run, tmp_path: Path) -> None:  # noqa: F811
    assert symtape("prove", "addGradAll_addNode_push", "--bound", "1", "--smtlib")[0] == 0
    assert symtape("report", "symtape-report/results.json", "--report", str(tmp_path / "elsewhere"))[0] == 0
    assert FOLDER + "/" not in (tmp_path / "elsewhere" / "index.html").read_text("utf-8")


def test_what_writes_no_page_anew_takes_no_questions_from_it(symtape: Run) -> None:  # noqa: F811
    assert symtape("prove", "addGradAll_addNode_push", "--bound", "1", "--smtlib")[0] == 0
    folder = Path("symtape-report") / FOLDER
    written = sorted(each.name for each in folder.iterdir())
    assert symtape("prove", "no such lemma")[0] == 2
    assert symtape("mutate", "addGradAll_addNode_push", "--mutant", "no such mutant")[0] == 2
    symtape("mutate", "addGradAll_addNode_push", "--mutant", "addGradAll_*", "--bound", "0")
    assert Path("symtape-report/results.json").exists()
    assert sorted(each.name for each in folder.iterdir()) == written


def test_a_report_of_other_results_links_to_no_questions_of_these(symtape: Run) -> None:  # noqa: F811
    assert symtape("prove", "addGradAll_addNode_push", "--bound", "1", "--smtlib", "--json", "first.json")[0] == 0
    page = Path("symtape-report/index.html")
    assert symtape("report", "first.json")[0] == 0
    assert "SMT-LIB" in page.read_text("utf-8"), "these are its own"
    assert symtape("prove", "addGradAll_addNode_push", "--bound", "1", "--smtlib", "--json", "second.json")[0] == 0
    assert symtape("report", "first.json")[0] == 0
    assert "SMT-LIB" not in page.read_text("utf-8")


def test_without_a_report_there_is_no_place(symtape: Run) -> None:  # noqa: F811
    code, _, err = symtape("prove", "addGradAll_addNode_push", "--smtlib", "--no-report")
    assert code == 2
    assert "--smtlib writes into the report" in err


@pytest.mark.parametrize(
    "names", [("getNode?_x[t=1]", "getNode_x[t=1]"), ("a" * 300, "a" * 299 + "b"), ("../../x", "x")]
)
def test_places_are_apart_and_inside(names: tuple[str, str]) -> None:
    one, other = map(place, names)
    assert one.lower() != other.lower()
    for each in (one, other):
        assert each.startswith(f"{FOLDER}/")
        assert ".." not in each
        assert len(each) < 120
