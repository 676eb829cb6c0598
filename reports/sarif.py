"""What is wrong, as SARIF 2.1.0, for what marks it in the source: code scanning, editors.

One result for each lemma that is not proved, by its verdict, and one for each hypothesis that an audit found
needless. The rule is the verdict, not the lemma: rules are few, stay the same from run to run, and can be filtered.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from symtape.reports.standing import Lemma, at_every_size
from symtape.reports.status import HYPOTHESES, REDUNDANT, STATUSES
from symtape.results import counterexample

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
NEEDLESS = "redundant-hypothesis"

LEVELS = {"refuted": "error", "vacuous": "error", "error": "error", "undecided": "warning", NEEDLESS: "note"}
"""How grave a result of each rule is. A kind is not given: any but `fail` has no level and is shown by few."""


def sarif(results: dict[str, Any]) -> str:
    """The log as JSON text."""
    rules = list(LEVELS)
    run = {
        "tool": {
            "driver": {
                "name": "symtape",
                "version": results["symtape"],
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "invocations": [{"executionSuccessful": results["run"]["state"] == "complete"}],
        "results": [
            _result(rules, rule, lemma, message, part)
            for lemma in results["lemmas"]
            for rule, message, part in _found(lemma)
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _rule(rule: str) -> dict[str, Any]:
    meaning = (HYPOTHESES[REDUNDANT] if rule == NEEDLESS else STATUSES[rule]).meaning
    return {
        "id": rule,
        "shortDescription": {"text": f"{meaning[0].upper()}{meaning[1:]}."},
        "defaultConfiguration": {"level": LEVELS[rule]},
    }


def _found(lemma: Lemma) -> Iterator[tuple[str, str, str]]:
    """Rule, message, and what of the lemma it is about."""
    verdict = lemma["verdict"]
    if verdict != "proved":
        said = f"{lemma['name']} is {verdict if verdict != 'error' else 'in error'} {_where(lemma)}"
        reason = f": {lemma['reason']}" if lemma["reason"] else "."
        shown = counterexample(lemma)
        yield verdict, f"{said}{reason}" + (f"\n\nThis replays it:\n{shown['call']}" if shown else ""), ""
    audit = lemma.get("audit") or {"redundant": [], "proof_needs": []}
    for name in audit["redundant"]:
        but = ", but the given proof at every size does not go without it" if name in audit["proof_needs"] else ""
        yield NEEDLESS, f"{lemma['name']} holds without its hypothesis {name}, all others kept{but}.", name


def _where(lemma: Lemma) -> str:
    """The sizes to which the verdict applies."""
    sizes = [str(each["size"]) for each in lemma["sizes"] if each["verdict"] == lemma["verdict"]]
    every = ["every size"] if at_every_size(lemma) == lemma["verdict"] else []
    return "at " + " and ".join([*every, *([f"tape size {', '.join(sizes)}"] if sizes else [])])


def _result(rules: list[str], rule: str, lemma: Lemma, message: str, part: str) -> dict[str, Any]:
    # a reader of logs keeps results apart by this: neither the line nor the reason may count
    print_of = hashlib.sha256("\0".join((rule, lemma["name"], part)).encode("utf-8")).hexdigest()
    return {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": LEVELS[rule],
        "message": {"text": message},
        "locations": [
            {
                "physicalLocation": _physical(lemma["location"]),
                "logicalLocations": [{"fullyQualifiedName": lemma["lean"] or lemma["name"], "kind": "function"}],
            }
        ],
        "partialFingerprints": {"symtapeLemma/v1": print_of},
    }


def _physical(location: dict[str, Any]) -> dict[str, Any]:
    """A place in the source; a lemma that was made by a program may have no line."""
    uri = quote(PurePath(location["file"]).as_posix())
    artifact = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}
    return {**artifact, "region": {"startLine": location["line"]}} if location["line"] > 0 else artifact
