"""Packs of tensors over a list of shapes of any length, the nodes of a graph, and reverse programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.encodings.free.accumulator import FreeAccumulator, arrays_equal, pointwise
from symtape.encodings.free.contributions import FreeContributions, Indexed
from symtape.encodings.free.sorts import Fixed, Sorts, function
from symtape.encodings.free.tape import FreeNode, FreeTape, specify
from symtape.encodings.free.tensor import FreeTensor
from symtape.encodings.result import ok
from symtape.encodings.tape import RunBy
from symtape.instances import INDEX, Domain, Instances, meet_index
from symtape.logic import Formula, equal, implies, same, select_leaf
from symtape.naturals import known, less, minus, numeral, plus, predecessor
from symtape.smt import z3
from symtape.statement import StatementError
from symtape.terms import equation, select, store
from symtape.world import World


def _known_shapes(_: World) -> dict[int, Any]:
    """What is in the places of lists that were looked at."""
    return {}


def _key(world: World, *parts: Any) -> int:
    """The number by which something made of these texts, numbers and terms is known to be the same."""
    return world.share(Instances).number(*parts)


class FreeShapeList(Fixed):
    """A list of shapes: what is at its places, its length, and a key by which it is known to be the same list."""

    def __init__(
        self,
        world: World,
        at: Callable[[Any], Any],
        length: Any,
        key: int,
        ends: tuple[FreeShapeList, Any] | None = None,
    ) -> None:
        self.world = world
        self.length = length
        self.key = key
        self._at = at
        self._ends = ends
        self._whole: FreeShapeList | None = None

    @classmethod
    def declare(cls, world: World, name: str, length: Any) -> FreeShapeList:
        array = z3.Const(name, world.share(Sorts).shapes)
        key = _key(world, "list", array, numeral(length))
        return cls(world, lambda i: select(array, numeral(i)), length, key)

    def at(self, position: Any) -> Any:
        """The shape in a place."""
        shapes = self.world.share(_known_shapes)
        where = _key(self.world, "shape", self.key, numeral(position))
        if where not in shapes:
            shapes[where] = self._at(position)
        return shapes[where]

    def leaves(self) -> list[Any]:
        """The terms by which it is known."""
        return [z3.Int(f"shapes!{self.key}")]

    @property
    def prefix(self) -> FreeShapeList:
        """All but the last shape. Only of a list that is known to have one."""
        return self._split()[0]

    @property
    def last(self) -> Any:
        """The last shape. Only of a list that is known to have one."""
        return self._split()[1]

    def _split(self) -> tuple[FreeShapeList, Any]:
        if self._ends is None:
            shorter = predecessor(self.length)
            if shorter is None:
                raise StatementError("only a list that is known to have an element has a last one")
            prefix = FreeShapeList(self.world, self.at, shorter, _key(self.world, "prefix", self.key))
            prefix._whole = self
            self._ends = (prefix, self.at(numeral(shorter)))
        return self._ends

    @property
    def tail(self) -> FreeShapeList:
        """All but the first shape. Only of a list that is known to have one."""
        if predecessor(self.length) is None:
            raise StatementError("only a list that is known to have an element has a first one")
        return FreeShapeList(
            self.world, lambda i: self.at(plus(i, 1)), predecessor(self.length), _key(self.world, "tail", self.key)
        )

    def snoc(self, shape: Any) -> FreeShapeList:
        """`ss ++ [τ]`."""
        if self._whole is not None and same(shape, self._whole.last):
            return self._whole
        longer = FreeShapeList(
            self.world,
            lambda i: select_leaf([(equal(i, self.length).holds(), shape)], self.at(i)),
            plus(self.length, 1),
            _key(self.world, "snoc", self.key, shape),
            (self, shape),
        )
        return longer

    def append(self, other: FreeShapeList) -> FreeShapeList:
        """`Γ ++ ss`."""
        if known(other.length) == 0:
            return self
        if predecessor(other.length) is not None:
            return self.append(other.prefix).snoc(other.last)
        return FreeShapeList(
            self.world,
            lambda i: select_leaf([(less(i, self.length), self.at(i))], other.at(minus(i, self.length))),
            plus(self.length, other.length),
            _key(self.world, "append", self.key, other.key),
        )

    def has_pack(self, pack: FreeTensorPack, what: str) -> None:
        """Raise `StatementError` unless the pack is one over this list, as Lean's types would."""
        if pack.ss.key != self.key:
            raise StatementError(f"{what} needs a pack over the list of shapes it is declared over")

    def seeds(self) -> Domain:
        """The packs over this list, as a domain to quantify over: each is its array."""
        return Domain(f"seeds!{self.key}", lambda world, name: (FreeTensorPack.declare(world, name, self).array,))


class FreeTensorPack(Fixed):
    """One tensor for each shape of a list: what is at its places, and the array of that."""

    def __init__(self, world: World, ss: FreeShapeList, at: Callable[[Any], Any], array: Any = None) -> None:
        self.world = world
        self.ss = ss
        self.at = at
        self._array = array

    @classmethod
    def declare(cls, world: World, name: str, ss: FreeShapeList) -> FreeTensorPack:
        return cls.of(world, ss, z3.Const(name, world.share(Sorts).tensors))

    @classmethod
    def of(cls, world: World, ss: FreeShapeList, array: Any) -> FreeTensorPack:
        """The pack over `ss` with this array: entry i has shape `ss[i]`."""
        sorts, instances = world.share(Sorts), world.share(Instances)

        def typed(i: Any) -> Formula:
            if not instances.once("typed", array, ss.key, i):
                return True
            return implies(less(i, ss.length), equation(sorts.shape_of(select(array, i)), ss.at(i)))

        def at(i: Any) -> Any:
            i = numeral(i)
            meet_index(world, i, leads_on=True)
            world.require(implies(INDEX.guard(i), typed(i)))
            return select(array, i)

        if instances.once("typed", array, ss.key):
            instances.rule(INDEX, typed)
        return cls(world, ss, at, array)

    @property
    def array(self) -> Any:
        if self._array is None:
            self._array = pointwise(self.world, self.ss.length, self.world.share(Sorts).tensor, self.at)
        return self._array

    def leaves(self) -> list[Any]:
        return [self.array]

    def like(self, leaves: Sequence[Any]) -> FreeTensorPack:
        return FreeTensorPack.of(self.world, self.ss, leaves[0])

    def add(self, other: FreeTensorPack) -> FreeTensorPack:
        """`TensorPack.add`: pointwise, `self` as the left operand. Raises `StatementError` for other shapes."""
        if self.ss.key != other.ss.key:
            raise StatementError("only packs over one list of shapes can be added")

        def at(i: Any) -> Any:
            return FreeTensor(self.world, self.at(i)).sum(FreeTensor(self.world, other.at(i))).term

        return FreeTensorPack(self.world, self.ss, at)

    def reversed(self) -> FreeTensorPack:
        """The tensors last first, a pack over the shapes last first."""

        def opposite(i: Any) -> Any:
            return minus(minus(self.ss.length, 1), i)

        shapes = FreeShapeList(
            self.world,
            lambda i: self.ss.at(opposite(i)),
            self.ss.length,
            _key(self.world, "reversed", self.ss.key),
        )
        return FreeTensorPack(self.world, shapes, lambda i: self.at(opposite(i)))

    def snoc(self, tensor: FreeTensor) -> FreeTensorPack:
        """Append one tensor. Raises `StatementError` for one whose type does not say its shape."""
        if tensor.typed is None:
            raise StatementError("a pack is made of tensors whose type says their shape")
        array = store(self.array, numeral(self.ss.length), tensor.term)
        return FreeTensorPack(self.world, self.ss.snoc(tensor.typed), lambda i: select(array, numeral(i)), array)

    def unsnoc(self) -> tuple[FreeTensorPack, FreeTensor]:
        """All but the last tensor, and the last. Only of a pack that is known to have one."""
        shorter = self.ss.prefix
        prefix = FreeTensorPack(self.world, shorter, self.at)
        last = FreeTensor(self.world, self.at(shorter.length), self.ss.last)
        longer = store(prefix.array, numeral(shorter.length), last.term)
        self.world.require(equation(longer, self.array))
        return prefix, last

    @property
    def tail(self) -> FreeTensorPack:
        """All but the first tensor. Only of a pack that is known to have one."""
        return FreeTensorPack(self.world, self.ss.tail, lambda i: self.at(plus(i, 1)))

    @property
    def head(self) -> FreeTensor:
        """The first tensor. Only of a pack that is known to have one."""
        if predecessor(self.ss.length) is None:
            raise StatementError("only a pack that is known to have a tensor has a first one")
        return FreeTensor(self.world, self.at(0), self.ss.at(z3.IntVal(0)))

    def emptyArray(self) -> FreeAccumulator:
        """`#[]`, in the world of this pack."""
        return FreeAccumulator(self.world, z3.Const("#[]", self.world.share(Sorts).tensors), 0)

    def emptyTape(self) -> FreeTape:
        """`Tape.empty`, in the world of this pack."""
        return FreeTape.declare(self.world, "Tape.empty", 0)

    def toShapeErasedArray(self) -> FreeAccumulator:
        """The tensors in order, with their shapes."""
        return FreeAccumulator(self.world, self.array, self.ss.length)

    def toIndexedShapeErasedArray(self, start: Any) -> FreeContributions:
        """The pairs `(start + i, tensor i)`."""
        return Indexed(
            self.world,
            self.array,
            self.ss.length,
            start,
            self.at,
            lambda: self.tail.toIndexedShapeErasedArray(plus(start, 1)),
        )

    def equals(self, other: FreeTensorPack) -> Formula:
        return arrays_equal(self.world, (self.array, self.ss.length), (other.array, other.ss.length))


class FreeNodeData(Fixed, RunBy):
    """`NodeData α Δ ss τ`: a term, with a forward and a vjp that nothing ties together."""

    def __init__(self, world: World, term: Any, ss: FreeShapeList, shape: Any) -> None:
        self.world = world
        self.term = term
        self.ss = ss
        self.shape = shape

    @classmethod
    def declare(cls, world: World, name: str, ss: FreeShapeList, shape: Any) -> FreeNodeData:
        return cls(world, z3.Const(name, z3.DeclareSort("NodeData")), ss, shape)

    def forward(self, ctx: FreeTensorPack, d: Any) -> FreeTensor:
        """`node.forward ctx d : Tensor α τ`."""
        self.ss.has_pack(ctx, "forward")
        return FreeTensor(
            self.world, self._apply("forward", self.world.share(Sorts).tensor, ctx.array, d), self.shape
        )

    def vjp(self, ctx: FreeTensorPack, d: Any, seed: FreeTensor) -> FreeTensorPack:
        """`node.vjp ctx d seed : TensorPack α ss`, where `seed` has the node's shape τ. Raises `StatementError` for a
        seed or a context of another type."""
        if seed.typed is None or not same(seed.typed, self.shape):
            raise StatementError("vjp needs a seed of the node's own shape")
        return self.vjp_of(ctx, d, seed)

    def vjp_of(self, ctx: FreeTensorPack, d: Any, seed: FreeTensor) -> FreeTensorPack:
        """As `vjp`, of a seed whose shape is only known under a condition."""
        self.ss.has_pack(ctx, "vjp")
        array = self._apply("vjp", self.world.share(Sorts).tensors, ctx.array, d, seed.term)
        return FreeTensorPack.of(self.world, self.ss, array)

    def _apply(self, name: str, sort: Any, *arguments: Any) -> Any:
        operands = (self.term, *arguments)
        return function(self.world, name, *(a.sort() for a in operands), sort)(*operands)

    def lowered(self, name: Any, ctx: FreeTensorPack, d: Any) -> FreeNode:
        """`lowerNode`: its backward runs the vjp and addresses entry i of the pack to id i."""
        engine = self.engine
        name_of = "lowerNode" if engine is self.world_engine else "lowerNode of the runtime"
        term = self._apply(name_of, self.world.share(Sorts).node, name, ctx.array, d)
        return specify(
            self.world,
            term,
            value=engine.lowered_value(self, ctx, d),
            requires=engine.lowered_flag(),
            answers=lambda gradient: engine.lowered_backward(self, ctx, d, gradient),
        )


class FreeReverseProgram(Fixed):
    """`bp : TensorPack α ss → TensorPack α ss`."""

    def __init__(self, world: World, ss: FreeShapeList, function: Callable[[FreeTensorPack], FreeTensorPack]) -> None:
        self.world = world
        self.ss = ss
        self._function = function

    @classmethod
    def declare(cls, world: World, name: str, ss: FreeShapeList) -> FreeReverseProgram:
        tensors = world.share(Sorts).tensors
        symbol = function(world, name, tensors, tensors)
        return cls(world, ss, lambda seed: FreeTensorPack.of(world, ss, symbol(seed.array)))

    def __call__(self, seed: FreeTensorPack) -> FreeTensorPack:
        self.ss.has_pack(seed, "a reverse program")
        self.world.share(Instances).meet(self.ss.seeds(), seed.array)
        return self._function(seed)

    def agreesWith(self, t: Any) -> Formula:
        """`∀ s : TensorPack α ss, t.backwardDenseFrom s.toShapeErasedArray = ok (bp s).toShapeErasedArray`."""

        def agrees(array: Any) -> Formula:
            seed = FreeTensorPack.of(self.world, self.ss, array)
            run = t.backwardDenseFrom(seed.toShapeErasedArray())
            return equal(run, ok(self(seed).toShapeErasedArray())).holds()

        return self.world.share(Instances).forall(self.ss.seeds(), agrees)
