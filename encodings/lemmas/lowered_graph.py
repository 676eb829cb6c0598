"""Lowered graphs: the tape that a graph is lowered to has the graph's values, and the dense backward pass over it is
the graph's own reverse program. `GraphData` first, then `Graph`."""

from __future__ import annotations

from typing import Annotated

from symtape import Claim, below, equal, for_all, given, lemma, over
from symtape.encodings.graph import ShapeList, TensorPack
from symtape.encodings.graph_data import Graph, GraphData
from symtape.encodings.lemmas.push_commutation import NAMESPACE
from symtape.encodings.parameter import Opaque
from symtape.encodings.result import ok

GROUP = "Lowered graph"
CORE = "TorchLean, NN/Proofs/Autograd/Runtime/Link/Core.lean"
INVARIANTS = "TorchLean, NN/Proofs/Autograd/Runtime/Link/Invariants.lean"


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphDataToTape_ctx_eq_eval",
    source=CORE,
)
def lowerGraphDataToTape_ctx_eq_eval(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The context that `lowerGraphDataToTape` returns is `GraphData.eval`."""
    return given().show(lambda: equal(g.lowerGraphDataToTape(x, d).ctx, g.eval(x, d)))


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphDataToTape_nodes_size",
    source=CORE,
)
def lowerGraphDataToTape_nodes_size(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The lowered tape has one node for each element of `Γ ++ ss`."""
    return given().show(lambda: equal(g.lowerGraphDataToTape(x, d).tape.size, Γ.length + ss.length))


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphDataToTape_values_eq",
    source=CORE,
)
def lowerGraphDataToTape_values_eq(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The values of the lowered tape's nodes are the context, with shapes erased, in order."""
    return given().show(
        lambda: equal(
            g.lowerGraphDataToTape(x, d).tape.values(), g.lowerGraphDataToTape(x, d).ctx.toShapeErasedArray()
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphDataToTape_requires_grad_true",
    source=INVARIANTS,
)
def lowerGraphDataToTape_requires_grad_true(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """Every node of the lowered tape requires a gradient, the leaves of the inputs included."""
    return given().show(
        lambda: for_all(
            below(g.lowerGraphDataToTape(x, d).tape.size),
            lambda i: g.lowerGraphDataToTape(x, d).tape.nodes[i].requiresGrad,
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphDataToTape_backward_pids_lt_id",
    source=INVARIANTS,
    uses=["lowerGraphDataToTape_nodes_size", "lowerNode_backward_of_shape", "lowerNode_backward_of_ne"],
)
def lowerGraphDataToTape_backward_pids_lt_id(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """Whatever it is asked, each node of the lowered tape contributes to earlier nodes only."""
    return given().show(lambda: g.lowerGraphDataToTape(x, d).tape.BackwardPidsLt())


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx",
    source="TorchLean, NN/Proofs/Autograd/Runtime/Link/BackwardGraphData.lean",
    uses=[
        "backwardDenseFrom_addLeaves_empty",
        "backwardDenseFrom_addNode_lowerNode",
        "lowerGraphDataToTape_ctx_eq_eval",
        "lowerGraphDataToTape_nodes_size",
        "lowerGraphDataToTape_requires_grad_true",
        "lowerGraphDataToTape_values_eq",
        "lowerGraphDataToTape_backward_pids_lt_id",
    ],
)
def backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    seed: Annotated[TensorPack, over("Γ ++ ss")],
) -> Claim:
    """The dense backward pass over a lowered graph computes `backpropAllCtx` of the graph, from every seed.

    Lean asks for a commutative semiring; here α has any addition, so the claim is the stronger one.
    """
    return given().show(
        lambda: equal(
            g.lowerGraphDataToTape(x, d).tape.backwardDenseFrom(seed.toShapeErasedArray()),
            ok(g.backpropAllCtx(x, d, seed).toShapeErasedArray()),
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphToTape_ctx_eq_eval",
    source=CORE,
)
def lowerGraphToTape_ctx_eq_eval(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[Graph, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The context that `lowerGraphToTape` returns is `Graph.eval`."""
    return given().show(lambda: equal(g.lowerGraphToTape(x, d).ctx, g.eval(x, d)))


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphToTape_nodes_size",
    source=CORE,
)
def lowerGraphToTape_nodes_size(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[Graph, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The lowered tape has one node for each element of `Γ ++ ss`."""
    return given().show(lambda: equal(g.lowerGraphToTape(x, d).tape.size, Γ.length + ss.length))


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphToTape_values_eq",
    source=CORE,
)
def lowerGraphToTape_values_eq(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[Graph, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """The values of the lowered tape's nodes are the context, with shapes erased, in order."""
    return given().show(
        lambda: equal(g.lowerGraphToTape(x, d).tape.values(), g.lowerGraphToTape(x, d).ctx.toShapeErasedArray())
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphToTape_requires_grad_true",
    source=INVARIANTS,
)
def lowerGraphToTape_requires_grad_true(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[Graph, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """Every node of the lowered tape requires a gradient, the leaves of the inputs included."""
    return given().show(
        lambda: for_all(
            below(g.lowerGraphToTape(x, d).tape.size), lambda i: g.lowerGraphToTape(x, d).tape.nodes[i].requiresGrad
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphToTape_backward_pids_lt_id",
    source=INVARIANTS,
    uses=["lowerGraphToTape_nodes_size", "lowerNode_backward_of_shape", "lowerNode_backward_of_ne"],
)
def lowerGraphToTape_backward_pids_lt_id(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[Graph, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """Whatever it is asked, each node of the lowered tape contributes to earlier nodes only."""
    return given().show(lambda: g.lowerGraphToTape(x, d).tape.BackwardPidsLt())


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFrom_lowerGraphToTape_eq_backpropAllCtx",
    source="TorchLean, NN/Proofs/Autograd/Runtime/Link/BackwardGraph.lean",
    uses=[
        "backwardDenseFrom_addLeaves_empty",
        "backwardDenseFrom_addNode_lowerNode",
        "lowerGraphToTape_ctx_eq_eval",
        "lowerGraphToTape_nodes_size",
        "lowerGraphToTape_requires_grad_true",
        "lowerGraphToTape_values_eq",
        "lowerGraphToTape_backward_pids_lt_id",
    ],
)
def backwardDenseFrom_lowerGraphToTape_eq_backpropAllCtx(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[Graph, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    seed: Annotated[TensorPack, over("Γ ++ ss")],
) -> Claim:
    """The dense backward pass over a lowered graph computes `backpropAllCtx` of the graph, from every seed.

    Lean asks for a commutative semiring and for nodes whose vjp is the adjoint of their jvp; neither is assumed here,
    so the claim is the stronger one.
    """
    return given().show(
        lambda: equal(
            g.lowerGraphToTape(x, d).tape.backwardDenseFrom(seed.toShapeErasedArray()),
            ok(g.backpropAllCtx(x, d, seed).toShapeErasedArray()),
        )
    )
