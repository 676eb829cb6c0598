"""Tapes of any size, and their nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from symtape.encodings.free.accumulator import FreeAccumulator, arrays_equal, pointwise
from symtape.encodings.free.contributions import FreeContributions
from symtape.encodings.free.sorts import GRADIENT, VISIT, Fixed, Sorts, function
from symtape.encodings.free.tensor import FreeTensor
from symtape.encodings.result import Result
from symtape.encodings.tape import Added, Option, Runnable
from symtape.instances import Instances, meet_index
from symtape.logic import Formula, all_of, equal, formula, iff, implies, select_leaf
from symtape.naturals import known, less, minus, numeral, plus
from symtape.smt import z3
from symtape.terms import equation, select, store
from symtape.world import World

if TYPE_CHECKING:
    from symtape.encodings.free.packs import FreeTensorPack


class FreeNode(Fixed):
    """A node: a term, of which only can be asked what the fields of `Runtime.Autograd.Node` answer. `id` is where it
    stands on a tape, if it was found on one."""

    def __init__(self, world: World, term: Any, id: Any = None) -> None:
        self.world = world
        self.term = term
        self._id = id

    @property
    def value(self) -> FreeTensor:
        return FreeTensor(self.world, self.world.share(Sorts).value(self.term))

    @property
    def requiresGrad(self) -> Formula:
        return self.world.share(Sorts).requires_grad(self.term)

    def backward(self, gradient: FreeTensor) -> Result[FreeContributions]:
        """What the node's backward function answers to a gradient."""
        instances = self.world.share(Instances)
        instances.meet(GRADIENT, gradient.term)
        if self._id is not None:
            instances.meet(VISIT, self._id, gradient.term)
        return self.answer(gradient)

    def answer(self, gradient: FreeTensor) -> Result[FreeContributions]:
        """As `backward`, where it is not this that brings facts about the answer in."""
        sorts = self.world.share(Sorts)
        asked = (self.term, gradient.term)
        emitted = FreeContributions(self.world, sorts.backward_list(*asked))
        return Result(self.world, sorts.backward_ok(*asked), sorts.backward_message(*asked), emitted)

    def found(self) -> Option:
        """`Option.some node`."""
        return Option(True, self)

    def equals(self, other: FreeNode) -> Formula:
        return equal(self.term, other.term).holds()

    @classmethod
    def select(
        cls, options: Sequence[tuple[Formula, FreeNode]], otherwise: FreeNode, *, anything_else: bool
    ) -> FreeNode:
        """The node whose guard holds."""
        terms = [(g, node.term) for g, node in options]
        return FreeNode(otherwise.world, select_leaf(terms, otherwise.term, anything_else=anything_else))


def specify(
    world: World,
    term: Any,
    *,
    value: FreeTensor,
    requires: bool,
    answers: Callable[[FreeTensor], Result[FreeContributions]],
) -> FreeNode:
    """The node that is called `term`, whose backward function is `answers`."""
    sorts, instances = world.share(Sorts), world.share(Instances)
    world.require(equation(sorts.value(term), value.term), iff(sorts.requires_grad(term), requires))
    if instances.once("node", term):

        def asked(gradient: Any) -> Formula:
            return (
                FreeNode(world, term).answer(FreeTensor(world, gradient)).equals(answers(FreeTensor(world, gradient)))
            )

        instances.rule(GRADIENT, asked)
    return FreeNode(world, term)


class _Nodes:
    """`t.nodes` as an array that is indexed by ids."""

    __iter__ = None

    def __init__(self, tape: FreeTape) -> None:
        self._tape = tape

    def __getitem__(self, identifier: Any) -> FreeNode:
        return self._tape.at(identifier)


class FreeTape(Fixed, Runnable):
    """A Z3 array of nodes with its size."""

    def __init__(self, world: World, array: Any, size: Any) -> None:
        self.world = world
        self.array = array
        self.size = size

    @classmethod
    def declare(cls, world: World, name: str, size: Any) -> FreeTape:
        return cls(world, z3.Const(f"{name}.nodes", world.share(Sorts).nodes), size)

    def leaves(self) -> list[Any]:
        return [self.array, numeral(self.size)]

    def like(self, leaves: Sequence[Any]) -> FreeTape:
        array, size = leaves
        self.world.require(formula(size >= 0))
        return FreeTape(self.world, array, size)

    @property
    def nodes(self) -> _Nodes:
        return _Nodes(self)

    def at(self, identifier: Any) -> FreeNode:
        """The node at an id; out of range it is any node."""
        meet_index(self.world, identifier)
        return FreeNode(self.world, select(self.array, numeral(identifier)), numeral(identifier))

    def values(self) -> FreeAccumulator:
        """`Array.map (·.value) t.nodes`."""
        sorts = self.world.share(Sorts)
        values = pointwise(self.world, self.size, sorts.tensor, lambda i: sorts.value(select(self.array, numeral(i))))
        return FreeAccumulator(self.world, values, self.size)

    def equals(self, other: FreeTape) -> Formula:
        return arrays_equal(self.world, (self.array, self.size), (other.array, other.size))

    def addNode(self, node: FreeNode) -> Added:
        """The tape with `node` pushed, and its id."""
        longer = FreeTape(self.world, store(self.array, numeral(self.size), node.term), plus(self.size, 1))
        return Added(longer, self.size)

    def getNode(self, identifier: Any) -> Option:
        """`t.getNode? id`: `some` exactly when `id < t.nodes.size`."""
        return Option(all_of(less(-1, identifier), less(identifier, self.size)), self.at(identifier))

    def BackwardPidsLt(self) -> Formula:
        """For every id, node at id, upstream `d` and contributions with `node.backward d = ok contribs`:
        every `(pid, _)` in them has `pid < id`."""

        def backwards(identifier: Any, gradient: Any) -> Formula:
            answer = self.at(identifier).backward(FreeTensor(self.world, gradient))
            below = answer.value.forall(lambda pid, _: less(pid, identifier))
            return implies(all_of(less(identifier, self.size), answer.ok), below)

        return self.world.share(Instances).forall(VISIT, backwards)

    def addLeaves(self, x: FreeTensorPack) -> FreeTape:
        """The tape with a leaf for each tensor of `x`."""
        size = plus(self.size, x.ss.length)

        def at(i: Any) -> Any:
            leaf = leafNodeOfSomeTensor(FreeTensor(self.world, x.at(minus(i, self.size)))).term
            return leaf if known(self.size) == 0 else select_leaf([(less(i, self.size), select(self.array, i))], leaf)

        return FreeTape(self.world, pointwise(self.world, size, self.world.share(Sorts).node, at), size)


def leafNodeOfSomeTensor(value: FreeTensor) -> FreeNode:
    """The leaf with this value: it requires a gradient, and its backward function emits nothing."""
    world = value.world
    sorts = world.share(Sorts)
    term = function(world, "leaf", sorts.tensor, sorts.node)(value.term)
    return specify(world, term, value=value, requires=True, answers=lambda _: FreeContributions.nil(world).pure())
