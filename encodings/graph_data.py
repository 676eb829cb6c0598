"""Graphs of nodes over a context, their evaluation, their reverse program, and the tape that they are lowered to.

Each function is a recursion over Lean's two constructors, `nil` and `snoc`, at a known number of nodes. It agrees
with `NN/Proofs/Autograd/Runtime/Link/Core.lean` of TorchLean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from symtape.encodings.accumulator import Contributions
from symtape.encodings.graph import NodeData, ShapeList, TensorPack, lowerNode
from symtape.encodings.parameter import ModelParameter, Name
from symtape.encodings.result import success
from symtape.encodings.tape import Backward, Backwards, Node, Option, Tape
from symtape.encodings.tensor import SomeTensor
from symtape.recursion import recursive
from symtape.smt import z3
from symtape.world import Evaluation, World


class LoweredGraph(NamedTuple):
    """What lowering a graph gives: a tape (Lean's `.1`) and the context of its nodes' values (`.2`)."""

    tape: Any
    ctx: Any

    def leaves(self) -> list[Any]:
        return [*self.tape.leaves(), *self.ctx.leaves()]

    def like(self, leaves: Sequence[Any]) -> LoweredGraph:
        *nodes, ctx = leaves
        return LoweredGraph(self.tape.like(nodes), self.ctx.like([ctx]))


class Seeded(NamedTuple):
    """A graph and a pack over its whole context: what `backpropAllCtx` recurs over."""

    g: Any
    seed: Any

    def leaves(self) -> list[Any]:
        return [*self.g.leaves(), *self.seed.leaves()]

    def like(self, leaves: Sequence[Any]) -> Seeded:
        return self._over(self.g.like(leaves[:-1]), leaves)

    def sized(self, leaves: Sequence[Any], count: Any) -> Seeded:
        return self._over(self.g.sized(leaves[:-1], count), leaves)

    def _over(self, g: Any, leaves: Sequence[Any]) -> Seeded:
        return Seeded(g, g.context(self.seed).like(leaves[-1:]))


class GraphFunctions(ABC):
    """What is computed of a graph, by recursion over Lean's two constructors `nil` and `snoc`. Raises
    `StatementError` for packs over other shapes than the graph's."""

    world: World
    inputs: Any
    count: Any
    prefix: Any
    last: Any

    @property
    @abstractmethod
    def shapes(self) -> Any:
        """`Γ ++ ss`."""

    @abstractmethod
    def context(self, x: Any) -> Any:
        """Some pack over `Γ ++ ss`, where `x` is one over `Γ`."""

    def eval(self, x: Any, d: Any) -> Any:
        """`eval g x d : TensorPack α (Γ ++ ss)`: the inputs, then the value of each node."""

        def nil(g: Any) -> Any:
            g.inputs.has_pack(x, "eval")
            return x

        def snoc(_: Any, evaluated: Any, g: Any) -> Any:
            ctx = evaluated(g.prefix)
            return ctx.snoc(g.last.forward(ctx, d))

        return recursive(
            self.world,
            "eval",
            self.count,
            [self],
            lambda g: g.context(x),
            zero=nil,
            successor=snoc,
            given=[self.inputs, x, d],
        )

    def lowerGraphDataToTape(self, x: Any, d: Any) -> LoweredGraph:
        """`lowerGraphDataToTape g x d`: the inputs as leaves, then each node lowered at its context."""
        return self._lowered(x, d, "typed-graph")

    def lowerGraphToTape(self, x: Any, d: Any) -> LoweredGraph:
        """`lowerGraphToTape g x d`: the same, under another debug name."""
        return self._lowered(x, d, "proof-carrying-graph")

    def _lowered(self, x: Any, d: Any, name: str) -> LoweredGraph:
        def nil(g: Any) -> LoweredGraph:
            g.inputs.has_pack(x, "lowering")
            return LoweredGraph(addLeaves_empty(x), x)

        def snoc(_: Any, lowered: Any, g: Any) -> LoweredGraph:
            tape, ctx = lowered(g.prefix)
            runtime = lowerNode(debugName(name), g.last, ctx, d)
            return LoweredGraph(tape.addNode(runtime).tape, ctx.snoc(g.last.forward(ctx, d)))

        def answer(g: Any) -> LoweredGraph:
            return LoweredGraph(emptyTape(x), g.context(x))

        lowered: LoweredGraph = recursive(
            self.world,
            "lowered",
            self.count,
            [self],
            answer,
            zero=nil,
            successor=snoc,
            given=[self.inputs, x, d, debugName(name)],
        )
        return lowered

    def backpropAllCtx(self, x: Any, d: Any, seed: Any) -> Any:
        """`backpropAllCtx g x d seed : TensorPack α (Γ ++ ss)`: from the last node back, its vjp at its own seed is
        added into the seed of all before it."""

        self.shapes.has_pack(seed, "backpropAllCtx")

        def snoc(_: Any, backprop: Any, at: Seeded) -> Any:
            g, (seedPrev, seedOut) = at.g, at.seed.unsnoc()
            contrib = g.last.vjp(g.prefix.eval(x, d), d, seedOut)
            return backprop(Seeded(g.prefix, seedPrev.add(contrib))).snoc(seedOut)

        return recursive(
            self.world,
            "backpropAllCtx",
            self.count,
            [Seeded(self, seed)],
            lambda at: at.g.context(x),
            zero=lambda at: at.seed,
            successor=snoc,
            given=[self.inputs, x, d],
        )


class GraphData(GraphFunctions, ModelParameter):
    """`GraphData α Δ Γ ss`: `nil : GraphData Γ []`, and `snoc` of a graph over `ss` and a `NodeData (Γ ++ ss) τ`.

    `Annotated[GraphData, over("Γ", "ss")]`. Node i is an arbitrary `NodeData` over `Γ ++ ss[:i]` of shape `ss[i]`.
    The graph's size is that of the tape that it is lowered to, `Γ.length + ss.length`.
    """

    sized = "tape"
    leads = True
    depends = 2
    __iter__ = None

    def __init__(self, world: World, inputs: ShapeList, nodes: Sequence[NodeData]) -> None:
        self.world = world
        self.inputs = inputs
        self.nodes = tuple(nodes)

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> GraphData:
        inputs, ss = over
        nodes = []
        for i, shape in enumerate(ss.shapes):
            before = inputs.append(ShapeList(world, ss.shapes[:i]))
            nodes.append(NodeData.declare(world, f"{name}[{i}]", 0, before, shape))
        return cls(world, inputs, nodes)

    @classmethod
    def fits(cls, size: int, *over: int) -> bool:
        return size == sum(over)

    @classmethod
    def read(cls, value: GraphData, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).graph_data(value)

    @property
    def shapes(self) -> Any:
        return self.inputs.append(ShapeList(self.world, [node.shape for node in self.nodes]))

    def context(self, x: TensorPack) -> TensorPack:
        raise TypeError("a graph of a known number of nodes is computed")

    @property
    def count(self) -> int:
        """How many nodes it has."""
        return len(self.nodes)

    @property
    def prefix(self) -> GraphData:
        """The graph that the last node was put on."""
        return type(self)(self.world, self.inputs, self.nodes[:-1])

    @property
    def last(self) -> NodeData:
        return self.nodes[-1]


class Graph(GraphData):
    """`Graph Δ Γ ss`: in Lean a `GraphData` whose nodes carry a proof that the vjp is the adjoint of the jvp, over a
    commutative semiring.

    Here it carries no proof: it is any `GraphData`, over any addition. So a lemma about it claims more than Lean's,
    which is an instance. The lowering differs in the debug name of the nodes alone.
    """

    @classmethod
    def read(cls, value: GraphData, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).graph(value)


# --- functions of a lemma's text, on values of the model or of the interpreter ---


def leafNodeOfSomeTensor(v: Any) -> Any:
    """The runtime node of an input: it has the value `v`, requires a gradient, and contributes to nothing."""
    if not isinstance(v, SomeTensor):
        return v.leaf()
    world = v.world
    nothing = success(world, Contributions(world, []))
    return Node(
        world,
        name=debugName("none"),
        value=v,
        requiresGrad=True,
        parents=z3.Const("parents #[]", z3.DeclareSort("Parents")),
        # one token: it is the same function for every leaf
        backward=Backward(z3.Const("backward of a leaf", world.share(Backwards).sort), lambda _: nothing),
    )


def emptyTape(x: Any) -> Any:
    """`Tape.empty`, of the model or of the interpreter, as the pack `x` is."""
    return Tape(x.world, []) if isinstance(x, TensorPack) else x.emptyTape()


def addLeaves(t: Any, x: Any) -> Any:
    """`addLeaves t x`: the tape with a leaf for each tensor of the pack."""
    if hasattr(t, "addLeaves"):
        return t.addLeaves(x)
    for tensor in x.tensors:
        t = t.addNode(leafNodeOfSomeTensor(tensor)).tape
    return t


def addLeaves_empty(x: Any) -> Any:
    """`addLeaves Tape.empty x`."""
    return addLeaves(emptyTape(x), x)


def some(node: Any) -> Any:
    """`Option.some node`."""
    return Option(True, node) if isinstance(node, Node) else node.found()


def error(message: str, like: Any) -> Any:
    """`Except.error message`, of the model or of the interpreter, as the tensor or array `like` is."""
    return like.error(message)


def debugName(text: str) -> Any:
    """The debug name `some text` of a node."""
    return z3.Const(f"name {text}", z3.DeclareSort(Name.sort))
