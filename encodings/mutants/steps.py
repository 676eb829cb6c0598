"""Mutants of a step after its checks: which function runs on what, and how its contributions are added."""

from __future__ import annotations

from typing import Any

from symtape.encodings import plain
from symtape.encodings.backward import INVALID_PARENT, Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.mutants._making import STEP, Both, answers, edited, mutant
from symtape.encodings.result import Result, failure, success
from symtape.logic import equal, negate
from symtape.naturals import less, minus, plus

ENZYME = "https://github.com/EnzymeAD/Enzyme.jl/issues/3477"

# --- what runs, and on what ---


def _next_function(self: Engine, t: Any, acc: Any, i: Any) -> Any:
    own, following = Engine.run(self, t, acc, i), t.getNode(plus(i, 1))
    if following.some is False:
        return own
    return Result.select(t.world, [(following.some, following.node.backward(acc[i]))], own)


RUNNING = (
    (
        "first slot read",
        "slots aliased",
        "A node runs on the first slot instead of its own.",
        "",
        lambda self, t, acc, i: t.nodes[i].backward(acc[0]),
        lambda self, t, acc, i: t.nodes[i].backward(acc[0]),
    ),
    (
        "last slot read",
        "slots aliased",
        "A node runs on the last slot instead of its own.",
        "",
        lambda self, t, acc, i: t.nodes[i].backward(acc[minus(acc.size, 1)]),
        lambda self, t, acc, i: t.nodes[i].backward(acc[acc.size - 1]),
    ),
    (
        "node's value read",
        "operand replaced",
        "A node runs on its value instead of its slot.",
        "",
        lambda self, t, acc, i: t.nodes[i].backward(t.nodes[i].value),
        lambda self, t, acc, i: t.nodes[i].backward(t.nodes[i].value),
    ),
    (
        "slot doubled",
        "operand doubled",
        "A node runs on the sum of its slot with itself.",
        "",
        lambda self, t, acc, i: t.nodes[i].backward(acc[i].plus(acc[i])),
        lambda self, t, acc, i: t.nodes[i].backward(self.plus(acc[i], acc[i])),
    ),
    (
        "first node's function",
        "late binding",
        "Every node runs the backward function of the first.",
        "",
        lambda self, t, acc, i: t.nodes[0].backward(acc[i]),
        lambda self, t, acc, i: t.nodes[0].backward(acc[i]),
    ),
    (
        "last node's function",
        "late binding",
        "Every node runs the backward function of the last, as closures do that share the variable of a loop.",
        ENZYME,
        lambda self, t, acc, i: t.nodes[minus(t.size, 1)].backward(acc[i]),
        lambda self, t, acc, i: t.nodes[-1].backward(acc[i]),
    ),
    (
        "next node's function",
        "index off by one",
        "Every node but the last runs the backward function of the one after it.",
        "",
        _next_function,
        lambda self, t, acc, i: t.nodes[min(i + 1, t.size - 1)].backward(acc[i]),
    ),
)

MUTANTS_RUNNING = [
    mutant(STEP, change, operator, doc, symbolic={"run": symbolic}, plain={"run": interpreted}, source=source)
    for change, operator, doc, source, symbolic, interpreted in RUNNING
]

# --- which contributions are added, in which order ---

LISTS = (
    (
        "contributions reversed",
        "fold reversed",
        "Contributions are added last first.",
        lambda self, emitted: emitted.reverse(),
        lambda self, emitted: plain.Contributions(emitted.items[::-1]),
    ),
    (
        "first contribution lost",
        "fold truncated",
        "The first contribution of every node is lost.",
        lambda self, emitted: emitted.drop(1),
        lambda self, emitted: plain.Contributions(emitted.items[1:]),
    ),
    (
        "last contribution lost",
        "fold truncated",
        "The last contribution of every node is lost.",
        lambda self, emitted: emitted.dropLast(),
        lambda self, emitted: plain.Contributions(emitted.items[:-1]),
    ),
    (
        "only the first contribution",
        "fold truncated",
        "All contributions but the first are lost.",
        lambda self, emitted: emitted.take(1),
        lambda self, emitted: plain.Contributions(emitted.items[:1]),
    ),
)

MUTANTS_LISTS = [
    mutant(STEP, change, operator, doc, symbolic={"contributions": symbolic}, plain={"contributions": interpreted})
    for change, operator, doc, symbolic, interpreted in LISTS
]

# --- how one contribution is added: given the engine, the tape, the array before the step, the node's id, the array
# so far, and the id and gradient of the contribution ---


def _going_on(self: Engine, t: Any, acc: Any, i: Any, state: Any, pid: Any, pg: Any) -> Any:
    after = self.addGradAll(t, state, pid, pg)
    return Result.select(t.world, [(after.ok, after)], success(t.world, state))


def _going_on_in_plain_Python(
    self: Runtime, t: plain.Tape, acc: plain.Accumulator, i: int, state: plain.Accumulator, pid: int, pg: plain.Tensor
) -> plain.Result:
    after = self.addGradAll(t, state, pid, pg)
    return after if after.isOk() else plain.Ok(state)


ADDING = (
    (
        "stale array",
        "stale read",
        "Every contribution is added to the array as it was before the step.",
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, acc, pid, pg),
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, acc, pid, pg),
    ),
    (
        "ids one up",
        "index off by one",
        "Contributions go to the node after the right one.",
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, plus(pid, 1), pg),
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, pid + 1, pg),
    ),
    (
        "ids one down",
        "index off by one",
        "Contributions go to the node before the right one.",
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, minus(pid, 1), pg),
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, pid - 1, pg),
    ),
    (
        "all to the first node",
        "operand replaced",
        "Every contribution goes to the first node.",
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, 0, pg),
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, 0, pg),
    ),
    (
        "all to the node itself",
        "slots aliased",
        "Every contribution goes to the node that emitted it.",
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, i, pg),
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, i, pg),
    ),
    (
        "each contribution twice",
        "visited twice",
        "Every contribution is added twice.",
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, pid, pg).bind(
            lambda once: self.addGradAll(t, once, pid, pg)
        ),
        lambda self, t, acc, i, state, pid, pg: self.addGradAll(t, state, pid, pg).bind(
            lambda once: self.addGradAll(t, once, pid, pg)
        ),
    ),
    (
        "goes on after an error",
        "error ignored",
        "A contribution that cannot be added is passed over.",
        _going_on,
        _going_on_in_plain_Python,
    ),
    (
        "own contributions lost",
        "fold truncated",
        "Contributions of a node to itself are lost.",
        lambda self, t, acc, i, state, pid, pg: Result.select(
            t.world, [(negate(equal(pid, i)), self.addGradAll(t, state, pid, pg))], success(t.world, state)
        ),
        lambda self, t, acc, i, state, pid, pg: plain.Ok(state) if pid == i else self.addGradAll(t, state, pid, pg),
    ),
    (
        "only to lower ids",
        "check added",
        "A contribution to the node itself or to a later one is an error.",
        lambda self, t, acc, i, state, pid, pg: Result.select(
            t.world, [(less(pid, i), self.addGradAll(t, state, pid, pg))], failure(t.world, INVALID_PARENT)
        ),
        lambda self, t, acc, i, state, pid, pg: (
            self.addGradAll(t, state, pid, pg) if pid < i else plain.Error(INVALID_PARENT)
        ),
    ),
)


def _folds(adding: Any) -> Any:
    """The hook `fold` of either engine that adds each contribution so."""

    def fold(self: Any, t: Any, acc: Any, i: Any, emitted: Any) -> Any:
        return emitted.foldlM(lambda state, pid, pg: adding(self, t, acc, i, state, pid, pg), acc)

    return fold


MUTANTS_ADDING = [
    mutant(STEP, change, operator, doc, symbolic={"fold": _folds(symbolic)}, plain={"fold": _folds(interpreted)})
    for change, operator, doc, symbolic, interpreted in ADDING
]

# --- the whole fold, and what comes of a function that fails ---


def _failure_passed_over(self: Engine, t: Any, acc: Any, i: Any) -> Any:
    answer = self.run(t, acc, i)
    return Result.select(t.world, [(answer.ok, self.fold(t, acc, i, answer.value))], success(t.world, acc))


def _failure_passed_over_in_plain_Python(
    self: Runtime, t: plain.Tape, acc: plain.Accumulator, i: int
) -> plain.Result:
    answer = self.run(t, acc, i)
    return answer.bind(lambda emitted: self.fold(t, acc, i, emitted)) if answer.isOk() else plain.Ok(acc)


def _failure_renamed(self: Engine, t: Any, acc: Any, i: Any) -> Any:
    answer = self.run(t, acc, i)
    return Result.select(t.world, [(answer.ok, self.fold(t, acc, i, answer.value))], failure(t.world, INVALID_PARENT))


def _failure_renamed_in_plain_Python(self: Runtime, t: plain.Tape, acc: plain.Accumulator, i: int) -> plain.Result:
    answer = self.run(t, acc, i)
    if not answer.isOk():
        return plain.Error(INVALID_PARENT)
    return answer.bind(lambda emitted: self.fold(t, acc, i, emitted))


def _once_more(self: Any, t: Any, acc: Any, i: Any) -> Any:
    def once(state: Any) -> Any:
        return self.run(t, state, i).bind(lambda emitted: self.fold(t, state, i, emitted))

    return once(acc).bind(once)


MUTANTS_FAILING = [
    edited(
        STEP,
        "failure passed over",
        "error ignored",
        "A backward function that fails emits nothing.",
        answers("fold", Both(_failure_passed_over, _failure_passed_over_in_plain_Python)),
    ),
    edited(
        STEP,
        "failure renamed",
        "message exchanged",
        "A backward function that fails gives a message of the runtime's.",
        answers("fold", Both(_failure_renamed, _failure_renamed_in_plain_Python)),
    ),
    edited(
        STEP,
        "run twice",
        "visited twice",
        "A node's backward function runs a second time, on what its slot holds after the first.",
        answers("fold", Both(_once_more, _once_more)),
    ),
]

WHOLE_FOLDS = (
    (
        "folded twice",
        "visited twice",
        "The contributions of one run are added twice, one after the other.",
        lambda self, t, acc, i, emitted: Engine.fold(self, t, acc, i, emitted).bind(
            lambda after: Engine.fold(self, t, after, i, emitted)
        ),
        lambda self, t, acc, i, emitted: Runtime.fold(self, t, acc, i, emitted).bind(
            lambda after: Runtime.fold(self, t, after, i, emitted)
        ),
    ),
    (
        "fold forgotten",
        "result replaced",
        "What the contributions come to is thrown away, only their errors count.",
        lambda self, t, acc, i, emitted: Engine.fold(self, t, acc, i, emitted).map(lambda _: acc),
        lambda self, t, acc, i, emitted: Runtime.fold(self, t, acc, i, emitted).map(lambda _: acc),
    ),
    (
        "own slot doubled",
        "slots aliased",
        "After a step the node's own slot is added to itself.",
        lambda self, t, acc, i, emitted: Engine.fold(self, t, acc, i, emitted).map(
            lambda after: after.set(i, after[i].plus(after[i]))
        ),
        lambda self, t, acc, i, emitted: Runtime.fold(self, t, acc, i, emitted).map(
            lambda after: after.set(i, self.plus(after[i], after[i]))
        ),
    ),
    (
        "own slot restored",
        "stale read",
        "After a step the node's own slot is what it was before.",
        lambda self, t, acc, i, emitted: Engine.fold(self, t, acc, i, emitted).map(
            lambda after: after.set(i, acc[i])
        ),
        lambda self, t, acc, i, emitted: Runtime.fold(self, t, acc, i, emitted).map(
            lambda after: after.set(i, acc[i])
        ),
    ),
)

MUTANTS_WHOLE_FOLDS = [
    mutant(STEP, change, operator, doc, symbolic={"fold": symbolic}, plain={"fold": interpreted})
    for change, operator, doc, symbolic, interpreted in WHOLE_FOLDS
]
