"""The last-node step: processing the freshly appended node adds its vjp contributions into the prefix. The seed's
second group."""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, all_of, below, by, equal, for_all, given, lemma, over
from symtape.encodings.graph import NodeData, ShapeList, TensorPack, lowerNode
from symtape.encodings.lemmas._lean import NAMESPACE, SEED
from symtape.encodings.lemmas.accumulation import foldlM_addGradAll_toIndexedShapeErasedArray_eq_add
from symtape.encodings.parameter import Name, Nat, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import Shape, Tensor

GROUP = "Last-node step"


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.addNode_prefix_node_spec",
    source=SEED,
    uses=["getNode?_addNode_of_lt"],
    lean_statement="""
    {α : Type} [TorchLean.Storage α] (t : Runtime.Autograd.Tape α) (nd : Runtime.Autograd.Node α)
    {ss : List Spec.Shape} (ctx seed : TorchLean.TensorPack α ss) (hsize : t.nodes.size = ss.length)
    (hreq : ∀ (i : ℕ) (hi : i < t.nodes.size), t.nodes[i].requiresGrad = true)
    (hvals : Array.map (fun (n : Runtime.Autograd.Node α) => n.value) t.nodes = ctx.toShapeErasedArray) (i : ℕ)
    (hi : i < ss.length) :
    ∃ (node : Runtime.Autograd.Node α), (t.addNode nd).1.getNode? i = some node ∧ node.requiresGrad = true
      ∧ node.value.shape = seed.toShapeErasedArray[i].shape
    """,
)
def addNode_prefix_node_spec(
    t: Tape,
    nd: Node,
    ss: ShapeList,
    ctx: Annotated[TensorPack, over("ss")],
    seed: Annotated[TensorPack, over("ss")],
    i: Nat,
) -> Claim:
    """The prefix of the extended tape is a well-formed dense accumulator for `seed`: every prefix id stores a node
    that requires gradients and whose value has the shape of the seed entry.

    This is the hypothesis of `foldlM_addGradAll_toIndexedShapeErasedArray_eq_add` with `pref = #[]`. Without `hi`
    the statement has no meaning in Lean; here an index out of range has a shape that nothing else has.
    """
    return given(
        hsize=equal(t.size, ss.length),
        hreq=for_all(below(t.size), lambda j: t.nodes[j].requiresGrad),
        hvals=equal(t.values(), ctx.toShapeErasedArray()),
        hi=i < ss.length,
    ).show(
        lambda: (
            t.addNode(nd)
            .tape.getNode(i)
            .exists(
                lambda node: all_of(
                    node.requiresGrad,
                    equal(node.value.shape, seed.toShapeErasedArray()[i].shape),
                )
            )
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFromStep_addNode_lowerNode_last",
    source=SEED,
    uses=[
        "addNode_prefix_node_spec",
        "lowerNode_backward_of_shape",
        "foldlM_addGradAll_toIndexedShapeErasedArray_eq_add",
    ],
    lean_statement="""
    {α : Type} [TorchLean.Storage α] [Add α] {Δ : Type} {ss : List Spec.Shape} {τ : Spec.Shape}
    (t : Runtime.Autograd.Tape α) (name : Option String) (node : NodeData α Δ ss τ)
    (ctx : TorchLean.TensorPack α ss) (d : Δ) (seedPrev : TorchLean.TensorPack α ss)
    (seedOut : TorchLean.Tensor α τ) (hsize : t.nodes.size = ss.length)
    (hreq : ∀ (i : ℕ) (hi : i < t.nodes.size), t.nodes[i].requiresGrad = true)
    (hvals : Array.map (fun (n : Runtime.Autograd.Node α) => n.value) t.nodes = ctx.toShapeErasedArray) :
    (t.addNode (lowerNode name node ctx d)).1.backwardDenseFromStep
        (seedPrev.toShapeErasedArray.push (Spec.SomeTensor.ofTensor seedOut)) t.nodes.size
      = Except.ok ((seedPrev.add (node.vjp ctx d seedOut)).toShapeErasedArray.push
          (Spec.SomeTensor.ofTensor seedOut))
    """,
    proof=by(
        lambda t, name, node, ctx, d, seedPrev, seedOut: [
            addNode_prefix_node_spec.for_every("i", nd=lowerNode(name, node, ctx, d), seed=seedPrev),
            foldlM_addGradAll_toIndexedShapeErasedArray_eq_add.at(
                t=t.addNode(lowerNode(name, node, ctx, d)).tape,
                pref=seedPrev.emptyArray(),
                seed=seedPrev,
                contrib=node.vjp(ctx, d, seedOut),
                suffix=seedPrev.emptyArray().push(seedOut.erase()),
            ),
        ]
    ),
)
def backwardDenseFromStep_addNode_lowerNode_last(
    ss: ShapeList,
    τ: Shape,
    t: Tape,
    name: Name,
    node: Annotated[NodeData, over("ss", "τ")],
    ctx: Annotated[TensorPack, over("ss")],
    d: Opaque,
    seedPrev: Annotated[TensorPack, over("ss")],
    seedOut: Annotated[Tensor, over("τ")],
) -> Claim:
    """The runtime step for a freshly appended lowered node adds the node's vjp contributions into the prefix
    gradients, which is `TensorPack.add` after shape erasure, and leaves the node's own slot untouched."""
    return given(
        hsize=equal(t.size, ss.length),
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hvals=equal(t.values(), ctx.toShapeErasedArray()),
    ).show(
        lambda: equal(
            t.addNode(lowerNode(name, node, ctx, d)).tape.backwardDenseFromStep(
                seedPrev.toShapeErasedArray().push(seedOut.erase()), t.size
            ),
            ok(seedPrev.add(node.vjp(ctx, d, seedOut)).toShapeErasedArray().push(seedOut.erase())),
        )
    )
