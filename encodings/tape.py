"""Tapes and their nodes.

An arbitrary tape is, for each field of a node, a Z3 array from ids to that field's values, with a size. A
node's `backward` is an arbitrary function from an upstream gradient to a result: it may fail with any message
and emit any contributions, up to the bound, to any ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from symtape.encodings.accumulator import Accumulator, Contributions, tensor_array
from symtape.encodings.index import by_id
from symtape.encodings.parameter import ModelParameter
from symtape.encodings.result import Messages, Result
from symtape.encodings.scalar import scalars
from symtape.encodings.sorts import named_sort
from symtape.encodings.tensor import Shapes, SomeTensor
from symtape.logic import Formula, Symbolic, all_of, equal, iff, implies, select_formula, select_leaf
from symtape.smt import z3
from symtape.statement import Universal
from symtape.terms import Function
from symtape.world import Evaluation, World

if TYPE_CHECKING:
    from symtape.encodings.backward import Engine


class Backwards:
    """The functions `SomeTensor α → Result (Array (Nat × SomeTensor α))` of one world.

    A function is a token of an uninterpreted sort; what it answers is given by uninterpreted functions of the
    token and the gradient's shape and entries. So equal functions answer alike, and nothing else is known.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        shape, entry = world.share(Shapes).sort, world.share(scalars).sort
        self.sort = named_sort("Backward")
        width = world.bound.entries
        domain = [self.sort, shape, *[entry] * width]

        def function(name: str, sort: Any) -> Any:
            return Function(f"backward.{name}", *domain, sort)

        count = range(world.bound.contributions)
        self.ok = function("ok", z3.BoolSort())
        self.message = function("message", world.share(Messages).sort)
        self.present = [function(f"has_{k}", z3.BoolSort()) for k in count]
        self.pid = [function(f"pid_{k}", z3.IntSort()) for k in count]
        self.shape = [function(f"shape_{k}", shape) for k in count]
        self.entries = [[function(f"entry_{k}_{j}", entry) for j in range(width)] for k in count]
        self._answers: dict[tuple[int, ...], Result[Contributions]] = {}
        self._kept: list[Any] = []
        self.arbitrary: list[Backward] = []
        world.enliven(
            lambda: [all_of(a.ok, *(present for present, _, _ in a.value.items[:1])) for a in self._answers.values()]
        )

    def apply(self, token: Any, gradient: SomeTensor) -> Result[Contributions]:
        """What the function answers to the gradient; the same question has the same answer."""
        terms = [token, gradient.shape, *gradient.terms]
        key = tuple(t.get_id() for t in terms)
        if key not in self._answers:
            self._kept.append(terms)
            self._answers[key] = self._answer(terms)
        return self._answers[key]

    def _answer(self, terms: list[Any]) -> Result[Contributions]:
        present = [f(*terms) for f in self.present]
        self.world.require(*(implies(later, earlier) for earlier, later in pairwise(present)))
        items = []
        for k, has in enumerate(present):
            pid = self.pid[k](*terms)
            self.world.require(pid >= 0)
            items.append(
                (
                    has,
                    pid,
                    SomeTensor.of(self.world, self.shape[k](*terms), [f(*terms) for f in self.entries[k]]),
                )
            )
        return Result(self.world, self.ok(*terms), self.message(*terms), Contributions(self.world, items))


@dataclass(eq=False)
class Backward(Symbolic):
    """A node's backward function: a token that names it, and how it is applied."""

    token: Any
    function: Callable[[SomeTensor], Result[Contributions]]
    pids: Sequence[int] | None = ()
    """The ids that it may emit to where a model says nothing of it; `None`: not known. An arbitrary function is
    completed with `ok []`, which emits to none."""
    applications: list[tuple[SomeTensor, Result[Contributions]]] = field(default_factory=list)
    """What it was asked so far: where hypotheses about it are instantiated, and what a counterexample shows."""

    def __call__(self, gradient: SomeTensor) -> Result[Contributions]:
        answer = self.function(gradient)
        if not any(answer is seen for _, seen in self.applications):
            self.applications.append((gradient, answer))
        return answer

    @staticmethod
    def arbitrary(world: World, token: Any) -> Backward:
        functions = world.share(Backwards)
        made = Backward(token, lambda gradient: functions.apply(token, gradient))
        functions.arbitrary.append(made)
        return made


def comparisons(_: World) -> list[tuple[Node, Node]]:
    """The nodes of a world that were compared as a whole: only then do their names and parents matter."""
    return []


class Node(ModelParameter):
    """`Runtime.Autograd.Node α`. The backward pass never reads `name` and `parents`; the value only for its shape."""

    def __init__(
        self,
        world: World,
        name: Any,
        value: SomeTensor,
        requiresGrad: Formula,
        parents: Any,
        backward: Backward,
    ) -> None:
        self.world = world
        self.name = name
        self.value = value
        self.requiresGrad = requiresGrad
        self.parents = parents
        self.backward = backward

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Node:
        return cls(
            world,
            name=z3.Const(f"{name}.name", named_sort("Name")),
            value=SomeTensor.declare(world, f"{name}.value", 0),
            requiresGrad=z3.Bool(f"{name}.requiresGrad"),
            parents=z3.Const(f"{name}.parents", named_sort("Parents")),
            backward=Backward.arbitrary(world, z3.Const(f"{name}.backward", world.share(Backwards).sort)),
        )

    @classmethod
    def read(cls, value: Node, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).node(value)

    def equals(self, other: Node) -> Formula:
        """Equality of all five fields; of the functions, by their tokens."""
        self.world.share(comparisons).append((self, other))
        return all_of(
            equal(self.name, other.name),
            equal(self.value, other.value),
            iff(self.requiresGrad, other.requiresGrad),
            equal(self.parents, other.parents),
            equal(self.backward.token, other.backward.token),
        )

    @classmethod
    def select(cls, options: Sequence[tuple[Formula, Node]], otherwise: Node, *, anything_else: bool) -> Node:
        """The node whose guard holds."""
        every = [node for _, node in options]
        if all(node is every[0] for node in every) and (anything_else or otherwise is every[0]):
            return every[0]

        def leaf(get: Callable[[Node], Any]) -> Any:
            return select_leaf([(g, get(n)) for g, n in options], get(otherwise), anything_else=anything_else)

        world = every[0].world

        def backward(gradient: SomeTensor) -> Result[Contributions]:
            return Result.select(world, [(g, n.backward(gradient)) for g, n in options], otherwise.backward(gradient))

        return Node(
            world,
            name=leaf(lambda n: n.name),
            value=SomeTensor.select([(g, n.value) for g, n in options], otherwise.value, anything_else=anything_else),
            requiresGrad=leaf(lambda n: n.requiresGrad),
            parents=leaf(lambda n: n.parents),
            backward=Backward(leaf(lambda n: n.backward.token), backward, pids=None),
        )


@dataclass(frozen=True, eq=False)
class Option(Symbolic):
    """`Option (Node α)`: what `getNode?` answers."""

    some: Formula
    node: Any
    """The node; a value that nobody may look at where `some` is false."""

    def exists(self, body: Callable[[Any], Any]) -> Formula:
        """`∃ node, o = some node ∧ body node`."""
        return False if self.some is False else all_of(self.some, body(self.node))

    def equals(self, other: Option) -> Formula:
        either_missing = self.some is False or other.some is False
        return all_of(
            iff(self.some, other.some),
            implies(self.some, True if either_missing else equal(self.node, other.node)),
        )

    @staticmethod
    def select(options: Sequence[tuple[Formula, Option]], otherwise: Option) -> Option:
        some = select_formula([(g, o.some) for g, o in options], otherwise.some)
        nodes = [(g, o.node) for g, o in options if o.some is not False]
        if otherwise.some is not False:
            return Option(some, Node.select(nodes, otherwise.node, anything_else=False) if nodes else otherwise.node)
        return Option(some, Node.select(nodes, nodes[0][1], anything_else=True) if nodes else None)


class Added(NamedTuple):
    """What `addNode` returns: the longer tape (Lean's `.1`) and the new node's id (`.2`)."""

    tape: Any
    id: Any


def _runtime(_: World) -> Engine:
    from symtape.encodings.backward import Engine

    return Engine()


class RunBy:
    """What the runtime makes something of: it is that of its world, until the runtime itself is asked for."""

    world: World
    _by_runtime = False

    @property
    def world_engine(self) -> Any:
        """The runtime semantics of the world, an `Engine`."""
        return self.world.engine if self.world.engine is not None else self.world.share(_runtime)

    @property
    def engine(self) -> Any:
        """The runtime semantics that this runs by, an `Engine`."""
        return self.world.share(_runtime) if self._by_runtime else self.world_engine

    def as_runtime(self) -> Any:
        """The same, run by the unchanged runtime where the world has a changed engine."""
        same = copy(self)
        same._by_runtime = True
        return same


class Runnable(RunBy):
    """The runtime's functions as methods of a tape, as in Lean."""

    def addGradAll(self, acc: Any, pid: Any, pg: Any) -> Result[Any]:
        return self._run("addGradAll", acc, pid, pg)

    def backwardDenseFromStep(self, acc: Any, identifier: Any) -> Result[Any]:
        return self._run("backwardDenseFromStep", acc, identifier)

    def backwardDenseFromLoop(self, count: Any, acc: Any) -> Result[Any]:
        return self._run("backwardDenseFromLoop", count, acc)

    def backwardDenseFrom(self, grads0: Any) -> Result[Any]:
        return self._run("backwardDenseFrom", grads0)

    def _run(self, name: str, *arguments: Any) -> Result[Any]:
        """What the engine makes of these values."""
        result: Result[Any] = getattr(self.engine, name)(self, *arguments)
        return result


class Tape(Runnable, ModelParameter):
    """`Runtime.Autograd.Tape α`: nodes, whose ids are their positions."""

    sized = "tape"
    leads = True

    def __init__(self, world: World, nodes: Sequence[Node]) -> None:
        self.world = world
        self.nodes = tuple(nodes)

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Tape:
        def array(field_name: str, sort: Any) -> Any:
            return z3.Array(f"{name}.{field_name}", z3.IntSort(), sort)

        names, parents = array("name", named_sort("Name")), array("parents", named_sort("Parents"))
        flags = array("requiresGrad", z3.BoolSort())
        tokens = array("backward", world.share(Backwards).sort)
        values = tensor_array(world, f"{name}.value", size)
        world.enliven(lambda: [z3.Select(flags, i) for i in range(size)])
        return cls(
            world,
            [
                Node(
                    world,
                    name=z3.Select(names, i),
                    value=values[i],
                    requiresGrad=z3.Select(flags, i),
                    parents=z3.Select(parents, i),
                    backward=Backward.arbitrary(world, z3.Select(tokens, i)),
                )
                for i in range(size)
            ],
        )

    @classmethod
    def read(cls, value: Tape, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).tape(value)

    @property
    def size(self) -> int:
        """`t.nodes.size`."""
        return len(self.nodes)

    def values(self) -> Accumulator:
        """`Array.map (·.value) t.nodes`."""
        return Accumulator(self.world, [node.value for node in self.nodes])

    def equals(self, other: Tape) -> Formula:
        if self.size != other.size:
            return False
        return all_of(*(equal(a, b) for a, b in zip(self.nodes, other.nodes, strict=True)))

    def addNode(self, node: Node) -> Added:
        """The tape with `node` pushed, and its id."""
        return Added(Tape(self.world, [*self.nodes, node]), self.size)

    def getNode(self, identifier: Any) -> Option:
        """`t.getNode? id`: `some` exactly when `id < t.nodes.size`."""

        def at(i: int) -> Option:
            return Option(True, self.nodes[i]) if 0 <= i < self.size else Option(False, None)

        return by_id(identifier, [self.size], at, Option.select)

    def _run(self, name: str, *arguments: Any) -> Result[Any]:
        """What the engine makes of these values, once for the same: a lemma at many sizes asks for few runs."""
        runs = self.world.share(_runs)
        key = (name, id(self), *map(id, arguments))
        if key not in runs:
            # the values are kept, so that their ids stay their own
            runs[key] = (self, arguments, super()._run(name, *arguments))
        result: Result[Any] = runs[key][-1]
        return result

    def BackwardPidsLt(self) -> Universal:
        """For every id, node at id, upstream `d` and contributions with `node.backward d = ok contribs`:
        every `(pid, _)` in them has `pid < id`."""
        return BackwardPidsLt(self)


@dataclass(frozen=True)
class BackwardPidsLt(Universal):
    """See `Tape.BackwardPidsLt`. Instantiated at every gradient that a node was asked about."""

    tape: Tape

    def proving(self) -> Formula:
        return all_of(
            *(
                _points_below(i, answer)
                for i, node in enumerate(self.tape.nodes)
                for _, answer in node.backward.applications
            )
        )

    def showing(self) -> Formula:
        return all_of(
            *(
                _points_below(i, node.backward(_fresh_tensor(self.tape.world, "upstream")))
                for i, node in enumerate(self.tape.nodes)
            )
        )

    def refuting(self) -> Formula:
        # A function is completed with `ok []`, which satisfies the hypothesis; distinct nodes are given distinct
        # functions, so that what one was asked says nothing of another.
        tokens = [b.token for b in self.tape.world.share(Backwards).arbitrary]
        below = all(
            node.backward.pids is not None and all(pid < i for pid in node.backward.pids)
            for i, node in enumerate(self.tape.nodes)
        )
        return all_of(below, self.proving(), z3.Distinct(*tokens) if len(tokens) > 1 else True)


def _runs(_: World) -> dict[tuple[Any, ...], tuple[Tape, tuple[Any, ...], Result[Accumulator]]]:
    """The runs of a world so far."""
    return {}


def _points_below(i: int, answer: Result[Contributions]) -> Formula:
    return implies(answer.ok, answer.value.forall(lambda pid, _: pid < i))


def _fresh_tensor(world: World, prefix: str) -> SomeTensor:
    """A tensor of which nothing is known, different from all others of the world."""
    shape = z3.FreshConst(world.share(Shapes).sort, prefix)
    sort = world.share(scalars).sort
    return SomeTensor.of(world, shape, [z3.FreshConst(sort, prefix) for _ in range(world.bound.entries)])
