"""Deliberate changes of the symbolic model, each of which the comparison with the interpreter must notice.

`ENGINES` are changed backward passes that are no mutants, since the interpreter could not be changed alike or nobody
would; what is a mutant is in `test_mutants.py`. `PATCHES` change what an engine cannot: the parts that a pass is made
of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.backward import Engine
from symtape.encodings.graph import NodeData, TensorPack
from symtape.encodings.result import Result
from symtape.encodings.tape import Added, Node, Option, Tape
from symtape.encodings.tensor import Shapes, SomeTensor
from symtape.logic import negate, select_leaf
from symtape.smt import z3

Acc = Result[Accumulator]
E = TypeVar("E", bound=type[Engine])

ENGINES: dict[str, type[Engine]] = {}
"""All changed engines by name."""


def changed(engine: E) -> E:
    """List an engine among the changes."""
    ENGINES[engine.__name__] = engine
    return engine


# --- changed engines ---


@changed
class LoopAsLongAsArray(Engine):
    """The loop starts at the array's size, without a check."""

    def backwardDenseFrom(self, t: Tape, grads0: Accumulator) -> Acc:
        return self.backwardDenseFromLoop(t, grads0.size, grads0)


@changed
class PresenceIgnored(Engine):
    """The list is taken to be as long as the bound allows."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return Contributions(emitted.world, [(True, pid, g) for _, pid, g in emitted.items])


@changed
class EntriesReversed(Engine):
    """The contribution's first entry is added to the slot's last."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        back_to_front = SomeTensor(contribution.world, contribution.shape, contribution.entries[::-1])
        return existing.add(back_to_front)


# --- changes of the parts ---


@dataclass(frozen=True)
class Patch:
    """A method of the model that is replaced: `make(original)` is what stands in its place."""

    doc: str
    owner: Any
    name: str
    make: Callable[[Any], Any]


def _one_short(getNode: Any) -> Any:
    return lambda self, identifier: getNode(Tape(self.world, self.nodes[:-1]), identifier)


def _clipped(getNode: Any) -> Any:
    def clipped(self: Tape, identifier: Any) -> Option:
        found: Option = getNode(self, identifier)
        last = Option(True, self.nodes[-1]) if self.nodes else found
        return Option.select([(found.some, found)], last) if found.some is not False else last

    return clipped


def _unordered(bind: Any) -> Any:
    """Message selection the wrong way round: the second error is the one that is reported."""

    def last_error(self: Result[Any], then: Callable[[Any], Result[Any]]) -> Result[Any]:
        if self.ok is False:
            return self
        right: Result[Any] = bind(self, then)
        after = then(self.value)
        return replace(right, message=select_leaf([(negate(after.ok), after.message)], self.message))

    return last_error


def _field(**changes: Callable[[Node], Any]) -> Callable[[Any], Any]:
    """`lowered` with other fields."""

    def patch(lowered: Any) -> Any:
        def other(self: NodeData, name: Any, ctx: TensorPack, d: Any) -> Node:
            node: Node = lowered(self, name, ctx, d)
            for field, value in changes.items():
                setattr(node, field, value(node))
            return node

        return other

    return patch


def _unchecked(lowered: Any) -> Any:
    def other(self: NodeData, name: Any, ctx: TensorPack, d: Any) -> Node:
        node: Node = lowered(self, name, ctx, d)
        emit = node.backward.function
        node.backward.function = lambda g: replace(emit(g), ok=True)
        return node

    return other


def _skipping_absent(foldlM: Any) -> Any:
    return lambda self, step, start: foldlM(
        Contributions(self.world, [item for item in self.items if item[0] is not True]), step, start
    )


PATCHES: dict[str, Patch] = {
    "GetNodeOneShort": Patch("The last node is not found.", Tape, "getNode", _one_short),
    "GetNodeClipped": Patch("An id out of range finds the last node.", Tape, "getNode", _clipped),
    "AddNodeInFront": Patch(
        "A new node gets the lowest id.",
        Tape,
        "addNode",
        lambda _: lambda self, node: Added(Tape(self.world, [node, *self.nodes]), 0),
    ),
    "PlusSwapped": Patch(
        "The elementwise sum has its operands exchanged.",
        SomeTensor,
        "sum",
        lambda plus: lambda self, other: plus(other, self),
    ),
    "SetAppliesEverywhere": Patch(
        "Writing one slot writes all.",
        Accumulator,
        "set",
        lambda _: lambda self, identifier, tensor: Accumulator(self.world, [tensor] * self.size),
    ),
    "FoldFromTheRight": Patch(
        "A list is folded from its end.",
        Contributions,
        "foldlM",
        lambda foldlM: lambda self, step, start: foldlM(Contributions(self.world, self.items[::-1]), step, start),
    ),
    "FoldSkipsCertain": Patch(
        "Contributions that are surely there are not folded.", Contributions, "foldlM", _skipping_absent
    ),
    "LastErrorReported": Patch("Of several errors the last is reported.", Result, "bind", _unordered),
    "LoweredWithoutFlag": Patch(
        "A lowered node requires no gradient.", NodeData, "lowered", _field(requiresGrad=lambda node: False)
    ),
    "LoweredValue": Patch(
        "A lowered node's value has another shape.",
        NodeData,
        "lowered",
        _field(
            value=lambda node: SomeTensor(
                node.world, z3.Const("another shape", node.world.share(Shapes).sort), node.value.entries
            )
        ),
    ),
    "LoweredUnchecked": Patch("A lowered node runs on a gradient of any shape.", NodeData, "lowered", _unchecked),
    "IndexedFromOne": Patch(
        "The entries of a pack are numbered one further.",
        TensorPack,
        "toIndexedShapeErasedArray",
        lambda indexed: lambda self, start: indexed(self, start + 1),
    ),
    "IndexedBackwards": Patch(
        "The first entry of a pack is emitted last.",
        TensorPack,
        "toIndexedShapeErasedArray",
        lambda indexed: lambda self, start: Contributions(self.world, indexed(self, start).items[::-1]),
    ),
}
"""Changes of the parts by name."""
