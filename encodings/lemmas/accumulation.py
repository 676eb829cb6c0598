"""Accumulation: folding `addGradAll` over an indexed pack is `TensorPack.add`, and no success changes the size of an
array."""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, all_of, below, by, equal, for_all, given, have, induction, lemma, over
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.graph import ShapeList, TensorPack
from symtape.encodings.lemmas._lean import LINK, NAMESPACE
from symtape.encodings.parameter import Count, Nat
from symtape.encodings.result import ok
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import SomeTensor

GROUP = "Accumulation"
SOURCE = f"{LINK}/Accumulation.lean"


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.foldlM_addGradAll_toIndexedShapeErasedArray_eq_add",
    source=SOURCE,
    proof=induction(
        "ss",
        generalizing=["pref"],
        step=lambda ih, t, ss, pref, seed, contrib, suffix: [
            have(
                hadd0=equal(
                    t.addGradAll(pref.append(seed.toShapeErasedArray()).append(suffix), pref.size, contrib.head),
                    ok(pref.push(seed.head.plus(contrib.head)).append(seed.tail.toShapeErasedArray()).append(suffix)),
                )
            ),
            ih.at(
                ss=ss.tail,
                pref=pref.push(seed.head.plus(contrib.head)),
                seed=seed.tail,
                contrib=contrib.tail,
            ),
        ],
    ),
)
def foldlM_addGradAll_toIndexedShapeErasedArray_eq_add(
    t: Tape,
    ss: ShapeList,
    pref: Accumulator,
    seed: Annotated[TensorPack, over("ss")],
    contrib: Annotated[TensorPack, over("ss")],
    suffix: Accumulator,
) -> Claim:
    """Folding `addGradAll` over the contributions of a pack is `TensorPack.add`, embedded into an array
    `pref ++ seed ++ suffix`, if the ids from `pref.size` on hold nodes that fit `seed`.

    Lean leaves the hypothesis unnamed; `hnodes` is the name in its proof.
    """
    return given(
        hnodes=for_all(
            below(ss.length),
            lambda i: t.getNode(pref.size + i).exists(
                lambda node: all_of(node.requiresGrad, equal(node.value.shape, seed.toShapeErasedArray()[i].shape))
            ),
        ),
    ).show(
        lambda: equal(
            contrib.toIndexedShapeErasedArray(pref.size).foldlM(
                t.addGradAll, pref.append(seed.toShapeErasedArray()).append(suffix)
            ),
            ok(pref.append(seed.add(contrib).toShapeErasedArray()).append(suffix)),
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.addGradAll_ok_size",
    source=SOURCE,
)
def addGradAll_ok_size(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor, acc1: Accumulator) -> Claim:
    """If `addGradAll` succeeds, the array keeps its size. (`acc1` is Lean's `grads'`.)"""
    return given(
        h=equal(t.addGradAll(acc, id, g), ok(acc1)),
    ).show(lambda: equal(acc1.size, acc.size))


@lemma(
    group=GROUP,
    source=f"{SOURCE}, where it is a local step of backwardDenseFromStep_ok_size",
    uses=["addGradAll_ok_size"],
    proof=induction(
        "cs",
        generalizing=["acc"],
        step=lambda ih, cs, t, acc: [
            addGradAll_ok_size.at(id=cs.head[0], g=cs.head[1], acc1=t.addGradAll(acc, *cs.head)),
            ih.at(cs=cs.tail, acc=t.addGradAll(acc, *cs.head)),
        ],
    ),
)
def foldlM_addGradAll_ok_size(t: Tape, cs: Contributions, acc: Accumulator, acc1: Accumulator) -> Claim:
    """If a fold of `addGradAll` over a list of contributions succeeds, the array keeps its size."""
    return given(
        h=equal(cs.foldlM(t.addGradAll, acc), ok(acc1)),
    ).show(lambda: equal(acc1.size, acc.size))


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFromStep_ok_size",
    source=SOURCE,
    uses=["foldlM_addGradAll_ok_size"],
    proof=by(
        lambda t, acc, id: [
            foldlM_addGradAll_ok_size.at(
                cs=t.nodes[id].backward(acc[id]),
                acc1=t.nodes[id].backward(acc[id]).bind(lambda cs: cs.foldlM(t.addGradAll, acc)),
            ),
        ]
    ),
)
def backwardDenseFromStep_ok_size(t: Tape, acc: Accumulator, id: Nat, acc1: Accumulator) -> Claim:
    """If one step of the dense backward loop succeeds, the array keeps its size."""
    return given(
        h=equal(t.backwardDenseFromStep(acc, id), ok(acc1)),
    ).show(lambda: equal(acc1.size, acc.size))


@lemma(
    group=GROUP,
    source="symtape: what backwardDenseFromStep_ok_size comes to over a whole loop",
    uses=["backwardDenseFromStep_ok_size"],
    proof=induction(
        "m",
        generalizing=["acc"],
        step=lambda ih, k, t, acc: [
            backwardDenseFromStep_ok_size.at(id=k, acc1=t.backwardDenseFromStep(acc, k)),
            ih.at(m=k, acc=t.backwardDenseFromStep(acc, k)),
        ],
    ),
)
def backwardDenseFromLoop_ok_size(t: Tape, m: Count, acc: Accumulator, acc1: Accumulator) -> Claim:
    """If the dense backward loop succeeds, the array keeps its size."""
    return given(
        h=equal(t.backwardDenseFromLoop(m, acc), ok(acc1)),
    ).show(lambda: equal(acc1.size, acc.size))
