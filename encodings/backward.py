"""The dense backward pass: `addGradAll`, `backwardDenseFromStep`, `backwardDenseFromLoop`, `backwardDenseFrom`.

Each function is an ordered list of cases, the first that applies decides. This is the only definition of the
runtime's semantics in symbolic form; a changed engine is a subclass that changes a list or a hook.
Source: TorchLean, `NN/Runtime/Autograd/Engine/Core/{Base,Backward}.lean`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.index import by_id
from symtape.encodings.result import Result, failure, success
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import SomeTensor
from symtape.logic import equal, formula, negate
from symtape.recursion import recursive
from symtape.world import World

if TYPE_CHECKING:
    from symtape.encodings.graph import NodeData, TensorPack
    from symtape.encodings.interpreter import Runtime

INVALID_PARENT = "autograd: invalid parent id during backward"
WRONG_CONTRIBUTION = "autograd: gradient contribution has wrong shape for parent"
OUT_OF_BOUNDS = "autograd: internal error (gradient array out of bounds)"
WRONG_SLOT = "autograd: gradient array has wrong shape for node"
NODE_MISSING = "autograd: internal error (node missing)"
WRONG_LENGTH = "autograd: initial dense gradient array has wrong length"
UPSTREAM_MISMATCH = "autograd: upstream gradient shape mismatch"

Loop = Callable[[Accumulator], Result[Accumulator]]


@dataclass(frozen=True)
class Case:
    """One row of a function's table. Both sides are evaluated only where the rows before do not plainly apply."""

    name: str
    when: Callable[[], Any]
    then: Callable[[], Result[Any]]


def first_case(world: World, cases: list[Case]) -> Result[Any]:
    """The result of the first case that applies. Raises `ValueError` if the last one does not always apply."""
    pending: list[tuple[Any, Result[Any]]] = []
    for case in cases:
        when = formula(case.when())
        if when is False:
            continue
        then = case.then()
        if when is True:
            for guard, earlier in reversed(pending):
                then = Result.select(world, [(guard, earlier)], then)
            return then
        pending.append((when, then))
    raise ValueError(f"no case applies: {', '.join(case.name for case in cases)}")


class Engine:
    """The runtime's backward pass on symbolic tapes."""

    @property
    def unchanged(self) -> bool:
        """Whether this is the runtime itself and not a changed engine."""
        return type(self) is Engine

    def interpreter(self) -> type[Runtime]:
        """The plain-Python engine that replays counterexamples to this one."""
        from symtape.encodings.interpreter import Runtime

        return Runtime

    # --- hooks: what a changed engine most often changes ---

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        """The new content of a slot: the existing entry is the left operand."""
        return existing.add(contribution)

    def write(self, acc: Accumulator, identifier: int, total: SomeTensor) -> Accumulator:
        """The array with the new content in the slot of node `identifier`."""
        return acc.set(identifier, total)

    def run(self, t: Tape, acc: Accumulator, identifier: int) -> Result[Contributions]:
        """What node `identifier` emits: its backward function on its slot."""
        return t.nodes[identifier].backward(acc[identifier])

    def contributions(self, emitted: Contributions) -> Contributions:
        """The contributions in the order in which they are added."""
        return emitted

    def fold(self, t: Tape, acc: Accumulator, identifier: int, emitted: Contributions) -> Result[Accumulator]:
        """Add what node `identifier` emitted, each contribution to what those before it left."""
        folded: Result[Accumulator] = emitted.foldlM(lambda state, pid, pg: self.addGradAll(t, state, pid, pg), acc)
        return folded

    # --- hooks: the node that a graph node is lowered to ---

    first_id = 0
    """The id that the first entry of a lowered node's pack is emitted to; the others follow."""

    def lowered_value(self, node: NodeData, ctx: TensorPack, d: Any) -> SomeTensor:
        """The value of a lowered node."""
        return node.forward(ctx, d)

    def lowered_flag(self) -> bool:
        """Whether a lowered node requires a gradient."""
        return True

    def lowered_vjp(self, node: NodeData, ctx: TensorPack, d: Any, g: SomeTensor) -> TensorPack:
        """The pack that a lowered node emits to a gradient of its own shape."""
        return node.vjp_of(ctx, d, g)

    def numbered(self, pack: TensorPack) -> Contributions:
        """The pack that a lowered node emits, each entry with the id that it goes to."""
        return pack.toIndexedShapeErasedArray(self.first_id)

    # --- tables ---

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        found = t.getNode(identifier)
        world = t.world
        return [
            Case("node missing", lambda: negate(found.some), lambda: failure(world, INVALID_PARENT)),
            Case("no gradient required", lambda: negate(found.node.requiresGrad), lambda: success(world, acc)),
            Case(
                "contribution shape",
                lambda: negate(equal(g.shape, found.node.value.shape)),
                lambda: failure(world, WRONG_CONTRIBUTION),
            ),
            Case("out of bounds", lambda: identifier >= acc.size, lambda: failure(world, OUT_OF_BOUNDS)),
            Case(
                "slot shape",
                lambda: negate(equal(acc[identifier].shape, found.node.value.shape)),
                lambda: failure(world, WRONG_SLOT),
            ),
            Case(
                "add",
                lambda: True,
                lambda: self.combine(acc[identifier], g).map(lambda total: self.write(acc, identifier, total)),
            ),
        ]

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        found = t.getNode(identifier)
        world = t.world
        return [
            Case("node missing", lambda: negate(found.some), lambda: failure(world, NODE_MISSING)),
            Case("no gradient required", lambda: negate(found.node.requiresGrad), lambda: success(world, acc)),
            Case("out of bounds", lambda: identifier >= acc.size, lambda: failure(world, OUT_OF_BOUNDS)),
            Case(
                "slot shape",
                lambda: negate(equal(acc[identifier].shape, found.node.value.shape)),
                lambda: failure(world, WRONG_SLOT),
            ),
            Case(
                "fold",
                lambda: True,
                lambda: self.run(t, acc, identifier).bind(
                    lambda emitted: self.fold(t, acc, identifier, self.contributions(emitted))
                ),
            ),
        ]

    def backwardDenseFromLoop_zero(self, t: Tape, acc: Accumulator) -> Result[Accumulator]:
        """The loop over no ids."""
        return success(t.world, acc)

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Result[Accumulator]:
        """The loop over the ids n … 0, where `below` is the one over those below n."""
        return self.backwardDenseFromStep(t, acc, n).bind(below)

    def backwardDenseFrom_cases(self, t: Tape, grads0: Accumulator) -> list[Case]:
        return [
            Case("wrong length", lambda: grads0.size != t.size, lambda: failure(t.world, WRONG_LENGTH)),
            Case("loop", lambda: True, lambda: self.backwardDenseFromLoop(t, t.size, grads0)),
        ]

    def lowered_cases(self, node: NodeData, ctx: TensorPack, d: Any, g: SomeTensor) -> list[Case]:
        world = node.world
        return [
            Case(
                "upstream shape",
                lambda: negate(equal(g.shape, node.shape)),
                lambda: failure(world, UPSTREAM_MISMATCH),
            ),
            # looked at only where the shapes agree: then the gradient is of the node's own shape
            Case("vjp", lambda: True, lambda: success(world, self.numbered(self.lowered_vjp(node, ctx, d, g)))),
        ]

    # --- the functions ---

    def lowered_backward(self, node: NodeData, ctx: TensorPack, d: Any, g: SomeTensor) -> Result[Contributions]:
        """What the backward function of `lowerNode name node ctx d` answers to `g`."""
        return first_case(node.world, self.lowered_cases(node, ctx, d, g))

    def addGradAll(self, t: Tape, acc: Accumulator, identifier: Any, g: SomeTensor) -> Result[Accumulator]:
        """Add `g` into the slot of node `identifier`."""
        return self._by_id(t, acc, identifier, lambda i: self.addGradAll_cases(t, acc, i, g))

    def backwardDenseFromStep(self, t: Tape, acc: Accumulator, identifier: Any) -> Result[Accumulator]:
        """Run the backward function of node `identifier` on its slot and add its contributions."""
        return self._by_id(t, acc, identifier, lambda i: self.backwardDenseFromStep_cases(t, acc, i))

    def backwardDenseFromLoop(self, t: Tape, count: Any, acc: Accumulator) -> Result[Accumulator]:
        """The steps at ids count-1 … 0."""
        loop: Result[Accumulator] = recursive(
            t.world,
            "backwardDenseFromLoop",
            count,
            [acc],
            lambda current: success(t.world, current),
            zero=lambda last: self.backwardDenseFromLoop_zero(t, last),
            successor=lambda n, below, current: self.backwardDenseFromLoop_succ(t, n, below, current),
            given=[self, t],
        )
        return loop

    def backwardDenseFrom(self, t: Tape, grads0: Accumulator) -> Result[Accumulator]:
        """The whole pass from an initial gradient for every node."""
        return first_case(t.world, self.backwardDenseFrom_cases(t, grads0))

    def _by_id(
        self, t: Tape, acc: Accumulator, identifier: Any, cases: Callable[[int], list[Case]]
    ) -> Result[Accumulator]:
        return by_id(
            identifier,
            [t.size, acc.size],
            lambda i: first_case(t.world, cases(i)),
            lambda options, rest: Result.select(t.world, options, rest),
        )
