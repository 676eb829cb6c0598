"""Leaf tapes: on a tape that holds inputs only, the dense backward pass is the identity. Of a graph without nodes
this is the whole claim."""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, by, equal, given, induction, lemma, over
from symtape.encodings.graph import ShapeList, TensorPack
from symtape.encodings.graph_data import addLeaves_empty, leafNodeOfSomeTensor, some
from symtape.encodings.lemmas._lean import LINK, NAMESPACE
from symtape.encodings.parameter import Count, Nat
from symtape.encodings.result import ok

GROUP = "Leaf tapes"
SOURCE = f"{LINK}/BackwardLeaves.lean"


@lemma(
    name="getNode?_addLeaves_empty",
    group=GROUP,
    lean=f"{NAMESPACE}.getNode?_addLeaves_empty",
    source=SOURCE,
)
def getNode_addLeaves_empty(Γ: ShapeList, x: Annotated[TensorPack, over("Γ")], n: Nat) -> Claim:
    """The node at index `n` of a tape of leaves is the leaf of the `n`-th input tensor."""
    return given(
        hn=n < Γ.length,
    ).show(lambda: equal(addLeaves_empty(x).getNode(n), some(leafNodeOfSomeTensor(x.toShapeErasedArray()[n]))))


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFromStep_addLeaves_empty",
    source=SOURCE,
    uses=["getNode?_addLeaves_empty"],
    proof=by(lambda: [getNode_addLeaves_empty.at()]),
)
def backwardDenseFromStep_addLeaves_empty(
    Γ: ShapeList, x: Annotated[TensorPack, over("Γ")], seed: Annotated[TensorPack, over("Γ")], n: Nat
) -> Claim:
    """One step at a leaf leaves the dense gradient array as it was."""
    return given(
        hn=n < Γ.length,
    ).show(
        lambda: equal(
            addLeaves_empty(x).backwardDenseFromStep(seed.toShapeErasedArray(), n), ok(seed.toShapeErasedArray())
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFromLoop_addLeaves_empty",
    source=SOURCE,
    uses=["backwardDenseFromStep_addLeaves_empty"],
    proof=induction(
        "n",
        step=lambda ih, k: [backwardDenseFromStep_addLeaves_empty.at(n=k), ih.at(n=k)],
    ),
)
def backwardDenseFromLoop_addLeaves_empty(
    Γ: ShapeList, x: Annotated[TensorPack, over("Γ")], seed: Annotated[TensorPack, over("Γ")], n: Count
) -> Claim:
    """The loop over a tape of leaves is the identity on the gradient array.

    Lean leaves the hypothesis unnamed; `hn` is the name in its proof.
    """
    return given(
        hn=n <= Γ.length,
    ).show(
        lambda: equal(
            addLeaves_empty(x).backwardDenseFromLoop(n, seed.toShapeErasedArray()), ok(seed.toShapeErasedArray())
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFrom_addLeaves_empty",
    source=SOURCE,
    uses=["backwardDenseFromLoop_addLeaves_empty"],
    proof=by(lambda Γ: [backwardDenseFromLoop_addLeaves_empty.at(n=Γ.length)]),
)
def backwardDenseFrom_addLeaves_empty(
    Γ: ShapeList, x: Annotated[TensorPack, over("Γ")], seed: Annotated[TensorPack, over("Γ")]
) -> Claim:
    """The dense backward pass over a tape of leaves returns its seed."""
    return given().show(
        lambda: equal(addLeaves_empty(x).backwardDenseFrom(seed.toShapeErasedArray()), ok(seed.toShapeErasedArray()))
    )
