"""The one place where Z3 is called."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from symtape.logic import term
from symtape.smt import z3


@dataclass(frozen=True)
class Limits:
    """What one question may cost. `timeout` in seconds of wall clock, `rlimit` in Z3's own units, which count the
    same on every machine; `None` means no limit. `memory` in MiB for the whole process."""

    timeout: float | None = 60.0
    rlimit: int | None = None
    memory: int = 900

    def as_json(self) -> dict[str, Any]:
        return {"timeout": self.timeout, "rlimit": self.rlimit, "memory": self.memory}


@dataclass(frozen=True)
class Answer:
    """What the solver said to one question, at what effort."""

    status: Literal["unsat", "sat", "unknown"]
    seconds: float
    rlimit: int
    core: tuple[str, ...] = ()
    """For `unsat`: the names of the assumptions that were used, none of them needless."""
    reason: str = ""
    """For `unknown`: timeout, resource limit, memory or incomplete."""
    model: Any = None
    """For `sat`."""


def ask(constraints: Iterable[Any], assumptions: Mapping[str, Any], limits: Limits) -> Answer:
    """Whether the constraints and all assumptions can hold together.

    Assumptions are named, and come back in the unsat core by their names. Must be called from one thread only:
    Z3 crashes when two use one context.
    """
    started = time.perf_counter()
    z3.set_param("memory_max_size", limits.memory)
    solver = z3.SimpleSolver()
    solver.set("core.minimize", True)
    solver.set("timeout", 0xFFFFFFFF if limits.timeout is None else max(1, int(limits.timeout * 1000)))
    solver.set("rlimit", limits.rlimit or 0)
    before = _effort(solver)
    try:
        for constraint in constraints:
            solver.add(term(constraint))
        for name, assumption in assumptions.items():
            solver.assert_and_track(term(assumption), name)
        status = solver.check()
    except z3.Z3Exception as problem:
        if "memory" not in str(problem):
            raise
        return Answer("unknown", time.perf_counter() - started, 0, reason="memory")
    seconds = time.perf_counter() - started
    rlimit = max(0, _effort(solver) - before)
    if status == z3.unsat:
        core = tuple(sorted((str(name) for name in solver.unsat_core()), key=list(assumptions).index))
        return Answer("unsat", seconds, rlimit, core=core)
    if status == z3.sat:
        return Answer("sat", seconds, rlimit, model=solver.model())
    return Answer("unknown", seconds, rlimit, reason=_reason(solver.reason_unknown()))


def version() -> str:
    """The solver's version."""
    return str(z3.get_version_string())


def _effort(solver: Any) -> int:
    # Z3 counts for the whole context, so a question's effort is a difference.
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


def _reason(said: str) -> str:
    """One of four words for what Z3 says in several ways."""
    if "timeout" in said:
        return "timeout"
    if "canceled" in said or "resource" in said:
        return "resource limit"
    if "memory" in said:
        return "memory"
    return f"incomplete ({said})" if said else "incomplete"
