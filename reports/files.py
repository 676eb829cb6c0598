"""The files of a report that are made of one counterexample each, or of one model that did not replay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from symtape.results import counterexample, write

TESTS = "counterexamples"
KILLS = "mutants"
UNREPLAYED = "unreplayed"
BEGINNINGS = {TESTS: '"""Refutes ', KILLS: '"""Refutes ', UNREPLAYED: '{\n "call": '}
"""How the files in these folders begin: others are not ours, and are left alone."""


def pytest_files(lemmas: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Where in the report the test file of each refuted claim stands: of a lemma by its name, of one without a
    hypothesis that an audit found needed by that name."""
    return _test_places(TESTS, _tests(lemmas))


def _tests(lemmas: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The test of each refuted claim."""
    shown = {}
    for lemma in lemmas:
        shown[lemma["name"]] = counterexample(lemma)
        for each in (lemma.get("audit") or {"without": []})["without"]:
            shown[f"{lemma['name']} without {each['hypothesis']}"] = each["counterexample"]
    return {name: each["pytest"] for name, each in shown.items() if each and each.get("pytest")}


def _test_places(folder: str, names: Iterable[str]) -> dict[str, str]:
    return {name: f"{folder}/test_{safe}.py" for name, safe in _safe_names(names).items()}


def write_kills(shown: dict[str, dict[str, Any] | None], folder: Path) -> None:
    """Write the test file of each mutant's counterexample; those of an earlier run go. Raises `OSError`."""
    tests = {name: each["pytest"] for name, each in shown.items() if each and each.get("pytest")}
    _write({place: tests[name] for name, place in _test_places(KILLS, tests).items()}, folder, (KILLS,))


def write_files(lemmas: list[dict[str, Any]], folder: Path) -> None:
    """Write the test files and the models that did not replay. Raises `OSError`.

    What an earlier run left in these two folders of the report is taken away: it would be evidence for what this run
    does not say.
    """
    unreplayed = {o["name"]: o["unreplayed"] for each in lemmas for o in each["obligations"] if o.get("unreplayed")}
    for each in lemmas:
        for without in (each.get("audit") or {"without": []})["without"]:
            if without.get("unreplayed"):
                unreplayed[f"{each['name']} without {without['hypothesis']}"] = without["unreplayed"]
    tests = _tests(lemmas)
    texts = {place: tests[name] for name, place in _test_places(TESTS, tests).items()}
    _write(texts | _of_unreplayed(unreplayed), folder, (TESTS, UNREPLAYED))


def write_unreplayed_mutants(mutants: list[dict[str, Any]], folder: Path) -> None:
    """Write the models that did not replay on a mutant. Raises `OSError`."""
    unreplayed = {
        f"{name} on {mutant['name']}": cell["unreplayed"]
        for mutant in mutants
        for name, cell in [*mutant["cells"].items(), ("the runtime", mutant["equivalence"] or {})]
        if cell.get("unreplayed")
    }
    _write(_of_unreplayed(unreplayed), folder, (UNREPLAYED,))


def _of_unreplayed(unreplayed: dict[str, Any]) -> dict[str, str]:
    """The files of models that did not replay, by their places in the report."""
    return {f"{UNREPLAYED}/{safe}.json": _dumped(unreplayed[name]) for name, safe in _safe_names(unreplayed).items()}


def _write(texts: dict[str, str], folder: Path, folders: Iterable[str]) -> None:
    """Write these files, and take away what an earlier run left in these folders."""
    _forget(folder, texts, folders)
    for place, text in texts.items():
        (folder / place).parent.mkdir(exist_ok=True)
        write(folder / place, text)


def _dumped(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _forget(folder: Path, kept: Iterable[str], folders: Iterable[str]) -> None:
    for name in folders:
        beginning = BEGINNINGS[name]
        for old in sorted((folder / name).glob("*")):
            ours = old.is_file() and old.read_text("utf-8", "replace").startswith(beginning)
            if ours and f"{name}/{old.name}" not in kept:
                old.unlink()


def _safe_names(names: Iterable[str]) -> dict[str, str]:
    """Names that any file system takes and Python can import, no two alike."""
    safe: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")[:100] or "lemma"
        taken = {other.lower() for other in safe.values()}
        tries = (plain if i == 1 else f"{plain}_{i}" for i in range(1, len(safe) + 2))
        safe[name] = next(each for each in tries if each.lower() not in taken)
    return safe
