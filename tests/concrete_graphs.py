"""Random concrete packs, leaves and graphs, asked both of the symbolic model and of the plain-Python interpreter."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from symtape.encodings import graph_data, plain, plain_packs
from symtape.encodings.plain_graph import Graph, GraphData
from symtape.encodings.result import ok
from tests.concrete import EXPRESSIONS, FAR_REACHING, Choose, Maker, Question

GRAPH_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "append": lambda acc, other: ok(acc.append(other)),
    "unsnoc prefix": lambda x: ok(x.unsnoc().prefix.toShapeErasedArray()),
    "unsnoc last": lambda x: ok(x.unsnoc().prefix.snoc(x.unsnoc().last).toShapeErasedArray()),
    "toIndexedShapeErasedArray": lambda x, count: ok(x.toIndexedShapeErasedArray(count)),
    "addLeaves values": lambda t, x: ok(graph_data.addLeaves(t, x).values()),
    "addLeaves backwardDenseFrom": lambda t, x, acc: graph_data.addLeaves(t, x).backwardDenseFrom(acc),
    "leaf backward": lambda v: graph_data.leafNodeOfSomeTensor(v).backward(v),
    "error": lambda v: graph_data.error("autograd: something else", like=v),
    "eval": lambda x, g, d: ok(g.eval(x, d).toShapeErasedArray()),
    "lowered ctx": lambda x, g, d: ok(g.lowerGraphDataToTape(x, d).ctx.toShapeErasedArray()),
    "lowered values": lambda x, g, d: ok(g.lowerGraphDataToTape(x, d).tape.values()),
    "lowered node": lambda x, g, d, count, v: g.lowerGraphDataToTape(x, d).tape.nodes[count].backward(v),
    "lowered graph backwardDenseFrom": lambda x, g, d, acc: g.lowerGraphDataToTape(x, d).tape.backwardDenseFrom(acc),
    "proof-carrying backwardDenseFrom": lambda x, g, d, acc: g.lowerGraphToTape(x, d).tape.backwardDenseFrom(acc),
    "backpropAllCtx": lambda x, g, d, seed: ok(g.backpropAllCtx(x, d, seed).toShapeErasedArray()),
}
EXPRESSIONS.update(GRAPH_FUNCTIONS)


def make_graph(make: Maker, x: plain_packs.Pack, d: str, kind: type[GraphData]) -> GraphData:
    """A graph over the inputs, whose nodes' values depend on context and payload."""
    graph = kind([])
    for _ in range(make.choose((2, 1, 2, 3, 0)[: 5 if len(x.tensors) < 2 else 3])):
        ctx = graph.eval(x, d)
        node = make.node_data(ctx)
        for at, payload in ((ctx, d), (ctx, "elsewhere"), (make.pack(ctx), d)):
            node.values[at, payload] = make.exactly(node.shape)
        graph = kind([*graph.nodes, node])
    return graph


def make_graph_question(function: str, choose: Choose) -> Question:
    """A question about this function."""
    make = Maker(choose, FAR_REACHING)
    x = plain_packs.Pack(make.tensor() for _ in range(choose((2, 1, 2, 0))))
    values: dict[str, Any] = {}
    match function:
        case "append":
            acc, other = (plain.Accumulator(make.tensor() for _ in range(choose((2, 1, 0)))) for _ in range(2))
            values = {"acc": acc, "other": other}
        case "unsnoc prefix" | "unsnoc last":
            values = {"x": x.snoc(make.tensor())}
        case "toIndexedShapeErasedArray":
            values = {"x": x, "count": choose(range(4))}
        case "addLeaves values" | "addLeaves backwardDenseFrom":
            t = make.tape()
            longer = graph_data.addLeaves(t, x)
            values = {"t": t, "x": x}
            if function == "addLeaves backwardDenseFrom":
                values["acc"] = make.accumulator(longer.nodes)
                make.teach(longer, values["acc"], reversed(range(longer.size)))
        case "leaf backward" | "error":
            values = {"v": make.tensor()}
        case _:
            d = choose(("d", "other"))
            kind = Graph if function.startswith("proof-carrying") else GraphData
            g = make_graph(make, x, d, kind)
            values = {"x": x, "g": g, "d": d}
            with plain.using(make.runtime):
                _ask_graph(function, make, values, g.lowerGraphDataToTape(x, d).tape)
    return Question(function, make.arithmetic, values)


def _ask_graph(function: str, make: Maker, values: dict[str, Any], t: plain.Tape) -> None:
    """Add what the function asks of a graph, and let the graph's nodes know what they will be asked."""
    match function:
        case "lowered node":
            # a node without one before it, or an input, would be no question
            i = values["count"] = make.choose(range(t.size)) if t.size else 0
            if t.size == 0:
                values["x"] = plain_packs.Pack([make.tensor()])
                values["g"] = GraphData([])
                t = values["g"].lowerGraphDataToTape(values["x"], values["d"]).tape
            v = values["v"] = make.fitting(t.nodes, i)
            make.teach(t, plain.Accumulator([*t.values().slots[:i], v]), [i])
        case "lowered graph backwardDenseFrom" | "proof-carrying backwardDenseFrom":
            values["acc"] = make.accumulator(t.nodes)
            make.teach(t, values["acc"], reversed(range(t.size)))
        case "backpropAllCtx":
            values["seed"] = make.pack(plain_packs.Pack(t.values().slots))
            make.teach(t, values["seed"].toShapeErasedArray(), reversed(range(t.size)))


@cache
def graph_stream(function: str, number: int) -> Question:
    """The same questions in every run, spread evenly."""
    return make_graph_question(function, Random(f"{function} {number}").choice)
