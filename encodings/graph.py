"""Packs of tensors over a list of shapes, and the nodes that a graph is lowered to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.parameter import ModelParameter
from symtape.encodings.result import Result, ok
from symtape.encodings.scalar import scalars
from symtape.encodings.tape import Backward, Backwards, Node, RunBy, Tape
from symtape.encodings.tensor import Shapes, SomeTensor
from symtape.logic import Formula, all_of, any_of, equal, implies, negate, same
from symtape.smt import z3
from symtape.statement import StatementError, Universal
from symtape.world import Evaluation, World


class ShapeList(ModelParameter):
    """`ss : List Shape`. Its length is a size of its own, tied to the tape's only by hypotheses."""

    sized = "tape"

    def __init__(self, world: World, shapes: Sequence[Any]) -> None:
        self.world = world
        self.shapes = tuple(shapes)

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> ShapeList:
        shapes = world.share(Shapes)
        array = z3.Array(name, z3.IntSort(), shapes.sort)
        made = [z3.Select(array, i) for i in range(size)]
        world.require(*(shapes.typing(shape) for shape in made))
        return cls(world, made)

    @classmethod
    def read(cls, value: ShapeList, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).shape_list(value)

    @property
    def length(self) -> int:
        return len(self.shapes)

    def append(self, other: ShapeList) -> ShapeList:
        """`Γ ++ ss`."""
        return ShapeList(self.world, [*self.shapes, *other.shapes])

    def equals(self, other: ShapeList) -> Formula:
        if self.length != other.length:
            return False
        return all_of(*(equal(a, b) for a, b in zip(self.shapes, other.shapes, strict=True)))

    def has_pack(self, pack: TensorPack, what: str) -> None:
        """Raise `StatementError` unless the pack is one over this list, as Lean's types would."""
        mine, its = self.shapes, [tensor.shape for tensor in pack.tensors]
        if len(mine) != len(its) or not all(same(a, b) for a, b in zip(mine, its, strict=True)):
            raise StatementError(f"{what} needs a pack over the list of shapes it is declared over")


class TensorPack(ModelParameter):
    """`TensorPack α ss`: one tensor for each shape of `ss`; entry i has shape `ss[i]`."""

    depends = 1

    def __init__(self, world: World, tensors: Sequence[SomeTensor]) -> None:
        self.world = world
        self.tensors = tuple(tensors)

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> TensorPack:
        (ss,) = over
        sort = world.share(scalars).sort
        columns = [z3.Array(f"{name}.entry{j}", z3.IntSort(), sort) for j in range(world.bound.entries)]
        return cls(
            world,
            [
                SomeTensor.of(world, shape, [z3.Select(c, i) for c in columns], f"{name}[{i}]")
                for i, shape in enumerate(ss.shapes)
            ],
        )

    @classmethod
    def read(cls, value: TensorPack, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).pack(value)

    @property
    def terms(self) -> list[Any]:
        return [term for tensor in self.tensors for term in tensor.terms]

    def add(self, other: TensorPack) -> TensorPack:
        """`TensorPack.add`: pointwise, `self` as the left operand. Raises `StatementError` for other shapes."""
        if len(self.tensors) != len(other.tensors):
            raise StatementError("only packs over one list of shapes can be added")
        return TensorPack(self.world, [a.plus(b) for a, b in zip(self.tensors, other.tensors, strict=True)])

    def reversed(self) -> TensorPack:
        """The tensors last first, a pack over the shapes last first."""
        return TensorPack(self.world, self.tensors[::-1])

    def snoc(self, tensor: SomeTensor) -> TensorPack:
        """Append one tensor."""
        return TensorPack(self.world, [*self.tensors, tensor])

    def unsnoc(self) -> Unsnoc:
        """The pack without its last tensor, and that. Raises `StatementError` for a pack over no shapes."""
        if not self.tensors:
            raise StatementError("a pack over no shapes has no last tensor")
        return Unsnoc(TensorPack(self.world, self.tensors[:-1]), self.tensors[-1])

    def toShapeErasedArray(self) -> Accumulator:
        """The tensors in order, with their shapes."""
        return Accumulator(self.world, self.tensors)

    def toIndexedShapeErasedArray(self, start: int) -> Contributions:
        """The pairs `(start + i, tensor i)`."""
        return Contributions(self.world, [(True, start + i, tensor) for i, tensor in enumerate(self.tensors)])

    def equals(self, other: TensorPack) -> Formula:
        return equal(self.toShapeErasedArray(), other.toShapeErasedArray()).holds()


class Unsnoc(NamedTuple):
    """What `unsnoc` returns: Lean's `.1` and `.2`."""

    prefix: TensorPack
    last: SomeTensor


def _arbitrary_pack(world: World, name: str, ss: ShapeList, arguments: Sequence[Any]) -> TensorPack:
    """The pack over `ss` that an arbitrary function called `name` answers to these arguments."""
    sort = world.share(scalars).sort
    domain = [argument.sort() for argument in arguments]

    def entry(i: int, j: int) -> Any:
        if not domain:
            return z3.Const(f"{name}_{i}_{j}", sort)
        return z3.Function(f"{name}_{i}_{j}", *domain, sort)(*arguments)

    width = world.bound.entries
    return TensorPack(
        world,
        [SomeTensor.of(world, shape, [entry(i, j) for j in range(width)]) for i, shape in enumerate(ss.shapes)],
    )


class NodeData(RunBy, ModelParameter):
    """`NodeData α Δ ss τ`: a forward and a vjp, no law ties them. `Annotated[NodeData, over("ss", "τ")]`."""

    depends = 2

    def __init__(self, world: World, name: str, ss: ShapeList, shape: Any) -> None:
        self.world = world
        self.name = name
        self.ss = ss
        self.shape = shape
        self.vjps: list[tuple[TensorPack, Any, SomeTensor, TensorPack]] = []
        self.forwards: list[tuple[TensorPack, Any, SomeTensor]] = []

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> NodeData:
        ss, shape = over
        return cls(world, name, ss, shape)

    @classmethod
    def read(cls, value: NodeData, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).node_data(value)

    def forward(self, ctx: TensorPack, d: Any) -> SomeTensor:
        """`node.forward ctx d : Tensor α τ`."""
        self.ss.has_pack(ctx, f"{self.name}.forward")
        arguments = [d, *ctx.terms]
        domain = [a.sort() for a in arguments]
        sort = self.world.share(scalars).sort
        terms = [
            z3.Function(f"{self.name}.forward_{j}", *domain, sort)(*arguments)
            for j in range(self.world.bound.entries)
        ]
        value = SomeTensor.of(self.world, self.shape, terms)
        self.forwards.append((ctx, d, value))
        return value

    def vjp(self, ctx: TensorPack, d: Any, seed: SomeTensor) -> TensorPack:
        """`node.vjp ctx d seed : TensorPack α ss`, where `seed` has the node's shape τ. Raises `StatementError` for a
        seed or a context of another type."""
        if not same(seed.shape, self.shape):
            raise StatementError(f"{self.name}.vjp needs a seed of the node's own shape")
        return self.vjp_of(ctx, d, seed)

    def vjp_of(self, ctx: TensorPack, d: Any, seed: SomeTensor) -> TensorPack:
        """As `vjp`, of a seed whose shape is only known under a condition."""
        self.ss.has_pack(ctx, f"{self.name}.vjp")
        answer = _arbitrary_pack(self.world, f"{self.name}.vjp", self.ss, [d, *ctx.terms, *seed.terms])
        self.vjps.append((ctx, d, seed, answer))
        return answer

    def lowered(self, name: Any, ctx: TensorPack, d: Any) -> Node:
        """`lowerNode`: its backward runs the vjp and addresses entry i of the pack to id i."""
        world, engine = self.world, self.engine

        def backward(g: SomeTensor) -> Result[Contributions]:
            emitted: Result[Contributions] = engine.lowered_backward(self, ctx, d, g)
            return emitted

        def named(what: str, sort: Any) -> Any:
            arguments = [d, *ctx.terms]
            return z3.Function(f"{self.name}.{what}", *(a.sort() for a in arguments), sort)(*arguments)

        return Node(
            world,
            name=name,
            value=engine.lowered_value(self, ctx, d),
            requiresGrad=engine.lowered_flag(),
            parents=named("parents", z3.DeclareSort("Parents")),
            backward=Backward(
                named("lowered", world.share(Backwards).sort),
                backward,
                pids=range(engine.first_id, engine.first_id + self.ss.length),
            ),
        )


def lowerNode(name: Any, node: Any, ctx: Any, d: Any) -> Any:
    """`lowerNode name node ctx d`: the runtime node of a graph node, symbolic or an interpreter's."""
    return node.lowered(name, ctx, d)


class ReverseProgram(ModelParameter):
    """`bp : TensorPack α ss → TensorPack α ss`, an arbitrary function. `Annotated[ReverseProgram, over("ss")]`."""

    depends = 1

    def __init__(self, world: World, name: str, ss: ShapeList) -> None:
        self.world = world
        self.name = name
        self.ss = ss
        self.applications: list[tuple[TensorPack, TensorPack]] = []
        self.completed_by: Tape | None = None

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> ReverseProgram:
        (ss,) = over
        return cls(world, name, ss)

    @classmethod
    def read(cls, value: ReverseProgram, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).reverse_program(value)

    def __call__(self, seeds: TensorPack) -> TensorPack:
        self.ss.has_pack(seeds, self.name)
        answer = _arbitrary_pack(self.world, self.name, self.ss, seeds.terms)
        self.applications.append((seeds, answer))
        return answer

    def agreesWith(self, t: Tape) -> Universal:
        """`∀ s : TensorPack α ss, t.backwardDenseFrom s.toShapeErasedArray = ok (bp s).toShapeErasedArray`."""
        return AgreesWith(self, t)


@dataclass(frozen=True)
class AgreesWith(Universal):
    """See `ReverseProgram.agreesWith`. Instantiated at every seed that `bp` was applied to."""

    bp: ReverseProgram
    tape: Tape
    _instances: list[Formula] = field(default_factory=list, compare=False)

    def proving(self) -> Formula:
        if not self.bp.applications:
            # at least one instance: else a hypothesis that no tape satisfies would not be seen to be contradictory
            self.bp(TensorPack.declare(self.bp.world, f"{self.bp.name}.seed", 0, self.bp.ss))
        return self._met()

    def _met(self) -> Formula:
        for seeds, answer in self.bp.applications[len(self._instances) :]:
            run = self.tape.backwardDenseFrom(seeds.toShapeErasedArray())
            self._instances.append(equal(run, ok(answer.toShapeErasedArray())).holds())
        return all_of(*self._instances)

    def refuting(self) -> Formula:
        """The instances, and that the pass succeeds on every seed: then `bp` can be completed by the pass itself.

        It succeeds on every seed if the sizes and shapes fit and no node, whatever it is asked, fails or emits
        a contribution that does not fit. Nodes are completed with `ok []`, so this is asked of what was met.
        """
        tape, shapes = self.tape, self.bp.ss.shapes
        if tape.size != len(shapes):
            return False
        self.bp.completed_by = tape
        instances = self._met()
        fits = [implies(n.requiresGrad, equal(s, n.value.shape)) for n, s in zip(tape.nodes, shapes, strict=True)]
        answers = [
            implies(n.requiresGrad, all_of(answer.ok, answer.value.forall(self._fits)))
            for n in tape.nodes
            for _, answer in n.backward.applications
        ]
        tokens = [b.token for b in self.bp.world.share(Backwards).arbitrary]
        return all_of(instances, *fits, *answers, z3.Distinct(*tokens) if len(tokens) > 1 else True)

    def _fits(self, pid: Any, contribution: SomeTensor) -> Formula:
        return any_of(
            *(
                all_of(pid == i, any_of(negate(n.requiresGrad), equal(contribution.shape, n.value.shape)))
                for i, n in enumerate(self.tape.nodes)
            )
        )
