"""The counterexamples that the tests know to exist: to false lemmas, on changed engines, and to the seed without one
of its hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from symtape import Bound, Lemma
from symtape.discover import discover
from symtape.findings import Counterexample
from symtape.results import counterexample
from tests.deciding import decide, lemmas
from tests.test_changed_engines import SEEN
from tests.test_seed import EVERY_HYPOTHESIS, NEEDLESS

FALSE_FILE = Path(__file__).parent / "false_lemmas.py"


def refuted_lemmas() -> dict[str, tuple[Lemma, Bound]]:
    """All lemmas that are refuted within a bound, by name."""
    return {lemma.name: (lemma, bound) for lemma, bound in _refuted_lemmas()}


def _refuted_lemmas() -> Iterator[tuple[Lemma, Bound]]:
    for lemma in discover([FALSE_FILE]).values():
        if lemma.group == "false":
            yield lemma, Bound(2, 2, 2)
    for engine, name in SEEN:
        yield lemmas()[name].on(engine()), Bound(2, 2, 1)
    for name, hypothesis in EVERY_HYPOTHESIS:
        if (name, hypothesis) not in NEEDLESS:
            yield lemmas()[name].without(hypothesis), Bound(2, 2, 2)


@lru_cache
def shown(name: str) -> Counterexample:
    """The counterexample that a report would show of one of these lemmas."""
    lemma, bound = refuted_lemmas()[name]
    findings = decide(lemma, bound, until_refuted=True).findings
    chosen = counterexample({"obligations": [finding.as_json() for finding in findings]})
    if chosen is None:
        raise AssertionError(f"{name} is not refuted")
    return Counterexample.from_json(chosen)
