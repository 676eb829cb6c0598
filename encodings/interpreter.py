"""The runtime's semantics once more, in plain Python: it replays counterexamples and checks the model.

It shares no code with the symbolic model and needs no solver. Each function is a table of named rows, the first that
applies decides; a changed engine is a subclass that changes a table or a hook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symtape.encodings.plain import Accumulator, Backward, Contributions, Error, Ok, Result, Scalar, Tape, Tensor
from symtape.encodings.plain_packs import NodeData, Pack

if TYPE_CHECKING:
    from symtape.encodings.plain_packs import Lowered


@dataclass(frozen=True)
class Row:
    """One row of a function's table. Both sides are given the runtime and what the function was called with."""

    name: str
    when: Callable[..., bool]
    then: Callable[..., Result]


Table = tuple[Row, ...]

ADD_GRAD_ALL: Table = (
    Row(
        "node missing",
        lambda run, t, acc, i, g: not 0 <= i < t.size,
        lambda *_: Error("autograd: invalid parent id during backward"),
    ),
    Row(
        "no gradient required",
        lambda run, t, acc, i, g: not t.nodes[i].requiresGrad,
        lambda run, t, acc, i, g: Ok(acc),
    ),
    Row(
        "contribution shape",
        lambda run, t, acc, i, g: g.shape != t.nodes[i].value.shape,
        lambda *_: Error("autograd: gradient contribution has wrong shape for parent"),
    ),
    Row(
        "out of bounds",
        lambda run, t, acc, i, g: i >= acc.size,
        lambda *_: Error("autograd: internal error (gradient array out of bounds)"),
    ),
    Row(
        "slot shape",
        lambda run, t, acc, i, g: acc[i].shape != t.nodes[i].value.shape,
        lambda *_: Error("autograd: gradient array has wrong shape for node"),
    ),
    Row(
        "add",
        lambda *_: True,
        lambda run, t, acc, i, g: run.combine(acc[i], g).map(lambda total: run.write(acc, i, total)),
    ),
)

BACKWARD_DENSE_FROM_STEP: Table = (
    Row(
        "node missing",
        lambda run, t, acc, i: not 0 <= i < t.size,
        lambda *_: Error("autograd: internal error (node missing)"),
    ),
    Row(
        "no gradient required",
        lambda run, t, acc, i: not t.nodes[i].requiresGrad,
        lambda run, t, acc, i: Ok(acc),
    ),
    Row(
        "out of bounds",
        lambda run, t, acc, i: i >= acc.size,
        lambda *_: Error("autograd: internal error (gradient array out of bounds)"),
    ),
    Row(
        "slot shape",
        lambda run, t, acc, i: acc[i].shape != t.nodes[i].value.shape,
        lambda *_: Error("autograd: gradient array has wrong shape for node"),
    ),
    Row(
        "fold",
        lambda *_: True,
        lambda run, t, acc, i: run.run(t, acc, i).bind(
            lambda emitted: run.fold(t, acc, i, run.contributions(emitted))
        ),
    ),
)

BACKWARD_DENSE_FROM: Table = (
    Row(
        "wrong length",
        lambda run, t, acc: acc.size != t.size,
        lambda *_: Error("autograd: initial dense gradient array has wrong length"),
    ),
    Row("loop", lambda *_: True, lambda run, t, acc: run.backwardDenseFromLoop(t, t.size, acc)),
)

LOWERED_BACKWARD: Table = (
    Row(
        "upstream shape",
        lambda run, node, ctx, d, g: g.shape != node.shape,
        lambda *_: Error("autograd: upstream gradient shape mismatch"),
    ),
    Row(
        "vjp",
        lambda *_: True,
        lambda run, node, ctx, d, g: Ok(run.numbered(run.lowered_vjp(node, ctx, d, g))),
    ),
)


class Runtime:
    """The dense backward pass over an element type with the given addition.

    `carrier` lists all elements of a finite element type; `None` means that it is infinite.
    """

    addGradAll_rows = ADD_GRAD_ALL
    backwardDenseFromStep_rows = BACKWARD_DENSE_FROM_STEP
    backwardDenseFrom_rows = BACKWARD_DENSE_FROM
    lowered_rows = LOWERED_BACKWARD

    def __init__(self, add: Callable[[Scalar, Scalar], Scalar], carrier: Sequence[Scalar] | None = None) -> None:
        self.add = add
        self.carrier = carrier

    def plus(self, a: Tensor, b: Tensor) -> Tensor:
        return Tensor(a.shape, [self.add(x, y) for x, y in zip(a.entries, b.entries, strict=True)])

    @property
    def unchanged(self) -> bool:
        """Whether this is the runtime itself and not a changed engine."""
        return type(self) is Runtime

    def original(self) -> Runtime:
        """The runtime itself, over the same element type."""
        return self if self.unchanged else Runtime(self.add, self.carrier)

    def answered(self, function: Backward | Lowered, gradient: Tensor, answer: Result) -> Result:
        """What a node's `backward` answers: where an engine can be watched."""
        return answer

    def add_tensors(self, existing: Tensor, contribution: Tensor) -> Result:
        if existing.shape != contribution.shape:
            return Error("autograd: gradient shape mismatch during accumulation")
        return Ok(self.plus(existing, contribution))

    # --- hooks: what a changed engine most often changes ---

    def combine(self, existing: Tensor, contribution: Tensor) -> Result:
        return self.add_tensors(existing, contribution)

    def write(self, acc: Accumulator, i: int, total: Tensor) -> Accumulator:
        return acc.set(i, total)

    def run(self, t: Tape, acc: Accumulator, i: int) -> Result:
        answer: Result = t.nodes[i].backward(acc[i])
        return answer

    def contributions(self, emitted: Contributions) -> Contributions:
        return emitted

    def fold(self, t: Tape, acc: Accumulator, i: int, emitted: Contributions) -> Result:
        return emitted.foldlM(lambda state, pid, pg: self.addGradAll(t, state, pid, pg), acc)

    def visits(self, count: int) -> Iterable[int]:
        return range(count - 1, -1, -1)

    def lowered_value(self, node: NodeData, ctx: Pack, d: str) -> Tensor:
        return node.forward(ctx, d)

    def lowered_flag(self) -> bool:
        return True

    def lowered_vjp(self, node: NodeData, ctx: Pack, d: str, g: Tensor) -> Pack:
        return node.vjp(ctx, d, g)

    def numbered(self, pack: Pack) -> Contributions:
        return pack.toIndexedShapeErasedArray(0)

    # --- the functions ---

    def addGradAll(self, t: Tape, acc: Accumulator, i: int, g: Tensor) -> Result:
        return self._first(self.addGradAll_rows, t, acc, i, g)

    def backwardDenseFromStep(self, t: Tape, acc: Accumulator, i: int) -> Result:
        return self._first(self.backwardDenseFromStep_rows, t, acc, i)

    def backwardDenseFromLoop(self, t: Tape, count: int, acc: Accumulator) -> Result:
        state: Result = Ok(acc)
        for i in self.visits(count):
            if isinstance(state, Error):
                return state
            state = self.backwardDenseFromStep(t, state.value, i)
        return state

    def backwardDenseFrom(self, t: Tape, acc: Accumulator) -> Result:
        return self._first(self.backwardDenseFrom_rows, t, acc)

    def lowered_backward(self, node: NodeData, ctx: Pack, d: str, g: Tensor) -> Result:
        return self._first(self.lowered_rows, node, ctx, d, g)

    def _first(self, table: Table, *arguments: Any) -> Result:
        """The result of the first row that applies: the last one always does."""
        return next(row.then(self, *arguments) for row in table if row.when(self, *arguments))
