"""Claims about packs, leaves and graphs that look true and are false, for `--encodings` as well as for the tests."""

from __future__ import annotations

from typing import Annotated, Any

from symtape import Claim, all_of, below, equal, for_all, given, lemma, over
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.graph import NodeData, ShapeList, TensorPack, lowerNode
from symtape.encodings.graph_data import Graph, GraphData, addLeaves, addLeaves_empty
from symtape.encodings.parameter import Name, Nat, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import Shape, SomeTensor


def nodes_fit(t: Any, start: Any, seed: Any, length: Any) -> Any:
    """The ids from `start` on hold nodes that require a gradient and have the shapes of the seed."""
    return for_all(
        below(length),
        lambda i: t.getNode(start + i).exists(
            lambda node: all_of(node.requiresGrad, equal(node.value.shape, seed.toShapeErasedArray()[i].shape))
        ),
    )


@lemma(group="false")
def fold_adds_on_the_right(
    t: Tape,
    ss: ShapeList,
    pref: Accumulator,
    seed: Annotated[TensorPack, over("ss")],
    contrib: Annotated[TensorPack, over("ss")],
    suffix: Accumulator,
) -> Claim:
    """The contribution is the left operand: false unless addition commutes."""
    return given(hnodes=nodes_fit(t, pref.size, seed, ss.length)).show(
        lambda: equal(
            contrib.toIndexedShapeErasedArray(pref.size).foldlM(
                t.addGradAll, pref.append(seed.toShapeErasedArray()).append(suffix)
            ),
            ok(pref.append(contrib.add(seed).toShapeErasedArray()).append(suffix)),
        )
    )


@lemma(group="false")
def fold_one_slot_further(
    t: Tape,
    ss: ShapeList,
    pref: Accumulator,
    v: SomeTensor,
    seed: Annotated[TensorPack, over("ss")],
    contrib: Annotated[TensorPack, over("ss")],
) -> Claim:
    """A prefix that is one longer than the first contribution's id says."""
    return given(hnodes=nodes_fit(t, pref.size, seed, ss.length)).show(
        lambda: equal(
            contrib.toIndexedShapeErasedArray(pref.size).foldlM(
                t.addGradAll, pref.push(v).append(seed.toShapeErasedArray())
            ),
            ok(pref.push(v).append(seed.add(contrib).toShapeErasedArray())),
        )
    )


@lemma(group="false")
def arrays_append_either_way(acc: Accumulator, other: Accumulator) -> Claim:
    """Two arrays may be appended in either order."""
    return given().show(lambda: equal(acc.append(other), other.append(acc)))


@lemma(group="false")
def leaf_emits_its_gradient(
    Γ: ShapeList, x: Annotated[TensorPack, over("Γ")], seed: Annotated[TensorPack, over("Γ")]
) -> Claim:
    """The pass over leaves adds the seed to the inputs."""
    return given().show(
        lambda: equal(
            addLeaves_empty(x).backwardDenseFrom(seed.toShapeErasedArray()), ok(x.add(seed).toShapeErasedArray())
        )
    )


@lemma(group="false")
def leaves_are_put_in_front(t: Tape, Γ: ShapeList, x: Annotated[TensorPack, over("Γ")]) -> Claim:
    """`addLeaves` puts the inputs before the nodes that are there."""
    return given().show(
        lambda: equal(addLeaves(t, x).values(), x.toShapeErasedArray().append(t.values())),
    )


@lemma(group="false")
def lowered_node_numbers_from_one(
    Γ: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("Γ", "τ")],
    ctx: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    v: SomeTensor,
) -> Claim:
    """A lowered node sends entry i of its vjp to id i + 1."""
    return given(h=equal(v.shape, τ)).show(
        lambda: equal(
            lowerNode(name, node, ctx, d).backward(v),
            ok(node.vjp(ctx, d, v.cast(τ)).toIndexedShapeErasedArray(1)),
        )
    )


@lemma(group="false")
def every_tape_points_backwards(t: Tape) -> Claim:
    """Whatever it is asked, each node of a tape contributes to earlier nodes only."""
    return given().show(lambda: t.BackwardPidsLt())


@lemma(group="false")
def appended_node_points_backwards(t: Tape, nd: Node) -> Claim:
    """A node that is appended to a tape that points backwards does so as well."""
    return given(hpids=t.BackwardPidsLt()).show(lambda: t.addNode(nd).tape.BackwardPidsLt())


@lemma(group="false")
def values_ignore_the_payload(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    e: Opaque,
) -> Claim:
    """The values of a graph are the same whatever payload it is given."""
    return given().show(lambda: equal(g.lowerGraphDataToTape(x, d).ctx, g.eval(x, e)))


@lemma(group="false")
def graph_pass_returns_its_seed(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    seed: Annotated[TensorPack, over("Γ ++ ss")],
) -> Claim:
    """The reverse program without any vjp."""
    return given().show(
        lambda: equal(
            g.lowerGraphDataToTape(x, d).tape.backwardDenseFrom(seed.toShapeErasedArray()),
            ok(seed.toShapeErasedArray()),
        )
    )


@lemma(group="false")
def graph_pass_at_another_input(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[Graph, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    y: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    seed: Annotated[TensorPack, over("Γ ++ ss")],
) -> Claim:
    """The pass over the tape of one input is the reverse program at another."""
    return given().show(
        lambda: equal(
            g.lowerGraphToTape(x, d).tape.backwardDenseFrom(seed.toShapeErasedArray()),
            ok(g.backpropAllCtx(y, d, seed).toShapeErasedArray()),
        )
    )


@lemma(group="false")
def lowered_graph_has_a_node_at_its_size(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    i: Nat,
) -> Claim:
    """The ids of a lowered graph's nodes run up to its size, not to one below."""
    return given(hi=i <= Γ.length + ss.length).show(
        lambda: g.lowerGraphDataToTape(x, d).tape.getNode(i).exists(lambda node: node.requiresGrad)
    )
