"""What runs in a worker process: everything that needs the solver. Arguments and answers are plain data."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from symtape.audit import proved_by
from symtape.bound import Bound, Case
from symtape.discover import discover, discover_equivalence, discover_mutants, discover_runtime
from symtape.evidence import Obligation
from symtape.footprint import Attributes, only_replayed, read
from symtape.kernel import settle, survey, witnessed
from symtape.kill import Cell, decide
from symtape.mutant import Mutant
from symtape.probe import Answered, Probed, probe, stronger
from symtape.questions import at_every_size, write, write_known
from symtape.smallest import smallest_witness
from symtape.solver import Limits
from symtape.statement import Lemma, StatementError
from symtape.theorem import Checked, Refused, check
from symtape.verdict import Verdict

P = ParamSpec("P")
R = TypeVar("R")


def _contained(function: Callable[P, R]) -> Callable[P, R]:
    """A lemma or a proof that asks Python to end is an error like any other: the run goes on. So is an error that
    holds what cannot be sent from one process to another: what is sent is what it says."""

    @wraps(function)
    def contained(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except (SystemExit, KeyboardInterrupt, GeneratorExit) as problem:
            raise RuntimeError(f"{type(problem).__name__}: {problem}") from None
        except Exception as problem:
            if all(isinstance(each, str | int) for each in problem.args):
                raise
            raise RuntimeError(f"{type(problem).__name__}: {problem}") from None

    return contained


@lru_cache(maxsize=8)
def _lemmas(paths: tuple[str, ...]) -> dict[str, Lemma]:
    return discover(paths)


@lru_cache(maxsize=8)
def _mutants(paths: tuple[str, ...]) -> dict[str, Mutant]:
    return discover_mutants(paths)


@lru_cache(maxsize=1)
def _equivalence() -> dict[str, Lemma]:
    return {lemma.name: lemma for lemma in discover_equivalence()}


@_contained
def survey_task(
    paths: tuple[str, ...], name: str, bound: Bound, size: int, scalar: str, limits: Limits
) -> tuple[list[Case], dict[str, Any] | None]:
    """The sizes of a lemma that need asking at one tape size, and the finding on the others."""
    open_cases, excluded = survey(_lemmas(paths)[name], bound, size, scalar, limits)
    return open_cases, None if excluded is None else excluded.as_json()


@_contained
def settle_task(
    paths: tuple[str, ...], name: str, bound: Bound, case: Case, scalar: str, limits: Limits, report: str | None
) -> dict[str, Any]:
    """The finding on one obligation, whose question goes into a report where one is named."""
    if report is not None:
        write_known(_lemmas(paths)[name], case, bound, scalar, Path(report))
    return settle(_lemmas(paths)[name], case, bound, scalar, limits).as_json()


@_contained
def probe_task(
    paths: tuple[str, ...],
    name: str,
    dropped: tuple[str, ...],
    bound: Bound,
    size: int,
    scalar: str,
    limits: Limits,
) -> Probed:
    """What becomes of a claim at one tape size without these hypotheses."""
    return probe(_variant(paths, name, dropped), bound, size, scalar, limits)


@_contained
def stronger_task(
    paths: tuple[str, ...], name: str, conclusion: str, bound: Bound, scalar: str, limits: Limits
) -> Answered | None:
    """Whether a stronger conclusion follows as well; `None` where the claim has none to ask about."""
    return stronger(_lemmas(paths)[name], conclusion, bound, scalar, limits)


@_contained
def smallest_witness_task(
    paths: tuple[str, ...], name: str, bound: Bound, scalar: str, limits: Limits
) -> dict[str, Any] | None:
    """The smallest case that satisfies a lemma's hypotheses and is about something."""
    return smallest_witness(_lemmas(paths)[name], bound, scalar, limits)


@_contained
def baseline_task(
    paths: tuple[str, ...], name: str, bound: Bound, scalar: str, limits: Limits
) -> tuple[Cell, Attributes]:
    """What becomes of a lemma on the runtime, and what it reads of it."""
    lemma = _lemmas(paths)[name]
    return decide(lemma, bound, scalar, limits), read(lemma, bound, discover_runtime())


@_contained
def cell_task(paths: tuple[str, ...], name: str, mutant: str, bound: Bound, scalar: str, limits: Limits) -> Cell:
    """What becomes of a lemma on a mutant. That it is the runtime is said of its interpreter too."""
    changed, lemma = _mutants(paths)[mutant], _lemmas(paths).get(name)
    if lemma is not None:
        return decide(lemma.on_mutant(changed), bound, scalar, limits)
    if only_replayed(changed.engine, discover_runtime()):
        return Cell(Verdict.UNDECIDED, "its interpreter is changed, and its model is not")
    return decide(_equivalence()[name].on_mutant(changed), bound, scalar, limits, apart=True)


def _variant(paths: tuple[str, ...], name: str, dropped: tuple[str, ...]) -> Lemma:
    lemma = _lemmas(paths)[name]
    return lemma.without(*dropped) if dropped else lemma


@_contained
def check_without_task(
    paths: tuple[str, ...], name: str, dropped: tuple[str, ...], route: str, limits: Limits
) -> tuple[Checked | None, str]:
    """What shows a claim at every size without these hypotheses, by one route; or why it does not."""
    try:
        return check(proved_by(_variant(paths, name, dropped), route), _lemmas(paths), limits), ""
    except (Refused, StatementError) as problem:
        return None, str(problem)


@_contained
def check_task(
    paths: tuple[str, ...], name: str, limits: Limits, report: str | None
) -> tuple[Checked | None, str | None, float]:
    """What a lemma's proof at every size has shown, or why it is none; and the seconds that it took. The questions
    go into a report where one is named."""
    lemmas = _lemmas(paths)
    started = time.perf_counter()
    texts: list[tuple[Obligation, str]] = []
    keep = None if report is None else lambda obligation, text: texts.append((obligation, text))
    try:
        checked, refused = check(lemmas[name], lemmas, limits, keep), None
    except (Refused, StatementError) as problem:
        checked, refused = None, str(problem)
    seconds = time.perf_counter() - started
    if report is not None and checked is not None:
        numbers = {id(each): number for number, each in enumerate(checked.obligations)}
        for obligation, text in texts:
            write(Path(report), at_every_size(name, numbers[id(obligation)], obligation), text)
    return checked, refused, seconds


@_contained
def witness_task(paths: tuple[str, ...], name: str, limits: Limits) -> tuple[dict[str, int] | None, str]:
    """The sizes of a small case that satisfies a lemma's hypotheses, or why none was found."""
    return witnessed(_lemmas(paths)[name], limits)
