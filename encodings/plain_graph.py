"""Plain Python values of graphs, with the methods of `encodings/graph_data.py`, so that one lemma runs on both.

It shares no code with that model; the names of nodes are spelled out once more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtape.encodings.plain import Tape, Value
from symtape.encodings.plain_packs import NodeData, Pack


class LoweredGraph(Value):
    """A tape, and the context that its nodes' values are."""

    def __init__(self, tape: Tape, ctx: Pack) -> None:
        self.tape = tape
        self.ctx = ctx

    def parts(self) -> tuple[Any, ...]:
        return self.tape, self.ctx


class GraphData(Value):
    """`GraphData`: nodes, each over the inputs and all nodes before it."""

    def __init__(self, nodes: Iterable[NodeData]) -> None:
        self.nodes = list(nodes)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.nodes),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nodes!r})"

    def eval(self, x: Pack, d: str) -> Pack:
        context = x
        for node in self.nodes:
            context = context.snoc(node.forward(context, d))
        return context

    def lowerGraphDataToTape(self, x: Pack, d: str) -> LoweredGraph:
        return self._lowered(x, d, "typed-graph")

    def _lowered(self, x: Pack, d: str, name: str) -> LoweredGraph:
        values = self.eval(x, d)
        leaves = [tensor.leaf() for tensor in x.tensors]
        inner = [node.lowered(name, Pack(values.tensors[: len(leaves) + i]), d) for i, node in enumerate(self.nodes)]
        return LoweredGraph(Tape([*leaves, *inner]), values)

    def backpropAllCtx(self, x: Pack, d: str, seed: Pack) -> Pack:
        inputs, values = len(x.tensors), self.eval(x, d)
        gradients = seed
        for i in reversed(range(len(self.nodes))):
            at = inputs + i
            before, own_and_later = Pack(gradients.tensors[:at]), gradients.tensors[at:]
            contribution = self.nodes[i].vjp(Pack(values.tensors[:at]), d, own_and_later[0])
            gradients = Pack([*before.add(contribution).tensors, *own_and_later])
        return gradients

    def lines(self) -> list[str]:
        plural = "node" if len(self.nodes) == 1 else "nodes"
        shown = [f"graph of {len(self.nodes)} {plural}"]
        for i, node in enumerate(self.nodes):
            first, *rest = node.lines()
            shown += [f"[{i}] {first}", *rest]
        return shown


class Graph(GraphData):
    """`Graph`: the same, under its own name for the lowered nodes."""

    def lowerGraphToTape(self, x: Pack, d: str) -> LoweredGraph:
        return self._lowered(x, d, "proof-carrying-graph")
