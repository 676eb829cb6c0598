"""The runtime's functions, row by row: what each answers in each of its cases. No theorem of Lean's says this; the
seed only says how the functions on a longer tape compare with those on a shorter one, and so misses engines that are
wrong in the same way on both. Together with the lemmas on the lowered node these notice every one of the mutants."""

from __future__ import annotations

from typing import Annotated, Any

from symtape import Claim, all_of, equal, given, lemma, negate, over
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.backward import (
    INVALID_PARENT,
    NODE_MISSING,
    OUT_OF_BOUNDS,
    WRONG_CONTRIBUTION,
    WRONG_LENGTH,
    WRONG_SLOT,
)
from symtape.encodings.graph import NodeData, ShapeList, TensorPack, lowerNode
from symtape.encodings.graph_data import error
from symtape.encodings.parameter import Count, Name, Nat, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import Shape, SomeTensor

GROUP = "Runtime equations"
SOURCE = "symtape's own: a row of the runtime's definition (NN/Runtime/Autograd/Engine/Core/Backward.lean)"


# --- addGradAll ---


@lemma(group=GROUP, source=SOURCE)
def addGradAll_of_missing(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """A contribution to a node that does not exist is an error."""
    return given(hid=id >= t.size).show(lambda: equal(t.addGradAll(acc, id, g), error(INVALID_PARENT, like=g)))


@lemma(group=GROUP, source=SOURCE)
def addGradAll_of_not_requiresGrad(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """A contribution to a node that requires no gradient is passed over, whatever it is."""
    return given(
        hreq=t.getNode(id).exists(lambda node: negate(node.requiresGrad)),
    ).show(lambda: equal(t.addGradAll(acc, id, g), ok(acc)))


@lemma(group=GROUP, source=SOURCE)
def addGradAll_of_wrong_contribution(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """A contribution of another shape than the node's value is an error, whatever the array is."""
    return given(
        hreq=t.getNode(id).exists(lambda node: node.requiresGrad),
        hshape=t.getNode(id).exists(lambda node: negate(equal(g.shape, node.value.shape))),
    ).show(lambda: equal(t.addGradAll(acc, id, g), error(WRONG_CONTRIBUTION, like=g)))


@lemma(group=GROUP, source=SOURCE)
def addGradAll_of_out_of_bounds(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """A contribution that fits its node is an error if the array has no slot for it."""
    return given(
        hreq=t.getNode(id).exists(lambda node: node.requiresGrad),
        hshape=t.getNode(id).exists(lambda node: equal(g.shape, node.value.shape)),
        hid=id >= acc.size,
    ).show(lambda: equal(t.addGradAll(acc, id, g), error(OUT_OF_BOUNDS, like=g)))


@lemma(group=GROUP, source=SOURCE)
def addGradAll_of_wrong_slot(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """A contribution that fits its node is an error if the slot does not fit the node."""
    return given(
        hreq=t.getNode(id).exists(lambda node: node.requiresGrad),
        hshape=t.getNode(id).exists(lambda node: equal(g.shape, node.value.shape)),
        hid=id < acc.size,
        hslot=t.getNode(id).exists(lambda node: negate(equal(acc[id].shape, node.value.shape))),
    ).show(lambda: equal(t.addGradAll(acc, id, g), error(WRONG_SLOT, like=g)))


@lemma(group=GROUP, source=SOURCE)
def addGradAll_of_fits(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """A contribution that fits its node and the slot is added to the slot, whose content is the left operand; the
    other slots stay as they are.

    Without `hid` the statement has no meaning in Lean; at known sizes an index out of range has a shape that nothing
    else has, so there `hslot` says it too.
    """
    return given(
        hreq=t.getNode(id).exists(lambda node: node.requiresGrad),
        hshape=t.getNode(id).exists(lambda node: equal(g.shape, node.value.shape)),
        hid=id < acc.size,
        hslot=t.getNode(id).exists(lambda node: equal(acc[id].shape, node.value.shape)),
    ).show(lambda: equal(t.addGradAll(acc, id, g), acc[id].add(g).map(lambda total: acc.set(id, total))))


# --- backwardDenseFromStep ---


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromStep_of_missing(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """A step at a node that does not exist is an error."""
    return given(hid=id >= t.size).show(
        lambda: equal(t.backwardDenseFromStep(acc, id), error(NODE_MISSING, like=acc))
    )


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromStep_of_not_requiresGrad(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """A step at a node that requires no gradient does nothing, whatever the array is."""
    return given(
        hreq=t.getNode(id).exists(lambda node: negate(node.requiresGrad)),
    ).show(lambda: equal(t.backwardDenseFromStep(acc, id), ok(acc)))


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromStep_of_out_of_bounds(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """A step is an error if the array has no slot for the node."""
    return given(
        hreq=t.getNode(id).exists(lambda node: node.requiresGrad),
        hid=id >= acc.size,
    ).show(lambda: equal(t.backwardDenseFromStep(acc, id), error(OUT_OF_BOUNDS, like=acc)))


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromStep_of_wrong_slot(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """A step is an error if the slot does not fit the node."""
    return given(
        hreq=t.getNode(id).exists(lambda node: node.requiresGrad),
        hid=id < acc.size,
        hslot=t.getNode(id).exists(lambda node: negate(equal(acc[id].shape, node.value.shape))),
    ).show(lambda: equal(t.backwardDenseFromStep(acc, id), error(WRONG_SLOT, like=acc)))


def _fits(t: Any, acc: Any, id: Any) -> Any:
    """The node at this id requires a gradient, and its slot has its shape."""
    return t.getNode(id).exists(lambda node: all_of(node.requiresGrad, equal(acc[id].shape, node.value.shape)))


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromStep_of_error(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """Where the node's backward function fails on its slot, the step fails with the same message."""
    return given(
        hid=id < acc.size,
        hfits=_fits(t, acc, id),
        hback=t.getNode(id).exists(lambda node: negate(node.backward(acc[id]).isOk())),
    ).show(
        lambda: t.getNode(id).exists(
            lambda node: equal(t.backwardDenseFromStep(acc, id), node.backward(acc[id]).map(lambda _: acc))
        )
    )


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromStep_eq_foldlM(t: Tape, acc: Accumulator, id: Nat, cs: Contributions) -> Claim:
    """Where the node's backward function emits contributions on its slot, the step adds them, in order."""
    return given(
        hid=id < acc.size,
        hfits=_fits(t, acc, id),
        hback=t.getNode(id).exists(lambda node: equal(node.backward(acc[id]), ok(cs))),
    ).show(lambda: equal(t.backwardDenseFromStep(acc, id), cs.foldlM(t.addGradAll, acc)))


# --- backwardDenseFromLoop and backwardDenseFrom ---


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromLoop_zero(t: Tape, acc: Accumulator) -> Claim:
    """The loop over no ids does nothing."""
    return given().show(lambda: equal(t.backwardDenseFromLoop(0, acc), ok(acc)))


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFromLoop_succ(t: Tape, n: Count, acc: Accumulator) -> Claim:
    """The loop over the ids n … 0 is the step at n, then the loop below it, unless the step fails."""
    return given().show(
        lambda: equal(
            t.backwardDenseFromLoop(n + 1, acc),
            t.backwardDenseFromStep(acc, n).bind(lambda after: t.backwardDenseFromLoop(n, after)),
        )
    )


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFrom_of_size_ne(t: Tape, grads0: Accumulator) -> Claim:
    """An array that has not one slot for each node is an error."""
    return given(hsize=negate(equal(grads0.size, t.size))).show(
        lambda: equal(t.backwardDenseFrom(grads0), error(WRONG_LENGTH, like=grads0))
    )


@lemma(group=GROUP, source=SOURCE)
def backwardDenseFrom_of_size_eq(t: Tape, grads0: Accumulator) -> Claim:
    """The pass from an array with one slot for each node is the loop over all ids."""
    return given(hsize=equal(grads0.size, t.size)).show(
        lambda: equal(t.backwardDenseFrom(grads0), t.backwardDenseFromLoop(t.size, grads0))
    )


# --- lowerNode ---


@lemma(group=GROUP, source=SOURCE)
def lowerNode_value(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The value of a lowered node is the graph node's at its context."""
    return given().show(lambda: equal(lowerNode(name, node, ctx, d).value, node.forward(ctx, d)))


@lemma(group=GROUP, source=SOURCE)
def lowerNode_requiresGrad(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """A lowered node requires a gradient."""
    return given().show(lambda: equal(lowerNode(name, node, ctx, d).requiresGrad, True))
