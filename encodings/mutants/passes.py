"""Mutants of the loop and of the whole pass: which steps are made, in which order, from which array."""

from __future__ import annotations

from typing import Any

from symtape.encodings import plain
from symtape.encodings.backward import NODE_MISSING, Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.mutants._making import LOOP, PASS, Both, answers, edited, mutant
from symtape.encodings.result import Result, failure, success
from symtape.logic import equal, negate
from symtape.naturals import minus, plus
from symtape.recursion import recursive

MICROGRAD = "https://github.com/karpathy/micrograd/pull/102"

# --- which steps: the symbolic loop at n + 1, and the ids that the interpreter visits ---


def _upward(self: Engine, t: Any, n: Any, below: Any, acc: Any) -> Any:
    return below(acc).bind(lambda after: self.backwardDenseFromStep(t, after, n))


def _but_not_the_first(self: Engine, t: Any, n: Any, below: Any, acc: Any) -> Any:
    whole = Engine.backwardDenseFromLoop_succ(self, t, n, below, acc)
    return Result.select(t.world, [(equal(n, 0).holds(), success(t.world, acc))], whole)


def _each_twice(self: Engine, t: Any, n: Any, below: Any, acc: Any) -> Any:
    step = self.backwardDenseFromStep
    return step(t, acc, n).bind(lambda once: step(t, once, n)).bind(below)


STEPS = (
    ("upward", "loop reversed", "The loop visits ids in ascending order.", _upward, lambda self, count: range(count)),
    (
        "first node skipped",
        "loop one short",
        "The loop stops before id 0.",
        _but_not_the_first,
        lambda self, count: range(count - 1, 0, -1),
    ),
    (
        "each node twice",
        "visited twice",
        "The loop visits every id twice.",
        _each_twice,
        lambda self, count: [i for i in range(count - 1, -1, -1) for _ in range(2)],
    ),
    (
        "ids one up",
        "index off by one",
        "The loop visits the id after each that it should.",
        lambda self, t, n, below, acc: self.backwardDenseFromStep(t, acc, plus(n, 1)).bind(below),
        lambda self, count: range(count, 0, -1),
    ),
    (
        "ids one down",
        "index off by one",
        "The loop visits the id before each that it should.",
        lambda self, t, n, below, acc: self.backwardDenseFromStep(t, acc, minus(n, 1)).bind(below),
        lambda self, count: range(count - 2, -2, -1),
    ),
    (
        "only the last node",
        "loop one short",
        "The loop stops after the first step that it makes.",
        lambda self, t, n, below, acc: self.backwardDenseFromStep(t, acc, n),
        lambda self, count: range(count - 1, max(count - 2, -1), -1),
    ),
)

MUTANTS_STEPS = [
    mutant(LOOP, change, operator, doc, symbolic={"backwardDenseFromLoop_succ": symbolic}, plain={"visits": visits})
    for change, operator, doc, symbolic, visits in STEPS
]

# --- how far, and how often ---


def _one_short(self: Engine, t: Any, count: Any, acc: Any) -> Any:
    return recursive(
        t.world,
        "shorter loop",
        count,
        [acc],
        lambda current: success(t.world, current),
        zero=lambda current: success(t.world, current),
        successor=lambda n, _, current: Engine.backwardDenseFromLoop(self, t, n, current),
        given=[self, t],
    )


LENGTHS = (
    (
        "last node skipped",
        "loop one short",
        "The loop starts one below the last id.",
        _one_short,
        lambda self, count: range(count - 2, -1, -1),
    ),
    (
        "one too far",
        "loop one long",
        "The loop starts one above the last id.",
        lambda self, t, count, acc: Engine.backwardDenseFromLoop(self, t, plus(count, 1), acc),
        lambda self, count: range(count, -1, -1),
    ),
    (
        "whole loop twice",
        "visited twice",
        "The whole loop runs twice.",
        lambda self, t, count, acc: Engine.backwardDenseFromLoop(self, t, count, acc).bind(
            lambda after: Engine.backwardDenseFromLoop(self, t, count, after)
        ),
        lambda self, count: [*range(count - 1, -1, -1)] * 2,
    ),
)

MUTANTS_LENGTHS = [
    mutant(LOOP, change, operator, doc, symbolic={"backwardDenseFromLoop": symbolic}, plain={"visits": visits})
    for change, operator, doc, symbolic, visits in LENGTHS
]

# --- what becomes of a step's result ---


def _goes_on(self: Engine, t: Any, n: Any, below: Any, acc: Any) -> Any:
    step = self.backwardDenseFromStep(t, acc, n)
    return below(Result.select(t.world, [(step.ok, step)], success(t.world, acc)).value)


def _goes_on_in_plain_Python(self: Runtime, t: plain.Tape, count: int, acc: plain.Accumulator) -> plain.Result:
    for i in self.visits(count):
        step = self.backwardDenseFromStep(t, acc, i)
        acc = step.value if isinstance(step, plain.Ok) else acc
    return plain.Ok(acc)


def _ends_well(self: Engine, t: Any, n: Any, below: Any, acc: Any) -> Any:
    step = self.backwardDenseFromStep(t, acc, n)
    return Result.select(t.world, [(negate(step.ok), success(t.world, acc))], step.bind(below))


def _ends_well_in_plain_Python(self: Runtime, t: plain.Tape, count: int, acc: plain.Accumulator) -> plain.Result:
    for i in self.visits(count):
        step = self.backwardDenseFromStep(t, acc, i)
        if isinstance(step, plain.Error):
            return plain.Ok(acc)
        acc = step.value
    return plain.Ok(acc)


def _forgets(self: Engine, t: Any, n: Any, below: Any, acc: Any) -> Any:
    return self.backwardDenseFromStep(t, acc, n).bind(lambda _: below(acc))


def _forgets_in_plain_Python(self: Runtime, t: plain.Tape, count: int, acc: plain.Accumulator) -> plain.Result:
    for i in self.visits(count):
        step = self.backwardDenseFromStep(t, acc, i)
        if isinstance(step, plain.Error):
            return step
    return plain.Ok(acc)


def _stops_at_no_flag(self: Engine, t: Any, n: Any, below: Any, acc: Any) -> Any:
    stops = t.getNode(n).exists(lambda node: negate(node.requiresGrad))
    whole = Engine.backwardDenseFromLoop_succ(self, t, n, below, acc)
    return Result.select(t.world, [(stops, success(t.world, acc))], whole)


def _stops_at_no_flag_in_plain_Python(
    self: Runtime, t: plain.Tape, count: int, acc: plain.Accumulator
) -> plain.Result:
    for i in self.visits(count):
        if 0 <= i < t.size and not t.nodes[i].requiresGrad:
            break
        step = self.backwardDenseFromStep(t, acc, i)
        if isinstance(step, plain.Error):
            return step
        acc = step.value
    return plain.Ok(acc)


RESULTS = (
    ("goes on after an error", "error ignored", "A step that fails is skipped.", _goes_on, _goes_on_in_plain_Python),
    (
        "ends well at an error",
        "error ignored",
        "A step that fails ends the loop, with what there was before it.",
        _ends_well,
        _ends_well_in_plain_Python,
    ),
    (
        "forgets",
        "stale read",
        "Every step starts from the initial array, and what it comes to is thrown away.",
        _forgets,
        _forgets_in_plain_Python,
    ),
    (
        "stops at a missing flag",
        "flag ends the loop",
        "The first node that requires no gradient ends the loop instead of being skipped.",
        _stops_at_no_flag,
        _stops_at_no_flag_in_plain_Python,
    ),
)

MUTANTS_RESULTS = [
    *(
        mutant(
            LOOP,
            change,
            operator,
            doc,
            symbolic={"backwardDenseFromLoop_succ": symbolic},
            plain={"backwardDenseFromLoop": interpreted},
        )
        for change, operator, doc, symbolic, interpreted in RESULTS
    ),
    mutant(
        LOOP,
        "over no ids is an error",
        "result replaced",
        "The loop ends with an error instead of what it came to.",
        symbolic={"backwardDenseFromLoop_zero": lambda self, t, acc: failure(t.world, NODE_MISSING)},
        plain={
            "backwardDenseFromLoop": lambda self, t, count, acc: Runtime.backwardDenseFromLoop(
                self, t, count, acc
            ).bind(lambda _: plain.Error(NODE_MISSING))
        },
    ),
]

# --- the whole pass, once the length is right ---


def _again(self: Any, t: Any, acc: Any) -> Any:
    return self.backwardDenseFromLoop(t, t.size, acc).bind(lambda left: self.backwardDenseFromLoop(t, t.size, left))


MUTANTS_PASS = [
    edited(
        PASS,
        "from what a call before left",
        "state survives",
        "The pass starts from what an earlier one from the same array left in it.",
        answers("loop", Both(_again, _again)),
        source=MICROGRAD,
    ),
    edited(
        PASS,
        "one too far",
        "loop one long",
        "The loop is asked for one id more than there are nodes.",
        answers(
            "loop",
            Both(
                lambda run, t, acc: run.backwardDenseFromLoop(t, plus(t.size, 1), acc),
                lambda run, t, acc: run.backwardDenseFromLoop(t, t.size + 1, acc),
            ),
        ),
    ),
    edited(
        PASS,
        "only one step",
        "loop one short",
        "Only the step at the last node is made.",
        answers(
            "loop",
            Both(
                lambda run, t, acc: run.backwardDenseFromStep(t, acc, minus(t.size, 1)),
                lambda run, t, acc: run.backwardDenseFromStep(t, acc, t.size - 1),
            ),
        ),
    ),
    edited(
        PASS,
        "forgets",
        "stale read",
        "What the loop comes to is thrown away, only its errors count.",
        answers(
            "loop",
            Both(
                lambda run, t, acc: run.backwardDenseFromLoop(t, t.size, acc).map(lambda _: acc),
                lambda run, t, acc: run.backwardDenseFromLoop(t, t.size, acc).map(lambda _: acc),
            ),
        ),
    ),
]
