"""The inductive step of the backward link, which assembles push commutation and the last-node step. The seed's
third group."""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, below, by, equal, for_all, given, lemma, over
from symtape.encodings.graph import NodeData, ReverseProgram, ShapeList, TensorPack, lowerNode
from symtape.encodings.lemmas._lean import NAMESPACE, SEED
from symtape.encodings.lemmas.last_node import backwardDenseFromStep_addNode_lowerNode_last
from symtape.encodings.lemmas.push_commutation import backwardDenseFromLoop_addNode_push
from symtape.encodings.parameter import Name, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import Shape, Tensor

GROUP = "Inductive step"


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFrom_addNode_lowerNode",
    source=SEED,
    uses=["backwardDenseFromLoop_addNode_push", "backwardDenseFromStep_addNode_lowerNode_last"],
    lean_statement="""
    {α : Type} [TorchLean.Storage α] [Add α] {Δ : Type} {ss : List Spec.Shape} {τ : Spec.Shape}
    (t : Runtime.Autograd.Tape α) (name : Option String) (node : NodeData α Δ ss τ)
    (ctx : TorchLean.TensorPack α ss) (d : Δ) (bp : TorchLean.TensorPack α ss → TorchLean.TensorPack α ss)
    (hsize : t.nodes.size = ss.length)
    (hreq : ∀ (i : ℕ) (hi : i < t.nodes.size), t.nodes[i].requiresGrad = true)
    (hvals : Array.map (fun (n : Runtime.Autograd.Node α) => n.value) t.nodes = ctx.toShapeErasedArray)
    (hpids : BackwardPidsLt t)
    (hbp : ∀ (s : TorchLean.TensorPack α ss),
      t.backwardDenseFrom s.toShapeErasedArray = Except.ok (bp s).toShapeErasedArray)
    (seedPrev : TorchLean.TensorPack α ss) (seedOut : TorchLean.Tensor α τ) :
    (t.addNode (lowerNode name node ctx d)).1.backwardDenseFrom (seedPrev.snoc seedOut).toShapeErasedArray
      = Except.ok ((bp (seedPrev.add (node.vjp ctx d seedOut))).snoc seedOut).toShapeErasedArray
    """,
    proof=by(
        lambda t, node, ctx, d, name, seedPrev, seedOut: [
            backwardDenseFromStep_addNode_lowerNode_last.at(),
            backwardDenseFromLoop_addNode_push.at(
                nd=lowerNode(name, node, ctx, d),
                v=seedOut.erase(),
                m=t.size,
                acc=seedPrev.add(node.vjp(ctx, d, seedOut)).toShapeErasedArray(),
            ),
        ]
    ),
)
def backwardDenseFrom_addNode_lowerNode(
    ss: ShapeList,
    τ: Shape,
    t: Tape,
    name: Name,
    node: Annotated[NodeData, over("ss", "τ")],
    ctx: Annotated[TensorPack, over("ss")],
    d: Opaque,
    bp: Annotated[ReverseProgram, over("ss")],
    seedPrev: Annotated[TensorPack, over("ss")],
    seedOut: Annotated[Tensor, over("τ")],
) -> Claim:
    """Inductive step of the backward link.

    Let `t` be a tape whose dense reverse loop agrees with the reverse program `bp` on every seed (after shape
    erasure), and whose nodes have the sizes, flags, values and backward-pointing invariant of a lowered prefix over
    the context `ss`. Appending the lowered node `node` yields a tape whose dense reverse loop, seeded by
    `snoc seedPrev seedOut`, returns `snoc (bp (seedPrev + node.vjp ctx d seedOut)) seedOut`.
    """
    return given(
        hsize=equal(t.size, ss.length),
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hvals=equal(t.values(), ctx.toShapeErasedArray()),
        hpids=t.BackwardPidsLt(),
        hbp=bp.agreesWith(t),
    ).show(
        lambda: equal(
            t.addNode(lowerNode(name, node, ctx, d)).tape.backwardDenseFrom(
                seedPrev.snoc(seedOut).toShapeErasedArray()
            ),
            ok(bp(seedPrev.add(node.vjp(ctx, d, seedOut))).snoc(seedOut).toShapeErasedArray()),
        )
    )
