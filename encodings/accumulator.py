"""The dense gradient accumulator, `Array (Spec.SomeTensor α)`: one tensor for each node of a tape.

An arbitrary accumulator is a Z3 array from ids to shapes and one from ids to each entry, with its size. Its
slots are read off at the known ids below the size, and a run of the backward pass works on those: nothing
outside the size exists, so equality cannot depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.encodings.index import by_id
from symtape.encodings.parameter import ModelParameter
from symtape.encodings.result import Result, failure, success
from symtape.encodings.scalar import scalars
from symtape.encodings.tensor import Entries, Shapes, SomeTensor
from symtape.logic import Formula, all_of, equal, iff, implies, negate, select_formula, select_leaf
from symtape.smt import z3
from symtape.world import Evaluation, World


class SizesDifferError(ValueError):
    """A choice between arrays of different sizes, which the bounded model cannot express."""


def tensor_array(world: World, name: str, size: int) -> list[SomeTensor]:
    """The first `size` tensors of an arbitrary array of tensors."""
    shapes = z3.Array(f"{name}.shape", z3.IntSort(), world.share(Shapes).sort)
    sort = world.share(scalars).sort
    columns = [z3.Array(f"{name}.entry{j}", z3.IntSort(), sort) for j in range(world.bound.entries)]
    return [
        SomeTensor.of(world, z3.Select(shapes, i), [z3.Select(c, i) for c in columns], f"{name}[{i}]")
        for i in range(size)
    ]


class Accumulator(ModelParameter):
    """An array of shape-erased tensors."""

    sized = "tape"
    __iter__ = None  # indexing never ends, so Python's way of iterating by it would not either

    def __init__(self, world: World, slots: Sequence[SomeTensor]) -> None:
        self.world = world
        self.slots = tuple(slots)

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Accumulator:
        return cls(world, tensor_array(world, name, size))

    @classmethod
    def read(cls, value: Accumulator, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).accumulator(value)

    @property
    def size(self) -> int:
        return len(self.slots)

    def push(self, tensor: SomeTensor) -> Accumulator:
        """`acc.push v`."""
        return Accumulator(self.world, [*self.slots, tensor])

    def append(self, other: Accumulator) -> Accumulator:
        """`acc ++ other`."""
        return Accumulator(self.world, [*self.slots, *other.slots])

    def __getitem__(self, identifier: Any) -> SomeTensor:
        """The tensor in a slot. Out of range it is an arbitrary tensor of a shape that nothing else has, where
        Lean would ask for a proof that this does not happen."""

        def at(i: int) -> SomeTensor:
            return self.slots[i] if 0 <= i < self.size else self.world.share(_nowhere)

        return by_id(
            identifier,
            [self.size],
            at,
            lambda options, rest: SomeTensor.select(options, rest, anything_else=False),
        )

    def set(self, identifier: Any, tensor: SomeTensor) -> Accumulator:
        """`acc with acc[id] := tensor`; outside the array nothing changes, as with Lean's `set!`."""

        def at(written: int) -> Accumulator:
            return Accumulator(self.world, [tensor if i == written else s for i, s in enumerate(self.slots)])

        return by_id(
            identifier,
            [self.size],
            at,
            lambda options, rest: Accumulator.select(options, rest, anything_else=False),
        )

    def filled(self, tensor: SomeTensor) -> Accumulator:
        """An array of this size with `tensor` in every slot."""
        return Accumulator(self.world, [tensor] * self.size)

    def pure(self) -> Result[Accumulator]:
        """`Except.ok acc`."""
        return success(self.world, self)

    def error(self, message: str) -> Result[Any]:
        """`Except.error message`."""
        return failure(self.world, message)

    def equals(self, other: Accumulator) -> Formula:
        if self.size != other.size:
            return False
        return all_of(*(equal(a, b) for a, b in zip(self.slots, other.slots, strict=True)))

    @classmethod
    def select(
        cls, options: Sequence[tuple[Formula, Accumulator]], otherwise: Accumulator, *, anything_else: bool
    ) -> Accumulator:
        """The accumulator whose guard holds. Raises `SizesDifferError` unless all have one size."""
        every = [acc for _, acc in options] + ([] if anything_else else [otherwise])
        first = every[0]
        if any(acc.size != first.size for acc in every):
            raise SizesDifferError(f"accumulators of sizes {sorted({acc.size for acc in every})} cannot be merged")
        slots = [
            SomeTensor.select(
                [(g, acc.slots[i]) for g, acc in options],
                first.slots[i] if anything_else else otherwise.slots[i],
                anything_else=anything_else,
            )
            for i in range(first.size)
        ]
        return Accumulator(first.world, slots)


def _nowhere(world: World) -> SomeTensor:
    shapes, filler = world.share(Shapes), world.share(scalars).filler
    shape = z3.FreshConst(shapes.sort, "nowhere")
    world.require(shapes.nowhere(shape), *(z3.Not(has(shape)) for has in shapes.has_entry))
    return SomeTensor(world, shape, world.share(Entries).array([filler] * world.bound.entries))


class Contributions(ModelParameter):
    """`List (ℕ × Spec.SomeTensor α)`: gradients on their way to the nodes with these ids, in order.

    Each has a guard: a node's `backward` emits an unknown number of them.
    """

    sized = "list"

    def __init__(self, world: World, items: Sequence[tuple[Formula, Any, SomeTensor]]) -> None:
        self.world = world
        self.items = tuple(items)

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Contributions:
        tensors = tensor_array(world, name, size)
        pids = z3.Array(f"{name}.pid", z3.IntSort(), z3.IntSort())
        world.require(*(z3.Select(pids, k) >= 0 for k in range(size)))
        return cls(world, [(True, z3.Select(pids, k), tensor) for k, tensor in enumerate(tensors)])

    @classmethod
    def read(cls, value: Contributions, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).contributions(value)

    def pure(self) -> Result[Contributions]:
        """`Except.ok cs`."""
        return success(self.world, self)

    def take(self, count: int) -> Contributions:
        """`cs.take n`: the first `n`, or all if there are fewer."""
        return Contributions(self.world, self.items[:count])

    def drop(self, count: int) -> Contributions:
        """`cs.drop n`: all but the first `n`."""
        return Contributions(self.world, self.items[count:])

    def dropLast(self) -> Contributions:
        """`cs.dropLast`: all but the last."""
        # an item is the last one when the next is absent
        following = [present for present, _, _ in self.items[1:]]
        kept = zip(self.items, following, strict=False)
        return Contributions(self.world, [(after, pid, tensor) for (_, pid, tensor), after in kept])

    def reverse(self) -> Contributions:
        """`cs.reverse`. What is absent comes first then: a fold passes over it wherever it stands."""
        return Contributions(self.world, self.items[::-1])

    def forall(self, body: Callable[[Any, SomeTensor], Any]) -> Formula:
        """`∀ (pid, pg) ∈ cs, body pid pg`."""
        return all_of(*(implies(present, body(pid, tensor)) for present, pid, tensor in self.items))

    def equals(self, other: Contributions) -> Formula:
        longer, shorter = sorted((self.items, other.items), key=len, reverse=True)
        rest = longer[len(shorter) :]
        return all_of(
            *(
                all_of(iff(p, q), implies(p, all_of(equal(i, j), equal(a, b))))
                for (p, i, a), (q, j, b) in zip(longer, shorter, strict=False)
            ),
            *(negate(p) for p, _, _ in rest),
        )

    def foldlM(self, step: Callable[[Any, Any, SomeTensor], Any], start: Any) -> Any:
        """`List.foldlM` of `step acc pid pg` from `start`: in order, stopped by the first error."""
        state = success(self.world, start)
        for present, pid, tensor in self.items:
            state = state.bind(
                lambda acc, present=present, pid=pid, tensor=tensor: Result.select(  # type: ignore[misc]
                    self.world, [(present, step(acc, pid, tensor))], success(self.world, acc)
                )
            )
        return state

    @classmethod
    def select(
        cls,
        options: Sequence[tuple[Formula, Contributions]],
        otherwise: Contributions,
        *,
        anything_else: bool,
    ) -> Contributions:
        """The list whose guard holds, item by item."""
        lists = [(g, cs.items) for g, cs in options]
        rest = () if anything_else else otherwise.items
        items = []
        for k in range(max(len(rest), *(len(each) for _, each in lists))):
            here = [(g, each[k]) for g, each in lists if k < len(each)]
            last = rest[k] if k < len(rest) else None
            present = select_formula(
                [(g, each[k][0] if k < len(each) else False) for g, each in lists], last[0] if last else False
            )
            fallback = last or here[0][1]
            pid = select_leaf([(g, item[1]) for g, item in here], fallback[1], anything_else=last is None)
            tensor = SomeTensor.select([(g, item[2]) for g, item in here], fallback[2], anything_else=last is None)
            items.append((present, pid, tensor))
        return Contributions(otherwise.world, items)
