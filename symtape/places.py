"""Where a run's results go: files and folders that the user names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symtape.reports.comparison import Comparison

REPORT_FOLDER = "symtape-report"


class UsageError(Exception):
    """Something the user can mend; the message is the one line that is shown."""


def report_into(results: dict[str, Any], folder: Path, comparison: Comparison | None = None) -> str:
    """Write the report of a run, and give the name of its first page. Raises `UsageError`."""
    from symtape.reports.page import write_report

    _written(lambda: write_report(results, folder, comparison))
    return "index.html"


def mutants_report_into(results: dict[str, Any], folder: Path) -> str:
    """Write the report of a kill matrix, and give the name of its page. Raises `UsageError`."""
    from symtape.reports.mutants import write_mutants_report

    _written(lambda: write_mutants_report(results, folder))
    return "mutants.html"


def forget_questions(folder: Path) -> None:
    """Take away the questions that an earlier run wrote into a report. Raises `UsageError`."""
    from symtape.questions import forget

    _written(lambda: forget(folder))


def _written(write: Callable[[], object]) -> None:
    try:
        write()
    except OSError as problem:
        raise UsageError(f"cannot write the report: {problem}") from problem


def writable(folder: Path) -> Path:
    """The folder, made if it is missing. Raises `UsageError` before any work is done for nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".symtape-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise UsageError(f"cannot write to {folder}: {problem.strerror or problem}") from problem
    return folder


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises `UsageError`."""
    from symtape.results import write

    try:
        write(path, text)
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror or problem}") from problem
