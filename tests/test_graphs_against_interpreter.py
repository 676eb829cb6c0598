"""Packs, leaves and graphs: the symbolic model on concrete values against the plain-Python interpreter.

Also that the comparison reaches what it should, and that every deliberate change of the model makes it fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from symtape.encodings import graph_data, plain
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.graph import TensorPack, Unsnoc
from symtape.encodings.graph_data import GraphData, LoweredGraph
from tests.concrete import Run, interpreted
from tests.concrete_graphs import GRAPH_FUNCTIONS, graph_stream
from tests.test_model_against_interpreter import check

ROUNDS = 12
"""How much of the stream of questions is looked at, for each function."""


@pytest.mark.parametrize("function", GRAPH_FUNCTIONS)
def test_agreement(function: str) -> None:
    for i in range(ROUNDS):
        check(graph_stream(function, i))


def outcome(result: Any) -> str:
    return result.message if isinstance(result, plain.Error) else type(result.value).__name__


REACHED = {
    "lowered node": {"Contributions", "autograd: upstream gradient shape mismatch"},
    "lowered graph backwardDenseFrom": {
        "Accumulator",
        "autograd: initial dense gradient array has wrong length",
        "autograd: gradient array has wrong shape for node",
    },
}


@pytest.mark.parametrize("function", REACHED)
def test_stream_reaches_every_case(function: str) -> None:
    asked = [graph_stream(function, i) for i in range(5 * ROUNDS)]
    assert {outcome(interpreted(question)) for question in asked} >= REACHED[function]


def test_the_reverse_program_mostly_changes_its_seed() -> None:
    asked = [graph_stream("backpropAllCtx", i) for i in range(ROUNDS)]
    changed = [q for q in asked if interpreted(q) != plain.Ok(q.values["seed"].toShapeErasedArray())]
    assert len(changed) > ROUNDS / 2


# --- changes of the model ---


def unsnoc_from_the_front(self: TensorPack) -> Unsnoc:
    return Unsnoc(TensorPack(self.world, self.tensors[1:]), self.tensors[0])


def eval_in_place_of_the_inputs(self: GraphData, x: TensorPack, d: Any) -> TensorPack:
    """Every node's value stands before the inputs."""
    values = EVAL(self, x, d).tensors
    inputs = len(x.tensors)
    return TensorPack(x.world, [*values[inputs:], *values[:inputs]])


def value_of_the_last_node_twice(self: GraphData, x: TensorPack, d: Any) -> LoweredGraph:
    tape, ctx = LOWERED(self, x, d, "typed-graph")
    return LoweredGraph(tape, TensorPack(x.world, [*ctx.tensors[:-1], ctx.tensors[0]]) if ctx.tensors else ctx)


def leaves_last_first(t: Any, x: Any) -> Any:
    return ADD_LEAVES(t, TensorPack(x.world, x.tensors[::-1])) if isinstance(x, TensorPack) else ADD_LEAVES(t, x)


def vjp_on_the_left(self: GraphData, x: TensorPack, d: Any, seed: TensorPack) -> TensorPack:
    if not self.nodes:
        return seed
    before, own = seed.unsnoc()
    contribution = self.last.vjp(self.prefix.eval(x, d), d, own)
    return self.prefix.backpropAllCtx(x, d, contribution.add(before)).snoc(own)


def vjp_left_out(self: GraphData, x: TensorPack, d: Any, seed: TensorPack) -> TensorPack:
    return seed


def vjp_added_at_the_end(self: GraphData, x: TensorPack, d: Any, seed: TensorPack) -> TensorPack:
    """A node's contributions reach its inputs only after these have been passed on."""
    if not self.nodes:
        return seed
    before, own = seed.unsnoc()
    contribution = self.last.vjp(self.prefix.eval(x, d), d, own)
    return self.prefix.backpropAllCtx(x, d, before).add(contribution).snoc(own)


def last_seed_replaced(self: GraphData, x: TensorPack, d: Any, seed: TensorPack) -> TensorPack:
    changed = BACKPROP(self, x, d, seed)
    return changed if not self.nodes else changed.unsnoc().prefix.snoc(self.last.forward(self.prefix.eval(x, d), d))


def indexed_from_zero(self: TensorPack, start: int) -> Any:
    return INDEXED(self, 0)


def failing_differently(message: str, like: Any) -> Any:
    return ERROR("division by zero", like) if hasattr(like, "world") else ERROR(message, like)


EVAL, LOWERED, BACKPROP = GraphData.eval, GraphData._lowered, GraphData.backpropAllCtx
ADD_LEAVES, INDEXED, ERROR = graph_data.addLeaves, TensorPack.toIndexedShapeErasedArray, graph_data.error

CHANGES: list[tuple[str, Any, str, Callable[..., Any]]] = [
    ("append", Accumulator, "append", lambda self, other: Accumulator(self.world, [*other.slots, *self.slots])),
    ("unsnoc last", TensorPack, "unsnoc", unsnoc_from_the_front),
    ("toIndexedShapeErasedArray", TensorPack, "toIndexedShapeErasedArray", indexed_from_zero),
    ("addLeaves values", graph_data, "addLeaves", leaves_last_first),
    ("error", graph_data, "error", failing_differently),
    ("eval", GraphData, "eval", eval_in_place_of_the_inputs),
    ("lowered ctx", GraphData, "lowerGraphDataToTape", value_of_the_last_node_twice),
    ("backpropAllCtx", GraphData, "backpropAllCtx", vjp_on_the_left),
    ("backpropAllCtx", GraphData, "backpropAllCtx", vjp_left_out),
    ("backpropAllCtx", GraphData, "backpropAllCtx", vjp_added_at_the_end),
    ("backpropAllCtx", GraphData, "backpropAllCtx", last_seed_replaced),
]
"""For each change: the function that shows it, where it is made, and what is there instead."""


@pytest.mark.parametrize(("function", "owner", "name", "instead"), CHANGES, ids=[c[3].__name__ for c in CHANGES])
def test_changed_part_is_noticed(
    function: str, owner: Any, name: str, instead: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for question in (graph_stream(function, i) for i in range(60)):
        expected = interpreted(question)
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, instead)
            answer = Run(question).answer()
        if answer != expected:
            assert Run(question).answer() == expected
            return
    pytest.fail("nothing differs")
