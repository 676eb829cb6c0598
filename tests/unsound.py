"""Attempts to prove what is false at every size, by the ways that an author has: statements, scripts, engines.

`FALSE` are claims that are false at a small size, which the direct mode shows; `NOT_DIRECT` says why it cannot of
some. `FAULTS` names those that every-size mode accepted when they were written, and by what.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from symtape import (
    Claim,
    Lemma,
    all_of,
    any_of,
    below,
    by,
    equal,
    for_all,
    given,
    have,
    implies,
    induction,
    lemma,
    negate,
    over,
)
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.backward import Case, Engine
from symtape.encodings.graph import NodeData, ReverseProgram, ShapeList, TensorPack, lowerNode
from symtape.encodings.graph_data import GraphData, addLeaves_empty, leafNodeOfSomeTensor
from symtape.encodings.lemmas.accumulation import (
    addGradAll_ok_size,
    backwardDenseFromStep_ok_size,
    foldlM_addGradAll_ok_size,
    foldlM_addGradAll_toIndexedShapeErasedArray_eq_add,
)
from symtape.encodings.lemmas.lowered_graph import (
    backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx,
    lowerGraphDataToTape_ctx_eq_eval,
)
from symtape.encodings.lemmas.push_commutation import (
    backwardDenseFromLoop_addNode_push,
    foldlM_addGradAll_addNode_push,
)
from symtape.encodings.parameter import Count, Name, Nat, Opaque
from symtape.encodings.result import Result, ok, success
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import Shape, SomeTensor, Tensor
from symtape.smt import z3
from tests import false_graphs, false_lemmas
from tests.changed_engines import VisitedTwice

FALSE: dict[str, Lemma] = {}
HELPERS: dict[str, Lemma] = {}
"""Claims that the false ones use; some of them are false as well."""
NOT_DIRECT: dict[str, str] = {}


def false(claim: Lemma, *, direct: str = "", helper: bool = False) -> Lemma:
    """List a claim."""
    assert claim.name not in FALSE
    assert claim.name not in HELPERS
    FALSE[claim.name] = claim
    if helper:
        HELPERS[claim.name] = claim
    if direct:
        NOT_DIRECT[claim.name] = direct
    return claim


def true(claim: Lemma) -> Lemma:
    """List a claim that false ones use, and that is true."""
    HELPERS[claim.name] = claim
    return claim


# --- positions outside arrays ---


@false
@lemma()
def behind_what_was_pushed(acc: Accumulator, v: SomeTensor) -> Claim:
    """The slot behind the pushed one holds what was pushed."""
    return given().show(lambda: equal(acc.push(v)[acc.size + 1], v))


@false
@lemma()
def append_one_further(pref: Accumulator, suffix: Accumulator) -> Claim:
    """The second array begins one slot behind its place."""
    return given(h=suffix.size > 1).show(lambda: equal(pref.append(suffix)[pref.size + 1], suffix[0]))


@false
@lemma()
def append_in_place(pref: Accumulator, suffix: Accumulator, i: Nat) -> Claim:
    """What is appended stays at its positions."""
    return given(hi=i < suffix.size).show(lambda: equal(pref.append(suffix)[i], suffix[i]))


@false
@lemma()
def setting_is_pushing(acc: Accumulator, v: SomeTensor) -> Claim:
    """To set the slot behind the last one is to push."""
    return given().show(lambda: equal(acc.set(acc.size, v), acc.push(v)))


@false
@lemma()
def set_outside_is_there(acc: Accumulator, v: SomeTensor) -> Claim:
    """What was set behind the last slot is found there."""
    return given().show(lambda: equal(acc.set(acc.size, v)[acc.size], v))


@false
@lemma()
def node_at_the_size(t: Tape, nd: Node, id: Nat) -> Claim:
    """Appending a node does not change what is at the id after the last one."""
    return given(hid=id <= t.size).show(lambda: equal(t.addNode(nd).tape.getNode(id), t.getNode(id)))


@false
@lemma()
def naturals_are_even(i: Nat, j: Nat) -> Claim:
    """A larger number is larger by two."""
    return given(h=i < j).show(lambda: i + 2 <= j)


def before_the_first() -> int:
    """A position that no array has."""
    return int("-1")


@lemma()
def set_below_zero(acc: Accumulator, v: SomeTensor, w: SomeTensor) -> Claim:
    """Setting a slot before the first changes nothing, so what was set there is one tensor."""
    return given(h1=equal(acc.set(before_the_first(), v), acc), h2=equal(acc.set(before_the_first(), w), acc)).show(
        lambda: equal(v, w)
    )


false(set_below_zero)


def set_before(acc: Any, id: Any, v: Any, w: Any) -> Iterable[Any]:
    return [
        have(h1=implies(equal(id, 0), equal(acc.set(id - 1, v), acc))),
        have(h2=implies(equal(id, 0), equal(acc.set(id - 1, w), acc))),
    ]


@lemma(proof=by(set_before))
def set_at_a_difference(acc: Accumulator, id: Nat, v: SomeTensor, w: SomeTensor) -> Claim:
    """All tensors are equal, by what a script takes from an id."""
    return given(h=equal(id, 0)).show(lambda: equal(v, w))


false(set_at_a_difference)


# --- sizes off by one ---

FOLD = foldlM_addGradAll_toIndexedShapeErasedArray_eq_add
GRAPH = backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx


def with_proof(claim: Lemma, of: Lemma, name: str = "") -> Lemma:
    """A false claim with the proof of a true one."""
    return replace(claim, name=name or f"{claim.name} proved as {of.name}", proof=of.proof, uses=of.uses)


false(with_proof(false_graphs.fold_adds_on_the_right, FOLD))
false(
    replace(
        false_graphs.fold_one_slot_further,
        name="fold_one_slot_further by induction",
        proof=induction(
            "ss",
            generalizing=["pref"],
            step=lambda ih, ss, pref, v, seed, contrib: [
                ih.at(ss=ss.tail, pref=pref.push(v), seed=seed.tail, contrib=contrib.tail)
            ],
        ),
    )
)


@false
@lemma(
    proof=induction(
        "ss",
        generalizing=["pref"],
        step=lambda ih, ss, pref, seed, contrib: [
            ih.at(
                ss=ss.tail,
                pref=pref.push(seed.head.plus(contrib.head)),
                seed=seed.tail,
                contrib=contrib.tail,
            )
        ],
    )
)
def fold_starts_one_later(
    t: Tape,
    ss: ShapeList,
    pref: Accumulator,
    seed: Annotated[TensorPack, over("ss")],
    contrib: Annotated[TensorPack, over("ss")],
    suffix: Accumulator,
) -> Claim:
    """Contributions that are numbered one too high are added to the right slots."""
    return given(
        hnodes=false_graphs.nodes_fit(t, pref.size, seed, ss.length), hs=pref.size + ss.length < t.size
    ).show(
        lambda: equal(
            contrib.toIndexedShapeErasedArray(pref.size + 1).foldlM(
                t.addGradAll, pref.append(seed.toShapeErasedArray()).append(suffix)
            ),
            ok(pref.append(seed.add(contrib).toShapeErasedArray()).append(suffix)),
        )
    )


false(with_proof(false_lemmas.loop_one_longer, backwardDenseFromLoop_addNode_push))


@false
@lemma(uses=list(backwardDenseFromLoop_addNode_push.uses), proof=backwardDenseFromLoop_addNode_push.proof)
def push_commutes_at_every_id(t: Tape, nd: Node, v: SomeTensor, m: Count, acc: Accumulator) -> Claim:
    """The loop over one id more than the prefix has commutes with a push."""
    return given(hpids=t.BackwardPidsLt(), hm=m <= t.size + 1, hacc=equal(acc.size, t.size)).show(
        lambda: equal(
            t.addNode(nd).tape.backwardDenseFromLoop(m, acc.push(v)),
            t.backwardDenseFromLoop(m, acc).map(lambda a: a.push(v)),
        )
    )


@false
@lemma(uses=list(foldlM_addGradAll_addNode_push.uses), proof=foldlM_addGradAll_addNode_push.proof)
def push_commutes_with_a_longer_array(t: Tape, nd: Node, v: SomeTensor, cs: Contributions, acc: Accumulator) -> Claim:
    """The fold commutes with a push when ids may reach the new node."""
    return given(hacc=equal(acc.size, t.size), hpid=cs.forall(lambda pid, pg: pid <= t.size)).show(
        lambda: equal(
            cs.foldlM(lambda acc2, pid, pg: t.addNode(nd).tape.addGradAll(acc2, pid, pg), acc.push(v)),
            cs.foldlM(lambda acc2, pid, pg: t.addGradAll(acc2, pid, pg), acc).map(lambda a: a.push(v)),
        )
    )


@false
@lemma()
def pass_is_the_loop(t: Tape, acc: Accumulator) -> Claim:
    """The pass is the loop whatever size the array has."""
    return given().show(lambda: equal(t.backwardDenseFrom(acc), t.backwardDenseFromLoop(t.size, acc)))


@false
@lemma(proof=induction("m", generalizing=["n", "acc"], step=lambda ih, k, n, acc: [ih.at(m=k, n=n, acc=acc)]))
def loops_alike(t: Tape, m: Count, n: Count, acc: Accumulator) -> Claim:
    """A longer loop does what a shorter one does."""
    return given(h=m <= n).show(lambda: equal(t.backwardDenseFromLoop(n, acc), t.backwardDenseFromLoop(m, acc)))


# --- equality of arrays and tapes ---


@false
@lemma()
def arrays_alike_but_for_the_last(acc: Accumulator, acc2: Accumulator, n: Nat) -> Claim:
    """Arrays that agree everywhere but in the last slot are equal."""
    return given(
        h1=equal(acc.size, n + 1),
        h2=equal(acc2.size, n + 1),
        h=for_all(below(acc.size), lambda i: implies(i < n, equal(acc[i], acc2[i]))),
    ).show(lambda: equal(acc, acc2))


@false
@lemma()
def arrays_alike_of_two_sizes(acc: Accumulator, acc2: Accumulator) -> Claim:
    """An array is equal to what begins with it."""
    return given(hs=acc.size <= acc2.size, h=for_all(below(acc.size), lambda i: equal(acc[i], acc2[i]))).show(
        lambda: equal(acc, acc2)
    )


@false
@lemma()
def arrays_of_one(acc: Accumulator, acc2: Accumulator) -> Claim:
    """Arrays of size 1 are equal: those of size 0 are."""
    return given(h1=acc.size <= 1, h2=equal(acc2.size, acc.size)).show(lambda: equal(acc, acc2))


@false
@lemma()
def tapes_of_one_value(t: Tape, t2: Tape) -> Claim:
    """Tapes with the same values and flags are equal."""
    return given(
        h=equal(t.values(), t2.values()),
        hreq=all_of(*(for_all(below(u.size), lambda i, u=u: u.nodes[i].requiresGrad) for u in (t, t2))),
    ).show(lambda: equal(t, t2))


@false
@lemma()
def loops_of_one_value(t: Tape, t2: Tape, m: Count, acc: Accumulator) -> Claim:
    """The loop over tapes with the same values is the same."""
    return given(h=equal(t.values(), t2.values())).show(
        lambda: equal(t.backwardDenseFromLoop(m, acc), t2.backwardDenseFromLoop(m, acc))
    )


@false
@lemma()
def longer_tape_is_the_same(t: Tape, t2: Tape, nd: Node) -> Claim:
    """A tape with a node more is equal to what it was."""
    return given(h=equal(t.addNode(nd).tape, t2)).show(lambda: equal(t, t2))


@false
@lemma()
def leaves_are_all_nodes(nd: Node, v: SomeTensor) -> Claim:
    """A node with the value of a leaf is that leaf."""
    return given(hv=equal(nd.value, v), hr=nd.requiresGrad).show(lambda: equal(nd, leafNodeOfSomeTensor(v)))


def cut_short(acc: Any, v: Any, w: Any) -> Iterable[Any]:
    """Arrays that hold something behind their size."""
    from symtape.encodings.free.accumulator import FreeAccumulator

    one, other = (FreeAccumulator(acc.world, acc.push(x).array, acc.size) for x in (v, w))
    return [have(hcut=equal(one, other))]


@lemma(proof=by(cut_short))
def arrays_with_something_behind(acc: Accumulator, v: SomeTensor, w: SomeTensor) -> Claim:
    """All tensors are equal, since arrays that differ only behind their size are."""
    return given().show(lambda: equal(v, w))


false(arrays_with_something_behind)


# --- universals ---


@false
@lemma()
def each_with_each(acc: Accumulator, acc2: Accumulator) -> Claim:
    """Arrays that agree slot by slot agree in any two slots."""
    return given(h=for_all(below(acc.size), lambda i: equal(acc[i], acc2[i])), hs=equal(acc.size, acc2.size)).show(
        lambda: for_all(below(acc.size), lambda i: for_all(below(acc2.size), lambda j: equal(acc[i], acc2[j])))
    )


@false
@lemma()
def one_fails_so_the_first_does(acc: Accumulator, g: SomeTensor) -> Claim:
    """If not all slots have a shape, the first has not."""
    return given(h=negate(for_all(below(acc.size), lambda i: equal(acc[i].shape, g.shape)))).show(
        lambda: negate(equal(acc[0].shape, g.shape))
    )


@false
@lemma()
def one_of_the_two_for_all(acc: Accumulator, g: SomeTensor, h: SomeTensor) -> Claim:
    """If each slot is the one or the other, all are the one or all are the other."""
    return given(
        hs=for_all(below(acc.size), lambda i: any_of(equal(acc[i], g), equal(acc[i], h))),
    ).show(
        lambda: any_of(
            for_all(below(acc.size), lambda i: equal(acc[i], g)),
            for_all(below(acc.size), lambda i: equal(acc[i], h)),
        )
    )


@false
@lemma()
def implication_slot_by_slot(acc: Accumulator, g: SomeTensor, h: SomeTensor) -> Claim:
    """An implication between two universals holds slot by slot."""
    return given(
        hs=implies(
            for_all(below(acc.size), lambda i: equal(acc[i], g)),
            for_all(below(acc.size), lambda i: equal(acc[i], h)),
        )
    ).show(lambda: for_all(below(acc.size), lambda i: implies(equal(acc[i], g), equal(acc[i], h))))


@false
@lemma()
def same_words_about_another_size(acc: Accumulator, acc2: Accumulator, g: SomeTensor) -> Claim:
    """What holds of all slots of one array holds of those of another."""
    return given(h=for_all(below(acc.size), lambda i: equal(acc[i], g))).show(
        lambda: for_all(below(acc2.size), lambda i: equal(acc2[i], g))
    )


@false
@lemma()
def points_backwards_on_a_shorter_tape(t: Tape, t2: Tape, nd: Node) -> Claim:
    """A node that points backwards on one tape does so on a shorter one."""
    return given(h=t.addNode(nd).tape.BackwardPidsLt(), h2=t2.BackwardPidsLt(), hs=t2.size < t.size).show(
        lambda: t2.addNode(nd).tape.BackwardPidsLt()
    )


@false
@lemma()
def fold_of_one_id(t: Tape, cs: Contributions, ds: Contributions, acc: Accumulator) -> Claim:
    """Lists of contributions to one node are folded alike."""
    return given(h1=cs.forall(lambda pid, _: pid < 1), h2=ds.forall(lambda pid, _: pid < 1)).show(
        lambda: equal(cs.foldlM(t.addGradAll, acc), ds.foldlM(t.addGradAll, acc))
    )


@false
@lemma(proof=induction("cs", generalizing=["acc"], step=lambda ih, cs, t, acc: [ih.at(cs=cs.tail, acc=acc)]))
def fold_changes_nothing(t: Tape, cs: Contributions, acc: Accumulator) -> Claim:
    """A fold over contributions to existing nodes is the identity: it is over none."""
    return given(h=cs.forall(lambda pid, _: pid < t.size), hacc=equal(acc.size, t.size)).show(
        lambda: equal(cs.foldlM(t.addGradAll, acc), ok(acc))
    )


# --- packs, graphs, reverse programs ---


@false
@lemma()
def sum_keeps_the_last(
    ss: ShapeList,
    τ: Shape,
    p: Annotated[TensorPack, over("ss")],
    q: Annotated[TensorPack, over("ss")],
    x: Annotated[Tensor, over("τ")],
    y: Annotated[Tensor, over("τ")],
) -> Claim:
    """The last tensor of a sum of packs is that of the left one."""
    return given().show(lambda: equal(p.snoc(x).add(q.snoc(y)), p.add(q).snoc(x)))


@false
@lemma(proof=induction("ss", step=lambda ih, ss, p, q: [ih.at(ss=ss.tail, p=p.tail, q=q.tail)]))
def sums_commute(ss: ShapeList, p: Annotated[TensorPack, over("ss")], q: Annotated[TensorPack, over("ss")]) -> Claim:
    """Packs may be added in either order: true of none, and of the tails if of the packs."""
    return given().show(lambda: equal(p.add(q), q.add(p)))


@lemma()
def cast_to_any_shape(v: SomeTensor, τ: Shape, d: Opaque) -> Claim:
    """A cast to any shape whatever changes no tensor."""
    return given().show(lambda: equal(v.cast(τ).shape, v.shape))


false(cast_to_any_shape, direct="a cast to a shape that the tensor has not is nothing that could be replayed")


@false
@lemma()
def lowered_under_another_name(
    ss: ShapeList,
    τ: Shape,
    name: Name,
    other: Name,
    node: Annotated[NodeData, over("ss", "τ")],
    ctx: Annotated[TensorPack, over("ss")],
    d: Opaque,
) -> Claim:
    """A lowered node is the same under another name."""
    return given().show(lambda: equal(lowerNode(name, node, ctx, d), lowerNode(other, node, ctx, d)))


@false
@lemma()
def forward_ignores_the_payload(
    ss: ShapeList,
    τ: Shape,
    node: Annotated[NodeData, over("ss", "τ")],
    ctx: Annotated[TensorPack, over("ss")],
    d: Opaque,
    e: Opaque,
) -> Claim:
    """A node computes the same whatever payload it is given."""
    return given().show(lambda: equal(node.forward(ctx, d), node.forward(ctx, e)))


@false
@lemma()
def reverse_programs_are_additive(
    t: Tape,
    ss: ShapeList,
    bp: Annotated[ReverseProgram, over("ss")],
    p: Annotated[TensorPack, over("ss")],
    q: Annotated[TensorPack, over("ss")],
) -> Claim:
    """What agrees with a tape's pass is additive."""
    return given(h=bp.agreesWith(t)).show(lambda: equal(bp(p.add(q)), bp(p).add(bp(q))))


@false
@lemma()
def reverse_programs_of_two_tapes(
    t: Tape,
    t2: Tape,
    ss: ShapeList,
    bp: Annotated[ReverseProgram, over("ss")],
    bq: Annotated[ReverseProgram, over("ss")],
    p: Annotated[TensorPack, over("ss")],
) -> Claim:
    """Tapes of one size have one reverse program."""
    return given(h=bp.agreesWith(t), h2=bq.agreesWith(t2), hs=equal(t.size, t2.size)).show(
        lambda: equal(bp(p), bq(p))
    )


false(with_proof(false_graphs.graph_pass_returns_its_seed, GRAPH))
false(with_proof(false_graphs.values_ignore_the_payload, lowerGraphDataToTape_ctx_eq_eval))


@false
@lemma(uses=list(GRAPH.uses), proof=GRAPH.proof)
def graph_pass_at_another_payload(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    e: Opaque,
    seed: Annotated[TensorPack, over("Γ ++ ss")],
) -> Claim:
    """The pass over the tape of one payload is the reverse program at another."""
    return given().show(
        lambda: equal(
            g.lowerGraphDataToTape(x, d).tape.backwardDenseFrom(seed.toShapeErasedArray()),
            ok(g.backpropAllCtx(x, e, seed).toShapeErasedArray()),
        )
    )


@false
@lemma(proof=induction("ss", step=lambda ih, ss, g: [ih.at(ss=ss.prefix, g=g.prefix)]))
def graphs_of_one_size_evaluate_alike(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    h: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
) -> Claim:
    """Two graphs over the same shapes have the same values: true without nodes."""
    return given().show(lambda: equal(g.eval(x, d), h.eval(x, d)))


@false
@lemma()
def leaves_forget_their_inputs(
    Γ: ShapeList, x: Annotated[TensorPack, over("Γ")], y: Annotated[TensorPack, over("Γ")]
) -> Claim:
    """Tapes of leaves of the same shapes are equal: the pass over them is."""
    return given().show(lambda: equal(addLeaves_empty(x), addLeaves_empty(y)))


def empty_packs(Γ: Any, ss: Any, g: Any, x: Any, d: Any, seed: Any, acc: Any) -> Iterable[Any]:
    """The head of a pack over no shapes, which is said to have the first of them."""
    back = g.last.vjp(g.prefix.eval(x, d), d, seed.unsnoc()[1])
    empty = all_of(equal(Γ.length, 0), equal(ss.length, 1), equal(acc.size, 0))
    return [
        have(hempty=implies(empty, equal(back.toShapeErasedArray(), acc))),
        have(hhead=equal(back.head.shape, seed.toShapeErasedArray()[0].shape)),
    ]


@lemma(proof=induction("ss", step=empty_packs))
def junk_has_the_shape_of_a_node(
    Γ: ShapeList,
    ss: ShapeList,
    g: Annotated[GraphData, over("Γ", "ss")],
    x: Annotated[TensorPack, over("Γ")],
    d: Opaque,
    seed: Annotated[TensorPack, over("Γ ++ ss")],
    acc: Accumulator,
) -> Claim:
    """What is outside an empty array has the shape of the only node of a graph."""
    return given(h0=equal(Γ.length, 0), h1=equal(ss.length, 1), h2=equal(acc.size, 0)).show(
        lambda: equal(acc[0].shape, seed.toShapeErasedArray()[0].shape)
    )


# it was accepted as long as a pack that may be empty had a head, of its first shape
false(junk_has_the_shape_of_a_node, helper=True)


def of_any_shapes(p: Any, acc: Any) -> Iterable[Any]:
    """A pack that is made of any array."""
    made = p.like([acc.array])
    return [have(hmade=equal(made, made))]


@lemma(proof=by(of_any_shapes))
def arrays_have_the_shapes_of_packs(
    ss: ShapeList, p: Annotated[TensorPack, over("ss")], acc: Accumulator, i: Nat
) -> Claim:
    """An array that is as long as a pack has its shapes."""
    return given(h=equal(acc.size, ss.length), hi=i < acc.size).show(
        lambda: equal(acc[i].shape, p.toShapeErasedArray()[i].shape)
    )


false(arrays_have_the_shapes_of_packs)


def of_any_length(cs: Any) -> Iterable[Any]:
    """A list that is said to be empty."""
    return [have(hmade=equal(cs.sized(cs.leaves(), 0), cs))]


@lemma(proof=by(of_any_length))
def lists_are_empty(t: Tape, cs: Contributions, acc: Accumulator) -> Claim:
    """The fold over a list is the identity."""
    return given().show(lambda: equal(cs.foldlM(t.addGradAll, acc), ok(acc)))


false(lists_are_empty)


# --- results ---


@false
@lemma()
def errors_are_alike(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor, h: SomeTensor) -> Claim:
    """Into an array without slots nothing can be added, and this is always said alike."""
    return given(hid=id < t.size, hacc=equal(acc.size, 0)).show(
        lambda: equal(t.addGradAll(acc, id, g), t.addGradAll(acc, id, h))
    )


@false
@lemma(
    uses=["addGradAll_ok_size"],
    proof=by(lambda t, acc, id, g: [addGradAll_ok_size.at(acc1=t.addGradAll(acc, id, g))]),
)
def what_fails_has_a_size(t: Tape, acc: Accumulator, id: Nat, g: SomeTensor) -> Claim:
    """Adding to a node that does not exist keeps the size of the array: it fails."""
    return given(hid=t.size <= id).show(
        lambda: equal(t.addGradAll(acc, id, g).map(lambda a: a.size), acc.pure().map(lambda a: a.size))
    )


@false
@lemma(
    uses=["foldlM_addGradAll_ok_size", "backwardDenseFromStep_ok_size"],
    proof=by(
        lambda t, acc, id, cs: [
            foldlM_addGradAll_ok_size.at(acc1=cs.foldlM(t.addGradAll, acc)),
            backwardDenseFromStep_ok_size.at(acc1=t.backwardDenseFromStep(acc, id)),
        ]
    ),
)
def folds_of_failing_steps(t: Tape, acc: Accumulator, id: Nat, cs: Contributions) -> Claim:
    """A fold succeeds where a step does: what is used of both is only that they keep sizes."""
    return given(h=equal(t.backwardDenseFromStep(acc, id), ok(acc))).show(
        lambda: equal(cs.foldlM(t.addGradAll, acc).map(lambda a: a.size), acc.pure().map(lambda a: a.size))
    )


# --- engines ---


class GrowsWhereNothingIsRequired(Engine):
    """A contribution to a node that requires no gradient is pushed."""

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        grows = Case("", lambda: True, lambda: success(t.world, acc.push(g)))
        return [
            replace(case, then=grows.then) if case.name == "no gradient required" else case
            for case in super().addGradAll_cases(t, acc, identifier, g)
        ]


false(
    addGradAll_ok_size.on(GrowsWhereNothingIsRequired()),
    direct="at known sizes arrays of two sizes are never one value, and that is said",
)


class Switched(Engine):
    """An engine with a switch: on, it is the runtime; off, it overwrites."""

    def __init__(self, adds: bool) -> None:
        self.adds = adds

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return existing.add(contribution) if self.adds else success(existing.world, contribution)


@lemma()
def engines_alike(t: Tape, m: Count, acc: Accumulator) -> Claim:
    """An engine that visits every node twice does what the runtime does."""
    return given().show(
        lambda: equal(t.backwardDenseFromLoop(m, acc), VisitedTwice().backwardDenseFromLoop(t, m, acc))
    )


false(engines_alike, direct="the interpreter has no second engine")


# --- values that are none ---


@true
@lemma()
def next_number(i: Nat, j: Nat) -> Claim:
    """There is no number between one and the next."""
    return given(h=i < j).show(lambda: i + 1 <= j)


@lemma(uses=["next_number"], proof=by(lambda: [next_number.at(i=z3.RealVal("1/2"), j=z3.RealVal(1))]))
def by_a_fraction(v: SomeTensor, w: SomeTensor) -> Claim:
    """All tensors are equal, since 1/2 < 1 and not 1/2 + 1 ≤ 1."""
    return given().show(lambda: equal(v, w))


false(by_a_fraction)


@true
@lemma()
def sizes_are_natural(acc: Accumulator) -> Claim:
    """Every array has a size."""
    return given().show(lambda: acc.size >= 0)


def of_size_less_than_zero(acc: Any) -> Iterable[Any]:
    from symtape.encodings.free.accumulator import FreeAccumulator

    return [sizes_are_natural.at(acc=FreeAccumulator(acc.world, acc.array, before_the_first()))]


@lemma(uses=["sizes_are_natural"], proof=by(of_size_less_than_zero))
def by_a_negative_size(acc: Accumulator, v: SomeTensor, w: SomeTensor) -> Claim:
    """All tensors are equal, since an array has size -1."""
    return given().show(lambda: equal(v, w))


false(by_a_negative_size)


def by_force(v: Any) -> Iterable[Any]:
    v.world.require(z3.ForAll([v.term], v.term == z3.Const("w", v.term.sort())))
    return []


@lemma(proof=by(by_force))
def by_a_fact_of_the_scripts_own(v: SomeTensor, w: SomeTensor) -> Claim:
    """All tensors are equal, since the script says so."""
    return given().show(lambda: equal(v, w))


false(by_a_fact_of_the_scripts_own)
