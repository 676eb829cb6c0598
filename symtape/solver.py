"""The one place where Z3 is called."""

from __future__ import annotations

import time
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import metadata
from typing import Any, Literal

from symtape.bound import DEFAULT_TIMEOUT
from symtape.logic import all_of, same, term
from symtape.smt import z3


@dataclass(frozen=True)
class Limits:
    """What one obligation may cost: `timeout` in seconds of wall clock for all of its questions together, `rlimit`
    for each, in Z3's own units, which count the same on every machine; `None` means no limit. `memory` in MiB, of
    the whole process."""

    timeout: float | None = DEFAULT_TIMEOUT
    rlimit: int | None = None
    memory: int = 900

    def after(self, seconds: float) -> Limits:
        """The limits of the next question when so much time has gone."""
        return self if self.timeout is None else replace(self, timeout=max(0.001, self.timeout - seconds))

    def as_json(self) -> dict[str, Any]:
        return {"timeout": self.timeout, "rlimit": self.rlimit, "memory": self.memory}


@dataclass(frozen=True)
class Answer:
    """What the solver said to one question, at what effort."""

    status: Literal["unsat", "sat", "unknown"]
    seconds: float
    rlimit: int
    core: tuple[Any, ...] = ()
    """For `unsat`: the names of the assumptions that were needed."""
    reason: str = ""
    """For `unknown`: timeout, resource limit, memory or incomplete."""
    model: Any = None
    """For `sat`."""


def ask(
    constraints: Iterable[Any], assumptions: Mapping[str, Any], limits: Limits, keep: Collection[str] = ()
) -> Answer:
    """Whether the constraints and all assumptions can hold together.

    The core of `unsat` is minimal: each assumption that is not in `keep` was tried without, and the set that is
    left was itself answered `unsat`. Assumptions are asserted plainly, not tracked: tracked ones switch off the
    preprocessing that makes the two sides of an equation one term, at 16 nodes a factor of 100.
    Must be called from one thread only: Z3 crashes when two use one context.
    """
    facts = _distinct(term(constraint) for constraint in constraints)
    named = {name: term(assumption) for name, assumption in assumptions.items()}
    checks = _Checks(limits, facts, named)
    status, reason, model = checks.check(list(named))
    if status == z3.sat:
        return Answer("sat", checks.seconds, checks.rlimit, model=model)
    if status != z3.unsat:
        return Answer("unknown", checks.seconds, checks.rlimit, reason=reason)
    core = list(named)
    # Leaving one out may be much harder than the question itself; then it stays in the core.
    allowance = max(1_000_000, 10 * checks.rlimit)
    for name in [name for name in named if name not in keep]:
        rest = [other for other in core if other != name]
        # what is plainly true, or said already, leaves a question that was just answered `unsat`
        told = any(same(named[name], said) for said in (z3.BoolVal(True), *facts, *(named[other] for other in rest)))
        if told or checks.check(rest, allowance)[0] == z3.unsat:
            core = rest
    return Answer("unsat", checks.seconds, checks.rlimit, core=tuple(core))


def smtlib(constraints: Iterable[Any], assumptions: Mapping[str, Any]) -> str:
    """A question as a text in SMT-LIB 2, for other solvers and for reports."""
    solver = z3.Solver()
    solver.add(*_distinct(map(term, (*constraints, *assumptions.values()))))
    return str(solver.to_smt2())


def _distinct(formulas: Iterable[Any]) -> list[Any]:
    return list({formula.get_id(): formula for formula in formulas}.values())


class _Checks:
    """Checks of facts together with some of the named assumptions, under limits, and what they cost together.

    They have a Z3 context to themselves: what else was asked before then cannot change an answer, a model or an
    effort, so the same question has the same counterexample every time.
    """

    def __init__(self, limits: Limits, facts: Sequence[Any], named: Mapping[str, Any]) -> None:
        self._limits = limits
        self._facts = facts
        self._named = named
        self._started = time.perf_counter()
        self._context = z3.Context()
        self.rlimit = 0

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._started

    @cached_property
    def _translated(self) -> list[Any]:
        """The facts and then the assumptions in the checks' own context, translated together since what they share
        is then gone through once."""
        together = z3.AstVector()
        for formula in (*self._facts, *self._named.values()):
            together.push(formula)
        return list(together.translate(self._context))

    def check(self, names: Sequence[str], allowance: int | None = None) -> tuple[Any, str, Any]:
        """The status of the conjunction of the facts and these assumptions, the reason if it is unknown, the model if
        it is satisfiable."""
        z3.set_param("memory_max_size", self._limits.memory)
        solver = z3.Then("simplify", "propagate-values", "solve-eqs", "smt", ctx=self._context).solver()
        if self._limits.timeout is not None:
            solver.set("timeout", max(1, int((self._limits.timeout - self.seconds) * 1000)))
        budgets = [budget for budget in (self._limits.rlimit, allowance) if budget]
        if budgets:
            solver.set("rlimit", min(budgets))
        try:
            assumptions = zip(self._named, self._translated[len(self._facts) :], strict=True)
            solver.add(*self._translated[: len(self._facts)], *(each for name, each in assumptions if name in names))
            status = solver.check()
        except z3.Z3Exception as problem:
            if "memory" not in str(problem):
                raise
            return z3.unknown, "memory", None
        self.rlimit = _effort(solver)
        reason = _reason(solver.reason_unknown()) if status == z3.unknown else ""
        model = solver.model().translate(z3.main_ctx()) if status == z3.sat else None
        return status, reason, model


@lru_cache(maxsize=1)
def version() -> str:
    """The solver's version, without loading it where its package tells."""
    try:
        return ".".join(metadata.version("z3-solver").split(".")[:3])
    except metadata.PackageNotFoundError:
        return str(z3.get_version_string())


def _effort(solver: Any) -> int:
    """Z3's own count of its work, which runs for a whole context."""
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


class Session:
    """Questions about facts that only grow, all in one Z3 context of their own.

    What one part of an every-size proof asks. Its questions are small and share their facts, so that here tracking
    assumptions costs less than asking again; what was asked before is a part of the proof, the same in every run.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._tracked: dict[Hashable, Any] = {}
        self._started = time.perf_counter()
        self._effort = 0

    def require(self, facts: Iterable[Any]) -> None:
        """Add facts that every later question assumes."""
        new = list(facts)
        if new:
            # translated together: what they share is looked at once
            self._solver.add(term(all_of(*new)).translate(self._context))

    def assume(self, name: Hashable, prop: Any) -> None:
        """Give a formula a name, under which questions may assume it."""
        self._tracked[name] = z3.Bool(f"{len(self._tracked)}: {name}", self._context)
        self._solver.add(z3.Implies(self._tracked[name], term(prop).translate(self._context)))

    def ask(
        self, names: Sequence[Hashable], rather_not: Collection[Hashable] = (), leave_out: Collection[Hashable] = ()
    ) -> Answer:
        """Whether the facts and these assumptions can hold together.

        The core of `unsat` was itself answered `unsat`. It has one of `rather_not` only where all others together do
        not do without it, and then none of `leave_out` that the rest of the core does without.
        """
        began, before = time.perf_counter(), self._effort
        status, reason = self._check(names)
        core: list[Hashable] = []
        if status == z3.unsat:
            core, kept = self._core(names), list(names)
            for name in [name for name in names if name in rather_not]:
                kept.remove(name)
                if name in core and self._check(kept)[0] == z3.unsat:
                    core = self._core(kept)
                elif name in core:
                    kept.append(name)
            for name in [name for name in core if name in leave_out]:
                rest = [other for other in core if other != name]
                if self._check(rest)[0] == z3.unsat:
                    core = self._core(rest)
        spent = time.perf_counter() - began
        self._effort = _effort(self._solver)
        said: Literal["unsat", "sat", "unknown"] = (
            "unsat" if status == z3.unsat else "sat" if status == z3.sat else "unknown"
        )
        return Answer(said, spent, self._effort - before, core=tuple(core), reason=reason)

    def smtlib(self, names: Sequence[Hashable]) -> str:
        """The question about these assumptions as a text in SMT-LIB 2."""
        solver = z3.Solver(ctx=self._context)
        solver.add(*self._solver.assertions(), *(self._tracked[name] for name in names))
        return str(solver.to_smt2())

    def _core(self, names: Sequence[Hashable]) -> list[Hashable]:
        """Those of the assumptions of the last question that its answer used."""
        used = {str(literal) for literal in self._solver.unsat_core()}
        return [name for name in names if str(self._tracked[name]) in used]

    def _check(self, names: Sequence[Hashable]) -> tuple[Any, str]:
        z3.set_param("memory_max_size", self._limits.memory)
        if self._limits.timeout is not None:
            left = self._limits.timeout - (time.perf_counter() - self._started)
            self._solver.set("timeout", max(1, int(left * 1000)))
        if self._limits.rlimit:
            self._solver.set("rlimit", self._limits.rlimit)
        try:
            status = self._solver.check(*(self._tracked[name] for name in names))
        except z3.Z3Exception as problem:
            if "memory" not in str(problem):
                raise
            return z3.unknown, "memory"
        return status, _reason(self._solver.reason_unknown()) if status == z3.unknown else ""
