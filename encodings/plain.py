"""Plain Python values of everything that a lemma speaks about: tensors, tapes, packs, and functions as tables.

They print as the Python that makes them. Their methods have the names of the symbolic model's, so that one lemma
runs on both; what needs the runtime or an addition uses the one that `using` makes current.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import product
from math import isnan, prod
from typing import TYPE_CHECKING, Any

from symtape.logic import formula

if TYPE_CHECKING:
    from symtape.encodings.interpreter import Runtime

Scalar = Any
Shape = tuple[int, ...]
NOWHERE: Shape = (-1,)
MOST_SEEDS = 4096


def entry_count(shape: Shape) -> int:
    """How many entries a tensor of this shape has."""
    return 0 if shape == NOWHERE else prod(shape)


def _key(scalar: Scalar) -> Any:
    """Lean's equality on an element: for floats identity, so NaN = NaN and +0 ≠ -0."""
    if isinstance(scalar, float):
        return "nan" if isnan(scalar) else struct.pack(">d", scalar)
    return scalar


_current: ContextVar[Runtime] = ContextVar("runtime")


def running() -> Runtime:
    """The runtime that is current. Raises `LookupError` outside `using`."""
    return _current.get()


@contextmanager
def using(runtime: Runtime) -> Iterator[None]:
    """Make a runtime the one that values add and run with."""
    token = _current.set(runtime)
    try:
        yield
    finally:
        _current.reset(token)


class Value:
    """Equality and hash by `parts`, a repr that rebuilds the value."""

    def parts(self) -> tuple[Any, ...]:
        raise TypeError(f"{type(self).__name__} has no parts")

    def equals(self, other: object) -> bool:
        return self == other

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Value) and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash((type(self), self.parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.parts()))})"


class Tensor(Value):
    """`Spec.SomeTensor`: a shape and its entries in row-major order."""

    def __init__(self, shape: Sequence[int], entries: Sequence[Scalar]) -> None:
        self.shape = tuple(shape)
        self.entries = tuple(entries)

    def parts(self) -> tuple[Any, ...]:
        return self.shape, tuple(map(_key, self.entries))

    def __repr__(self) -> str:
        return f"Tensor({self.shape!r}, {list(self.entries)!r})"

    def __str__(self) -> str:
        shape = f"shape {list(self.shape)}" if self.shape else "scalar"
        return f"{shape}: {', '.join(map(str, self.entries)) or 'no entries'}"

    def erase(self) -> Tensor:
        return self

    def cast(self, shape: Shape) -> Tensor:
        return self

    def leaf(self) -> Node:
        return Node(self)

    def error(self, message: str) -> Error:
        return Error(message)

    def plus(self, other: Tensor) -> Tensor:
        return running().plus(self, other)

    def add(self, other: Tensor) -> Result:
        return running().add_tensors(self, other)

    def lines(self) -> list[str]:
        return [str(self)]


class Ok(Value):
    def __init__(self, value: Any) -> None:
        self.value = value

    def parts(self) -> tuple[Any, ...]:
        return (self.value,)

    def bind(self, then: Callable[[Any], Any]) -> Any:
        return then(self.value)

    def map(self, function: Callable[[Any], Any]) -> Ok:
        return Ok(function(self.value))

    def lines(self) -> list[str]:
        first, *rest = self.value.lines() if hasattr(self.value, "lines") else [str(self.value)]
        return [f"ok {first}", *rest]


class Error(Value):
    def __init__(self, message: str) -> None:
        self.message = message

    def parts(self) -> tuple[Any, ...]:
        return (self.message,)

    def bind(self, then: Callable[[Any], Any]) -> Error:
        return self

    def map(self, function: Callable[[Any], Any]) -> Error:
        return self

    def lines(self) -> list[str]:
        return [f'error "{self.message}"']


Result = Ok | Error


class Accumulator(Value):
    """An array of tensors."""

    def __init__(self, slots: Iterable[Tensor]) -> None:
        self.slots = list(slots)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.slots),)

    def __repr__(self) -> str:
        return f"Accumulator({self.slots!r})"

    @property
    def size(self) -> int:
        return len(self.slots)

    def push(self, tensor: Tensor) -> Accumulator:
        return Accumulator([*self.slots, tensor])

    def append(self, other: Accumulator) -> Accumulator:
        return Accumulator(self.slots + other.slots)

    def __getitem__(self, i: int) -> Tensor:
        return self.slots[i] if 0 <= i < len(self.slots) else Tensor(NOWHERE, [])

    def set(self, i: int, tensor: Tensor) -> Accumulator:
        copy = list(self.slots)
        if 0 <= i < len(copy):
            copy[i] = tensor
        return Accumulator(copy)

    def pure(self) -> Ok:
        return Ok(self)

    def lines(self) -> list[str]:
        plural = "slot" if self.size == 1 else "slots"
        return [
            f"accumulator of {self.size} {plural}",
            *(f"[{i}] {slot}" for i, slot in enumerate(self.slots)),
        ]


class Contributions(Value):
    """A list of pairs of an id and a gradient."""

    def __init__(self, items: Iterable[tuple[int, Tensor]]) -> None:
        self.items = list(items)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.items),)

    def __repr__(self) -> str:
        return f"Contributions({self.items!r})"

    def __str__(self) -> str:
        return ", ".join(f"{g} → node {pid}" for pid, g in self.items) or "nothing"

    def pure(self) -> Ok:
        return Ok(self)

    def forall(self, body: Callable[[int, Tensor], Any]) -> bool:
        return all(formula(body(pid, g)) is True for pid, g in self.items)

    def foldlM(self, step: Callable[[Any, int, Tensor], Result], start: Any) -> Result:
        state: Result = Ok(start)
        for pid, g in self.items:
            match state:
                case Ok():
                    state = step(state.value, pid, g)
                case Error():
                    return state
        return state

    def lines(self) -> list[str]:
        return [f"{len(self.items)} contributions", *(f"{g} → node {pid}" for pid, g in self.items)]


class Backward(Value):
    """A total function from gradients: a finite table, and one answer for everything else."""

    def __init__(self, table: dict[Tensor, Result], otherwise: Result | None = None) -> None:
        self.table = table
        self.otherwise: Result = Ok(Contributions([])) if otherwise is None else otherwise

    def parts(self) -> tuple[Any, ...]:
        informative = {g: answer for g, answer in self.table.items() if answer != self.otherwise}
        return frozenset(informative.items()), self.otherwise

    def __repr__(self) -> str:
        if self.otherwise == Ok(Contributions([])):
            return f"Backward({self.table!r})"
        return f"Backward({self.table!r}, {self.otherwise!r})"

    def __call__(self, gradient: Tensor) -> Result:
        return self.table.get(gradient, self.otherwise)

    def answers(self) -> list[Result]:
        """Every answer that the function has for some gradient."""
        return [*self.table.values(), self.otherwise]

    def lines(self) -> list[str]:
        shown = [(f"on {g}", answer) for g, answer in self.table.items()]
        if self.otherwise != Ok(Contributions([])):
            shown.append(("on anything else", self.otherwise))
        return [
            f"{what} emits {answer.value}" if isinstance(answer, Ok) else f'{what} fails with "{answer.message}"'
            for what, answer in shown
        ]


class Node(Value):
    def __init__(
        self,
        value: Tensor,
        requiresGrad: bool = True,
        backward: Any = None,
        name: str | None = None,
        parents: str | None = None,
    ) -> None:
        self.value = value
        self.requiresGrad = requiresGrad
        self.backward = Backward({}) if backward is None else backward
        self.name = name
        self.parents = parents

    def found(self) -> Some:
        return Some(self)

    def parts(self) -> tuple[Any, ...]:
        return self.value, self.requiresGrad, self.backward, self.name, self.parents

    def __repr__(self) -> str:
        extras = "".join(f", {k}={v!r}" for k, v in (("name", self.name), ("parents", self.parents)) if v)
        function = f", {self.backward!r}" if self.backward != Backward({}) else ""
        return f"Node({self.value!r}, {self.requiresGrad!r}{function}{extras})"

    def lines(self) -> list[str]:
        flag = "requires grad" if self.requiresGrad else "requires no grad"
        emits = self.backward.lines() if hasattr(self.backward, "lines") else []
        return [f"node with value {self.value}, {flag}", *(f"    {line}" for line in emits)]


class Some(Value):
    def __init__(self, node: Node) -> None:
        self.node = node

    def parts(self) -> tuple[Any, ...]:
        return (self.node,)

    def exists(self, body: Callable[[Node], Any]) -> Any:
        return body(self.node)

    def lines(self) -> list[str]:
        return ["some " + line if i == 0 else line for i, line in enumerate(self.node.lines())]


class Nothing(Value):
    def parts(self) -> tuple[Any, ...]:
        return ()

    def exists(self, body: Callable[[Node], Any]) -> bool:
        return False

    def lines(self) -> list[str]:
        return ["none"]


class Added(Value):
    def __init__(self, tape: Tape, id: int) -> None:
        self.tape = tape
        self.id = id

    def parts(self) -> tuple[Any, ...]:
        return self.tape, self.id


class Tape(Value):
    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = list(nodes)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.nodes),)

    def __repr__(self) -> str:
        return f"Tape({self.nodes!r})"

    @property
    def size(self) -> int:
        return len(self.nodes)

    def values(self) -> Accumulator:
        return Accumulator(node.value for node in self.nodes)

    def addNode(self, node: Node) -> Added:
        return Added(Tape([*self.nodes, node]), self.size)

    def getNode(self, i: int) -> Some | Nothing:
        return Some(self.nodes[i]) if 0 <= i < self.size else Nothing()

    def addGradAll(self, acc: Accumulator, i: int, g: Tensor) -> Result:
        return running().addGradAll(self, acc, i, g)

    def backwardDenseFromStep(self, acc: Accumulator, i: int) -> Result:
        return running().backwardDenseFromStep(self, acc, i)

    def backwardDenseFromLoop(self, count: int, acc: Accumulator) -> Result:
        return running().backwardDenseFromLoop(self, count, acc)

    def backwardDenseFrom(self, acc: Accumulator) -> Result:
        return running().backwardDenseFrom(self, acc)

    def BackwardPidsLt(self) -> bool:
        """Checked of every answer of every node: the functions are total and have finitely many answers."""
        return all(
            pid < i
            for i, node in enumerate(self.nodes)
            for answer in node.backward.answers()
            if isinstance(answer, Ok)
            for pid, _ in answer.value.items
        )

    def lines(self) -> list[str]:
        plural = "node" if self.size == 1 else "nodes"
        shown = [f"tape of {self.size} {plural}"]
        for i, node in enumerate(self.nodes):
            first, *rest = node.lines()
            shown += [f"[{i}] {first}", *rest]
        return shown


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


class NodeData(Value):
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
        return Node(self.forward(ctx, d), True, Lowered(self, ctx, d), name)

    def lines(self) -> list[str]:
        shown = [f"node of shape {list(self.shape)} with value {self.value}"]
        shown += [f"    value {self._at(ctx, d)} is {value}" for (ctx, d), value in self.values.items()]
        several = len({(ctx, d) for ctx, d, _ in self.table}) > 1
        for (ctx, d, seed), answer in self.table.items():
            where = f" {self._at(ctx, d)}" if several else ""
            shown.append(f"    vjp{where} on {seed} is [{'; '.join(map(str, answer.tensors))}]")
        return shown

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
        if gradient.shape != self.node.shape:
            return Error("autograd: upstream gradient shape mismatch")
        return Ok(Contributions(enumerate(self.node.vjp(self.ctx, self.d, gradient).tensors)))

    def answers(self) -> list[Result]:
        """Every answer that the function has for some gradient."""
        packs = [*self.node.table.values(), self.node.otherwise]
        mismatch = Error("autograd: upstream gradient shape mismatch")
        return [mismatch, *(Ok(Contributions(enumerate(pack.tensors))) for pack in packs)]


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
