"""The careful rival: the loop lemma in plain z3py, unrolled at one size, without datatypes and without quantifiers.

The state of a run is (ok, message, slots), with one term for each slot. A node's backward function is a handful of
uninterpreted functions of the upstream gradient, and `BackwardPidsLt` is instantiated at each gradient that a run
reads.

The id of a contribution is a term, so its node and slot have to be found. A person may write that in two ways, and
it matters: `cases` works out every check for every id, where node and slot are known; `lookup` chooses node and slot
by nested if-then-else, checks and adds once. The first is the faster, and the default.

Sizes are numbers, as many slots as nodes, and steps visit ids below both. So the rows of the semantics for a slot out
of bounds and for a missing node at a step cannot apply, and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import z3
from command import baseline_options, check, report

Tensor, Shape, Message = (z3.DeclareSort(name) for name in ("Tensor", "Shape", "Message"))
shape = z3.Function("shape", Tensor, Shape)
add = z3.Function("add", Tensor, Tensor, Tensor)
MESSAGES = z3.Consts("INVALID_PARENT WRONG_CONTRIBUTION WRONG_SLOT MISMATCH", Message)
INVALID_PARENT, WRONG_CONTRIBUTION, WRONG_SLOT, MISMATCH = MESSAGES


@dataclass
class Node:
    """What the pass reads of a node; the fields below `shape` are functions of the upstream gradient."""

    requires_grad: Any
    shape: Any
    succeeds: Any
    message: Any
    contributions: list[tuple[Any, Any, Any]]
    """For each: whether it is there, its id, its gradient."""

    @staticmethod
    def arbitrary(i: int, contributions: int) -> Node:
        def function(name: str, sort: Any) -> Any:
            return z3.Function(f"{name}_{i}", Tensor, sort)

        return Node(
            requires_grad=z3.Bool(f"requires_grad_{i}"),
            shape=z3.Const(f"shape_{i}", Shape),
            succeeds=function("succeeds", z3.BoolSort()),
            message=function("message", Message),
            contributions=[
                (function(f"has{k}", z3.BoolSort()), function(f"pid{k}", z3.IntSort()), function(f"g{k}", Tensor))
                for k in range(contributions)
            ],
        )


@dataclass
class State:
    """`ok slots` or `error message`; the slots mean nothing in an error, the message nothing in an ok."""

    ok: Any
    message: Any
    slots: list[Any]


def choose(identifier: Any, values: list[Any]) -> Any:
    """`values[identifier]`, for an id that is in range."""
    chosen = values[0]
    for j, value in enumerate(values[1:], start=1):
        chosen = z3.If(identifier == j, value, chosen)
    return chosen


class Question:
    """The loop lemma at one size, and the facts about the terms that its two runs make."""

    def __init__(self, form: str, with_pids: bool) -> None:
        self.form = form
        self.with_pids = with_pids
        self.facts: list[Any] = [z3.Distinct(*MESSAGES)]

    def formulas(self, nodes: int, contributions: int) -> list[Any]:
        """Hypotheses and negated goal."""
        tape = [Node.arbitrary(i, contributions) for i in range(nodes)]
        extended = [*tape, Node.arbitrary(nodes, contributions)]
        acc = [z3.Const(f"acc_{i}", Tensor) for i in range(nodes)]
        v = z3.Const("v", Tensor)
        left = self.loop(extended, nodes, [*acc, v])
        right = self.loop(tape, nodes, acc)
        slots = [a == b for a, b in zip(left.slots, [*right.slots, v], strict=True)]
        goal = z3.And(left.ok == right.ok, z3.If(left.ok, z3.And(slots), left.message == right.message))
        return [*self.facts, z3.Not(goal)]

    def loop(self, tape: list[Node], count: int, acc: list[Any]) -> State:
        # the message of a run without error is never looked at
        state = State(z3.BoolVal(True), INVALID_PARENT, acc)
        for i in reversed(range(count)):
            step = self.step(tape, state.slots, i)
            state = State(z3.And(state.ok, step.ok), z3.If(state.ok, step.message, state.message), step.slots)
        return state

    def step(self, tape: list[Node], slots: list[Any], i: int) -> State:
        """`backwardDenseFromStep`."""
        node, upstream = tape[i], slots[i]
        shape_fits, succeeds = shape(upstream) == node.shape, node.succeeds(upstream)
        message = z3.If(shape_fits, node.message(upstream), WRONG_SLOT)
        state = State(z3.And(shape_fits, succeeds), message, slots)
        for functions in node.contributions:
            present, pid, g = (function(upstream) for function in functions)
            if self.with_pids:
                self.facts.append(z3.Implies(z3.And(succeeds, present), z3.And(pid >= 0, pid < i)))
            state = self.add_grad_all(tape, state, present, pid, g)
        return State(
            z3.Or(z3.Not(node.requires_grad), state.ok),
            state.message,
            [z3.If(node.requires_grad, after, before) for after, before in zip(state.slots, slots, strict=True)],
        )

    def add_grad_all(self, tape: list[Node], before: State, present: Any, pid: Any, g: Any) -> State:
        """`addGradAll` of a contribution, if it is present."""
        hits = [pid == j for j in range(len(tape))]
        flags, shapes = [node.requires_grad for node in tape], [node.shape for node in tape]
        if self.form == "cases":
            rows = list(zip(hits, flags, shapes, before.slots, strict=True))
        else:
            rows = [(z3.Or(hits), choose(pid, flags), choose(pid, shapes), choose(pid, before.slots))]
        fine, message, totals = [], INVALID_PARENT, []
        for hit, requires_grad, node_shape, slot in rows:
            checks = [
                (shape(g) == node_shape, WRONG_CONTRIBUTION),
                (shape(slot) == node_shape, WRONG_SLOT),
                (shape(slot) == shape(g), MISMATCH),
            ]
            first_failure = MISMATCH
            for holds, otherwise in reversed(checks[:-1]):
                first_failure = z3.If(holds, first_failure, otherwise)
            fine.append(z3.And(hit, z3.Or(z3.Not(requires_grad), z3.And([holds for holds, _ in checks]))))
            message = z3.If(hit, first_failure, message)
            total = add(slot, g)
            self.facts.append(shape(total) == shape(slot))
            totals.append(total)
        if self.form == "lookup":
            totals *= len(tape)
        return State(
            z3.And(before.ok, z3.Implies(present, z3.Or(fine))),
            z3.If(before.ok, message, before.message),
            [
                z3.If(z3.And(present, hit, flag), total, slot)
                for hit, flag, total, slot in zip(hits, flags, totals, before.slots, strict=True)
            ],
        )


def main() -> None:
    parser = baseline_options("The loop lemma in z3py, without datatypes and quantifiers, unrolled at one size.")
    parser.add_argument("--form", choices=("cases", "lookup"), default="cases", help="how an id finds its slot")
    asked = parser.parse_args()

    def answer() -> str:
        question = Question(asked.form, not asked.without_pids)
        return check(question.formulas(asked.nodes, asked.contributions), asked)

    report("flat", asked, answer)


if __name__ == "__main__":
    main()
