"""Executes a plan: surveys first, then the obligations that they found, in processes that can be killed.

Z3's own time limit is soft and sometimes ignored, so every task has a deadline after which its process is killed;
what it was asked is then undecided.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from symtape.bound import Bound, Case
from symtape.findings import Finding
from symtape.obligation import obligation_name, tape_sizes
from symtape.solver import Limits
from symtape.statement import Lemma
from symtape.verdict import Verdict
from symtape.worker import PRELOAD, ignore_interrupts, settle_task, survey_task

GRACE = 5.0
"""Seconds that a task may run past its time limit before its process is killed."""


@dataclass(frozen=True)
class Options:
    """What a run was asked to do."""

    bound: Bound = field(default_factory=Bound)
    scalar: str = "uninterpreted"
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    encodings: tuple[str, ...] = ()


@dataclass
class Outcome:
    """What a run found, lemma by lemma."""

    findings: dict[str, list[Finding]] = field(default_factory=lambda: defaultdict(list))
    expected: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    """How many claims each surveyed tape size of a lemma has to settle."""
    interrupted: bool = False
    seconds: float = 0.0


@dataclass
class Progress:
    """How far a run has come; what is shown of it is up to the observer."""

    done: int = 0
    known: int = 0
    current: str = ""


Observer = Callable[[Progress], None]


@dataclass(frozen=True)
class _Task:
    lemma: Lemma
    size: int
    case: Case | None
    """`None`: a survey of all cases at this size."""

    @property
    def name(self) -> str:
        return obligation_name(self.lemma, self.case) if self.case else f"{self.lemma.name}[{self.size}: sizes]"


def run(lemmas: Sequence[Lemma], options: Options, observe: Observer = lambda _: None) -> Outcome:
    """Decide every obligation of the lemmas. An interrupt ends the run, and what was finished is kept.

    Small tapes come first, and each size is finished before the next begins: an interrupted run has then said the
    most, and a counterexample is a small one.
    """
    started = time.perf_counter()
    outcome = Outcome()
    progress = Progress()
    sizes = sorted({size for lemma in lemmas for size in tape_sizes(lemma, options.bound)})
    todo = deque(
        _Task(lemma, size, None) for size in sizes for lemma in lemmas if size in tape_sizes(lemma, options.bound)
    )
    pending: dict[Future[Any], _Task] = {}
    with _pool(min(options.jobs, max(1, len(todo)))) as schedule:
        try:
            while todo or pending:
                while todo and len(pending) < 2 * options.jobs:
                    task = todo.popleft()
                    pending[schedule(task, options)] = task
                progress.known = progress.done + len(pending) + len(todo)
                progress.current = next(iter(pending.values())).name
                observe(progress)
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    task = pending.pop(future)
                    progress.done += 1
                    cases = _take(future, task, outcome, options)
                    todo.extendleft(_Task(task.lemma, task.size, case) for case in reversed(cases))
        except KeyboardInterrupt:
            outcome.interrupted = True
    outcome.seconds = time.perf_counter() - started
    for findings in outcome.findings.values():
        findings.sort(key=lambda f: (f.size, f.kind, list(f.sizes.values())))
    return outcome


def _take(future: Future[Any], task: _Task, outcome: Outcome, options: Options) -> list[Case]:
    """Record a finished task's findings; the cases that a survey found."""
    from pebble import ProcessExpired

    found = outcome.findings[task.lemma.name]
    try:
        answer = future.result()
    except TimeoutError:
        found.append(_failure(task, Verdict.UNDECIDED, "timeout (process killed)", options))
    except ProcessExpired as problem:
        found.append(_failure(task, Verdict.ERROR, f"the worker process died ({problem.exitcode})", options))
    except Exception as problem:
        found.append(_failure(task, Verdict.ERROR, f"{type(problem).__name__}: {problem}", options))
    else:
        if task.case is not None:
            found.append(Finding.from_json(answer))
            return []
        cases, excluded = answer
        outcome.expected[task.lemma.name][task.size] = len(cases)
        if excluded is not None:
            found.append(Finding.from_json(excluded))
        return list(cases)
    return []


def _failure(task: _Task, verdict: Verdict, reason: str, options: Options) -> Finding:
    seconds = (options.limits.timeout or 0.0) if verdict is Verdict.UNDECIDED else 0.0
    sizes = dict(task.case.sizes) if task.case else {}
    return Finding(task.name, task.size, verdict, sizes=sizes, reason=reason, seconds=seconds)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A process that is started in this block, and those that it forks, never see Ctrl-C: it is our business."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _pool(jobs: int) -> Iterator[Callable[[_Task, Options], Future[Any]]]:
    """A way to schedule tasks in worker processes; they are killed when the block is left."""
    from pebble import ProcessPool

    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(PRELOAD)
        from multiprocessing import forkserver

        with _deaf_to_interrupts():
            forkserver.ensure_running()
    pool = ProcessPool(max_workers=jobs, context=context, initializer=ignore_interrupts)

    def schedule(task: _Task, options: Options) -> Future[Any]:
        limits = options.limits
        deadline = None if limits.timeout is None else limits.timeout + GRACE
        common = (options.encodings, task.lemma.name, options.bound)
        args: list[Any] = [*common, task.size if task.case is None else task.case, options.scalar, limits]
        function: Any = survey_task if task.case is None else settle_task
        future: Future[Any] = pool.schedule(function, args=args, timeout=deadline)
        return future

    try:
        yield schedule
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()
