"""The lowered node: the two branches of its backward function."""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, equal, given, lemma, negate, over
from symtape.encodings.backward import UPSTREAM_MISMATCH
from symtape.encodings.graph import NodeData, ShapeList, TensorPack, lowerNode
from symtape.encodings.graph_data import error
from symtape.encodings.lemmas._lean import LINK, NAMESPACE
from symtape.encodings.parameter import Name, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tensor import Shape, SomeTensor

GROUP = "Lowered node"
SOURCE = f"{LINK}/Core.lean"


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerNode_backward_of_shape",
    source=SOURCE,
)
def lowerNode_backward_of_shape(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    v: SomeTensor,
) -> Claim:
    """On an upstream cotangent of the right shape, the lowered `backward` runs the stored `vjp`."""
    return given(
        h=equal(v.shape, τ),
    ).show(
        lambda: equal(
            lowerNode(name, node, ctx, d).backward(v),
            ok(node.vjp(ctx, d, v.cast(τ)).toIndexedShapeErasedArray(0)),
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerNode_backward_of_ne",
    source=SOURCE,
)
def lowerNode_backward_of_ne(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    v: SomeTensor,
) -> Claim:
    """On an upstream cotangent of the wrong shape, the lowered `backward` fails."""
    return given(
        h=negate(equal(v.shape, τ)),
    ).show(lambda: equal(lowerNode(name, node, ctx, d).backward(v), error(UPSTREAM_MISMATCH, like=v)))
