"""What a first-time user of z3py writes: the loop lemma transcribed into datatypes, arrays and a quantifier, with
the loop and the fold unrolled.

Tensor, node, tape, accumulator and result are datatypes, tapes and accumulators hold Z3 arrays from ids, and
`BackwardPidsLt` is quantified over the upstream gradient. A tensor is a shape and entries of which nothing is known,
so that a sum keeps its shape by construction: with that as a law of opaque tensors Z3 takes longer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3
from command import baseline_options, check, report


def datatype(name: str, **constructors: list[tuple[str, Any]]) -> Any:
    made = z3.Datatype(name)
    for constructor, fields in constructors.items():
        made.declare(constructor, *fields)
    return made.create()


Id = z3.IntSort()
Shape, Entries, Message, Backward = (z3.DeclareSort(name) for name in ("Shape", "Entries", "Message", "Backward"))
Tensor = datatype("Tensor", tensor=[("shape", Shape), ("entries", Entries)])
plus = z3.Function("plus", Tensor, Tensor, Entries)
Node = datatype("Node", node=[("value", Tensor), ("requiresGrad", z3.BoolSort()), ("backward", Backward)])
Tape = datatype("Tape", tape=[("nodes", z3.ArraySort(Id, Node)), ("size", Id)])
Acc = datatype("Acc", acc=[("slots", z3.ArraySort(Id, Tensor)), ("length", Id)])
Result = datatype("Result", ok=[("value", Acc)], error=[("message", Message)])
MESSAGES = z3.Consts("INVALID_PARENT WRONG_CONTRIBUTION OUT_OF_BOUNDS WRONG_SLOT MISMATCH NODE_MISSING", Message)
INVALID_PARENT, WRONG_CONTRIBUTION, OUT_OF_BOUNDS, WRONG_SLOT, MISMATCH, NODE_MISSING = MESSAGES


def first_case(cases: list[tuple[Any, Any]], otherwise: Any) -> Any:
    """The result of the first case that applies."""
    for applies, result in reversed(cases):
        otherwise = z3.If(applies, result, otherwise)
    return otherwise


def bind(result: Any, then: Callable[[Any], Any]) -> Any:
    return z3.If(Result.is_ok(result), then(Result.value(result)), result)


def push(acc: Any, v: Any) -> Any:
    return Acc.acc(z3.Store(Acc.slots(acc), Acc.length(acc), v), Acc.length(acc) + 1)


def addNode(t: Any, nd: Any) -> Any:
    return Tape.tape(z3.Store(Tape.nodes(t), Tape.size(t), nd), Tape.size(t) + 1)


def add(a: Any, b: Any) -> Any:
    """The sum of tensors of one shape."""
    return Tensor.tensor(Tensor.shape(a), plus(a, b))


def missing(t: Any, i: Any) -> Any:
    return z3.Not(z3.And(i >= 0, i < Tape.size(t)))


class Question:
    """The loop lemma at one size."""

    def __init__(self, nodes: int, contributions: int, with_pids: bool) -> None:
        self.nodes = nodes
        self.with_pids = with_pids
        fields = [field for k in range(contributions) for field in ((f"pid{k}", Id), (f"g{k}", Tensor))]
        # a count above the number of fields means all of them, one below 0 none
        self.Answer = datatype("Answer", emitted=[("count", Id), *fields], failed=[("reason", Message)])
        self.emits = [(getattr(self.Answer, f"pid{k}"), getattr(self.Answer, f"g{k}")) for k in range(contributions)]
        self.call = z3.Function("call", Backward, Tensor, self.Answer)

    def formulas(self) -> list[Any]:
        """Hypotheses and negated goal."""
        t, nd, v, acc = (z3.Const(n, s) for n, s in (("t", Tape), ("nd", Node), ("v", Tensor), ("acc", Acc)))
        left = self.loop(addNode(t, nd), push(acc, v))
        right = self.loop(t, acc)
        mapped = z3.If(Result.is_ok(right), Result.ok(push(Result.value(right), v)), right)
        hypotheses = [z3.Distinct(*MESSAGES), Tape.size(t) == self.nodes, Acc.length(acc) == self.nodes]
        if self.with_pids:
            hypotheses += [self.pids_below(t, i) for i in range(self.nodes)]
        return [*hypotheses, left != mapped]

    def pids_below(self, t: Any, i: int) -> Any:
        """`BackwardPidsLt` of node `i`."""
        d = z3.Const("d", Tensor)
        answer = self.call(Node.backward(Tape.nodes(t)[i]), d)
        below = [
            z3.Implies(k < self.Answer.count(answer), z3.And(pid(answer) >= 0, pid(answer) < i))
            for k, (pid, _) in enumerate(self.emits)
        ]
        return z3.ForAll([d], z3.Implies(self.Answer.is_emitted(answer), z3.And(below)))

    def loop(self, t: Any, acc: Any) -> Any:
        state = Result.ok(acc)
        for i in reversed(range(self.nodes)):
            state = bind(state, lambda current, i=i: self.step(t, current, i))
        return state

    def step(self, t: Any, acc: Any, i: int) -> Any:
        """`backwardDenseFromStep`."""
        node, slot = Tape.nodes(t)[i], Acc.slots(acc)[i]
        answer = self.call(Node.backward(node), slot)
        folded = Result.ok(acc)
        for k in range(len(self.emits)):
            folded = bind(folded, lambda current, k=k: self.contribute(t, current, answer, k))
        return first_case(
            [
                (missing(t, z3.IntVal(i)), Result.error(NODE_MISSING)),
                (z3.Not(Node.requiresGrad(node)), Result.ok(acc)),
                (i >= Acc.length(acc), Result.error(OUT_OF_BOUNDS)),
                (Tensor.shape(slot) != Tensor.shape(Node.value(node)), Result.error(WRONG_SLOT)),
                (self.Answer.is_failed(answer), Result.error(self.Answer.reason(answer))),
            ],
            folded,
        )

    def contribute(self, t: Any, acc: Any, answer: Any, k: int) -> Any:
        """Add the k-th contribution, if there is one."""
        pid, g = self.emits[k]
        return z3.If(k < self.Answer.count(answer), self.addGradAll(t, acc, pid(answer), g(answer)), Result.ok(acc))

    def addGradAll(self, t: Any, acc: Any, pid: Any, g: Any) -> Any:
        node, slot = Tape.nodes(t)[pid], Acc.slots(acc)[pid]
        return first_case(
            [
                (missing(t, pid), Result.error(INVALID_PARENT)),
                (z3.Not(Node.requiresGrad(node)), Result.ok(acc)),
                (Tensor.shape(g) != Tensor.shape(Node.value(node)), Result.error(WRONG_CONTRIBUTION)),
                (pid >= Acc.length(acc), Result.error(OUT_OF_BOUNDS)),
                (Tensor.shape(slot) != Tensor.shape(Node.value(node)), Result.error(WRONG_SLOT)),
                (Tensor.shape(slot) != Tensor.shape(g), Result.error(MISMATCH)),
            ],
            Result.ok(Acc.acc(z3.Store(Acc.slots(acc), pid, add(slot, g)), Acc.length(acc))),
        )


def main() -> None:
    description = "The loop lemma in z3py, with datatypes and a quantified hypothesis, unrolled at one size."
    asked = baseline_options(description).parse_args()

    def answer() -> str:
        question = Question(asked.nodes, asked.contributions, not asked.without_pids)
        return check(question.formulas(), asked)

    report("quantified", asked, answer)


if __name__ == "__main__":
    main()
