"""Claims that look like the seed's and are false, for `--encodings` as well as for the tests."""

from __future__ import annotations

from typing import Annotated, Any

from symtape import Claim, all_of, below, equal, for_all, given, implies, lemma, over
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.graph import NodeData, ReverseProgram, ShapeList, TensorPack, lowerNode
from symtape.encodings.parameter import Count, Name, Nat, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import Shape, SomeTensor, Tensor


def push_in_front(acc: Any, v: Any) -> Any:
    """`#[v] ++ acc`, symbolic or plain."""
    if hasattr(acc, "array"):
        from symtape.encodings.free.accumulator import FreeAccumulator
        from symtape.smt import z3

        return FreeAccumulator(acc.world, z3.Const("#[]", acc.array.sort()), 0).push(v).append(acc)
    return Accumulator(acc.world, [v, *acc.slots]) if isinstance(acc, Accumulator) else type(acc)([v, *acc.slots])


@lemma(group="false")
def new_slot_in_front(t: Tape, nd: Node, v: SomeTensor, acc: Accumulator, pid: Nat, pg: SomeTensor) -> Claim:
    """The new slot goes in front of the others instead of behind them."""
    return given(hacc=equal(acc.size, t.size), hpid=pid < t.size).show(
        lambda: equal(
            t.addNode(nd).tape.addGradAll(push_in_front(acc, v), pid, pg),
            t.addGradAll(acc, pid, pg).map(lambda a: push_in_front(a, v)),
        )
    )


@lemma(group="false")
def pushed_slot_replaced(
    t: Tape, nd: Node, v: SomeTensor, w: SomeTensor, acc: Accumulator, pid: Nat, pg: SomeTensor
) -> Claim:
    """Another tensor stands in the pushed slot afterwards."""
    return given(hacc=equal(acc.size, t.size), hpid=pid < t.size).show(
        lambda: equal(
            t.addNode(nd).tape.addGradAll(acc.push(v), pid, pg),
            t.addGradAll(acc, pid, pg).map(lambda a: a.push(w)),
        )
    )


@lemma(group="false")
def addGradAll_any_order(t: Tape, acc: Accumulator, pid: Nat, g: SomeTensor, h: SomeTensor) -> Claim:
    """Two contributions of one shape to one slot may be added in either order: false where + is not associative."""
    return given(hshape=equal(g.shape, h.shape)).show(
        lambda: equal(
            t.addGradAll(acc, pid, g).bind(lambda a: t.addGradAll(a, pid, h)),
            t.addGradAll(acc, pid, h).bind(lambda a: t.addGradAll(a, pid, g)),
        )
    )


@lemma(group="false")
def addGradAll_always_ok(t: Tape, acc: Accumulator, pid: Nat, pg: SomeTensor) -> Claim:
    """Accumulating into an existing id always succeeds and keeps the accumulator."""
    return given(hacc=equal(acc.size, t.size), hpid=pid < t.size).show(
        lambda: equal(t.addGradAll(acc, pid, pg), ok(acc))
    )


@lemma(group="false")
def loop_one_longer(t: Tape, nd: Node, v: SomeTensor, m: Count, acc: Accumulator) -> Claim:
    """The loop on the longer tape may run one id further."""
    return given(hpids=t.BackwardPidsLt(), hm=m <= t.size, hacc=equal(acc.size, t.size)).show(
        lambda: equal(
            t.addNode(nd).tape.backwardDenseFromLoop(m + 1, acc.push(v)),
            t.backwardDenseFromLoop(m, acc).map(lambda a: a.push(v)),
        )
    )


@lemma(group="false")
def fold_ignores_order(t: Tape, cs: Contributions, ds: Contributions, acc: Accumulator) -> Claim:
    """Two lists of contributions may be folded in either order."""
    return given(hacc=equal(acc.size, t.size)).show(
        lambda: equal(
            cs.foldlM(t.addGradAll, acc).bind(lambda a: ds.foldlM(t.addGradAll, a)),
            ds.foldlM(t.addGradAll, acc).bind(lambda a: cs.foldlM(t.addGradAll, a)),
        )
    )


@lemma(group="false")
def step_keeps_own_slot(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """A step never changes the visited node's own slot, whatever ids its contributions have."""
    return given(hacc=equal(acc.size, t.size), hid=id < t.size).show(
        lambda: equal(t.backwardDenseFromStep(acc, id).map(lambda a: a[id]), ok_slot(acc, id, t))
    )


def ok_slot(acc: Any, id: Any, t: Any) -> Any:
    """What a step that only reads the slot would give: the slot, or the step's own error."""
    return t.backwardDenseFromStep(acc, id).map(lambda _: acc[id])


@lemma(group="false")
def prefix_has_shape_of_any_seed(
    t: Tape, ss: ShapeList, ctx: Annotated[TensorPack, over("ss")], g: SomeTensor
) -> Claim:
    """The prefix of a tape fits every gradient, not only seeds over the context's shapes."""
    return given(hsize=equal(t.size, ss.length), hvals=equal(t.values(), ctx.toShapeErasedArray())).show(
        lambda: for_all(below(t.size), lambda i: equal(t.nodes[i].value.shape, g.shape))
    )


@lemma(group="false")
def last_step_vjp_on_the_left(
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
    """The vjp is the left operand of the sum: false unless addition commutes."""
    return given(
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hvals=equal(t.values(), ctx.toShapeErasedArray()),
    ).show(
        lambda: equal(
            t.addNode(lowerNode(name, node, ctx, d)).tape.backwardDenseFromStep(
                seedPrev.toShapeErasedArray().push(seedOut.erase()), t.size
            ),
            ok(node.vjp(ctx, d, seedOut).add(seedPrev).toShapeErasedArray().push(seedOut.erase())),
        )
    )


@lemma(group="false")
def inductive_step_without_vjp(
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
    """The reverse program runs on the prefix seed alone."""
    return given(
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hbp=bp.agreesWith(t),
    ).show(
        lambda: equal(
            t.addNode(lowerNode(name, node, ctx, d)).tape.backwardDenseFrom(
                seedPrev.snoc(seedOut).toShapeErasedArray()
            ),
            ok(bp(seedPrev).snoc(seedOut).toShapeErasedArray()),
        )
    )


@lemma(group="false")
def pids_are_lower_where_the_pass_succeeds(
    ss: ShapeList, t: Tape, bp: Annotated[ReverseProgram, over("ss")]
) -> Claim:
    """Where the pass succeeds from every seed, nodes contribute to earlier ones only."""
    return given(
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hbp=bp.agreesWith(t),
    ).show(lambda: t.BackwardPidsLt())


@lemma(group="false")
def values_are_the_context_where_the_pass_succeeds(
    ss: ShapeList, t: Tape, ctx: Annotated[TensorPack, over("ss")], bp: Annotated[ReverseProgram, over("ss")]
) -> Claim:
    """Where the pass succeeds from every seed, the nodes hold what the context does."""
    return given(
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hbp=bp.agreesWith(t),
    ).show(lambda: equal(t.values(), ctx.toShapeErasedArray()))


@lemma(group="false")
def getNode_of_appended(t: Tape, nd: Node, id: Nat) -> Claim:
    """The appended node is found at every id from the tape's size on."""
    return given(hid=id >= t.size).show(
        lambda: t.addNode(nd).tape.getNode(id).exists(lambda node: implies(True, equal(node, nd)))
    )


@lemma(group="false")
def every_step_succeeds_backwards(t: Tape, acc: Accumulator, id: Nat) -> Claim:
    """On a tape with backward-pointing ids and flags set, a step succeeds or the accumulator is too short."""
    return given(
        hpids=t.BackwardPidsLt(),
        hreq=for_all(below(t.size), lambda i: t.nodes[i].requiresGrad),
        hid=id < t.size,
        hshapes=all_of(equal(acc.size, t.size), for_all(below(acc.size), lambda i: slot_fits(t, acc, i))),
    ).show(lambda: equal(t.backwardDenseFromStep(acc, id), ok(acc)))


def slot_fits(t: Any, acc: Any, i: int) -> Any:
    """Slot i exists on the tape and has its node's shape."""
    return t.getNode(i).exists(lambda node: equal(acc[i].shape, node.value.shape))


@lemma(group="false")
def all_nodes_are_alike(t: Tape, i: Nat, j: Nat) -> Claim:
    """Nodes with the same value and flag are the same node."""
    return given(hi=i < t.size, hj=j < t.size, halike=alike(t)).show(lambda: equal(t.getNode(i), t.getNode(j)))


def alike(t: Any) -> Any:
    """All nodes of a tape have one value, and the flag."""
    return for_all(
        below(t.size), lambda i: all_of(t.nodes[i].requiresGrad, equal(t.nodes[i].value, t.nodes[0].value))
    )
