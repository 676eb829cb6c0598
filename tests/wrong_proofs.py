"""Proofs that are none: a true lemma with a wrong script, or a false one with a script that looks right.

`WRONG` says of each what the kernel has to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Annotated, Any

from symtape import Claim, Lemma, by, equal, given, have, induction, lemma, over
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.graph import NodeData, ShapeList, TensorPack
from symtape.encodings.graph_data import error
from symtape.encodings.lemmas.accumulation import (
    addGradAll_ok_size,
    backwardDenseFromLoop_ok_size,
    backwardDenseFromStep_ok_size,
    foldlM_addGradAll_ok_size,
    foldlM_addGradAll_toIndexedShapeErasedArray_eq_add,
)
from symtape.encodings.lemmas.last_node import addNode_prefix_node_spec
from symtape.encodings.lemmas.leaf_tapes import backwardDenseFromStep_addLeaves_empty
from symtape.encodings.lemmas.lowered_graph import lowerGraphDataToTape_nodes_size
from symtape.encodings.lemmas.push_commutation import backwardDenseFromLoop_addNode_push, getNode_addNode_of_lt
from symtape.encodings.parameter import Count, Nat, Opaque
from symtape.encodings.result import ok
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import Shape, Tensor
from symtape.script import Script
from symtape.smt import z3

WRONG: dict[str, tuple[Lemma, str]] = {}
"""A lemma with a wrong proof, and a pattern of what is said of it."""

LOOP = backwardDenseFromLoop_ok_size
FOLD = foldlM_addGradAll_ok_size


def wrong(name: str, of: Lemma, proof: Script, says: str, *more: str) -> None:
    """List a lemma with another proof, which may use more lemmas."""
    assert name not in WRONG
    WRONG[name] = replace(of, name=f"{of.name}, {name}", proof=proof, uses=(*of.uses, *more)), says


def proof(of: Lemma, **changes: Any) -> Script:
    """The lemma's proof, with a part of it changed."""
    return replace(of.proof, **changes)


def quoted(text: str) -> str:
    return re.escape(text)


# --- the induction hypothesis ---

wrong(
    "acc not generalised",
    LOOP,
    proof(LOOP, generalizing=()),
    r"the step, m of size k \+ 1: the induction hypothesis is used at another acc, but the induction does not "
    r"generalize over it: generalizing=\[\.\.\., 'acc'\]",
)
wrong(
    "list's accumulator not generalised",
    FOLD,
    proof(FOLD, generalizing=("t",)),
    r"the step, cs of size k \+ 1: the induction hypothesis is used at another acc, .*'acc'\]",
)
wrong(
    "prefix not generalised",
    foldlM_addGradAll_toIndexedShapeErasedArray_eq_add,
    proof(foldlM_addGradAll_toIndexedShapeErasedArray_eq_add, generalizing=("suffix",)),
    r"the step, ss of size k \+ 1: the induction hypothesis is used at another pref, .*'pref'\]",
)
wrong(
    "for every value of what was not generalised",
    FOLD,
    induction("cs", generalizing=["acc"], step=lambda ih: [ih.for_every("t")]),
    r"the step, cs of size k \+ 1: the induction hypothesis is used at another t, .*'t'\]",
)


def at(**values: Callable[..., Any]) -> Callable[..., Iterable[Any]]:
    """A step of the loop that uses the hypothesis at another `m`."""

    def step(ih: Any, k: Any, m: Any, t: Tape, acc: Any) -> Iterable[Any]:
        after = t.backwardDenseFromStep(acc, k)
        return [
            backwardDenseFromStep_ok_size.at(id=k, acc1=after),
            ih.at(acc=after, **{name: values[name](k, m) for name in values}),
        ]

    return step


NOT_K = r"the step, m of size k \+ 1: the induction hypothesis is about size k, and is used at another size"
wrong("hypothesis at k + 1", LOOP, proof(LOOP, uses=at(m=lambda k, m: k + 1)), NOT_K)
wrong("hypothesis at m", LOOP, proof(LOOP, uses=at(m=lambda k, m: m)), NOT_K)
wrong("hypothesis at no m", LOOP, proof(LOOP, uses=at()), NOT_K)
wrong("hypothesis at 0", LOOP, proof(LOOP, uses=at(m=lambda k, m: 0)), NOT_K)
wrong("hypothesis at k + k", LOOP, proof(LOOP, uses=at(m=lambda k, m: k + k)), NOT_K)
wrong(
    "hypothesis at the whole list",
    FOLD,
    proof(FOLD, uses=lambda ih, cs, t, acc: [ih.at(acc=t.addGradAll(acc, *cs.head))]),
    r"the step, cs of size k \+ 1: the induction hypothesis is about size k",
)
wrong(
    "hypothesis in the base",
    LOOP,
    proof(LOOP, base=lambda acc: [replace_ih(acc)]),
    r"the base, m of size 0: there is no induction hypothesis here",
)
wrong(
    "hypothesis in a claim",
    addGradAll_ok_size,
    by(lambda ih: [ih.at()]),
    r"the claim: there is no induction hypothesis here",
)
wrong(
    "hypothesis at another tape",
    LOOP,
    proof(
        LOOP,
        uses=lambda ih, k, t, acc: [ih.at(m=k, t=t.addNode(t.nodes[k]).tape, acc=t.backwardDenseFromStep(acc, k))],
    ),
    r"the step, m of size k \+ 1: the induction hypothesis is used at another t, .*'t'\]",
)
wrong(
    "hypothesis not used",
    LOOP,
    proof(
        LOOP, uses=lambda t, acc, k: [backwardDenseFromStep_ok_size.at(id=k, acc1=t.backwardDenseFromStep(acc, k))]
    ),
    r"the step, m of size k \+ 1: the goal does not follow",
)


def replace_ih(acc: Any) -> Any:
    """The induction hypothesis where there is none."""
    from symtape.script import Hypothesis

    return Hypothesis().at(m=0, acc=acc)


# --- a step without a base, a base without a step ---


@lemma(
    group="wrong",
    uses=["backwardDenseFromStep_ok_size"],
    proof=induction("m", generalizing=["acc"], step=lambda ih, k: [ih.at(m=k)]),
)
def loop_is_not_of_zero(t: Tape, m: Count, acc: Accumulator) -> Claim:
    """Every `m` is less than itself, which is inductive and false at 0."""
    return given().show(lambda: m < m)


@lemma(group="wrong", proof=induction("m", step=lambda ih, k: [ih.at(m=k)]))
def at_least_one(t: Tape, m: Count) -> Claim:
    """What holds of 1 and of each number after one of which it holds; not of 0."""
    return given().show(lambda: m >= 1)


@lemma(group="wrong", proof=induction("cs", step=lambda ih, cs: [ih.at(cs=cs.tail)]))
def every_list_counts_one(cs: Contributions, n: Nat) -> Claim:
    """A number is not 0 if there is a list: the list says nothing of it."""
    return given().show(lambda: n >= 1)


@lemma(group="wrong", proof=induction("m", generalizing=["n"], step=lambda ih, k, n: [ih.at(m=k, n=n)]))
def all_numbers_are_zero(m: Count, n: Nat) -> Claim:
    """Every number is 0, if it is at most `m`: true at 0."""
    return given(h=n <= m).show(lambda: equal(n, 0))


@lemma(
    group="wrong",
    proof=induction("m", generalizing=["acc"], step=lambda ih, k, t, acc: [ih.at(m=k, acc=acc)]),
)
def loop_changes_nothing(t: Tape, m: Count, acc: Accumulator) -> Claim:
    """The loop is the identity: true of no ids."""
    return given(h=equal(acc.size, t.size)).show(lambda: equal(t.backwardDenseFromLoop(m, acc), ok(acc)))


for _lemma, _says in [
    (loop_is_not_of_zero, "the base, m of size 0: the goal does not follow"),
    (at_least_one, "the base, m of size 0: the goal does not follow"),
    (every_list_counts_one, "the base, cs of size 0: the goal does not follow"),
    (all_numbers_are_zero, "the step, m of size k + 1: the use of induction hypothesis: its hypothesis h does not"),
    (loop_changes_nothing, "the step, m of size k + 1: the goal does not follow"),
]:
    WRONG[_lemma.name] = _lemma, quoted(_says)


# --- what an induction is on, and what it generalises over ---

wrong(
    "induction on a tensor",
    addGradAll_ok_size,
    induction("g", step=lambda ih: [ih.at()]),
    "g has no size of its own, so there is no induction on it",
)
wrong(
    "induction on an id",
    backwardDenseFromStep_ok_size,
    induction("id", step=lambda ih: [ih.at()]),
    "id has no size of its own, so there is no induction on it",
)
wrong(
    "induction on a graph, whose size is that of two lists",
    lowerGraphDataToTape_nodes_size,
    induction("g", step=lambda ih: [ih.at()]),
    "g has no size of its own, so there is no induction on it",
)
wrong(
    "induction on nothing",
    LOOP,
    induction("n", step=lambda ih: [ih.at()]),
    "the proof is by induction on n, which is no parameter",
)
wrong(
    "generalised over nothing",
    LOOP,
    proof(LOOP, generalizing=("acc", "acc2", "zz")),
    "the proof generalizes over acc2, zz, which is no parameter",
)


@lemma(group="wrong")
def pack_is_its_list(
    Γ: ShapeList, ss: ShapeList, p: Annotated[TensorPack, over("ss")], q: Annotated[TensorPack, over("ss")], d: Opaque
) -> Claim:
    """All packs over a list are equal."""
    return given().show(lambda: equal(p, q))


WRONG["wrong dependents"] = (
    replace(pack_is_its_list, proof=induction("ss", step=lambda ih, ss: [ih.at(ss=ss.prefix)])),
    quoted("the step, ss of size k + 1: induction hypothesis is used at values that do not have the type of p, q"),
)
WRONG["dependents of another list that is as long"] = (
    replace(
        pack_is_its_list,
        proof=induction("ss", step=lambda ih, ss, p, q: [ih.at(ss=ss.tail, p=p.unsnoc()[0], q=q.unsnoc()[0])]),
    ),
    quoted("the step, ss of size k + 1: induction hypothesis is used at values that do not have the type of p, q"),
)
WRONG["dependents of prefixes"] = (
    replace(
        pack_is_its_list,
        proof=induction("ss", step=lambda ih, ss, p, q: [ih.at(ss=ss.prefix, p=p.unsnoc()[0], q=q.unsnoc()[0])]),
    ),
    quoted("the step, ss of size k + 1: the goal does not follow"),
)


# --- uses ---

wrong(
    "uses itself",
    addGradAll_ok_size,
    by(lambda: [USES_ITSELF.at()]),
    "the claim: the lemma uses itself: that is a circle, only an induction hypothesis is not",
)
USES_ITSELF = WRONG["uses itself"][0]
wrong(
    "undeclared",
    addGradAll_ok_size,
    by(lambda t: [getNode_addNode_of_lt.at(nd=t.nodes[0], id=0)]),
    r"the claim: the proof uses getNode\?_addNode_of_lt, which uses=\[\.\.\.\] does not name",
)


@lemma(group="wrong")
def not_to_be_found(t: Tape) -> Claim:
    """It is not among the lemmas that a check is given."""
    return given().show(lambda: t.size < t.size)


wrong(
    "no theorem yet",
    addGradAll_ok_size,
    by(lambda: [not_to_be_found.at()]),
    "the claim: not_to_be_found is no theorem yet, so it cannot be used",
    "not_to_be_found",
)


@lemma(group="wrong")
def node_below_has_a_flag(
    t: Tape,
    nd: Node,
    Γ: ShapeList,
    ss: ShapeList,
    ctx: Annotated[TensorPack, over("ss")],
    other: Annotated[TensorPack, over("Γ")],
    τ: Shape,
    σ: Shape,
    x: Annotated[Tensor, over("τ")],
    node: Annotated[NodeData, over("ss", "τ")],
    d: Opaque,
    i: Nat,
) -> Claim:
    """A node of a tape that has the values of a pack requires a gradient: its flag is not said."""
    return given(hvals=equal(t.values(), ctx.toShapeErasedArray()), hi=i < ss.length).show(
        lambda: t.getNode(i).exists(lambda node: node.requiresGrad)
    )


def badly(name: str, uses: Callable[..., Iterable[Any]], says: str, *used: str) -> None:
    wrong(name, node_below_has_a_flag, by(uses), says, *used)


SPEC = "addNode_prefix_node_spec"
badly(
    "hypothesis that does not hold",
    lambda ctx: [addNode_prefix_node_spec.at(seed=ctx)],
    f"the claim: the use of {SPEC}: its hypothesis hreq does not follow",
    SPEC,
)
badly(
    "missing argument",
    lambda: [addNode_prefix_node_spec.at()],
    f"the claim: the use of {SPEC} gives no value for its parameter seed",
    SPEC,
)
badly(
    "unknown argument",
    lambda ctx: [addNode_prefix_node_spec.at(seed=ctx, sead=ctx)],
    f"the claim: {SPEC} has no parameter sead",
    SPEC,
)
badly(
    "for every unknown argument",
    lambda ctx: [addNode_prefix_node_spec.for_every("j", seed=ctx)],
    f"the claim: {SPEC} has no parameter j",
    SPEC,
)
badly(
    "for every value of two",
    lambda ctx: [addNode_prefix_node_spec.for_every("i", "seed")],
    f"the claim: {SPEC} can be used for every value of one argument at a time",
    SPEC,
)
badly(
    "for every tape",
    lambda ctx: [addNode_prefix_node_spec.for_every("t", seed=ctx)],
    "the claim: Tape is nothing that can be quantified over",
    SPEC,
)
badly(
    "pack over another list",
    lambda other: [addNode_prefix_node_spec.at(seed=other)],
    f"the claim: {SPEC} is used at values that do not have the type of seed",
    SPEC,
)
badly(
    "list that the packs are not over",
    lambda Γ, ctx: [addNode_prefix_node_spec.at(ss=Γ, seed=ctx)],
    f"the claim: {SPEC} is used at values that do not have the type of ctx, seed",
    SPEC,
)
badly(
    "tape for a node",
    lambda t, ctx: [addNode_prefix_node_spec.at(nd=t, seed=ctx)],
    f"the claim: {SPEC} is used at values that do not have the type of nd",
    SPEC,
)
badly(
    "accumulator for a pack",
    lambda ctx: [addNode_prefix_node_spec.at(seed=ctx.toShapeErasedArray())],
    f"the claim: {SPEC} is used at values that do not have the type of seed",
    SPEC,
)
badly(
    "id below 0",
    lambda ctx: [addNode_prefix_node_spec.at(seed=ctx, i=int("-1"))],
    f"the claim: {SPEC} is used at values that do not have the type of i",
    SPEC,
)
badly(
    "id that may be below 0",
    lambda ctx: [addNode_prefix_node_spec.at(seed=ctx, i=z3.Int("somewhere"))],
    "the claim: in the text of the proof: z3 is not for proofs",
    SPEC,
)
badly(
    "text for an id",
    lambda ctx: [addNode_prefix_node_spec.at(seed=ctx, i="0")],
    f"the claim: {SPEC} is used at values that do not have the type of i",
    SPEC,
)
STEP = "backwardDenseFromStep_addNode_lowerNode_last"


def last_step(**values: Any) -> Any:
    from symtape.encodings.lemmas.last_node import backwardDenseFromStep_addNode_lowerNode_last

    return backwardDenseFromStep_addNode_lowerNode_last.at(name=z3.Const("n", z3.DeclareSort("Name")), **values)


badly(
    "tensor of another shape",
    lambda ctx, x, σ: [last_step(seedPrev=ctx, seedOut=x.cast(σ))],
    f"the claim: {STEP} is used at values that do not have the type of seedOut",
    STEP,
)
badly(
    "tensor of any shape",
    lambda ctx, x: [last_step(seedPrev=ctx, seedOut=x.erase())],
    f"the claim: {STEP} is used at values that do not have the type of seedOut",
    STEP,
)
badly(
    "node of another shape",
    lambda ctx, x, σ: [last_step(τ=σ, seedPrev=ctx, seedOut=x.cast(σ))],
    f"the claim: {STEP} is used at values that do not have the type of node",
    STEP,
)
badly(
    "payload for a shape",
    lambda ctx, x, d: [last_step(τ=d, seedPrev=ctx, seedOut=x)],
    f"the claim: {STEP} is used at values that do not have the type of τ, node, seedOut",
    STEP,
)

wrong(
    "a value that is an error",
    addGradAll_ok_size,
    by(lambda g: [getNode_addNode_of_lt.at(nd=error("no", like=g))]),
    r"the claim: the value for nd of getNode\?_addNode_of_lt is an error",
    "getNode?_addNode_of_lt",
)
wrong(
    "false fact",
    addGradAll_ok_size,
    by(lambda acc, acc1: [have(hbig=acc.size < acc1.size)]),
    "the claim: have hbig: it does not follow",
)
wrong(
    "fact called as a hypothesis",
    addGradAll_ok_size,
    by(lambda acc: [have(h=equal(acc.size, acc.size + 0))]),
    "the claim: have h: the name is taken",
)
wrong(
    "two facts of one name",
    addGradAll_ok_size,
    by(lambda acc: [have(h1=acc.size < acc.size + 1), have(h1=acc.size < acc.size + 2)]),
    "the claim: have h1: the name is taken",
)
wrong(
    "a fact that only the next one shows",
    addGradAll_ok_size,
    by(lambda t, acc, acc1: [have(h1=acc.size < t.size + 1), have(h2=acc.size < t.size)]),
    "the claim: have h1: it does not follow",
)
wrong(
    "asks for what is no parameter",
    addGradAll_ok_size,
    by(lambda acc, accumulator: []),
    "the claim: the proof asks for accumulator, which is no parameter",
)
wrong(
    "k in a claim that is no induction",
    LOOP,
    by(lambda k, acc: [have(h1=k < acc.size)]),
    "the claim: .*k",
)
wrong(
    "a step where there is no node",
    backwardDenseFromLoop_addNode_push.without("hm"),
    backwardDenseFromLoop_addNode_push.proof,
    r"the step, m of size k \+ 1: the use of backwardDenseFromStep_addNode_push: its hypothesis hid does not follow",
)
wrong(
    "leaf at the end",
    backwardDenseFromStep_addLeaves_empty,
    by(lambda Γ: [have(hn1=Γ.length < Γ.length + 0)]),
    "the claim: have hn1: it does not follow",
)
