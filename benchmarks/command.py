"""What the scripts that answer one question share: their options, and the JSON line that they print."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import z3

from symtape.bound import Case
from symtape.statement import Lemma

LEMMAS = {"loop": "backwardDenseFromLoop_addNode_push", "assembled": "backwardDenseFrom_addNode_lowerNode"}


def options(description: str) -> argparse.ArgumentParser:
    """The size of the tape and the time limit."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--nodes", type=int, default=4, help="nodes on the tape, and slots, and steps (default 4)")
    parser.add_argument("--contributions", type=int, default=2, help="at most so many per node (default 2)")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds of wall clock (default 120)")
    return parser


def baseline_options(description: str) -> argparse.ArgumentParser:
    """Those, and what only a baseline can be told."""
    parser = options(description)
    parser.add_argument("--seed", type=int, default=0, help="Z3's random seed (default 0)")
    parser.add_argument("--solver", choices=("plain", "simple"), default="plain", help="Solver() or SimpleSolver()")
    parser.add_argument("--without-pids", action="store_true", help="drop the hypothesis on ids: it should be sat")
    return parser


def lemma_options(description: str) -> argparse.ArgumentParser:
    """Those, and what symtape's own encoding can be told."""
    parser = options(description)
    parser.add_argument("--lemma", choices=tuple(LEMMAS), default="loop", help="which lemma (default loop)")
    parser.add_argument("--entries", type=int, default=2, help="tensors of at most so many entries (default 2)")
    return parser


def every_size(lemma: Lemma, nodes: int) -> Case:
    """The case in which all of a lemma's sizes are this one."""
    return Case(nodes, tuple((each.name, nodes) for each in lemma.arguments if each.kind.sized is not None))


def report(name: str, asked: argparse.Namespace, answer: Callable[[], str]) -> None:
    """Print a JSON line: what was asked, the answer, and the CPU seconds from the first term to it."""
    started = time.process_time()
    status = answer()
    seconds = time.process_time() - started
    print(json.dumps({"baseline": name, **vars(asked), "status": status, "seconds": round(seconds, 3)}))


def check(formulas: list[Any], asked: argparse.Namespace) -> str:
    """Z3's answer to the conjunction: `unsat`, `sat` or `unknown`."""
    solver = z3.Solver() if asked.solver == "plain" else z3.SimpleSolver()
    solver.set("timeout", int(asked.timeout * 1000))
    solver.set("random_seed", asked.seed)
    solver.add(*formulas)
    return str(solver.check())
