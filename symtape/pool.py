"""Worker processes that can be killed, forked from one that has loaded what they need."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

GRACE = 5.0
"""Seconds that a call may run past its time limit before its process is killed."""
PRELOAD = ["symtape.preload"]
"""What every worker needs, imported once by the process that the workers are forked from."""
GLANCE = 0.01
"""Seconds between two looks of the pool at its workers."""

Schedule = Callable[[Callable[..., Any], list[Any], float | None], "Future[Any]"]
"""Runs a function on arguments in a worker, for so many seconds at most."""


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A process that is started in this block, and those that it forks, never see Ctrl-C: it is our business."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def prepare() -> Any:
    """Start the process that workers are forked from, if there is such a thing here; it loads while we go on.

    Gives the context in which workers are made.
    """
    forked = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if forked else "spawn")
    if forked:
        from multiprocessing import forkserver

        context.set_forkserver_preload(PRELOAD)
        with _deaf_to_interrupts():
            forkserver.ensure_running()
    return context


def ignore_interrupts() -> None:
    """Ctrl-C is the parent's business: it keeps what was finished and stops the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def workers(jobs: int) -> Iterator[Schedule]:
    """A way to run functions in so many worker processes; they are killed when the block is left."""
    context = prepare()
    from pebble import CONSTS, ProcessPool

    CONSTS.sleep_unit = GLANCE
    pool = ProcessPool(max_workers=jobs, context=context, initializer=ignore_interrupts)

    def schedule(function: Callable[..., Any], arguments: list[Any], timeout: float | None) -> Future[Any]:
        deadline = None if timeout is None else timeout + GRACE
        future: Future[Any] = pool.schedule(function, args=arguments, timeout=deadline)
        return future

    try:
        yield schedule
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()
