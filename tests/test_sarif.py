"""SARIF: what the 2.1.0 schema requires, a result for each thing that is wrong, and none for what is not."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from symtape.reports.page import write_report
from symtape.reports.sarif import LEVELS, sarif
from tests.test_junit import refuted
from tests.written_audits import audit, counterexample
from tests.written_results import every_size, lemma, results

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}


def strictly(required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


SCHEMA = strictly(
    ["version", "runs"],
    {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": strictly(
                ["tool"],
                {
                    "tool": strictly(
                        ["driver"],
                        {
                            "driver": strictly(
                                ["name"],
                                {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": strictly(
                                            ["id"],
                                            {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                                "defaultConfiguration": strictly([], {"level": LEVEL}),
                                            },
                                        ),
                                    },
                                },
                            )
                        },
                    ),
                    "invocations": {
                        "type": "array",
                        "items": strictly(["executionSuccessful"], {"executionSuccessful": {"type": "boolean"}}),
                    },
                    "results": {
                        "type": "array",
                        "items": strictly(
                            ["message"],
                            {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": LEVEL,
                                "message": TEXT,
                                "locations": {
                                    "type": "array",
                                    "items": strictly(
                                        [],
                                        {
                                            "physicalLocation": strictly(
                                                ["artifactLocation"],
                                                {
                                                    "artifactLocation": strictly(
                                                        [],
                                                        {"uri": {"type": "string"}, "uriBaseId": {"type": "string"}},
                                                    ),
                                                    "region": strictly(
                                                        [], {"startLine": {"type": "integer", "minimum": 1}}
                                                    ),
                                                },
                                            ),
                                            "logicalLocations": {
                                                "type": "array",
                                                "items": strictly(
                                                    [],
                                                    {
                                                        "fullyQualifiedName": {"type": "string"},
                                                        "kind": {"type": "string"},
                                                    },
                                                ),
                                            },
                                        },
                                    ),
                                },
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                            },
                        ),
                    },
                },
            ),
        },
    },
)
"""The part of the OASIS schema that is used here, in which nothing is allowed that is not in that one."""


def found(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The results, after a look at the log as a whole."""
    log = json.loads(sarif(data))
    jsonschema.validate(log, SCHEMA)
    (run,) = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert ids == list(LEVELS)
    for each in run["results"]:
        assert ids[each["ruleIndex"]] == each["ruleId"]
        for location in each["locations"]:
            assert re.fullmatch(r"[\w.~/%-]*", location["physicalLocation"]["artifactLocation"]["uri"], re.ASCII)
    prints = [each["partialFingerprints"]["symtapeLemma/v1"] for each in run["results"]]
    assert len(prints) == len(set(prints))
    loaded: list[dict[str, Any]] = run["results"]
    return loaded


def test_what_is_proved_has_no_result() -> None:
    assert found(results(lemma("l", every_size(), known=["proved", "proved"]))) == []


def test_a_refutation() -> None:
    (result,) = found(results(refuted(), lemma("fine", known=["proved"])))
    assert (result["ruleId"], result["level"]) == ("refuted", "error")
    assert result["message"]["text"].startswith("wrong is refuted at tape size 1.")
    assert counterexample("wrong")["call"] in result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "mine.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 1},
    }


@pytest.mark.parametrize(("word", "level"), [("vacuous", "error"), ("undecided", "warning"), ("error", "error")])
def test_other_verdicts(word: str, level: str) -> None:
    (result,) = found(results(lemma("l", every_size(), known=["proved", word, word])))
    assert (result["ruleId"], result["level"]) == (word, level)
    assert " at tape size 1, 2" in result["message"]["text"]
    assert "every size" not in result["message"]["text"]


def test_a_lemma_without_proof_says_where_and_why() -> None:
    (result,) = found(results(lemma("l", every_size(reason="no proof"), known=["proved"])))
    assert result["message"]["text"] == "l is undecided at every size: no proof"


def test_a_needless_hypothesis_is_a_note_and_a_needed_one_is_nothing() -> None:
    made = lemma("l", known=["proved"], hypotheses=["h", "k", "m"])
    made["audit"] = audit("l", ["h"], ["k", "m"], wanted=["m"])
    first, second = found(results(made))
    assert {each["ruleId"] for each in (first, second)} == {"redundant-hypothesis"}
    assert {each["level"] for each in (first, second)} == {"note"}
    assert first["message"]["text"] == "l holds without its hypothesis k, all others kept."
    assert "m, all others kept, but the given proof at every size" in second["message"]["text"]


def test_a_line_that_moves_and_a_reason_that_changes_are_the_same_result() -> None:
    one, other = lemma("l", known=["undecided"]), lemma("l", known=["undecided"])
    other["location"]["line"], other["reason"] = 99, "resource limit"
    assert found(results(one))[0]["partialFingerprints"] == found(results(other))[0]["partialFingerprints"]


def test_a_file_name_is_a_uri_and_no_line_is_no_region() -> None:
    made = lemma("l", known=["undecided"])
    made["location"] = {"file": "my lemmas/ü#1?.py", "line": 0}
    (result,) = found(results(made))
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "my%20lemmas/%C3%BC%231%3F.py", "uriBaseId": "%SRCROOT%"}
    }


def test_an_interrupted_run_is_not_called_a_success(tmp_path: Any) -> None:
    data = results(refuted())
    assert json.loads(sarif(data))["runs"][0]["invocations"] == [{"executionSuccessful": True}]
    data["run"]["state"] = "interrupted"
    assert json.loads(sarif(data))["runs"][0]["invocations"] == [{"executionSuccessful": False}]
    write_report(data, tmp_path)
    assert (tmp_path / "report.sarif").read_text("utf-8") == sarif(data)
