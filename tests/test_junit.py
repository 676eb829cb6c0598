"""JUnit XML: what the usual schema asks for, a case for each thing that was asked, and nothing green that is not."""

from __future__ import annotations

import copy
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtape.reports.junit import allowed, junit
from symtape.reports.page import write_report
from tests.written_audits import counterexample
from tests.written_results import every_size, lemma, results

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "file", "timestamp", "skipped", "tests", "failures", "errors", "time"},
    "properties": set(),
    "property": {"name", "value"},
    "testcase": {"classname", "name", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set(),
}
"""A subset of what Jenkins' `junit-10.xsd` allows, all of it given each time."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


def parsed(data: dict[str, Any]) -> ET.Element:
    """The document, after a look at its structure."""
    root = ET.fromstring(junit(data).encode("utf-8"))
    assert root.tag == "testsuites"
    for each in root.iter():
        assert set(each.attrib) == ATTRIBUTES[each.tag]
        assert {child.tag for child in each} <= CHILDREN.get(each.tag, set())
        for name in {"tests", "failures", "errors", "skipped"} & set(each.attrib):
            assert re.fullmatch(r"\d+", each.attrib[name])
        if "time" in each.attrib:
            assert re.fullmatch(r"\d+\.\d{3}", each.attrib["time"])
        if "timestamp" in each.attrib:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", each.attrib["timestamp"])
    for suite in root:
        assert suite[0].tag == "properties"
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.attrib["tests"])
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert sum(case.find(tag) is not None for case in cases) == int(suite.attrib[name])
        assert all(sum(child.tag != "system-out" for child in case) <= 1 for case in cases)
    for name in ("tests", "failures", "errors"):
        assert int(root.attrib[name]) == sum(int(suite.attrib[name]) for suite in root)
    names = [(case.attrib["classname"], case.attrib["name"]) for case in root.iter("testcase")]
    assert len(names) == len(set(names))
    return root


def refuted() -> dict[str, Any]:
    """A lemma that is proved at size 0 and refuted at size 1."""
    made = lemma("wrong", known=["proved", "refuted"])
    made["obligations"][1]["counterexample"] = counterexample("wrong")
    return made


def outcomes(data: dict[str, Any]) -> dict[str, str]:
    """What each case is to a test runner."""
    return {
        case.attrib["name"]: next((child.tag for child in case if child.tag != "system-out"), "passed")
        for case in parsed(data).iter("testcase")
    }


def test_each_verdict_is_something_to_a_test_runner() -> None:
    words = ["proved", "vacuous", "undecided", "error"]
    assert outcomes(results(lemma("l", known=words), refuted())) == {
        "l at tape size 0": "passed",
        "l at tape size 1": "failure",
        "l at tape size 2": "error",
        "l at tape size 3": "error",
        "wrong at tape size 0": "passed",
        "wrong at tape size 1": "failure",
    }
    open_still = every_size(reason="no proof")
    assert outcomes(results(lemma("l", open_still))) == {"l at every size": "error"}
    assert outcomes(results(lemma("l", every_size(), known=["proved"]))) == {
        "l at every size": "passed",
        "l at tape size 0": "passed",
    }


def test_a_failure_has_the_counterexample() -> None:
    (failure,) = parsed(results(refuted())).iter("failure")
    assert failure.attrib["type"] == "refuted"
    assert failure.text is not None
    assert failure.text.startswith("mine.py:1\nrefuted")
    assert counterexample("wrong")["call"] in failure.text
    assert "≠ right  [0] scalar: 7" in failure.text


def test_what_an_interrupted_run_did_not_come_to_is_skipped_and_nothing_else() -> None:
    data = results(lemma("l", known=["proved", "undecided", "undecided"]))
    data["lemmas"][0]["sizes"][2]["obligations"] = 0
    assert list(outcomes(data).values()) == ["passed", "error", "error"]
    data["run"]["state"] = "interrupted"
    assert list(outcomes(data).values()) == ["passed", "error", "skipped"]


def test_a_proof_that_is_not_full_and_a_trivial_size_say_so() -> None:
    data = results(lemma("l", every_size(admitted=["axiom"], reason="from axiom"), known=["proved"]))
    data["lemmas"][0]["sizes"][0].update(trivial=True, reason="trivial: nothing there")
    said = [each.text for each in parsed(data).iter("system-out")]
    assert said == ["proved, but not fully: it rests on axiom, not proved", "trivial: nothing there"]
    assert set(outcomes(data).values()) == {"passed"}


@pytest.mark.parametrize("nasty", ["]]>", "<&>\"'", "\x00\x1b[31m\x0b", "\ufffe\uffff", "\ud800", "𝛼 ∀\n\t"])
def test_any_text_is_well_formed(nasty: str) -> None:
    made = refuted()
    made.update(name=nasty + "x", group=nasty, lean=nasty, reason=nasty)
    made["sizes"][1]["reason"] = nasty
    made["location"]["file"] = nasty
    made["obligations"][1]["counterexample"]["left"] = [nasty]
    root = parsed(results(made))
    (suite,) = root
    assert suite.attrib["file"] == allowed(nasty)


@given(st.text(st.characters(), max_size=20))
def test_what_xml_can_hold_is_kept_and_the_rest_is_shown(text: str) -> None:
    shown = allowed(text)
    assert allowed(shown) == shown
    assert all(c in shown for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")
    ET.fromstring(f"<a>{shown.translate({38: '', 60: '', 62: ''})}</a>")


def test_older_files_and_no_lemmas() -> None:
    old = copy.deepcopy(results(lemma("l", known=["proved"])))
    del old["lemmas"][0]["every_size"]
    assert len(outcomes(old)) == 1
    assert len(parsed({**old, "lemmas": []})) == 0


def test_it_is_in_the_report(tmp_path: Any) -> None:
    data = results(refuted())
    write_report(data, tmp_path)
    assert (tmp_path / "junit.xml").read_text("utf-8") == junit(data)
