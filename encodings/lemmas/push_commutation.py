"""Push commutation: on a tape with one more node and an accumulator with one more slot, the pass acts as on the
prefix, as long as all ids stay in the prefix range. The seed's first group."""

from __future__ import annotations

from symtape import Claim, by, equal, given, induction, lemma
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.lemmas._lean import NAMESPACE, SEED
from symtape.encodings.lemmas.accumulation import backwardDenseFromStep_ok_size
from symtape.encodings.parameter import Count, Nat
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import SomeTensor

GROUP = "Push commutation"


@lemma(
    name="getNode?_addNode_of_lt",
    group=GROUP,
    lean=f"{NAMESPACE}.getNode?_addNode_of_lt",
    source=SEED,
    lean_statement="""
    {α : Type} [TorchLean.Storage α] (t : Runtime.Autograd.Tape α) (nd : Runtime.Autograd.Node α) {id : ℕ}
    (hid : id < t.nodes.size) : (t.addNode nd).1.getNode? id = t.getNode? id
    """,
)
def getNode_addNode_of_lt(t: Tape, nd: Node, id: Nat) -> Claim:
    """Appending a node does not change the nodes stored at existing ids."""
    return given(
        hid=id < t.size,
    ).show(lambda: equal(t.addNode(nd).tape.getNode(id), t.getNode(id)))


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.addGradAll_addNode_push",
    source=SEED,
    uses=["getNode?_addNode_of_lt"],
    lean_statement="""
    {α : Type} [TorchLean.Storage α] [Add α] (t : Runtime.Autograd.Tape α) (nd : Runtime.Autograd.Node α)
    (v : Spec.SomeTensor α) (acc : Array (Spec.SomeTensor α)) (hacc : acc.size = t.nodes.size) (pid : ℕ)
    (pg : Spec.SomeTensor α) (hpid : pid < t.nodes.size) :
    (t.addNode nd).1.addGradAll (acc.push v) pid pg
      = Except.map (fun (a : Array (Spec.SomeTensor α)) => a.push v) (t.addGradAll acc pid pg)
    """,
)
def addGradAll_addNode_push(t: Tape, nd: Node, v: SomeTensor, acc: Accumulator, pid: Nat, pg: SomeTensor) -> Claim:
    """`addGradAll` commutes with pushing an unused last slot.

    On the tape extended by `nd` and an accumulator extended by `v`, accumulating into an id of the prefix range
    acts exactly as on the prefix tape and accumulator, and `v` is carried along.
    """
    return given(
        hacc=equal(acc.size, t.size),
        hpid=pid < t.size,
    ).show(
        lambda: equal(
            t.addNode(nd).tape.addGradAll(acc.push(v), pid, pg),
            t.addGradAll(acc, pid, pg).map(lambda a: a.push(v)),
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.foldlM_addGradAll_addNode_push",
    source=SEED,
    uses=["addGradAll_addNode_push", "addGradAll_ok_size"],
    lean_statement="""
    {α : Type} [TorchLean.Storage α] [Add α] (t : Runtime.Autograd.Tape α) (nd : Runtime.Autograd.Node α)
    (v : Spec.SomeTensor α) (cs : List (ℕ × Spec.SomeTensor α)) (acc : Array (Spec.SomeTensor α)) :
    acc.size = t.nodes.size → (∀ {pid : ℕ} {pg : Spec.SomeTensor α}, (pid, pg) ∈ cs → pid < t.nodes.size) →
    List.foldlM (fun (acc2 : Array (Spec.SomeTensor α)) (x : ℕ × Spec.SomeTensor α) =>
        match x with | (pid, pg) => (t.addNode nd).1.addGradAll acc2 pid pg) (acc.push v) cs
      = Except.map (fun (a : Array (Spec.SomeTensor α)) => a.push v)
          (List.foldlM (fun (acc2 : Array (Spec.SomeTensor α)) (x : ℕ × Spec.SomeTensor α) =>
            match x with | (pid, pg) => t.addGradAll acc2 pid pg) acc cs)
    """,
    proof=induction(
        "cs",
        generalizing=["acc"],
        step=lambda ih, cs, t, acc: [
            addGradAll_addNode_push.at(pid=cs.head[0], pg=cs.head[1]),
            ih.at(cs=cs.tail, acc=t.addGradAll(acc, *cs.head)),
        ],
    ),
)
def foldlM_addGradAll_addNode_push(t: Tape, nd: Node, v: SomeTensor, cs: Contributions, acc: Accumulator) -> Claim:
    """Folding `addGradAll` over a contribution list commutes with pushing an unused last slot, as long as every
    contribution targets the prefix range.

    The seed leaves the two hypotheses unnamed; `hacc` and `hpid` are the names of the lemma before it.
    """
    return given(
        hacc=equal(acc.size, t.size),
        hpid=cs.forall(lambda pid, pg: pid < t.size),
    ).show(
        lambda: equal(
            cs.foldlM(lambda acc2, pid, pg: t.addNode(nd).tape.addGradAll(acc2, pid, pg), acc.push(v)),
            cs.foldlM(lambda acc2, pid, pg: t.addGradAll(acc2, pid, pg), acc).map(lambda a: a.push(v)),
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFromStep_addNode_push",
    source=SEED,
    uses=["getNode?_addNode_of_lt", "foldlM_addGradAll_addNode_push"],
    lean_statement="""
    {α : Type} [TorchLean.Storage α] [Add α] (t : Runtime.Autograd.Tape α) (nd : Runtime.Autograd.Node α)
    (v : Spec.SomeTensor α) (hpids : BackwardPidsLt t) {id : ℕ} (hid : id < t.nodes.size)
    (acc : Array (Spec.SomeTensor α)) (hacc : acc.size = t.nodes.size) :
    (t.addNode nd).1.backwardDenseFromStep (acc.push v) id
      = Except.map (fun (a : Array (Spec.SomeTensor α)) => a.push v) (t.backwardDenseFromStep acc id)
    """,
    proof=by(
        lambda t, acc, id: [
            foldlM_addGradAll_addNode_push.at(cs=t.nodes[id].backward(acc[id])),
        ]
    ),
)
def backwardDenseFromStep_addNode_push(t: Tape, nd: Node, v: SomeTensor, id: Nat, acc: Accumulator) -> Claim:
    """`backwardDenseFromStep` commutes with pushing an unused last slot for ids in the prefix range.

    The `BackwardPidsLt` invariant guarantees that all contributions emitted by the visited node also stay in the
    prefix range.
    """
    return given(
        hpids=t.BackwardPidsLt(),
        hid=id < t.size,
        hacc=equal(acc.size, t.size),
    ).show(
        lambda: equal(
            t.addNode(nd).tape.backwardDenseFromStep(acc.push(v), id),
            t.backwardDenseFromStep(acc, id).map(lambda a: a.push(v)),
        )
    )


@lemma(
    group=GROUP,
    lean=f"{NAMESPACE}.backwardDenseFromLoop_addNode_push",
    source=SEED,
    uses=["backwardDenseFromStep_addNode_push", "backwardDenseFromStep_ok_size"],
    lean_statement="""
    {α : Type} [TorchLean.Storage α] [Add α] (t : Runtime.Autograd.Tape α) (nd : Runtime.Autograd.Node α)
    (v : Spec.SomeTensor α) (hpids : BackwardPidsLt t) (m : ℕ) :
    m ≤ t.nodes.size → ∀ (acc : Array (Spec.SomeTensor α)), acc.size = t.nodes.size →
    (t.addNode nd).1.backwardDenseFromLoop m (acc.push v)
      = Except.map (fun (a : Array (Spec.SomeTensor α)) => a.push v) (t.backwardDenseFromLoop m acc)
    """,
    proof=induction(
        "m",
        generalizing=["acc"],
        step=lambda ih, k, t, acc: [
            backwardDenseFromStep_addNode_push.at(id=k),
            backwardDenseFromStep_ok_size.at(id=k, acc1=t.backwardDenseFromStep(acc, k)),
            ih.at(m=k, acc=t.backwardDenseFromStep(acc, k)),
        ],
    ),
)
def backwardDenseFromLoop_addNode_push(t: Tape, nd: Node, v: SomeTensor, m: Count, acc: Accumulator) -> Claim:
    """`backwardDenseFromLoop` over the prefix range commutes with pushing an unused last slot.

    The seed leaves the last two hypotheses unnamed; here they are `hm` and `hacc`.
    """
    return given(
        hpids=t.BackwardPidsLt(),
        hm=m <= t.size,
        hacc=equal(acc.size, t.size),
    ).show(
        lambda: equal(
            t.addNode(nd).tape.backwardDenseFromLoop(m, acc.push(v)),
            t.backwardDenseFromLoop(m, acc).map(lambda a: a.push(v)),
        )
    )
