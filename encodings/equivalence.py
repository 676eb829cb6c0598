"""What it means that an engine is the runtime: each of its functions answers what the runtime's own answers.

Of the runtime itself these hold trivially, so they stand in no registry. Said of a mutant that no lemma notices, they
show that there is nothing to notice, or where there is.
"""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, equal, given, lemma, over
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.graph import NodeData, ShapeList, TensorPack, lowerNode
from symtape.encodings.parameter import Count, Name, Nat, Opaque
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import Shape, SomeTensor

GROUP = "Equivalence"
SOURCE = "symtape's own"


@lemma(group=GROUP, source=SOURCE)
def addGradAll_is_the_runtime(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """The engine's `addGradAll` is the runtime's."""
    return given().show(lambda: equal(t.addGradAll(acc, id, g), t.as_runtime().addGradAll(acc, id, g)))


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromStep_is_the_runtime(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """The engine's `backwardDenseFromStep` is the runtime's."""
    return given().show(
        lambda: equal(t.backwardDenseFromStep(acc, id), t.as_runtime().backwardDenseFromStep(acc, id))
    )


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromLoop_is_the_runtime(t: Tape, count: Count, acc: Accumulator) -> Claim:
    """The engine's `backwardDenseFromLoop` is the runtime's."""
    return given().show(
        lambda: equal(t.backwardDenseFromLoop(count, acc), t.as_runtime().backwardDenseFromLoop(count, acc))
    )


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFrom_is_the_runtime(t: Tape, grads0: Accumulator) -> Claim:
    """The engine's `backwardDenseFrom` is the runtime's."""
    return given().show(lambda: equal(t.backwardDenseFrom(grads0), t.as_runtime().backwardDenseFrom(grads0)))


@lemma(group=GROUP, source=SOURCE)
def lowerNode_value_is_the_runtime(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The value of the engine's lowered node is that of the runtime's."""
    return given().show(
        lambda: equal(lowerNode(name, node, ctx, d).value, lowerNode(name, node.as_runtime(), ctx, d).value)
    )


@lemma(group=GROUP, source=SOURCE)
def lowerNode_requiresGrad_is_the_runtime(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The flag of the engine's lowered node is that of the runtime's."""
    return given().show(
        lambda: equal(
            lowerNode(name, node, ctx, d).requiresGrad, lowerNode(name, node.as_runtime(), ctx, d).requiresGrad
        )
    )


@lemma(group=GROUP, source=SOURCE)
def lowerNode_backward_is_the_runtime(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    v: SomeTensor,
) -> Claim:
    """The backward function of the engine's lowered node is that of the runtime's."""
    return given().show(
        lambda: equal(
            lowerNode(name, node, ctx, d).backward(v), lowerNode(name, node.as_runtime(), ctx, d).backward(v)
        )
    )
