"""What runs in a worker process: everything that needs the solver. Arguments and answers are plain data."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

from symtape.bound import Bound, Case
from symtape.discover import discover
from symtape.kernel import settle, survey, witnessed
from symtape.solver import Limits
from symtape.statement import Lemma, StatementError
from symtape.theorem import Checked, Refused, check


@lru_cache(maxsize=8)
def _lemmas(paths: tuple[str, ...]) -> dict[str, Lemma]:
    return discover(paths)


def survey_task(
    paths: tuple[str, ...], name: str, bound: Bound, size: int, scalar: str, limits: Limits
) -> tuple[list[Case], dict[str, Any] | None]:
    """The sizes of a lemma that need asking at one tape size, and the finding on the others."""
    open_cases, excluded = survey(_lemmas(paths)[name], bound, size, scalar, limits)
    return open_cases, None if excluded is None else excluded.as_json()


def settle_task(
    paths: tuple[str, ...], name: str, bound: Bound, case: Case, scalar: str, limits: Limits
) -> dict[str, Any]:
    """The finding on one obligation."""
    return settle(_lemmas(paths)[name], case, bound, scalar, limits).as_json()


def check_task(paths: tuple[str, ...], name: str, limits: Limits) -> tuple[Checked | None, str | None, float]:
    """What a lemma's proof at every size has shown, or why it is none; and the seconds that it took."""
    lemmas = _lemmas(paths)
    started = time.perf_counter()
    try:
        checked, refused = check(lemmas[name], lemmas, limits), None
    except (Refused, StatementError) as problem:
        checked, refused = None, str(problem)
    return checked, refused, time.perf_counter() - started


def witness_task(paths: tuple[str, ...], name: str, limits: Limits) -> tuple[dict[str, int] | None, str]:
    """The sizes of a small case that satisfies a lemma's hypotheses, or why none was found."""
    return witnessed(_lemmas(paths)[name], limits)
