"""Plain values taken apart and put together again, with one part, or all parts of one kind, replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symtape.encodings.plain import (
    NOWHERE,
    Accumulator,
    Backward,
    Contributions,
    Error,
    Node,
    Ok,
    Result,
    Scalar,
    Shape,
    Tape,
    Tensor,
    entry_count,
)
from symtape.encodings.plain_graph import GraphData
from symtape.encodings.plain_packs import NodeData, Pack, ReverseProgram, ShapeList
from symtape.statement import Argument, Lemma


@dataclass(frozen=True)
class Site:
    """A place in the values at which something stands that may be replaced."""

    kind: str
    """`scalar`, `shape`, `id`, `tensor`, `typed tensor`, `list` (of contributions, as a parameter), `contributions`
    and `answer` (of a `backward`), `backward`, `node`, `node data`, `reverse program`."""
    value: Any


class Rewriting:
    """Rebuilds values. What stands at a site goes through `site`, from the outside in; shapes and scalars, wherever
    they stand, through `shape` and `scalar`.

    A tensor's shape stands in the type of what is `typed`: such a tensor is only ever changed together with all
    others, by a change of a shape everywhere, so that the values keep the types that the lemma's parameters have.
    """

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self._tapes: list[tuple[Tape, Tape]] = []

    def site(self, kind: str, value: Any) -> Any:
        """What is to stand here instead."""
        self.sites.append(Site(kind, value))
        return value

    def shape(self, shape: Shape) -> Shape:
        return shape

    def scalar(self, scalar: Scalar) -> Scalar:
        return self.site("scalar", scalar)

    def fill(self) -> Scalar:
        """The entry of a tensor that has more of them than before."""
        raise ValueError("no tensor grows here")

    # --- the values ---

    def values(self, lemma: Lemma, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a lemma's parameters, rebuilt."""
        arguments = {argument.name: argument for argument in lemma.arguments}
        # tapes first: a reverse program may be completed by one
        order = sorted(values, key=lambda name: not isinstance(values[name], Tape))
        made = {name: self._value(values[name], arguments[name]) for name in order}
        return {name: made[name] for name in values}

    def _value(self, value: Any, argument: Argument) -> Any:
        typed = bool(argument.over)
        if isinstance(value, int) and argument.kind.sized is not None:
            return value
        rebuild: dict[type, Callable[[Any], Any]] = {
            int: lambda i: self.site("id", i),
            tuple: lambda shape: self.site("shape", self.shape(shape)),
            Tensor: self.typed_tensor if typed else self.tensor,
            Accumulator: lambda acc: Accumulator(map(self.tensor, acc.slots)),
            Contributions: lambda listed: self._listed(self.site("list", listed)),
            Node: self.node,
            Tape: self.tape,
            ShapeList: self.shape_list,
            Pack: self.pack,
            NodeData: self.node_data,
            ReverseProgram: self.reverse_program,
        }
        if isinstance(value, GraphData):
            return type(value)(map(self.node_data, value.nodes))
        return rebuild.get(type(value), lambda same: same)(value)

    def tensor(self, tensor: Tensor) -> Tensor:
        return self._tensor(self.site("tensor", tensor))

    def typed_tensor(self, tensor: Tensor) -> Tensor:
        return self._tensor(self.site("typed tensor", tensor))

    def _tensor(self, tensor: Tensor) -> Tensor:
        shape = tensor.shape if tensor.shape == NOWHERE else self.shape(tensor.shape)
        count = entry_count(shape)
        grown = count - len(tensor.entries)
        return Tensor(shape, [*map(self.scalar, tensor.entries[:count]), *(self.fill() for _ in range(grown))])

    def _listed(self, contributions: Contributions) -> Contributions:
        return Contributions((self.site("id", pid), self.tensor(gradient)) for pid, gradient in contributions.items)

    def answer(self, answer: Result) -> Result:
        kept: Result = self.site("answer", answer)
        if isinstance(kept, Error):
            return kept
        return Ok(self._listed(self.site("contributions", kept.value)))

    def backward(self, function: Any) -> Any:
        if not isinstance(function, Backward):
            return function
        function = self.site("backward", function)
        table = {self.tensor(gradient): self.answer(answer) for gradient, answer in function.table.items()}
        return Backward(table, self.answer(function.otherwise))

    def node(self, node: Node) -> Node:
        node = self.site("node", node)
        return Node(self.tensor(node.value), node.requiresGrad, self.backward(node.backward), node.name, node.parents)

    def tape(self, tape: Tape) -> Tape:
        made = Tape(map(self.node, tape.nodes))
        self._tapes.append((tape, made))
        return made

    def shape_list(self, shapes: ShapeList) -> ShapeList:
        return ShapeList(self.site("shape", self.shape(shape)) for shape in shapes.shapes)

    def pack(self, pack: Pack) -> Pack:
        return Pack(map(self.typed_tensor, pack.tensors))

    def node_data(self, node: NodeData) -> NodeData:
        node = self.site("node data", node)
        table = {
            (self.pack(ctx), d, self.typed_tensor(seed)): self.pack(answer)
            for (ctx, d, seed), answer in node.table.items()
        }
        values = {(self.pack(ctx), d): self.typed_tensor(value) for (ctx, d), value in node.values.items()}
        value, otherwise = self.typed_tensor(node.value), self.pack(node.otherwise)
        return NodeData(self.shape(node.shape), value, table, otherwise, values)

    def reverse_program(self, program: ReverseProgram) -> ReverseProgram:
        program = self.site("reverse program", program)
        table = {self.pack(seeds): self.pack(answer) for seeds, answer in program.table.items()}
        # the tape that it is completed by is one of the parameters, and stays so
        tape = next((new for old, new in self._tapes if old == program.tape), program.tape)
        return ReverseProgram(map(self.shape, program.shapes), table, tape)


class Replacing(Rewriting):
    """Puts something else at some sites, which are told by their number."""

    def __init__(self, put: Mapping[int, Any]) -> None:
        super().__init__()
        self._put = put

    def site(self, kind: str, value: Any) -> Any:
        number = len(self.sites)
        super().site(kind, value)
        return self._put.get(number, value)


class Renaming(Rewriting):
    """Puts other shapes and scalars in the place of some, wherever they stand."""

    def __init__(
        self,
        shapes: Mapping[Shape, Shape] | None = None,
        scalars: Callable[[Scalar], Scalar] = lambda scalar: scalar,
        fill: Scalar = None,
    ) -> None:
        super().__init__()
        self._shapes, self._scalars, self._fill = shapes or {}, scalars, fill

    def shape(self, shape: Shape) -> Shape:
        return self._shapes.get(shape, shape)

    def scalar(self, scalar: Scalar) -> Scalar:
        return self._scalars(super().scalar(scalar))

    def fill(self) -> Scalar:
        return self._fill
