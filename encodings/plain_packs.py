"""Plain Python values of packs, of nodes that a graph is lowered to, and of reverse programs: functions as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from symtape.encodings.plain import (
    NOWHERE,
    Accumulator,
    Contributions,
    Node,
    Ok,
    Result,
    RunBy,
    Scalar,
    Shape,
    Tape,
    Tensor,
    Value,
    answered,
    entry_count,
    running,
)

MOST_SEEDS = 4096


class Pack(Value):
    """`TensorPack`: tensors whose shapes are those of a list."""

    def __init__(self, tensors: Iterable[Tensor]) -> None:
        self.tensors = list(tensors)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.tensors),)

    def __repr__(self) -> str:
        return f"Pack({self.tensors!r})"

    def add(self, other: Pack) -> Pack:
        pairs = zip(self.tensors, other.tensors, strict=True)
        return Pack([running().plus(a, b) for a, b in pairs])

    def snoc(self, tensor: Tensor) -> Pack:
        return Pack([*self.tensors, tensor])

    def unsnoc(self) -> Unsnoc:
        if not self.tensors:
            raise ValueError("a pack over no shapes has no last tensor")
        *prefix, last = self.tensors
        return Unsnoc(Pack(prefix), last)

    def emptyTape(self) -> Tape:
        return Tape([])

    def toShapeErasedArray(self) -> Accumulator:
        return Accumulator(self.tensors)

    def toIndexedShapeErasedArray(self, start: int) -> Contributions:
        return Contributions(enumerate(self.tensors, start))

    def lines(self) -> list[str]:
        return [f"pack of {len(self.tensors)}", *(f"[{i}] {t}" for i, t in enumerate(self.tensors))]


class Unsnoc(Value):
    def __init__(self, prefix: Pack, last: Tensor) -> None:
        self.prefix = prefix
        self.last = last

    def parts(self) -> tuple[Any, ...]:
        return self.prefix, self.last


class ShapeList(Value):
    def __init__(self, shapes: Iterable[Shape]) -> None:
        self.shapes = [tuple(s) for s in shapes]

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.shapes),)

    def __repr__(self) -> str:
        return f"ShapeList({self.shapes!r})"

    @property
    def length(self) -> int:
        return len(self.shapes)

    def append(self, other: ShapeList) -> ShapeList:
        return ShapeList(self.shapes + other.shapes)

    def lines(self) -> list[str]:
        return [f"[{', '.join(str(list(s)) for s in self.shapes)}]"]


class NodeData(RunBy, Value):
    """A forward value and a vjp: finite tables, and one answer of each for everything else."""

    def __init__(
        self,
        shape: Sequence[int],
        value: Tensor,
        vjp: dict[tuple[Pack, str, Tensor], Pack],
        otherwise: Pack,
        values: dict[tuple[Pack, str], Tensor] | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.value = value
        self.table = vjp
        self.otherwise = otherwise
        self.values = values or {}

    def parts(self) -> tuple[Any, ...]:
        values = frozenset(self.values.items())
        return self.shape, self.value, frozenset(self.table.items()), self.otherwise, values

    def __repr__(self) -> str:
        values = f", {self.values!r}" if self.values else ""
        return f"NodeData({self.shape!r}, {self.value!r}, {self.table!r}, {self.otherwise!r}{values})"

    def forward(self, ctx: Pack, d: str) -> Tensor:
        return self.values.get((ctx, d), self.value)

    def vjp(self, ctx: Pack, d: str, seed: Tensor) -> Pack:
        return self.table.get((ctx, d, seed), self.otherwise)

    def lowered(self, name: str | None, ctx: Pack, d: str) -> Node:
        runtime = self.runtime
        return Node(runtime.lowered_value(self, ctx, d), runtime.lowered_flag(), Lowered(self, ctx, d), name)

    def lines(self) -> list[str]:
        shown = [f"node of shape {list(self.shape)} with value {self.value}"]
        shown += [f"    value {self._at(ctx, d)} is {value}" for (ctx, d), value in self.values.items()]
        several = len({(ctx, d) for ctx, d, _ in self.table}) > 1
        for (ctx, d, seed), answer in self.table.items():
            where = f" {self._at(ctx, d)}" if several else ""
            shown.append(f"    vjp{where} on {seed} is [{'; '.join(map(str, answer.tensors))}]")
        rest = "on anything else" if self.table else "on every gradient"
        return [*shown, f"    vjp {rest} is [{'; '.join(map(str, self.otherwise.tensors))}]"]

    def _at(self, ctx: Pack, d: str) -> str:
        return f"at [{'; '.join(map(str, ctx.tensors))}], {d}"


class Lowered(Value):
    """The backward function of a lowered node."""

    def __init__(self, node: NodeData, ctx: Pack, d: str) -> None:
        self.node, self.ctx, self.d = node, ctx, d

    def parts(self) -> tuple[Any, ...]:
        node, here = self.node, (self.ctx, self.d)
        table = {seed: answer for (*where, seed), answer in node.table.items() if tuple(where) == here}
        informative = frozenset((seed, answer) for seed, answer in table.items() if answer != node.otherwise)
        return node.shape, informative, node.otherwise

    def __call__(self, gradient: Tensor) -> Result:
        return answered(self, gradient, self.node.runtime.lowered_backward(self.node, self.ctx, self.d, gradient))

    def answers(self) -> list[Result]:
        """Every answer that the function has for some gradient."""
        packs = [*self.node.table.values(), self.node.otherwise]
        mismatch = self(Tensor(NOWHERE, []))
        return [mismatch, *(Ok(self.node.runtime.numbered(pack)) for pack in packs)]


class ReverseProgram(Value):
    """`bp`: a finite table of packs; everywhere else the dense pass of a tape, or the seeds themselves."""

    def __init__(
        self, shapes: ShapeList | Iterable[Shape], table: dict[Pack, Pack], tape: Tape | None = None
    ) -> None:
        self.shapes = shapes.shapes if isinstance(shapes, ShapeList) else [tuple(s) for s in shapes]
        self.table = table
        self.tape = tape

    def parts(self) -> tuple[Any, ...]:
        return tuple(self.shapes), frozenset(self.table.items()), self.tape

    def __repr__(self) -> str:
        completed = f", {self.tape!r}" if self.tape is not None else ""
        return f"ReverseProgram({self.shapes!r}, {self.table!r}{completed})"

    def __call__(self, seeds: Pack) -> Pack:
        if seeds in self.table:
            return self.table[seeds]
        if self.tape is None:
            return seeds
        run = self.tape.backwardDenseFrom(seeds.toShapeErasedArray())
        return Pack(run.value.slots) if isinstance(run, Ok) else seeds

    def agreesWith(self, t: Tape) -> bool:
        """Whether the pass over `t` gives `ok (bp s)` for **every** pack of seeds s over the shapes.

        Of the runtime this is shown: the table agrees, everything else is the pass itself, and the pass succeeds on
        every seed, because the shapes fit and no answer of any node is an error or does not fit. Of a changed
        engine it is tried on all packs over a finite element type, if there are not too many; else it is not known
        and so not said.
        """
        if running().unchanged:
            complete = self.tape == t and self._always_succeeds(t)
            return complete and all(self._agrees(t, seeds) for seeds in self.table)
        carrier = running().carrier
        if carrier is None or len(carrier) ** sum(map(entry_count, self.shapes)) > MOST_SEEDS:
            return False
        return all(self._agrees(t, Pack(seeds)) for seeds in self._all_seeds(carrier))

    def _agrees(self, t: Tape, seeds: Pack) -> bool:
        answer = self(seeds)
        shapes = [tensor.shape for tensor in answer.tensors]
        run = t.backwardDenseFrom(seeds.toShapeErasedArray())
        return shapes == self.shapes and bool(run == Ok(answer.toShapeErasedArray()))

    def _all_seeds(self, carrier: Sequence[Scalar]) -> Iterable[tuple[Tensor, ...]]:
        def tensors(shape: Shape) -> list[Tensor]:
            return [Tensor(shape, entries) for entries in product(carrier, repeat=entry_count(shape))]

        return product(*(tensors(shape) for shape in self.shapes))

    def _always_succeeds(self, t: Tape) -> bool:
        if t.size != len(self.shapes):
            return False
        asked = [(node, shape) for node, shape in zip(t.nodes, self.shapes, strict=True) if node.requiresGrad]
        return all(
            node.value.shape == shape and all(self._fits(t, answer) for answer in node.backward.answers())
            for node, shape in asked
        )

    def _fits(self, t: Tape, answer: Result) -> bool:
        return isinstance(answer, Ok) and all(
            pid < t.size and (not t.nodes[pid].requiresGrad or g.shape == t.nodes[pid].value.shape)
            for pid, g in answer.value.items
        )

    def lines(self) -> list[str]:
        shown = [
            f"on [{'; '.join(map(str, s.tensors))}] is [{'; '.join(map(str, a.tensors))}]"
            for s, a in self.table.items()
        ]
        rest = "everywhere else the seeds" if self.tape is None else "everywhere else the dense pass of t"
        return ["reverse program", *(f"    {line}" for line in [*shown, rest])]
