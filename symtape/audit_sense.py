"""Whether the parts of an audit in a results file bear each other out: no report may be greener than its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtape.verdict import Verdict


def contradictions(lemma: dict[str, Any]) -> Iterator[str]:
    """What in the audit of a lemma is not what its other parts say."""
    audit = lemma["audit"]
    stated = [hypothesis["name"] for hypothesis in lemma["hypotheses"]]
    without = audit["without"]
    if [each["hypothesis"] for each in without] != stated:
        yield "not each hypothesis was left out once"
    for name, verdict in (("needed", Verdict.REFUTED), ("redundant", Verdict.PROVED)):
        if audit[name] != [each["hypothesis"] for each in without if each["verdict"] == verdict]:
            yield f"what is called {name} is not what was found without it"
    if any((each["verdict"] == Verdict.REFUTED) != (each["counterexample"] is not None) for each in without):
        yield "a hypothesis has a counterexample against what is said of it"
    yield from _of_sets(audit, lemma["verdict"], set(stated))
    if audit.get("complete"):
        if any(each["verdict"] == Verdict.UNDECIDED for each in without):
            yield "it is called complete, but something is undecided"
        if audit["satisfiable"] != any(each["satisfiable"] for each in audit["by_size"]):
            yield "whether the hypotheses are satisfiable is not what its sizes say"


def _of_sets(audit: dict[str, Any], verdict: str, stated: set[str]) -> Iterator[str]:
    proved = [set(each["hypotheses"]) for each in audit["sets"] if each["verdict"] == Verdict.PROVED]
    if [set(each) for each in audit["minimal_sets"]] != proved:
        yield "the minimal sets are not those that are proved"
    if any(not kept <= stated or any(other < kept for other in proved) for kept in proved):
        yield "a set is not a minimal one of its hypotheses"
    if any(not kept >= set(audit["needed"]) for kept in proved):
        yield "a set is called sufficient without a hypothesis that is needed"
    if any(all(name in kept for kept in proved) for name in audit["redundant"]):
        yield "a hypothesis is called redundant, but no set does without it"
    if proved and verdict == Verdict.REFUTED:
        yield "a set is called sufficient for a claim that is refuted"
    every = [each["every_size"] for each in audit["sets"] if each["every_size"] is not None]
    if any(each["fully"] and each["verdict"] != Verdict.PROVED for each in every):
        yield "a set is called fully proved, and is not proved"
