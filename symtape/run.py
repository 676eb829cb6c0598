"""Executes a plan: proofs at every size, then surveys of known sizes and what they find, in killable processes.

Z3's own time limit is soft and sometimes ignored, so every task has a deadline after which its process is killed;
what it was asked is then undecided.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from symtape.audit_tasks import audits
from symtape.obligation import tape_sizes
from symtape.pool import workers
from symtape.statement import Lemma
from symtape.tasks import Check, Options, Outcome, Survey, Task, Witness
from symtape.verdict import Verdict


@dataclass
class Progress:
    """How far a run has come; what is shown of it is up to the observer."""

    done: int = 0
    known: int = 0
    current: str = ""


Observer = Callable[[Progress], None]


def run(
    lemmas: Sequence[Lemma],
    options: Options,
    observe: Observer = lambda _: None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Outcome:
    """Decide every obligation of the lemmas.

    Small tapes come first, and each size is finished before the next begins: an interrupted run has then said the
    most, and a counterexample is a small one.
    """
    outcome = Outcome()
    tasks = list(_plan(lemmas, options))
    if options.audit:
        tasks += audits(lemmas, options, outcome)
    execute(tasks, options, outcome, observe, meanwhile)
    for findings in outcome.findings.values():
        findings.sort(key=lambda f: (f.size, f.kind, list(f.sizes.values())))
    return outcome


def execute(
    tasks: Iterable[Task],
    options: Options,
    outcome: Outcome,
    observe: Observer = lambda _: None,
    meanwhile: Callable[[], None] = lambda: None,
) -> None:
    """Do the tasks and those that follow from them. An interrupt ends it, and what was finished is kept.

    `meanwhile` is done here once, while the first workers are at work.
    """
    started = time.perf_counter()
    progress = Progress()
    todo = deque(tasks)
    pending: dict[Future[Any], Task] = {}
    with workers(min(options.jobs, max(1, len(todo)))) as schedule:
        try:
            while todo or pending:
                while todo and len(pending) < 2 * options.jobs:
                    task = todo.popleft()
                    function, arguments = task.call(options)
                    pending[schedule(function, arguments, _deadline(task, options))] = task
                progress.known = progress.done + len(pending) + len(todo)
                progress.current = next(iter(pending.values())).name
                observe(progress)
                if progress.done == 0:
                    meanwhile()
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    task = pending.pop(future)
                    progress.done += 1
                    todo.extendleft(reversed(_take(future, task, outcome, options)))
        except KeyboardInterrupt:
            outcome.interrupted = True
    outcome.seconds = time.perf_counter() - started


def _plan(lemmas: Sequence[Lemma], options: Options) -> Iterator[Task]:
    if options.every_size:
        for lemma in lemmas:
            if not lemma.proof.admitted:
                yield Check(lemma)
        for lemma in lemmas:
            yield Witness(lemma)
    if options.bound is not None:
        sizes = {lemma.name: tape_sizes(lemma, options.bound) for lemma in lemmas}
        for size in sorted({size for each in sizes.values() for size in each}):
            for lemma in lemmas:
                if size in sizes[lemma.name]:
                    yield Survey(lemma, size)


def _take(future: Future[Any], task: Task, outcome: Outcome, options: Options) -> Sequence[Task]:
    """Record what a finished task found; the tasks that follow from it."""
    from pebble import ProcessExpired

    try:
        answer = future.result()
    except TimeoutError:
        return task.fail(Verdict.UNDECIDED, "timeout (process killed)", options.limits.timeout or 0.0, outcome)
    except ProcessExpired as problem:
        return task.fail(Verdict.ERROR, f"the worker process died ({problem.exitcode})", 0.0, outcome)
    except Exception as problem:
        return task.fail(Verdict.ERROR, f"{type(problem).__name__}: {problem}", 0.0, outcome)
    return task.take(answer, outcome)


def _deadline(task: Task, options: Options) -> float | None:
    """The seconds after which a task's process is killed."""
    return None if options.limits.timeout is None else options.limits.timeout * task.obligations(options)
