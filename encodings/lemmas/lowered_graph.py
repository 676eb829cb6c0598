"""Lowered graphs: the tape that a graph is lowered to has the graph's values, and the dense backward pass over it is
the graph's own reverse program. `GraphData` first, then `Graph`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from symtape import Claim, Lemma, below, equal, for_all, given, have, induction, lemma, over
from symtape.encodings.graph import ShapeList, TensorPack
from symtape.encodings.graph_data import Graph, GraphData, debugName
from symtape.encodings.lemmas._lean import LINK, NAMESPACE
from symtape.encodings.lemmas.inductive_step import backwardDenseFrom_addNode_lowerNode
from symtape.encodings.lemmas.leaf_tapes import backwardDenseFrom_addLeaves_empty
from symtape.encodings.parameter import Opaque
from symtape.encodings.result import ok

GROUP = "Lowered graph"
CORE = f"{LINK}/Core.lean"
INVARIANTS = f"{LINK}/Invariants.lean"


def snoc(facts: list[Lemma], lowered: Callable[[Any, Any, Any], Any], name: str) -> Callable[..., Iterable[Any]]:
    """The step of both theorems about the pass: the lowered prefix has what `backwardDenseFrom_addNode_lowerNode`
    asks for, by the facts about it and by the induction hypothesis at every seed."""

    def step(ih: Any, Γ: Any, ss: Any, g: Any, x: Any, d: Any, seed: Any) -> Iterable[Any]:
        tape, ctx = lowered(g.prefix, x, d)
        seedPrev, seedOut = seed.unsnoc()
        return [
            *(fact.at(ss=ss.prefix, g=g.prefix) for fact in facts),
            have(
                hcontrib=equal(
                    seedPrev.add(g.last.vjp(ctx, d, seedOut)),
                    seedPrev.add(g.last.vjp(g.prefix.eval(x, d), d, seedOut)),
                )
            ),
            ih.for_every("seed", ss=ss.prefix, g=g.prefix),
            backwardDenseFrom_addNode_lowerNode.at(
                ss=Γ.append(ss.prefix),
                τ=ss.last,
                t=tape,
                name=debugName(name),
                node=g.last,
                ctx=ctx,
                bp=g.prefix.reverseProgram(x, d),
                seedPrev=seedPrev,
                seedOut=seedOut,
            ),
        ]

    return step


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.lowerGraphDataToTape_ctx_eq_eval",
    source=CORE,
    proof=induction("ss", step=lambda ih, ss, g: [ih.at(ss=ss.prefix, g=g.prefix)]),
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
    proof=induction("ss", step=lambda ih, ss, g: [ih.at(ss=ss.prefix, g=g.prefix)]),
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
    proof=induction(
        "ss",
        step=lambda ih, ss, g: [
            ih.at(ss=ss.prefix, g=g.prefix),
        ],
    ),
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
    proof=induction("ss", step=lambda ih, ss, g: [ih.at(ss=ss.prefix, g=g.prefix)]),
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
    uses=["lowerGraphDataToTape_nodes_size"],
    proof=induction(
        "ss",
        step=lambda ih, ss, g: [
            lowerGraphDataToTape_nodes_size.at(ss=ss.prefix, g=g.prefix),
            ih.at(ss=ss.prefix, g=g.prefix),
        ],
    ),
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
    source=f"{LINK}/BackwardGraphData.lean",
    uses=[
        "backwardDenseFrom_addLeaves_empty",
        "backwardDenseFrom_addNode_lowerNode",
        "lowerGraphDataToTape_ctx_eq_eval",
        "lowerGraphDataToTape_nodes_size",
        "lowerGraphDataToTape_requires_grad_true",
        "lowerGraphDataToTape_values_eq",
        "lowerGraphDataToTape_backward_pids_lt_id",
    ],
    proof=induction(
        "ss",
        base=lambda x, seed: [backwardDenseFrom_addLeaves_empty.at()],
        step=snoc(
            [
                lowerGraphDataToTape_ctx_eq_eval,
                lowerGraphDataToTape_nodes_size,
                lowerGraphDataToTape_values_eq,
                lowerGraphDataToTape_requires_grad_true,
                lowerGraphDataToTape_backward_pids_lt_id,
            ],
            lambda g, x, d: g.lowerGraphDataToTape(x, d),
            "typed-graph",
        ),
    ),
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
    proof=induction("ss", step=lambda ih, ss, g: [ih.at(ss=ss.prefix, g=g.prefix)]),
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
    proof=induction("ss", step=lambda ih, ss, g: [ih.at(ss=ss.prefix, g=g.prefix)]),
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
    proof=induction(
        "ss",
        step=lambda ih, ss, g: [
            ih.at(ss=ss.prefix, g=g.prefix),
        ],
    ),
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
    proof=induction("ss", step=lambda ih, ss, g: [ih.at(ss=ss.prefix, g=g.prefix)]),
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
    uses=["lowerGraphToTape_nodes_size"],
    proof=induction(
        "ss",
        step=lambda ih, ss, g: [
            lowerGraphToTape_nodes_size.at(ss=ss.prefix, g=g.prefix),
            ih.at(ss=ss.prefix, g=g.prefix),
        ],
    ),
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
    source=f"{LINK}/BackwardGraph.lean",
    uses=[
        "backwardDenseFrom_addLeaves_empty",
        "backwardDenseFrom_addNode_lowerNode",
        "lowerGraphToTape_ctx_eq_eval",
        "lowerGraphToTape_nodes_size",
        "lowerGraphToTape_requires_grad_true",
        "lowerGraphToTape_values_eq",
        "lowerGraphToTape_backward_pids_lt_id",
    ],
    proof=induction(
        "ss",
        base=lambda x, seed: [backwardDenseFrom_addLeaves_empty.at()],
        step=snoc(
            [
                lowerGraphToTape_ctx_eq_eval,
                lowerGraphToTape_nodes_size,
                lowerGraphToTape_values_eq,
                lowerGraphToTape_requires_grad_true,
                lowerGraphToTape_backward_pids_lt_id,
            ],
            lambda g, x, d: g.lowerGraphToTape(x, d),
            "proof-carrying-graph",
        ),
    ),
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
