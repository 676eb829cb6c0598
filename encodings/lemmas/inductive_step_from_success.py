"""The inductive step of the backward link, from success alone: what the seed's third group claims, under two of its
five hypotheses.

`hbp` says that the pass over the prefix succeeds from every seed. A pass that succeeds has met nothing that does not
fit, so the sizes, the shapes and the ids that the seed's other hypotheses speak of need not be assumed.
"""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, all_of, below, by, equal, for_all, given, induction, lemma, over
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.graph import NodeData, ReverseProgram, ShapeList, TensorPack, lowerNode
from symtape.encodings.lemmas.accumulation import (
    addGradAll_ok_size,
    foldlM_addGradAll_toIndexedShapeErasedArray_eq_add,
)
from symtape.encodings.parameter import Count, Name, Nat, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import Shape, SomeTensor, Tensor

GROUP = "Inductive step, from success"
SOURCE = "symtape's own: "


# --- push commutation, where the prefix succeeds ---


@lemma(
    group=GROUP,
    source=f"{SOURCE}addGradAll_addNode_push, where success says what its hypotheses do",
)
def addGradAll_addNode_push_of_ok(
    t: Tape, nd: Node, v: SomeTensor, acc: Accumulator, pid: Nat, pg: SomeTensor, acc1: Accumulator
) -> Claim:
    """If `addGradAll` succeeds, it does the same on a tape with one more node and an array with one more slot.

    Nothing is asked of the array's size or of the id: an id that is out of range is an error.
    """
    return given(
        h=equal(t.addGradAll(acc, pid, pg), ok(acc1)),
    ).show(lambda: equal(t.addNode(nd).tape.addGradAll(acc.push(v), pid, pg), ok(acc1.push(v))))


@lemma(
    group=GROUP,
    source=f"{SOURCE}foldlM_addGradAll_addNode_push, where success says what its hypotheses do",
    uses=["addGradAll_addNode_push_of_ok"],
    proof=induction(
        "cs",
        generalizing=["acc"],
        step=lambda ih, cs, t, acc: [
            addGradAll_addNode_push_of_ok.at(pid=cs.head[0], pg=cs.head[1], acc1=t.addGradAll(acc, *cs.head)),
            ih.at(cs=cs.tail, acc=t.addGradAll(acc, *cs.head)),
        ],
    ),
)
def foldlM_addGradAll_addNode_push_of_ok(
    t: Tape, nd: Node, v: SomeTensor, cs: Contributions, acc: Accumulator, acc1: Accumulator
) -> Claim:
    """If a fold of `addGradAll` succeeds, it does the same on a tape with one more node and an array with one more
    slot."""
    return given(
        h=equal(cs.foldlM(t.addGradAll, acc), ok(acc1)),
    ).show(lambda: equal(cs.foldlM(t.addNode(nd).tape.addGradAll, acc.push(v)), ok(acc1.push(v))))


@lemma(
    group=GROUP,
    source=f"{SOURCE}backwardDenseFromStep_addNode_push, where success says what its hypotheses do",
    uses=["foldlM_addGradAll_addNode_push_of_ok"],
    proof=by(
        lambda t, acc, id: [
            foldlM_addGradAll_addNode_push_of_ok.at(
                cs=t.nodes[id].backward(acc[id]),
                acc1=t.nodes[id].backward(acc[id]).bind(lambda cs: cs.foldlM(t.addGradAll, acc)),
            ),
        ]
    ),
)
def backwardDenseFromStep_addNode_push_of_ok(
    t: Tape, nd: Node, v: SomeTensor, id: Nat, acc: Accumulator, acc1: Accumulator
) -> Claim:
    """If one step succeeds, it does the same on a tape with one more node and an array with one more slot.

    `BackwardPidsLt` is not needed: a contribution to a node that the prefix has not is an error there.
    """
    return given(
        h=equal(t.backwardDenseFromStep(acc, id), ok(acc1)),
    ).show(lambda: equal(t.addNode(nd).tape.backwardDenseFromStep(acc.push(v), id), ok(acc1.push(v))))


@lemma(
    group=GROUP,
    source=f"{SOURCE}backwardDenseFromLoop_addNode_push, where success says what its hypotheses do",
    uses=["backwardDenseFromStep_addNode_push_of_ok"],
    proof=induction(
        "m",
        generalizing=["acc"],
        step=lambda ih, k, t, acc: [
            backwardDenseFromStep_addNode_push_of_ok.at(id=k, acc1=t.backwardDenseFromStep(acc, k)),
            ih.at(m=k, acc=t.backwardDenseFromStep(acc, k)),
        ],
    ),
)
def backwardDenseFromLoop_addNode_push_of_ok(
    t: Tape, nd: Node, v: SomeTensor, m: Count, acc: Accumulator, acc1: Accumulator
) -> Claim:
    """If the loop succeeds, it does the same on a tape with one more node and an array with one more slot."""
    return given(
        h=equal(t.backwardDenseFromLoop(m, acc), ok(acc1)),
    ).show(lambda: equal(t.addNode(nd).tape.backwardDenseFromLoop(m, acc.push(v)), ok(acc1.push(v))))


# --- what success keeps, and what it shows ---


@lemma(
    group=GROUP,
    source=f"{SOURCE}as addGradAll_ok_size, of shapes",
)
def addGradAll_ok_shapes(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor, acc1: Accumulator) -> Claim:
    """If `addGradAll` succeeds, every slot keeps its shape."""
    return given(
        h=equal(t.addGradAll(acc, id, g), ok(acc1)),
    ).show(lambda: for_all(below(acc.size), lambda i: equal(acc1[i].shape, acc[i].shape)))


@lemma(
    group=GROUP,
    source=f"{SOURCE}as foldlM_addGradAll_ok_size, of shapes",
    uses=["addGradAll_ok_size", "addGradAll_ok_shapes"],
    proof=induction(
        "cs",
        generalizing=["acc"],
        step=lambda ih, cs, t, acc: [
            addGradAll_ok_size.at(id=cs.head[0], g=cs.head[1], acc1=t.addGradAll(acc, *cs.head)),
            addGradAll_ok_shapes.at(id=cs.head[0], g=cs.head[1], acc1=t.addGradAll(acc, *cs.head)),
            ih.at(cs=cs.tail, acc=t.addGradAll(acc, *cs.head)),
        ],
    ),
)
def foldlM_addGradAll_ok_shapes(t: Tape, cs: Contributions, acc: Accumulator, acc1: Accumulator) -> Claim:
    """If a fold of `addGradAll` over a list of contributions succeeds, every slot keeps its shape."""
    return given(
        h=equal(cs.foldlM(t.addGradAll, acc), ok(acc1)),
    ).show(lambda: for_all(below(acc.size), lambda i: equal(acc1[i].shape, acc[i].shape)))


@lemma(
    group=GROUP,
    source=f"{SOURCE}as backwardDenseFromStep_ok_size, of shapes",
    uses=["foldlM_addGradAll_ok_shapes"],
    proof=by(
        lambda t, acc, id: [
            foldlM_addGradAll_ok_shapes.at(
                cs=t.nodes[id].backward(acc[id]),
                acc1=t.nodes[id].backward(acc[id]).bind(lambda cs: cs.foldlM(t.addGradAll, acc)),
            ),
        ]
    ),
)
def backwardDenseFromStep_ok_shapes(t: Tape, acc: Accumulator, id: Nat, acc1: Accumulator) -> Claim:
    """If one step of the dense backward loop succeeds, every slot keeps its shape."""
    return given(
        h=equal(t.backwardDenseFromStep(acc, id), ok(acc1)),
    ).show(lambda: for_all(below(acc.size), lambda i: equal(acc1[i].shape, acc[i].shape)))


@lemma(
    group=GROUP,
    source=f"{SOURCE}what a loop that succeeds has checked",
    uses=["backwardDenseFromStep_ok_shapes"],
    proof=induction(
        "m",
        generalizing=["acc"],
        step=lambda ih, k, t, acc: [
            backwardDenseFromStep_ok_shapes.at(id=k, acc1=t.backwardDenseFromStep(acc, k)),
            ih.at(m=k, acc=t.backwardDenseFromStep(acc, k)),
        ],
    ),
)
def backwardDenseFromLoop_ok_fits(t: Tape, m: Count, acc: Accumulator, acc1: Accumulator) -> Claim:
    """If all nodes require gradients and the loop over the ids below `m` succeeds, there are nodes at these ids, and
    the array has a slot for each, of the shape of the node's value."""
    return given(
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        h=equal(t.backwardDenseFromLoop(m, acc), ok(acc1)),
    ).show(
        lambda: for_all(
            below(m),
            lambda i: all_of(i < acc.size, t.getNode(i).exists(lambda node: equal(node.value.shape, acc[i].shape))),
        )
    )


# --- the inductive step ---


@lemma(
    group=GROUP,
    source=f"{SOURCE}backwardDenseFromStep_addNode_lowerNode_last, of the shapes that hvals is asked for",
    uses=["foldlM_addGradAll_toIndexedShapeErasedArray_eq_add"],
    proof=by(
        lambda t, name, node, ctx, d, seedPrev, seedOut: [
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
def backwardDenseFromStep_addNode_lowerNode_last_of_fits(
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
    """The last-node step for a tape whose nodes fit the seed, whatever their values are: the context that the
    appended node was lowered at need not be what they hold."""
    return given(
        hsize=equal(t.size, ss.length),
        hnodes=for_all(
            below(ss.length),
            lambda i: t.getNode(i).exists(
                lambda node: all_of(
                    node.requiresGrad, equal(node.value.shape, seedPrev.toShapeErasedArray()[i].shape)
                )
            ),
        ),
    ).show(
        lambda: equal(
            t.addNode(lowerNode(name, node, ctx, d)).tape.backwardDenseFromStep(
                seedPrev.toShapeErasedArray().push(seedOut.erase()), t.size
            ),
            ok(seedPrev.add(node.vjp(ctx, d, seedOut)).toShapeErasedArray().push(seedOut.erase())),
        )
    )


@lemma(
    group=GROUP,
    source=f"{SOURCE}the claim of backwardDenseFrom_addNode_lowerNode, without hsize, hvals and hpids",
    uses=[
        "backwardDenseFromLoop_ok_fits",
        "backwardDenseFromStep_addNode_lowerNode_last_of_fits",
        "backwardDenseFromLoop_addNode_push_of_ok",
    ],
    proof=by(
        lambda t, node, ctx, d, name, bp, seedPrev, seedOut: [
            backwardDenseFromLoop_ok_fits.at(
                m=t.size, acc=seedPrev.toShapeErasedArray(), acc1=bp(seedPrev).toShapeErasedArray()
            ),
            backwardDenseFromStep_addNode_lowerNode_last_of_fits.at(),
            backwardDenseFromLoop_addNode_push_of_ok.at(
                nd=lowerNode(name, node, ctx, d),
                v=seedOut.erase(),
                m=t.size,
                acc=seedPrev.add(node.vjp(ctx, d, seedOut)).toShapeErasedArray(),
                acc1=bp(seedPrev.add(node.vjp(ctx, d, seedOut))).toShapeErasedArray(),
            ),
        ]
    ),
)
def backwardDenseFrom_addNode_lowerNode_of_ok(
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
    """Inductive step of the backward link, from success.

    Let `t` be a tape whose nodes require gradients, and whose dense reverse loop agrees with the reverse program `bp`
    on every seed: so it succeeds. Nothing else is asked, neither how many nodes it has, nor what their values are,
    nor where they contribute. Appending the lowered node `node` yields a tape whose dense reverse loop, seeded by
    `snoc seedPrev seedOut`, returns `snoc (bp (seedPrev + node.vjp ctx d seedOut)) seedOut`.
    """
    return given(
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hbp=bp.agreesWith(t),
    ).show(
        lambda: equal(
            t.addNode(lowerNode(name, node, ctx, d)).tape.backwardDenseFrom(
                seedPrev.snoc(seedOut).toShapeErasedArray()
            ),
            ok(bp(seedPrev.add(node.vjp(ctx, d, seedOut))).snoc(seedOut).toShapeErasedArray()),
        )
    )
