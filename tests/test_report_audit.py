"""The report on audits: what of each lemma's hypotheses is needed, and what of them suffices."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symtape.reports.page import render
from symtape.reports.status import HYPOTHESES
from symtape.results import ResultsError, check
from tests.pages import Page, block, section
from tests.written_audits import SHARP, audit, counterexample
from tests.written_results import every_size, lemma, results

TITLE = "Audit of the hypotheses"


def audited(name: str, *hypotheses: str, **said: Any) -> dict[str, Any]:
    """A lemma with an audit."""
    return {**lemma(name, every_size(), known=["proved"], hypotheses=hypotheses), "audit": audit(name, **said)}


def of(*lemmas: dict[str, Any]) -> dict[str, Any]:
    return {**results(*lemmas), "bound": {"tape": 3, "contributions": 1, "entries": 1}}


def told(page: str, name: str) -> str:
    """What the page says of a lemma."""
    return Page(block(page, name)).text


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """A lemma that needs all, one with a needless hypothesis, one whose proof wants it, and what can go wrong."""
    return of(
        audited("tight", "hacc", "hpid", needed=["hacc", "hpid"], sharp=[SHARP]),
        audited("loose", "hreq", "hbp", "hsize", needed=["hreq", "hbp"], redundant=["hsize"]),
        audited("wanting", "hm", "hacc", needed=["hm"], redundant=["hacc"], wanted=["hacc"]),
        audited("open", "hreq", "hvals", needed=["hreq"], undecided=["hvals"]),
        audited("odd", "ha", "hb", satisfiable=False),
        audited("free", "hi", redundant=["hi"]),
        lemma("alone", known=["proved"]),
    )


@pytest.fixture(scope="module")
def page(data: dict[str, Any]) -> str:
    return render(data)


def test_what_is_written_by_hand_is_a_results_file(data: dict[str, Any]) -> None:
    check(data, "data")


@pytest.mark.parametrize(
    "broken",
    [
        {"needed": "h"},
        {"satisfiable": None},
        {"without": [{"hypothesis": "h"}]},
        {"sets": [{"hypotheses": ["h"], "verdict": "refuted"}]},
        {"by_size": [{"size": -1}]},
        {"witness": {}},
        {"seconds": -1},
    ],
)
def test_the_schema_rejects_what_is_no_audit(data: dict[str, Any], broken: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(data))
    changed["lemmas"][0]["audit"].update(broken)
    with pytest.raises(ResultsError):
        check(changed, "changed")
    del changed["lemmas"][0]["audit"]["seconds"]
    with pytest.raises(ResultsError):
        check(changed, "changed")


def test_the_schema_wants_a_counterexample_where_something_is_refuted(data: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(data))
    changed["lemmas"][0]["audit"]["without"][0]["counterexample"] = None
    with pytest.raises(ResultsError):
        check(changed, "changed")


def test_the_top_has_a_table_and_what_it_shows_in_a_sentence(page: str) -> None:
    said = section(page, TITLE)
    assert said.startswith(
        "3 of 12 hypotheses are needless for the claim, each taken alone, in 3 of 6 lemmas, on tapes of 0–3 nodes; "
        "6 are needed, 3 undecided. "
        "Of the needless, 1 cannot be left out of the given proof at every size."
    )
    assert "Nothing was found that satisfies the hypotheses of odd: what is said of them says nothing." in said
    assert "lemma hacc hpid hreq hbp hsize hm hvals ha hb hi what suffices" in said
    for row in (
        "tight ◆ needed ◆ needed hacc, hpid",
        "loose ◆ needed ◆ needed ◇ redundant hreq, hbp",
        "wanting ◈ wanted by the proof ◆ needed hm",
        "open ◆ needed ? undecided odd",
        "odd ? undecided ? undecided free",
        "free ◇ redundant nothing",
    ):
        assert row in said
    assert "alone" not in said.replace("each taken alone", "")
    for look in HYPOTHESES.values():
        assert look.meaning in said


@pytest.mark.parametrize(
    ("lemmas", "sentence"),
    [
        (
            [audited("l", "h", needed=["h"])],
            "no needless hypothesis among the 1 hypothesis, on tapes of 0–3 nodes; 1",
        ),
        ([audited("l", "h", redundant=["h"])], "1 of 1 hypothesis is needless for the claim, in 1 of 1 lemma, on"),
    ],
)
def test_the_sentence_counts_right(lemmas: list[dict[str, Any]], sentence: str) -> None:
    assert sentence in section(render(of(*lemmas)), TITLE)


def test_each_hypothesis_is_said_to_be_needed_or_not_in_words(page: str) -> None:
    assert "◆ needed hacc: without it the claim is false, on a tape of 1 node." in told(page, "tight")
    assert "◇ redundant hsize: the claim holds without it for tapes of 0–3 nodes." in told(page, "loose")
    assert (
        "◈ wanted by the proof hacc: the claim holds without it for tapes of 0–3 nodes, "
        "but the given proof at every size does not go without it."
    ) in told(page, "wanting")
    assert "? undecided hvals: no answer whether the claim holds without it (timeout)." in told(page, "open")
    assert "Nothing was found that satisfies the hypotheses: what follows says nothing." in told(page, "odd")


def test_the_sets_that_suffice_are_theorems(page: str) -> None:
    assert (
        "The strongest theorem found: no hypothesis can be left out of it, "
        "and every other set that suffices contains it. "
        "hreq, hbp suffice: ✓ proved for tapes of 0–3 nodes 12 obligations, 1.5 s; "
        "at every size too: ✓✓ fully proved, by the lemma's own proof."
    ) in told(page, "loose")
    wanting = told(page, "wanting")
    assert "at every size ? undecided, by the lemma's own proof (the step uses hacc)." in wanting
    assert "no hypothesis is needed: ✓ proved" in told(page, "free")
    assert "No set of hypotheses was shown to suffice. hreq: ? undecided resource limit" in told(page, "open")
    # The set is named once, with its reason.
    assert "There was no answer" not in told(page, "open")


def test_several_smallest_sets_and_one_without_an_answer_are_named() -> None:
    both = audited("l", "ha", "hb", redundant=["ha", "hb"])
    both["audit"].update(minimal_sets=[["ha"], ["hb"]], undecided=[["hc"], []], sets=[])
    said = told(render(of(both)), "l")
    assert "The strongest theorems found: no hypothesis can be left out of them, and" in said
    assert "and every other set that suffices contains one of them." in said
    for kept in ("ha", "hb"):
        assert f"{kept} suffices: ✓ proved for tapes of 0–3 nodes." in said
    assert "There was no answer whether hc suffices." in said
    assert "There was no answer whether the claim holds without any hypothesis." in said
    del both["audit"]["complete"]
    assert "no hypothesis can be left out of them. ha" in told(render(of(both)), "l")


def test_every_fact_of_an_audit_is_in_the_block(data: dict[str, Any], page: str) -> None:
    said = Page(block(page, "tight")).text
    found = data["lemmas"][0]["audit"]
    for text in (found["witness"]["call"], "tape of 0 nodes", "2.5 s"):
        assert text in said
    for name in ("hacc", "hpid"):
        assert f"Counterexample without {name}, at t = 3" in said
    assert said.count(counterexample("tight")["call"]) == 2
    assert "nodes hypotheses needed redundant what suffices 0 can hold none hacc, hpid nothing is needed" in said
    assert "1 can hold hacc, hpid none hacc, hpid" in said
    assert (
        "Is hpid needed with < and not with ≤? ✗ refuted at tape size 1: With pid ≤ t.size the claim is false."
        in said
    )


def test_without_an_audit_nothing_is_said_of_one(data: dict[str, Any], page: str) -> None:
    assert "Audit" not in Page(block(page, "alone")).text
    old = of(lemma("alone", known=["proved"]))
    new = {**old, "lemmas": [{**old["lemmas"][0], "audit": None}]}
    assert render(old) == render(new)
    assert "Audit" not in Page(render(old)).text
    assert "#audit" in Page(page).links


@pytest.mark.parametrize("nasty", ["</style><b>", '"><img src=x>', "<script>"])
def test_text_is_escaped(nasty: str) -> None:
    def named(name: str) -> dict[str, Any]:
        sharp = {**SHARP, "question": name, "answer": name, "counterexample": counterexample(name)}
        made = audited(name, name, needed=[name], sharp=[sharp])
        made["audit"]["sets"][0].update(reason=name, verdict="undecided")
        made["audit"]["witness"] = {"sizes": {name: 1}, "call": name, "parameters": {name: [name]}}
        return of(made)

    plain, page = Page(render(named("harmless"))), Page(render(named(nasty)))
    assert page.tags == plain.tags
    assert page.text.count(nasty) == plain.text.count("harmless")


def test_links_lead_somewhere(page: str) -> None:
    read = Page(page)
    assert len(read.ids) == len(set(read.ids))
    assert all(link[1:] in read.ids for link in read.links if link.startswith("#"))
