"""Random concrete tapes, asked both of the symbolic model and of the plain-Python interpreter.

A `Question` is one function of the runtime with plain arguments. `interpreted` runs it in plain Python. `Run` runs
the same expression on symbolic values, and adds the equations that leave these the given plain values alone.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import inf, nan
from random import Random
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from symtape import Bound
from symtape.encodings import graph_data, plain, plain_packs
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.backward import (
    INVALID_PARENT,
    NODE_MISSING,
    OUT_OF_BOUNDS,
    UPSTREAM_MISMATCH,
    WRONG_CONTRIBUTION,
    WRONG_LENGTH,
    WRONG_SLOT,
    Engine,
)
from symtape.encodings.graph import NodeData, ShapeList, TensorPack, lowerNode
from symtape.encodings.parameter import Name, Nat, Opaque
from symtape.encodings.plain_graph import GraphData
from symtape.encodings.replay import Arithmetic
from symtape.encodings.result import Messages, Result
from symtape.encodings.scalar import scalars
from symtape.encodings.tape import Backward, Backwards, Node, Option, Tape
from symtape.encodings.tensor import MISMATCH, Shape, Shapes, SomeTensor
from symtape.encodings.witness import Reader
from symtape.logic import Formula, all_of, any_of, iff, implies, negate
from symtape.smt import z3
from symtape.solver import Limits, ask
from symtape.world import Evaluation, World

T = TypeVar("T")

# --- the questions ---

BOUND = Bound(tape=4, contributions=2, entries=2)
"""Two contributions and two entries: what the strategies below make at most, so that the last ones are in use."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "getNode": lambda t, i: t.getNode(i),
    "addGradAll": lambda t, acc, i, g: t.addGradAll(acc, i, g),
    "foldlM addGradAll": lambda t, acc, cs: cs.foldlM(t.addGradAll, acc),
    "backwardDenseFromStep": lambda t, acc, i: t.backwardDenseFromStep(acc, i),
    "backwardDenseFromLoop": lambda t, acc, count: t.backwardDenseFromLoop(count, acc),
    "backwardDenseFrom": lambda t, acc: t.backwardDenseFrom(acc),
    "lowerNode backward": lambda ctx, node, name, d, g: lowerNode(name, node, ctx, d).backward(g),
    "lowered backwardDenseFromStep": lambda t, acc, ctx, node, name, d, i: t.addNode(
        lowerNode(name, node, ctx, d)
    ).tape.backwardDenseFromStep(acc, i),
    "lowered backwardDenseFrom": lambda t, acc, ctx, node, name, d: t.addNode(
        lowerNode(name, node, ctx, d)
    ).tape.backwardDenseFrom(acc),
}
"""Each is one expression for both semantics, as a lemma is."""

EXPRESSIONS = dict(FUNCTIONS)
"""These, and what other modules ask about."""


@dataclass(frozen=True)
class Question:
    """A function of `EXPRESSIONS`, its plain arguments by name, and the element type."""

    function: str
    arithmetic: Arithmetic
    values: dict[str, Any]
    symbolic_id: bool = True
    """Whether the model is given an id as an unknown that is pinned to its number, or as the number."""


def interpreted(question: Question, engine: Engine | None = None) -> Any:
    """What the interpreter answers, under the same change as an engine's if one is given."""
    with plain.using(question.arithmetic.runtime(engine)):
        return EXPRESSIONS[question.function](**question.values)


class Run:
    """The question asked of the model, under an engine."""

    def __init__(self, question: Question, engine: Engine | None = None) -> None:
        self._pins = Pins(question, engine)
        self._result = EXPRESSIONS[question.function](**self._pins.arguments)
        self._pins.applications()

    def answer(self) -> Any:
        """The model's result as an interpreter's value. Fails unless the pinned values exist in the model."""
        asked = ask(self._pins.facts(), {}, LIMITS)
        assert asked.status == "sat", f"the pinned values are {asked.status} {asked.reason}"
        return self._pins.read(self._result, asked.model)

    def leaves_no_choice(self, expected: Any) -> bool:
        """Whether `expected` is the model's only result, not just the one that the solver happened to show."""
        facts = self._pins.facts()
        other = negate(self._pins.is_result(self._result, expected))
        asked = ask([*facts, *self._pins.facts()[len(facts) :], other], {}, LIMITS)
        assert asked.status != "unknown", asked.reason
        return asked.status == "unsat"


LIMITS = Limits(timeout=30.0)


# --- pinning symbolic values ---


class Pins:
    """Declares symbolic arguments for a question's plain ones and says, as Z3 formulas, that they are equal.

    Shapes, names and functions, and the elements of a finite type, are pinned to constants that are pairwise
    distinct; numbers to numerals; messages to those of the world.
    """

    def __init__(self, question: Question, engine: Engine | None) -> None:
        self.arithmetic = question.arithmetic
        scalar = "uninterpreted" if self.arithmetic.name == "table" else self.arithmetic.name
        self.world = World(BOUND, scalar=scalar, engine=engine)
        self._facts: list[Any] = []
        self._constants: dict[str, dict[Any, Any]] = {}
        self._functions: list[tuple[Backward, plain.Backward]] = []
        self._nodes: list[tuple[NodeData, plain_packs.NodeData]] = []
        self._ss = ShapeList(self.world, [])
        self._pin_addition()
        self.arguments: dict[str, Any] = {}
        for name, value in question.values.items():
            unknown = isinstance(value, int) and name != "count" and question.symbolic_id
            self.arguments[name] = self._number(name, value) if unknown else self._declare(name, value)

    def facts(self) -> list[Any]:
        """All that is known: the pins, and the typing facts of the world."""
        apart = [z3.Distinct(*group.values()) for group in self._constants.values() if len(group) > 1]
        return [*self.world.constraints, *self._facts, *apart]

    def _constant(self, kind: str, key: Any, sort: Any) -> Any:
        group = self._constants.setdefault(kind, {})
        if key not in group:
            group[key] = z3.Const(f"pinned {kind} {len(group)}", sort)
        return group[key]

    def _shape(self, shape: plain.Shape) -> Any:
        shapes = self.world.share(Shapes)
        fresh = shape not in self._constants.get("Shape", {})
        constant = self._constant("Shape", shape, shapes.sort)
        if fresh:
            entries = plain.entry_count(shape)
            assert entries <= len(shapes.has_entry), "the bound on entries is too small for the question"
            self._facts += [has(constant) == (j < entries) for j, has in enumerate(shapes.has_entry)]
        return constant

    def _scalar(self, element: plain.Scalar) -> Any:
        theory = self.world.share(scalars)
        if self.arithmetic.name == "table":
            return self._constant("Element", element, theory.sort)
        if self.arithmetic.name == "float32":
            return float32(element)
        return z3.IntVal(element)

    def _pin_addition(self) -> None:
        theory = self.world.share(scalars)
        if self.arithmetic.name != "table":
            return
        for (a, b), total in self.arithmetic.table.items():
            self._facts.append(theory.add(self._scalar(a), self._scalar(b)) == self._scalar(total))
        # The filler is no element of α; if the model ever took it for an entry, that would show.
        self._constants["Element"]["filler"] = theory.filler

    def _message(self, text: str) -> Any:
        return self.world.share(Messages).of(text)

    def _token(self, function: plain.Backward) -> Any:
        """Equal functions have one token: nodes may share their backward function."""
        return self._constant("Backward", function, self.world.share(Backwards).sort)

    # --- declarations ---

    def _number(self, name: str, value: int) -> Any:
        number = Nat.declare(self.world, name, 0)
        self._facts.append(number == value)
        return number

    def _declare(self, name: str, value: Any) -> Any:
        world = self.world
        match value:
            case int():
                return value
            case str() | None:
                kind = Name if name == "name" else Opaque
                opaque = kind.declare(world, name, 0)
                self._facts.append(self._is_opaque(opaque, kind.sort, value))
                return opaque
            case plain.Tensor():
                tensor = SomeTensor.declare(world, name, 0)
                self._facts.append(self._is_tensor(tensor, value))
                return tensor
            case plain.Accumulator():
                acc = Accumulator.declare(world, name, value.size)
                self._facts.append(self._is_accumulator(acc, value))
                return acc
            case plain.Contributions():
                cs = Contributions.declare(world, name, len(value.items))
                self._facts.append(self._are_contributions(cs, value))
                return cs
            case plain.Tape():
                tape = Tape.declare(world, name, value.size)
                for node, plain_node in zip(tape.nodes, value.nodes, strict=True):
                    self._facts.append(self._is_node(node, plain_node))
                    self._functions.append((node.backward, plain_node.backward))
                return tape
            case plain_packs.Pack():
                # A pack's list of shapes comes with it, and is that of the node as well.
                self._ss = ShapeList.declare(world, "ss", len(value.tensors))
                pack = TensorPack.declare(world, name, 0, self._ss)
                self._facts.append(self._is_pack(pack, value))
                return pack
            case plain_packs.NodeData():
                τ = Shape.declare(world, "τ", 0)
                self._facts.append(τ == self._shape(value.shape))
                node_data = NodeData.declare(world, name, 0, self._ss, τ)
                self._nodes.append((node_data, value))
                return node_data
            case GraphData():
                # Its inputs are those of the pack before it, its nodes' shapes stand behind them in one list.
                inputs = self._ss
                every = ShapeList.declare(world, "ss", inputs.length + len(value.nodes))
                shapes = ShapeList(world, every.shapes[inputs.length :])
                made = graph_data.GraphData if type(value) is GraphData else graph_data.Graph
                graph = made.declare(world, name, every.length, inputs, shapes)
                for node, data in zip(graph.nodes, value.nodes, strict=True):
                    self._facts.append(node.shape == self._shape(data.shape))
                    self._nodes.append((node, data))
                return graph
            case _:
                raise TypeError(f"no symbolic counterpart of {type(value).__name__}")

    def applications(self) -> None:
        """Pin what the functions answered. To be called when the result is built, since that is what asks them."""
        for function, table in self._functions:
            for gradient, answer in function.applications:
                rows = [(self._is_tensor(gradient, key), row) for key, row in table.table.items()]
                self._facts += _split(rows, table.otherwise, partial(self._is_answer, answer))
        for node, data in self._nodes:
            for ctx, d, value in node.forwards:
                rows = [
                    (all_of(self._is_pack(ctx, at), self._is_opaque(d, Opaque.sort, at_d)), row)
                    for (at, at_d), row in data.values.items()
                ]
                self._facts += _split(rows, data.value, partial(self._is_tensor, value))
            for ctx, d, seed, pack in node.vjps:
                vjp = [
                    (
                        all_of(
                            self._is_pack(ctx, key_ctx),
                            self._is_opaque(d, Opaque.sort, key_d),
                            self._is_tensor(seed, key_seed),
                        ),
                        row,
                    )
                    for (key_ctx, key_d, key_seed), row in data.table.items()
                ]
                # The model's vjp is also asked, and the answer thrown away, where the seed has a shape that no
                # `Tensor α τ` has: there the table must not speak, since the model's vjp sees the entries alone.
                typed = seed.shape == self._shape(data.shape)
                facts = _split(vjp, data.otherwise, partial(self._is_pack, pack))
                self._facts += [implies(typed, fact) for fact in facts]

    # --- equations between a symbolic value and a plain one ---

    def _is_opaque(self, opaque: Any, sort: str, value: str | None) -> Formula:
        return opaque == self._constant(sort, value, opaque.sort())

    def _is_tensor(self, tensor: SomeTensor, value: plain.Tensor) -> Formula:
        """Only the entries that the shape has: the others are nobody's business."""
        shape = tensor.shape == self._shape(value.shape)
        entries = zip(tensor.terms, value.entries, strict=False)
        return all_of(shape, *(term == self._scalar(entry) for term, entry in entries))

    def _is_accumulator(self, acc: Accumulator, value: plain.Accumulator) -> Formula:
        if acc.size != value.size:
            return False
        return all_of(*(self._is_tensor(slot, each) for slot, each in zip(acc.slots, value.slots, strict=True)))

    def _is_pack(self, pack: TensorPack, value: plain_packs.Pack) -> Formula:
        return self._is_accumulator(pack.toShapeErasedArray(), value.toShapeErasedArray())

    def _are_contributions(self, cs: Contributions, value: plain.Contributions) -> Formula:
        assert len(value.items) <= len(cs.items), "the bound on contributions is too small for the question"
        return all_of(
            *(
                all_of(present, pid == number, self._is_tensor(tensor, gradient))
                for (present, pid, tensor), (number, gradient) in zip(cs.items, value.items, strict=False)
            ),
            *(negate(present) for present, _, _ in cs.items[len(value.items) :]),
        )

    def _is_answer(self, answer: Result[Contributions], value: plain.Result) -> Formula:
        if isinstance(value, plain.Error):
            return all_of(negate(answer.ok), answer.message == self._message(value.message))
        return all_of(answer.ok, self._are_contributions(answer.value, value.value))

    def _is_node(self, node: Node, value: plain.Node) -> Formula:
        return all_of(
            self._is_opaque(node.name, "Name", value.name),
            self._is_tensor(node.value, value.value),
            iff(node.requiresGrad, value.requiresGrad),
            self._is_opaque(node.parents, "Parents", value.parents),
            node.backward.token == self._token(value.backward),
        )

    def is_result(self, result: Any, value: Any) -> Formula:
        """That a function's result is the plain one."""
        match result, value:
            case Option(some=False), plain.Some():
                return False
            case Option(), plain.Some():
                return all_of(result.some, self._is_node(result.node, value.node))
            case Option(), plain.Nothing():
                return negate(result.some)
            case Result(), plain.Error():
                return all_of(negate(result.ok), result.message == self._message(value.message))
            case Result(ok=False), plain.Ok():
                return False
            case Result(value=Contributions()), plain.Ok():
                return all_of(result.ok, self._are_contributions(result.value, value.value))
            case Result(), plain.Ok():
                return all_of(result.ok, self._is_accumulator(result.value, value.value))
            case _:
                raise TypeError(f"{type(result).__name__} and {type(value).__name__} cannot be compared")

    # --- reading ---

    def read(self, result: Any, model: Any) -> Any:
        """The result that the model holds, in the question's own names."""
        evaluate = Evaluation(self.world, model)
        reader = evaluate.share(Reader)
        names = _Names(self._constants, evaluate, reader)
        if isinstance(result, Option):
            return plain.Some(names.node(result.node)) if evaluate.truth(result.some) else plain.Nothing()
        if isinstance(result.value, Contributions):
            return reader.result(result, reader.contributions).map(names.contributions)
        return reader.result(result, reader.accumulator).map(names.accumulator)


class _Names:
    """Undoes the naming of a `Reader`, which calls shapes and elements as it likes, by asking it for the constants.

    What is none of the constants is marked, so that it is never taken for one of them.
    """

    def __init__(self, constants: dict[str, dict[Any, Any]], evaluate: Evaluation, reader: Reader) -> None:
        self._constants, self._evaluate, self._reader = constants, evaluate, reader
        self._shapes = {reader.shape(term): shape for shape, term in constants.get("Shape", {}).items()}
        self._elements = {reader.scalar(term): element for element, term in constants.get("Element", {}).items()}

    def tensor(self, read: plain.Tensor) -> plain.Tensor:
        return plain.Tensor(
            self._shapes.get(read.shape, (NO_CONSTANT, *read.shape)),
            [self._element(entry) for entry in read.entries],
        )

    def accumulator(self, read: plain.Accumulator) -> plain.Accumulator:
        return plain.Accumulator(self.tensor(slot) for slot in read.slots)

    def contributions(self, read: plain.Contributions) -> plain.Contributions:
        return plain.Contributions((pid, self.tensor(gradient)) for pid, gradient in read.items)

    def _element(self, read: plain.Scalar) -> plain.Scalar:
        return self._elements.get(read, f"unknown {read}") if isinstance(read, str) else read

    def node(self, node: Node) -> plain.Node:
        """All five fields, where a `Reader` leaves out those that the backward pass never reads."""
        read = self._reader.node(node)
        return plain.Node(
            self.tensor(read.value),
            read.requiresGrad,
            self._named("Backward", node.backward.token),
            self._named("Name", node.name),
            self._named("Parents", node.parents),
        )

    def _named(self, kind: str, term: Any) -> Any:
        value = self._evaluate(term)
        found = [key for key, constant in self._constants[kind].items() if value.eq(self._evaluate(constant))]
        return found[0] if found else f"unknown {value}"


NO_CONSTANT = -2
"""Marks a shape that is none of the pinned ones; no real dimension is negative."""


def float32(number: float) -> Any:
    """The numeral of exactly this number, by its bits."""
    (bits,) = struct.unpack(">I", struct.pack(">f", number))
    return z3.simplify(z3.fpBVToFP(z3.BitVecVal(bits, 32), z3.Float32()))


def _split(rows: Sequence[tuple[Formula, Any]], otherwise: Any, says: Callable[[Any], Formula]) -> Iterable[Formula]:
    """The finite case split of a function over its table: the row whose key is met decides."""
    yield from (implies(met, says(row)) for met, row in rows)
    yield any_of(*(met for met, _ in rows), says(otherwise))


# --- random questions ---

OWN_MESSAGES = (
    INVALID_PARENT,
    WRONG_CONTRIBUTION,
    OUT_OF_BOUNDS,
    WRONG_SLOT,
    NODE_MISSING,
    WRONG_LENGTH,
    MISMATCH,
    UPSTREAM_MISMATCH,
)
MESSAGES = ("division by zero", "autograd: something else", *OWN_MESSAGES)
"""What a node's backward function may fail with: arbitrary messages and the runtime's own."""

PALETTES: tuple[tuple[plain.Shape, ...], ...] = (
    ((1,), ()),
    ((2,), (1, 2)),
    ((2,), (1, 2), (1,), ()),
    ((0,), (0, 2), (1,)),
    ((), (1,), (2,), (1, 2), (0,), (0, 2)),
)
"""The shapes of one question: of 0, 1 and 2 entries, and different ones with equally many."""

FAR = (1_000_000, 1_000_003, 1_000_000_000_000)
"""Ids out of every range, among them one that the model uses for its own purposes."""

LETTERS = ("p", "q", "r")
"""The elements of the finite type; not the names that a `Reader` would give them."""


class Choose(Protocol):
    """The one source of randomness: takes one of the options. Hypothesis shrinks towards the first."""

    def __call__(self, options: Sequence[T], /) -> T: ...


@dataclass(frozen=True)
class Odds:
    """How often things do not fit: once in so many times."""

    faults: tuple[int, ...]
    """Of parts; one of these numbers is taken for a question, 0 means never."""
    length: int
    """Of an array's length."""
    flag: int
    """Of nodes that require no gradient."""
    failure: int
    """Of backward functions that fail."""
    scalars: tuple[str, ...]
    """The element types."""


CLOSE_UP = Odds(faults=(0, 0, 2, 3), length=2, flag=4, failure=4, scalars=("int", "table", "float32"))
"""For a single function: two faults at once are what tells the order of its checks."""
FAR_REACHING = Odds(faults=(0, 0, 8, 4), length=6, flag=6, failure=10, scalars=("int", "table"))
"""For a pass, which should get far. Float sums of float sums, each under its conditions, take the solver minutes."""
ONE_STEP = ("addGradAll", "foldlM addGradAll", "backwardDenseFromStep", "lowerNode backward")


class Maker:
    """Makes the parts of one question, most of them such that they fit together."""

    def __init__(self, choose: Choose, odds: Odds) -> None:
        self.choose = choose
        self.odds = odds
        scalar = choose(odds.scalars)
        self.arithmetic = _letters(choose) if scalar == "table" else Arithmetic(scalar)
        self.runtime = self.arithmetic.runtime()
        self._elements = ELEMENTS[scalar]
        self._shapes: Sequence[plain.Shape] = choose(PALETTES)
        self._fault = choose(odds.faults)
        self._without_slot = range(0)

    def rarely(self, often: int = 8) -> bool:
        """Once in so many times."""
        return self.choose(range(often)) == often - 1

    def wrong(self) -> bool:
        """Whether the next part should not fit: never in some questions, once in so many times in others."""
        return self._fault > 0 and self.rarely(self._fault)

    # --- tensors ---

    def exactly(self, shape: plain.Shape) -> plain.Tensor:
        return plain.Tensor(shape, [self.choose(self._elements) for _ in range(plain.entry_count(shape))])

    def tensor(self, shape: plain.Shape | None = None) -> plain.Tensor:
        """A tensor, of this shape unless something should not fit."""
        if shape is None or self.wrong():
            shape = self.choose([other for other in self._shapes if other != shape])
        return self.exactly(shape)

    def fitting(self, nodes: Sequence[plain.Node], i: int) -> plain.Tensor:
        """A gradient of a node."""
        return self.tensor(nodes[i].value.shape if i < len(nodes) else None)

    def accumulator(self, nodes: Sequence[plain.Node]) -> plain.Accumulator:
        """One slot for each node, mostly."""
        size = len(nodes)
        if self.rarely(self.odds.length):
            size = self.choose([other for other in range(size + 3) if other != size])
        self._without_slot = range(size, len(nodes))
        return plain.Accumulator(self.fitting(nodes, i) for i in range(size))

    def pack(self, like: plain_packs.Pack) -> plain_packs.Pack:
        """A pack over the same shapes."""
        return plain_packs.Pack(self.exactly(tensor.shape) for tensor in like.tensors)

    # --- ids, and what is sent to them ---

    def identifier(self, size: int) -> int:
        """A node's id, mostly of one that exists; often of one without a slot, if there is one."""
        if self._without_slot and self.rarely(2):
            return self.choose(self._without_slot)
        if size == 0 or self.rarely():
            anywhere: Sequence[int] = (*range(size + 4), *FAR)
            return self.choose(anywhere)
        return self.choose(range(size))

    def contributions(self, nodes: Sequence[plain.Node], last: int, lengths: Sequence[int]) -> plain.Contributions:
        """Gradients for the nodes with ids up to `last`, mostly."""
        items = []
        for _ in range(self.choose(lengths)):
            pid = self.identifier(len(nodes)) if self.wrong() else self.choose((*range(last), *range(last + 1)))
            items.append((pid, self.fitting(nodes, pid)))
        return plain.Contributions(items)

    def answer(self, nodes: Sequence[plain.Node], i: int) -> plain.Result:
        """What the backward function of node i answers to one gradient."""
        if self.rarely(self.odds.failure):
            return plain.Error(self.choose(MESSAGES))
        return plain.Ok(self.contributions(nodes, i, (2, 2, 1, 0)))

    # --- tapes ---

    def tape(self) -> plain.Tape:
        """Nodes whose functions know one gradient, as yet; two may have one function between them."""
        nodes: list[plain.Node] = []
        for i in range(self.choose((3, 2, 3, 2, 1, 3, 2, 0))):
            nodes.append(
                plain.Node(
                    self.tensor(),
                    not self.rarely(self.odds.flag),
                    nodes[-1].backward if nodes and self.rarely() else self.backward(nodes, i),
                    self.choose((None, "x", "y")),
                    self.choose((None, "[]", "[0]")),
                )
            )
        return plain.Tape(nodes)

    def backward(self, nodes: Sequence[plain.Node], i: int) -> plain.Backward:
        return plain.Backward({self.tensor(): self.answer(nodes, i)})

    def node_data(self, ctx: plain_packs.Pack) -> plain_packs.NodeData:
        """A graph node over the context's shapes, whose vjp knows one gradient, at another context."""
        value = self.tensor()
        elsewhere = (self.pack(ctx), "other", self.exactly(value.shape))
        return plain_packs.NodeData(value.shape, value, {elsewhere: self.pack(ctx)}, self.pack(ctx))

    def teach(self, t: plain.Tape, acc: plain.Accumulator, ids: Iterable[int]) -> None:
        """Let the functions know the gradients that they will meet when these ids are visited in this order, and
        those that are in the slots at first."""
        state = acc
        for i in ids:
            if i >= t.size:
                continue
            for gradient in (acc[i], state[i]):
                if gradient.shape != plain.NOWHERE:
                    self._learn(t, i, gradient)
            after = self.runtime.backwardDenseFromStep(t, state, i)
            state = after.value if isinstance(after, plain.Ok) else state

    def _learn(self, t: plain.Tape, i: int, gradient: plain.Tensor) -> None:
        backward = t.nodes[i].backward
        if isinstance(backward, plain.Backward):
            if gradient not in backward.table:
                backward.table[gradient] = self.answer(t.nodes, i)
        elif (key := (backward.ctx, backward.d, gradient)) not in backward.node.table:
            backward.node.table[key] = self.pack(backward.ctx)


ELEMENTS: dict[str, Sequence[plain.Scalar]] = {
    "int": (1, 2, 3, 5, -2, 0),
    "table": LETTERS,
    "float32": (1.0, -1.0, 0.0, -0.0, 2.0**-24, 3 * 2.0**-25, 2.0**127, inf, -inf, nan),
}
"""The entries to choose from. In floats they round, cancel, overflow, and tell `a + (b + c)` from `(a + b) + c`."""


def _letters(choose: Choose) -> Arithmetic:
    """A finite element type with a random addition that does not commute."""
    table = {(a, b): choose(LETTERS) for a in LETTERS for b in LETTERS}
    if all(table[a, b] == table[b, a] for a, b in table):
        table["p", "q"] = LETTERS[LETTERS.index(table["q", "p"]) - 1]
    return Arithmetic("table", table)


def make_question(function: str, choose: Choose) -> Question:
    """A question about this function."""
    make = Maker(choose, CLOSE_UP if function in ONE_STEP else FAR_REACHING)
    with plain.using(make.runtime):
        return _question(function, choose, make)


def _question(function: str, choose: Choose, make: Maker) -> Question:
    t = visited = make.tape()
    values: dict[str, Any] = {} if function == "lowerNode backward" else {"t": t}
    if function.startswith("lower"):
        length = choose(range(t.size + 3)) if make.wrong() else t.size
        ctx = values["ctx"] = plain_packs.Pack(make.fitting(t.nodes, i) for i in range(length))
        values |= {"node": make.node_data(ctx), "name": choose((None, "x")), "d": choose(("d", "other"))}
        visited = t.addNode(lowerNode(values["name"], values["node"], ctx, values["d"])).tape
    if function not in ("getNode", "lowerNode backward"):
        values["acc"] = make.accumulator(visited.nodes)
    match function:
        case "getNode":
            values["i"] = choose((*range(t.size + 2), *range(t.size), *FAR))
        case "addGradAll":
            i = values["i"] = make.identifier(t.size)
            values["g"] = make.tensor() if make.rarely(3) else make.fitting(t.nodes, i)
        case "foldlM addGradAll":
            values["cs"] = make.contributions(t.nodes, max(t.size - 1, 0), (3, 2, 3, 1, 0))
        case "backwardDenseFromStep":
            i = values["i"] = make.identifier(t.size)
            make.teach(t, values["acc"], [i])
        case "backwardDenseFromLoop":
            count = values["count"] = choose((t.size, t.size, *range(t.size + 2)))
            make.teach(t, values["acc"], reversed(range(count)))
        case "lowerNode backward":
            g = values["g"] = make.tensor() if make.rarely(4) else make.fitting(visited.nodes, t.size)
            make.teach(visited, plain.Accumulator([*t.values().slots, g]), [t.size])
        case "lowered backwardDenseFromStep":
            i = values["i"] = make.identifier(visited.size) if make.rarely() else t.size
            make.teach(visited, values["acc"], [i])
        case "backwardDenseFrom" | "lowered backwardDenseFrom":
            make.teach(visited, values["acc"], reversed(range(visited.size)))
        case _:
            raise KeyError(function)
    return Question(function, make.arithmetic, values, symbolic_id=choose((True, False)))


@st.composite
def questions(draw: DrawFn, function: str) -> Question:
    """Questions about this function, as Hypothesis makes and shrinks them."""

    def choose(options: Sequence[T]) -> T:
        return draw(st.sampled_from(options))

    return make_question(function, choose)


@cache
def stream(function: str, number: int) -> Question:
    """The same questions in every run and under every version of Hypothesis, spread evenly."""
    return make_question(function, Random(f"{function} {number}").choice)
