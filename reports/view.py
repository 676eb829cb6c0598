"""What the page derives from a results file: everything it shows that does not stand there word for word."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from symtape.bound import DEFAULT_TIMEOUT
from symtape.reports import audit, finding
from symtape.reports.arrows import ARROWS, Arrow, kinds
from symtape.reports.files import pytest_files
from symtape.reports.proof import proof_tree
from symtape.reports.standing import (
    Lemma,
    at_every_size,
    at_known_sizes,
    in_all,
    rests_on_unproved,
    sizes_in_words,
)
from symtape.reports.status import FULLY, NOT_FULLY, STATUSES
from symtape.results import counterexample, used_hypotheses
from symtape.world import ANY_ADDITION

View = dict[str, Any]

ADMITTED = "admitted: "
"""How the proof and the reason of a lemma begin that its author takes to be true."""


def of_results(results: dict[str, Any]) -> View:
    """What the page says of the run as a whole, and the views of its lemmas."""
    options = _asked_with(results["run"])
    lemmas = [of_lemma(lemma, results["bound"], options) for lemma in results["lemmas"]]
    asked = [
        (title, _counts(said))
        for title, said in (
            ("At every size", [each["standing_every"] for each in lemmas]),
            (f"Directly, at {_tape_sizes(lemmas)}", [each["standing_known"] for each in lemmas]),
        )
        if any(said)
    ]
    names = {lemma["name"] for lemma in lemmas}
    drawn = {kind for each in results["lemmas"] for name, kind in kinds(each).items() if name in names}
    return {
        "lemmas": lemmas,
        "names": names,
        "asked": asked,
        "open": [each for each in lemmas if each["verdict"] != "proved"],
        "unproved": [each for each in lemmas if each["unproved"]],
        "refuted": {each["name"] for each in lemmas if each["verdict"] == "refuted"},
        "needless_uses": [each for each in lemmas if each["needless"]],
        "find": finding.choices(lemmas),
        "sizes": sorted({size for lemma in lemmas for size in lemma["at"]}),
        "every_scope": next((each["every"]["scope"]["text"] for each in lemmas if each["every"] is not None), ""),
        "arrows": [arrow for arrow in ARROWS.values() if arrow.kind in drawn],
        "admitted": _admitted(lemmas),
        "overview": audit.overview(results["lemmas"], results["bound"]),
        "used_by": _used_by(lemmas),
        "test_files": pytest_files(results["lemmas"]),
    }


def _used_by(lemmas: Iterable[View]) -> dict[str, list[tuple[str, Arrow]]]:
    """What uses each lemma, and what for: the other end of each arrow."""
    found: dict[str, list[tuple[str, Arrow]]] = {each["name"]: [] for each in lemmas}
    for each in lemmas:
        for name, arrow in each["arrows"]:
            found.setdefault(name, []).append((each["name"], arrow))
    return found


def of_lemma(lemma: Lemma, bound: dict[str, int] | None, options: Sequence[str] = ()) -> View:
    """A lemma of a results file with what the page derives from it. `options` are the run's own on the command line:
    where its lemmas are, and how long it was to look."""
    uses = [(name, ARROWS[kind]) for name, kind in kinds(lemma).items()]
    return {
        **lemma,
        "standing": in_all(lemma),
        "every": lemma.get("every_size"),
        "standing_every": at_every_size(lemma),
        "standing_known": at_known_sizes(lemma),
        "known_sizes": _tape_sizes([lemma]),
        "known_scope": _known_scope(lemma),
        "at": {each["size"]: each for each in lemma["sizes"]},
        "unproved": rests_on_unproved(lemma),
        "reasons": _reasons(lemma),
        "problems": _problems(lemma),
        "arrows": uses,
        "needless": [name for name, arrow in uses if arrow.kind == "not needed"],
        "mathematics": lemma.get("mathematics", ""),
        "written": _written(lemma),
        "again": _again(lemma, options),
        "hypotheses": [
            {"mathematics": "", **each, "used": _used(each["name"], lemma)} for each in lemma["hypotheses"]
        ],
        "unused": _unused(lemma),
        "proof": proof_tree(lemma),
        "obligations": [{"smtlib": None, **each} for each in lemma["obligations"]],
        "audited": audit.of_audit(lemma, bound),
        "shown": counterexample(lemma),
        "seconds": sum(o["seconds"] for o in lemma["obligations"]),
        "rlimit": sum(o["rlimit"] for o in lemma["obligations"]),
    }


def _written(lemma: Lemma) -> str:
    """The statement as it stands in Lean, where that is known, else in Python."""
    whole = " ".join(lemma["statement"].split())
    binders = [f"{each['name']} : {each['statement']}" for each in lemma["hypotheses"]]
    if all(binder in whole for binder in binders):
        return str(lemma["statement"])
    return "\n".join([*binders, f"⊢ {lemma['statement']}"])


def _asked_with(run: dict[str, Any]) -> list[str]:
    """The options of a run without which a lemma of it is not found, or not decided, again."""
    try:
        words = shlex.split(run["command"])
    except ValueError:
        words = []
    given = []
    for word, value in zip(words, [*words[1:], ""], strict=False):
        if word == "--encodings" and value:
            given += [word, value]
        elif word.startswith("--encodings="):
            given.append(word)
    limits = run["limits"]
    if limits["timeout"] not in (None, DEFAULT_TIMEOUT):
        given += ["--timeout", f"{limits['timeout']}"]
    if limits["rlimit"] is not None:
        given += ["--rlimit", f"{limits['rlimit']}"]
    return given


def _again(lemma: Lemma, options: Sequence[str]) -> str:
    """The command that decides this lemma alone, as it was decided."""
    scope, words = lemma["scope"], ["symtape", "audit" if lemma.get("audit") else "prove", lemma["name"]]
    if scope.get("every_size"):
        words.append("--all-sizes")
    for option, key in (("--bound", "tape"), ("--contributions", "contributions"), ("--entries", "entries")):
        if key in scope:
            words += [option, str(scope[key])]
    if scope.get("scalar", ANY_ADDITION) != ANY_ADDITION:
        words += ["--scalar", scope["scalar"]]
    return shlex.join([*words, *options])


def _tape_sizes(lemmas: Iterable[Lemma]) -> str:
    """The known sizes that were asked for, in words."""
    return "tape " + sizes_in_words({"sizes": [each for lemma in lemmas for each in lemma["sizes"]]})


def _counts(said: Iterable[str | None]) -> list[tuple[int, str]]:
    """How many lemmas have each status, in the order of the table of statuses."""
    counted = Counter(word for word in said if word is not None)
    return [(counted[word], word) for word in STATUSES if counted[word]]


def _known_scope(lemma: Lemma) -> str:
    """The part of a scope that speaks of known sizes; where both were asked for, it stands behind the other."""
    text: str = lemma["scope"]["text"]
    every = lemma.get("every_size")
    return text if every is None else text.removeprefix(f"{every['scope']['text']}; and directly, ")


def _reasons(lemma: Lemma) -> tuple[str, str]:
    """Why a lemma is not proved, or not fully, at every size and at known sizes."""
    every, known = lemma.get("every_size"), at_known_sizes(lemma)
    if every is None:
        return "", lemma["reason"]
    said = (each["reason"] for each in lemma["sizes"] if each["verdict"] == known and not each["trivial"])
    return every["reason"], next(filter(None, said), "")


def _problems(lemma: Lemma) -> list[tuple[str, str]]:
    """Where a lemma is not proved, and why."""
    asked = zip(
        (at_every_size(lemma), at_known_sizes(lemma)),
        ("every size", _tape_sizes([lemma])),
        _reasons(lemma),
        strict=True,
    )
    proved = (None, FULLY, NOT_FULLY, "proved")
    return [(f"{word} at {where}", reason) for word, where, reason in asked if word not in proved]


def _used(name: str, lemma: Lemma) -> str:
    """Which cores needed a hypothesis, in words; nothing where no cores tell."""
    every = lemma.get("every_size")
    told = {}
    if every is not None and every["verdict"] == "proved":
        told["at every size"] = name in every["hypotheses"]
    if lemma["obligations"]:
        told["at known sizes"] = any(name in o["core"] for o in lemma["obligations"])
    said = {where: "used by a core" if used else "in no core" for where, used in told.items()}
    if len(set(said.values())) == 1:
        return next(iter(said.values()))
    return ", ".join(f"{words} {where}" for where, words in said.items())


def _unused(lemma: Lemma) -> list[str]:
    """The hypotheses that a proved lemma was proved without, wherever it was asked for."""
    if lemma["verdict"] != "proved":
        return []
    used = used_hypotheses(lemma)
    return [each["name"] for each in lemma["hypotheses"] if each["name"] not in used]


def _admitted(lemmas: Iterable[View]) -> list[tuple[str, str, int]]:
    """What is taken to be true without proof: name, why there is none, and how many lemmas rest on it."""
    resting = Counter(name for each in lemmas for name in each["unproved"])
    every = {each["name"]: each["every"] for each in lemmas if each["every"] is not None}
    # An author may admit a lemma that nothing rests on yet.
    openly = {name: 0 for name, said in every.items() if said["proof"].startswith(ADMITTED)}
    reasons = {name: every[name]["reason"] if name in every else "not in this file" for name in openly | resting}
    return [(name, reason.removeprefix(ADMITTED), resting[name]) for name, reason in sorted(reasons.items())]
