"""The report on mutants: what catches them and what does not, complete, escaped, and small enough to open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from symtape.reports.kills import anchor, link
from symtape.reports.mutants import render, write_mutants_report
from symtape.reports.status import CELLS, MUTANTS, NOT_ASKED
from symtape.results import schema as results_schema
from tests.pages import Page, section
from tests.written_audits import SHARP, counterexample, old_counterexample
from tests.written_mutants import cell, large, mutant, mutation, schema, small

LIMIT = 2_500_000


def valid(data: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(schema()).is_valid(data))


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return small()


@pytest.fixture(scope="module")
def page(data: dict[str, Any]) -> str:
    return render(data)


def part(page: str, name: str) -> str:
    """The text of a mutant's part."""
    found = re.search(rf'<div id="{re.escape(anchor(name))}">(.*?)\n</div>\n</details>', page, re.DOTALL)
    assert found is not None
    return Page(found[1]).text


def row(page: str, name: str) -> list[str]:
    """The cells of a mutant's row."""
    found = re.search(rf'<tr><th scope="row"><a href="#{re.escape(anchor(name))}">.*?</tr>', page, re.DOTALL)
    assert found is not None
    return [Page(each).text for each in re.findall(r"<td.*?</td>", found[0], re.DOTALL)]


# --- the file ---


def test_the_schema_is_one_and_takes_what_is_written_by_hand(data: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert valid(data)
    assert valid(large(5, 5))


def test_what_both_files_have_is_defined_alike() -> None:
    ours, theirs = schema()["$defs"], results_schema()["$defs"]
    for name in ("counterexample", "step", "drawn_tape", "bound", "scope", "run"):
        assert ours[name] == theirs[name]


def _without_cells(data: dict[str, Any]) -> None:
    del data["mutants"][0]["cells"]


def _bad_word(data: dict[str, Any]) -> None:
    data["mutants"][0]["status"] = "survived"


def _killed_by_nothing(data: dict[str, Any]) -> None:
    data["mutants"][0]["killed_by"] = []


def _gap_without_evidence(data: dict[str, Any]) -> None:
    data["mutants"][4]["equivalence"] = None


def _equivalent_without_proof(data: dict[str, Any]) -> None:
    data["mutants"][5]["equivalence"]["verdict"] = "undecided"


def _refuted_without_counterexample(data: dict[str, Any]) -> None:
    data["mutants"][0]["cells"]["push"]["counterexample"] = None


def _negative_count(data: dict[str, Any]) -> None:
    data["counts"]["theory"]["gap"] = -1


def _no_run(data: dict[str, Any]) -> None:
    del data["run"]


@pytest.mark.parametrize(
    "spoil",
    [
        _without_cells,
        _bad_word,
        _killed_by_nothing,
        _gap_without_evidence,
        _equivalent_without_proof,
        _refuted_without_counterexample,
        _negative_count,
        _no_run,
    ],
)
def test_the_schema_rejects_what_is_broken(data: dict[str, Any], spoil: Callable[[dict[str, Any]], None]) -> None:
    changed = json.loads(json.dumps(data))
    spoil(changed)
    assert not valid(changed)


def test_the_page_and_the_data_are_written(data: dict[str, Any], tmp_path: Path) -> None:
    assert write_mutants_report(data, tmp_path) == tmp_path / "mutants.html"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mutants", "mutants.html", "mutants.json"]
    assert json.loads((tmp_path / "mutants.json").read_text("utf-8")) == data
    assert (tmp_path / "mutants.html").read_text("utf-8") == render(json.loads(json.dumps(data)))


# --- the top ---


def test_the_headline_says_what_the_theory_alone_catches(data: dict[str, Any], page: str) -> None:
    sentence = (
        "3 of 5 mutants that change behaviour are caught by the seed alone; with Runtime equations (2 more), 4 are; "
        "1 undecided"
    )
    assert f"<h1>{sentence}</h1>" in page
    closed = {**data, "counts": {**data["counts"], "all": {"killed": 5, "gap": 0, "equivalent": 1, "undecided": 0}}}
    assert "caught by the seed alone; with Runtime equations (2 more), all are</h1>" in render(closed)
    stopped = {**data, "run": {**data["run"], "state": "interrupted"}}
    assert "(interrupted)</h1>" in render(stopped)
    assert "The run was interrupted" in render(stopped)


def test_without_additions_nothing_is_said_of_them() -> None:
    shown = render(mutation(["push"], [], mutant("m", {"push": cell("push", "x")})))
    assert "<h1>1 of 1 mutant that changes behaviour is caught by the seed</h1>" in shown
    assert "Runtime equations" not in Page(shown).text
    assert "additions" not in Page(shown).text
    assert row(shown, "m") == ["● killed", "1", "◉ caught by it alone"]


def test_both_counts_stand_in_a_table(page: str) -> None:
    said = Page(page).text
    assert "7 mutants the seed alone 2 lemmas with Runtime equations 2 more" in said
    for words in ("○ gap 2 1", "? undecided 1 1", "● killed 3 4", "≡ equivalent 1 1"):
        assert words in said
    for look in MUTANTS.values():
        assert look.meaning in said


def test_gaps_come_first_then_what_is_undecided(page: str) -> None:
    first = section(page, "Look here first")
    assert first == "○ gap a-gap: What a-gap changes. ? undecided open: What open changes. no answer in time"
    assert page.index("Look here first") < page.index('<h2 id="matrix">')
    assert section(page, "Caught by Runtime equations only") == (
        "No lemma of the seed was shown to catch this one. "
        "1 mutant, by function addNode only-added: What only-added changes."
    )


# --- the matrix ---


def test_a_row_has_both_counts_and_an_answer_of_every_lemma(page: str) -> None:
    assert row(page, "by-both") == ["● killed", "2", "3", "● caught", "● caught", "● caught", "∅ vacuous"]
    assert row(page, "by-loop-alone")[3:] == ["· not caught", "◉ caught by it alone", "· not caught", "· not caught"]
    assert row(page, "only-added")[:3] == ["● killed + by additions only", "0", "1"]
    assert row(page, "open") == ["? undecided", "0", "0", "· not caught", "? undecided", "· not caught", "! error"]
    said = section(page, "Kill matrix")
    for word, look in CELLS.items():
        assert (look.meaning in said) == (word != NOT_ASKED)


def test_columns_are_numbered_counted_and_parted(page: str) -> None:
    said = section(page, "Kill matrix")
    assert "the seed Runtime equations push loop addNode_eq addGrad_eq mutant status the seed with additions" in said
    assert "1 push 2 loop 3 addNode_eq 4 addGrad_eq catches 3 4 1 3 1 2" in said
    assert "the only one of all 1 1 the only one of the seed 2" in said
    # The first addition is set off in each row that has a cell for it.
    table = page[page.index('<div class="scroll matrix"') : page.index('<h2 id="key">')]
    rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    assert sum("split" in each for each in rows) == 3 + 3 + 7


def test_rows_are_grouped_by_function_and_in_it_by_operator(page: str) -> None:
    said = section(page, "Kill matrix")
    assert "addGradAll of 3 3 3 by-both" in said
    assert "addNode of 4 0 1 only-added" in said
    named = re.findall(r'<tr><th scope="row"><a href="#mutant-[^>]*>([^<]*)', page)
    assert named == ["by-both", "by-one-of-the-seed", "by-loop-alone", "only-added", "a-gap", "open", "the-same"]


def test_the_key_says_what_a_lemma_catches_and_what_nothing_else_does(page: str) -> None:
    said = section(page, "Lemmas, by number")
    assert "1 push by hand Proofs.push What push says. Catches 1. 2 loop" in said
    assert "Catches 3. Alone of all: by-loop-alone. Alone of the seed: by-one-of-the-seed, by-loop-alone." in said
    assert "Catches 2. Alone of all: only-added." in said


def test_a_lemma_that_was_not_asked_about_a_mutant_is_said_to_be_so() -> None:
    asked = mutant("m", {"push": cell("push", "x")})
    shown = render(mutation(["push", "late"], ["eq"], asked))
    assert row(shown, "m")[3:] == ["◉ caught by it alone", "– not asked", "– not asked"]


# --- the mutants ---


def test_a_mutant_says_everything(data: dict[str, Any], page: str) -> None:
    said = part(page, "by-both")
    assert said.startswith("What by-both changes. And why. Source: https://example.org/engine.lean#L7")
    assert (
        "By the seed alone ● killed by push, loop With Runtime equations ● killed by push, loop, addNode_eq" in said
    )
    assert "The smallest counterexample, to loop, at t = 1" in said
    for name in ("loop", "push", "addNode_eq"):
        assert said.count(data["mutants"][0]["cells"][name]["counterexample"]["call"]) == 1
    assert "The other lemmas that catch it: 2 push, at t = 2" in said
    assert "As a test for pytest def test_loop()" in said
    assert "def test_push()" not in said
    assert page.count("<svg") == 5


def test_only_what_needs_it_is_called_alone(page: str) -> None:
    assert "● killed by loop alone" in part(page, "by-loop-alone")
    added = part(page, "only-added")
    assert (
        "By the seed alone ○ gap With Runtime equations ● killed by addGrad_eq alone; no lemma of the seed" in added
    )
    assert "Where it behaves differently from the runtime" in added
    assert counterexample("like_only-added")["call"] in added


def test_a_gap_shows_where_it_behaves_differently(page: str) -> None:
    said = part(page, "a-gap")
    assert "By the seed alone ○ gap With Runtime equations ○ gap Like the runtime? it behaves differently" in said
    assert "Where it behaves differently, at t = 3 Replay it with this line of Python: from symtape" in said
    assert counterexample("like_a-gap")["call"] in said
    assert "left: the mutant right: the runtime ok accumulator of 2 slots" in said
    assert "left: the mutant" not in part(page, "by-both")
    assert "≡ equivalent it behaves like it" in part(page, "the-same")


def test_what_had_no_answer_is_named_with_the_reason(page: str) -> None:
    said = part(page, "open")
    assert "With Runtime equations ? undecided: no answer in time" in said
    assert "? undecided loop: timeout ! error addGrad_eq: a process died" in said


def test_an_addition_that_catches_proves_no_gap_where_the_theory_had_no_answer() -> None:
    shown = render(mutation(["push"], ["eq"], mutant("m", {"push": cell("push", "?"), "eq": cell("eq", "x")})))
    assert "By the seed alone ? undecided" in part(shown, "m")


def test_counterexamples_from_before_are_shown_too() -> None:
    caught = {"push": {**cell("push", "x"), "counterexample": old_counterexample("push")}}
    assert old_counterexample("push")["call"] in part(render(mutation(["push"], [], mutant("m", caught))), "m")


# --- the page as a whole ---


@pytest.mark.parametrize(
    ("source", "leads"),
    [
        ("https://example.org/a#L1", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("https:alert(1)", False),
        ("java\nscript://x", False),
        ("https://[", False),
        ("mine.py:7", False),
        ("", False),
    ],
)
def test_only_web_addresses_are_links(source: str, leads: bool) -> None:
    assert (link(source) is not None) == leads
    shown = Page(render(mutation(["push"], [], mutant("m", {"push": cell("push", ".")}, source=source))))
    assert (source in shown.links) == leads
    assert source.rsplit("\n", maxsplit=1)[-1] in shown.text


@pytest.mark.parametrize("nasty", ["<script>alert(1)</script>", '"><img src=x>', "</style>", "a & b < c"])
def test_text_is_escaped(nasty: str) -> None:
    def named(name: str) -> dict[str, Any]:
        caught = mutant(
            name,
            {name: {**cell(name, "x"), "counterexample": {**SHARP["counterexample"], "call": name}}},
            function=name,
            operator=name,
            doc=name,
            source=name,
            reason=name,
        )
        lost = mutant(f"other {name}", {name: cell(name, "?")}, reason=name)
        made = mutation([name], [], caught, lost)
        made["theory"]["name"] = made["scope"]["text"] = made["run"]["command"] = name
        made["lemmas"][0].update(lean=name, group=name, summary=name)
        return made

    plain, page = Page(render(named("harmless"))), Page(render(named(nasty)))
    assert page.tags == plain.tags
    assert page.text.count(nasty) == plain.text.count("harmless")


def test_the_page_needs_no_network_and_no_script(page: str) -> None:
    assert "script" not in Page(page).tags
    assert "default-src 'none'" in page
    assert not re.search(r"<(link|img|iframe|object|embed|base|form)\b|url\(|@import| src=", page)


def test_links_lead_somewhere_and_ids_are_unique(page: str) -> None:
    read = Page(page)
    assert len(read.ids) == len(set(read.ids))
    for each in read.links:
        assert each in ("mutants.json", "https://example.org/engine.lean#L7") or each[1:] in read.ids


def test_no_mutants_is_said() -> None:
    assert "No mutants were made." in Page(render(mutation(["push"], []))).text


def test_a_large_file_makes_a_page_that_opens() -> None:
    data = large()
    shown = render(data)
    assert len(shown.encode()) < LIMIT
    assert shown.count("<svg") <= 130
    assert shown.count('<span class="hidden"> not caught') + shown.count('<span class="hidden"> caught') >= 130 * 30
    assert shown == render(data)
