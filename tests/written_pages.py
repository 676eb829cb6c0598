"""Reports to look at, written by hand: what a reviewer may meet, for the browser tests and for the screenshots."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from symtape.reports.mutants import render as render_mutants
from symtape.reports.page import render
from tests.written_audits import SHARP, audit, counterexample
from tests.written_mutants import small
from tests.written_results import every_size, lemma, obligation, results

THEORY = {
    "node_of_lt": ("Nodes", {}),
    "node_of_last": ("Nodes", {}),
    "slot_push": ("Slots", {"node_of_lt": "state"}),
    "slot_size": ("Slots", {}),
    "fold_push": ("Slots", {"slot_push": "prove", "slot_size": ""}),
    "step_push": ("Pass", {"fold_push": "prove", "node_of_lt": "prove and state"}),
    "step_last": ("Pass", {"node_of_last": "prove"}),
    "loop_push": ("Pass", {"step_push": "prove"}),
    "pass_eq_program": ("Pass", {"loop_push": "prove and state", "step_last": "prove"}),
}
"""Each lemma's group and uses. `pass_eq_program` rests on all others."""


def theory(**changes: dict[str, Any]) -> dict[str, Any]:
    """The theory, proved at every size and at known ones, with other arguments for some of its lemmas."""
    made = []
    for name, (group, uses) in THEORY.items():
        arguments = {"every": every_size(uses), "known": ["proved"] * 4} | changes.get(name, {})
        made.append({**lemma(name, **arguments), "group": group})
    return results(*made)


def all_proved() -> dict[str, Any]:
    return theory()


def one_refuted() -> dict[str, Any]:
    found = theory(
        step_last={
            "every": every_size({"node_of_last": "prove"}, reason="the goal does not follow"),
            "known": ["proved", "refuted", "refuted", "undecided"],
        }
    )
    (lemma,) = [each for each in found["lemmas"] if each["name"] == "step_last"]
    for asked in lemma["obligations"][1:3]:
        asked["counterexample"] = counterexample("step_last")
    return found


def undecided() -> dict[str, Any]:
    admitted = {"admitted": ["slot_push"], "reason": "proved from slot_push, which is not"}
    return theory(
        slot_push={"every": every_size(reason="admitted: on paper", proof="admitted: on paper"), "known": []},
        fold_push={"every": every_size({"slot_push": "prove", "slot_size": ""}, **admitted)},
        step_push={"every": every_size({"fold_push": "prove", "node_of_lt": "prove and state"}, **admitted)},
        loop_push={"every": every_size({"step_push": "prove"}, **admitted)},
        pass_eq_program={
            "every": every_size({"loop_push": "prove and state", "step_last": "prove"}, **admitted),
            "known": ["proved", "proved", "undecided", "undecided"],
        },
    )


def many(count: int = 200, sizes: int = 9, chapter: int = 20) -> dict[str, Any]:
    """Chapters with local chains, as in a library of lemmas; the first lemma of each uses that of the one before."""
    steps = [obligation("step", f"use #{i}", "h", "h") for i in range(6)]
    made = []
    for i in range(count):
        place = i % chapter
        used = {i - 1, i - 1 - place % 4} if place % 5 else {i - place - chapter} if i >= chapter else set()
        uses = {_name(j, chapter): ("prove", "state", "prove and state")[j % 3] for j in sorted(used)}
        open_at = i % 71 == 70
        said = every_size(uses, reason="timeout" if open_at else "", obligations=steps)
        known = ["proved"] * (sizes - 2 * open_at) + ["undecided"] * 2 * open_at
        made.append({**lemma(_name(i, chapter), said, known=known), "group": f"Chapter {i // chapter + 1}"})
    return results(*made)


def _name(i: int, chapter: int) -> str:
    kind = ("push", "lower", "spec", "size")[i % 4]
    return f"backwardDenseFrom_addNode_{kind}_{i // chapter + 1}_{i % chapter}"


def empty() -> dict[str, Any]:
    return {**theory(), "lemmas": [], "counts": {}}


def audits() -> dict[str, Any]:
    tight = {**lemma("tight", known=["proved"], hypotheses=["hacc", "hpid"])}
    loose = {**lemma("loose", known=["proved"], hypotheses=["hreq", "hsize"])}
    return results(
        {**tight, "audit": audit("tight", ["hacc", "hpid"], sharp=[SHARP])},
        {**loose, "audit": audit("loose", ["hreq"], ["hsize"])},
    )


RESULTS: dict[str, Callable[[], dict[str, Any]]] = {
    "all proved": all_proved,
    "one refuted": one_refuted,
    "undecided": undecided,
    "200 lemmas": many,
    "20 sizes": lambda: many(6, 20),
    "empty selection": empty,
    "audit": audits,
}


@cache
def page(name: str) -> str:
    """The page of one of these, or that on mutants."""
    return render_mutants(small()) if name == "mutants" else render(RESULTS[name]())
