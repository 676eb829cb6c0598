"""The runtime's semantics once more, in plain Python: it replays counterexamples and checks the model.

It shares no code with the symbolic model and needs no solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from symtape.encodings.plain import Accumulator, Backward, Contributions, Error, Ok, Result, Scalar, Tape, Tensor

if TYPE_CHECKING:
    from symtape.encodings.plain_packs import Lowered


class Runtime:
    """The dense backward pass over an element type with the given addition.

    `carrier` lists all elements of a finite element type; `None` means that it is infinite.
    """

    def __init__(self, add: Callable[[Scalar, Scalar], Scalar], carrier: Sequence[Scalar] | None = None) -> None:
        self.add = add
        self.carrier = carrier

    def plus(self, a: Tensor, b: Tensor) -> Tensor:
        return Tensor(a.shape, [self.add(x, y) for x, y in zip(a.entries, b.entries, strict=True)])

    @property
    def unchanged(self) -> bool:
        """Whether this is the runtime itself and not a changed engine."""
        return type(self) is Runtime

    def answered(self, function: Backward | Lowered, gradient: Tensor, answer: Result) -> Result:
        """What a node's `backward` answers: where an engine can be watched."""
        return answer

    def add_tensors(self, existing: Tensor, contribution: Tensor) -> Result:
        if existing.shape != contribution.shape:
            return Error("autograd: gradient shape mismatch during accumulation")
        return Ok(self.plus(existing, contribution))

    def combine(self, existing: Tensor, contribution: Tensor) -> Result:
        return self.add_tensors(existing, contribution)

    def contributions(self, emitted: Contributions) -> Contributions:
        return emitted

    def visits(self, count: int) -> Iterable[int]:
        return range(count - 1, -1, -1)

    def addGradAll(self, t: Tape, acc: Accumulator, i: int, g: Tensor) -> Result:
        if not 0 <= i < t.size:
            return Error("autograd: invalid parent id during backward")
        node = t.nodes[i]
        if not node.requiresGrad:
            return Ok(acc)
        if g.shape != node.value.shape:
            return Error("autograd: gradient contribution has wrong shape for parent")
        if i >= acc.size:
            return Error("autograd: internal error (gradient array out of bounds)")
        if acc[i].shape != node.value.shape:
            return Error("autograd: gradient array has wrong shape for node")
        return self.combine(acc[i], g).map(lambda total: acc.set(i, total))

    def backwardDenseFromStep(self, t: Tape, acc: Accumulator, i: int) -> Result:
        if not 0 <= i < t.size:
            return Error("autograd: internal error (node missing)")
        node = t.nodes[i]
        if not node.requiresGrad:
            return Ok(acc)
        if i >= acc.size:
            return Error("autograd: internal error (gradient array out of bounds)")
        if acc[i].shape != node.value.shape:
            return Error("autograd: gradient array has wrong shape for node")
        answer: Result = node.backward(acc[i])
        if isinstance(answer, Error):
            return answer
        emitted = self.contributions(answer.value)
        return emitted.foldlM(lambda state, pid, pg: self.addGradAll(t, state, pid, pg), acc)

    def backwardDenseFromLoop(self, t: Tape, count: int, acc: Accumulator) -> Result:
        state: Result = Ok(acc)
        for i in self.visits(count):
            if isinstance(state, Error):
                return state
            state = self.backwardDenseFromStep(t, state.value, i)
        return state

    def backwardDenseFrom(self, t: Tape, acc: Accumulator) -> Result:
        if acc.size != t.size:
            return Error("autograd: initial dense gradient array has wrong length")
        return self.backwardDenseFromLoop(t, t.size, acc)
