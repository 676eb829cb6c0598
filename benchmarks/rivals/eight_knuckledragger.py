"""The eight theorems of "Dense Backward Pass: Appending One Lowered Node" in knuckledragger, for tapes of every size.

    pip install -r requirements.txt && python eight_knuckledragger.py

The names are Lean's. A tensor is abstract: all that is known of it is its shape, and of the sum of two tensors of one
shape, that it keeps the shape (the one axiom here). So no law of addition is used, and the order of the operands
counts.

An array is a size and what is stored at each index; what is stored out of range means nothing. The theorems that say
that two results are equal say so of these slots too, which is more than Lean says. Where Lean assumes that arrays are
equal (`hvals`, `hbp`) only what is in range is assumed to be, and where the result is compared with `bp`'s, which
may hold anything there, only what is in range is compared. Ids are integers: a negative one is no node's.
"""

import kdrag as kd
import kdrag.smt as smt
from kdrag.theories.int import induct_nat

kd.config.admit_enabled = False
TIMEOUT = 20_000
"""Milliseconds for one question to Z3."""

# ---- semantics ----

Int, Bool, Message = smt.IntSort(), smt.BoolSort(), smt.StringSort()
Shape, Tensor, Name, Parents, Delta, NodeData = map(
    smt.DeclareSort, ["Shape", "Tensor", "Name", "Parents", "Delta", "NodeData"]
)
shape = smt.Function("shape", Tensor, Shape)
plus = smt.Function("plus", Tensor, Tensor, Tensor)


def result(name, of):
    sort = kd.Inductive(name)
    sort.declare("ok", ("value", of))
    sort.declare("error", ("message", Message))
    return sort.create()


Grads = kd.Struct("Grads", ("size", Int), ("slots", smt.ArraySort(Int, Tensor)))
Contribution = kd.Struct("Contribution", ("pid", Int), ("grad", Tensor))
Contributions = kd.ListSort(Contribution)
Result, Emitted = result("Result", Grads), result("Emitted", Contributions)
Node = kd.Struct(
    "Node",
    ("debugName", Name),
    ("stored", Tensor),
    ("requiresGrad", Bool),
    ("parents", Parents),
    ("backward", smt.ArraySort(Tensor, Emitted)),
)
Tape = kd.Struct("Tape", ("length", Int), ("nodes", smt.ArraySort(Int, Node)))
Shapes = kd.Struct("Shapes", ("count", Int), ("of", smt.ArraySort(Int, Shape)))
OptionNode = kd.OptionSort(Node)

t, nd, nm, ps = map(kd.FreshVar, ["t", "nd", "name", "parents"], [Tape, Node, Name, Parents])
id, i, k, m, n = kd.FreshVars("id i k m n", Int)
acc, p, q, ctx, seed = kd.FreshVars("acc p q ctx seed", Grads)
g, v, x, y, seedOut = kd.FreshVars("g v x y seedOut", Tensor)
c, e = kd.FreshVars("c e", Contribution)
cs, r, nd2 = map(kd.FreshVar, ["cs", "r", "nd2"], [Contributions, Result, Node])
ss, tau, node, d = map(kd.FreshVar, ["ss", "tau", "node", "d"], [Shapes, Shape, NodeData, Delta])
bp = kd.FreshVar("bp", smt.ArraySort(Grads, Grads))

plus_keeps_shape = kd.axiom(kd.QForAll([x, y], shape(x) == shape(y), shape(plus(x, y)) == shape(x)))


def fail(message):
    return Result.error(smt.StringVal(f"autograd: {message}"))


push = kd.define("push", [acc, v], Grads(acc.size + 1, smt.Store(acc.slots, acc.size, v)))
mapPush = kd.define("mapPush", [r, v], smt.If(r.is_ok, Result.ok(push(r.value, v)), r))
getNode = kd.define(
    "getNode", [t, id], smt.If(smt.And(id >= 0, id < t.length), OptionNode.Some(t.nodes[id]), OptionNode.None_)
)
addNode = kd.define("addNode", [t, nd], Tape(t.length + 1, smt.Store(t.nodes, t.length, nd)))
found, stored = getNode(t, id), getNode(t, id).val.stored

addGradAll = kd.define(
    "addGradAll",
    [t, acc, id, g],
    kd.cond(
        (found == OptionNode.None_, fail("invalid parent id during backward")),
        (smt.Not(found.val.requiresGrad), Result.ok(acc)),
        (shape(g) != shape(stored), fail("gradient contribution has wrong shape for parent")),
        (id >= acc.size, fail("internal error (gradient array out of bounds)")),
        (
            shape(acc.slots[id]) != shape(stored),
            fail("gradient array has wrong shape for node"),
        ),
        default=Result.ok(Grads(acc.size, smt.Store(acc.slots, id, plus(acc.slots[id], g)))),
    ),
)
fold = smt.Function("fold", Tape, Grads, Contributions, Result)
added = addGradAll(t, acc, cs.head.pid, cs.head.grad)
fold = kd.define(
    "fold",
    [t, acc, cs],
    kd.cond((cs.is_Nil, Result.ok(acc)), (added.is_error, added), default=fold(t, added.value, cs.tail)),
)
emitted = found.val.backward[acc.slots[id]]
step = kd.define(
    "step",
    [t, acc, id],
    kd.cond(
        (found == OptionNode.None_, fail("internal error (node missing)")),
        (smt.Not(found.val.requiresGrad), Result.ok(acc)),
        (id >= acc.size, fail("internal error (gradient array out of bounds)")),
        (
            shape(acc.slots[id]) != shape(stored),
            fail("gradient array has wrong shape for node"),
        ),
        (emitted.is_error, Result.error(emitted.message)),
        default=fold(t, acc, emitted.value),
    ),
)
loop = smt.Function("loop", Tape, Int, Grads, Result)
stepped = step(t, acc, n - 1)
loop = kd.define(
    "loop",
    [t, n, acc],
    kd.cond((n <= 0, Result.ok(acc)), (stepped.is_error, stepped), default=loop(t, n - 1, stepped.value)),
)
backwardDenseFrom = kd.define(
    "backwardDenseFrom",
    [t, acc],
    smt.If(
        acc.size == t.length,
        loop(t, t.length, acc),
        fail("initial dense gradient array has wrong length"),
    ),
)
mem = smt.Function("mem", Contribution, Contributions, Bool)
mem = kd.define("mem", [c, cs], smt.And(cs.is_Cons, smt.Or(c == cs.head, mem(c, cs.tail))))
answer = t.nodes[id].backward[g]
BackwardPidsLt = kd.define(
    "BackwardPidsLt",
    [t],
    kd.QForAll([id, g, c], id >= 0, id < t.length, answer.is_ok, mem(c, answer.value), c.pid < id),
)
isPack = kd.define(
    "isPack",
    [ss, p],
    smt.And(ss.count >= 0, p.size == ss.count, kd.QForAll([i], i >= 0, i < ss.count, shape(p.slots[i]) == ss.of[i])),
)
total = smt.Lambda([i], smt.If(smt.And(k <= i, i < q.size), plus(p.slots[i], q.slots[i]), p.slots[i]))
addFrom = kd.define("addFrom", [p, q, k], Grads(p.size, total))
addPack = kd.define("addPack", [p, q], addFrom(p, q, 0))
toIndexed = smt.Function("toIndexed", Grads, Int, Contributions)
toIndexed = kd.define(
    "toIndexed",
    [p, k],
    smt.If(
        k < p.size,
        Contributions.Cons(Contribution(k, p.slots[k]), toIndexed(p, k + 1)),
        Contributions.Nil,
    ),
)
forward = smt.Function("forward", NodeData, Grads, Delta, Tensor)
vjp = smt.Function("vjp", NodeData, Grads, Delta, Tensor, Grads)
typed = kd.define(
    "typed",
    [node, ss, tau],
    kd.QForAll(
        [p, d],
        isPack(ss, p),
        smt.And(shape(forward(node, p, d)) == tau, kd.QForAll([g], shape(g) == tau, isPack(ss, vjp(node, p, d, g)))),
    ),
)
lowered_backward = smt.Lambda(
    [g],
    smt.If(
        shape(g) == tau,
        Emitted.ok(toIndexed(vjp(node, p, d, g), 0)),
        Emitted.error(smt.StringVal("autograd: upstream gradient shape mismatch")),
    ),
)
lowerNode = kd.define(
    "lowerNode", [tau, nm, ps, node, p, d], Node(nm, forward(node, p, d), True, ps, lowered_backward)
)
# hsize, hreq and hvals of the last three theorems
lowered = kd.define(
    "lowered",
    [t, ss, p],
    smt.And(
        t.length == ss.count,
        kd.QForAll([i], i >= 0, i < t.length, t.nodes[i].requiresGrad),
        isPack(ss, p),
        kd.QForAll([i], i >= 0, i < t.length, t.nodes[i].stored == p.slots[i]),
    ),
)
agrees = kd.define(
    "agrees",
    [r, p],
    smt.And(
        r.is_ok,
        r.value.size == p.size,
        kd.QForAll([i], i >= 0, i < p.size, r.value.slots[i] == p.slots[i]),
    ),
)

# ---- statements ----


def given(*hypotheses_and_goal):
    *hypotheses, goal = hypotheses_and_goal
    return smt.Implies(smt.And(*hypotheses), goal)


t1 = addNode(t, nd)
last = lowerNode(tau, nm, ps, node, ctx, d)
t2, seeds, contrib = addNode(t, last), push(seed, seedOut), vjp(node, ctx, d, seedOut)
summed = addPack(seed, contrib)
well_typed = [typed(node, ss, tau), isPack(ss, seed), shape(seedOut) == tau]
hbp = kd.QForAll([p], isPack(ss, p), smt.And(isPack(ss, bp[p]), agrees(backwardDenseFrom(t, p), bp[p])))
is_node = smt.And(
    getNode(t1, id) == OptionNode.Some(nd2), nd2.requiresGrad, shape(nd2.stored) == shape(seed.slots[id])
)

statements = {
    "getNode_addNode_of_lt": ([t, nd, id], given(id < t.length, getNode(t1, id) == getNode(t, id))),
    "addGradAll_addNode_push": (
        [t, nd, v, acc, id, g],
        given(
            acc.size == t.length,
            id < t.length,
            addGradAll(t1, push(acc, v), id, g) == mapPush(addGradAll(t, acc, id, g), v),
        ),
    ),
    "foldlM_addGradAll_addNode_push": (
        [t, nd, v, cs],
        kd.QForAll(
            [acc],
            acc.size == t.length,
            kd.QForAll([c], mem(c, cs), c.pid < t.length),
            fold(t1, push(acc, v), cs) == mapPush(fold(t, acc, cs), v),
        ),
    ),
    "backwardDenseFromStep_addNode_push": (
        [t, nd, v, id, acc],
        given(
            BackwardPidsLt(t),
            id < t.length,
            acc.size == t.length,
            step(t1, push(acc, v), id) == mapPush(step(t, acc, id), v),
        ),
    ),
    "backwardDenseFromLoop_addNode_push": (
        [t, nd, v, m],
        given(
            m >= 0,
            kd.QForAll(
                [acc],
                BackwardPidsLt(t),
                m <= t.length,
                acc.size == t.length,
                loop(t1, m, push(acc, v)) == mapPush(loop(t, m, acc), v),
            ),
        ),
    ),
    "addNode_prefix_node_spec": (
        [t, nd, ss, ctx, seed, id],
        given(lowered(t, ss, ctx), isPack(ss, seed), id >= 0, id < ss.count, kd.QExists([nd2], is_node)),
    ),
    "backwardDenseFromStep_addNode_lowerNode_last": (
        [t, ss, tau, nm, ps, node, ctx, d, seed, seedOut],
        given(lowered(t, ss, ctx), *well_typed, step(t2, seeds, t.length) == Result.ok(push(summed, seedOut))),
    ),
    "backwardDenseFrom_addNode_lowerNode": (
        [t, ss, tau, nm, ps, node, ctx, d, bp, seed, seedOut],
        given(
            lowered(t, ss, ctx),
            *well_typed,
            BackwardPidsLt(t),
            hbp,
            agrees(backwardDenseFrom(t2, seeds), push(bp[summed], seedOut)),
        ),
    ),
}

# ---- proofs ----

theorems = {}


def prove(claim, *by):
    return kd.prove(claim, by=by, timeout=TIMEOUT)


def theorem(name, *by):
    over, claim = statements[name]
    theorems[name] = prove(claim, *by).forall(over)
    return theorems[name]


def by_induction(claim, number, zero, successor):
    """`claim` for every natural number; `successor` tells what a step rests on, from all that it quantifies over."""
    proof = kd.Lemma(claim)
    proof.intros()
    proof.induct(number, using=induct_nat)
    proof.auto(by=zero, timeout=TIMEOUT)
    before = proof.fix()
    proof.intros()
    proof.auto(by=successor(before, *proof.fixes()), timeout=TIMEOUT)
    proof.auto(by=[])
    return proof.qed()


def by_induction_on_list(claim, *by):
    proof = kd.Lemma(claim)
    proof.induct(cs)
    proof.auto(by=[fold_Nil, *by], timeout=TIMEOUT)
    proof.fixes()
    proof.auto(by=[fold_Cons, mem_Cons, *by], timeout=TIMEOUT)
    return proof.qed()


# one unfolding of each recursive function
both = Contributions.Cons(c, cs)
first = addGradAll(t, acc, c.pid, c.grad)
fold_Nil = prove(fold(t, acc, Contributions.Nil) == Result.ok(acc), fold.defn).forall([t, acc])
fold_Cons = prove(
    fold(t, acc, both) == smt.If(first.is_error, first, fold(t, first.value, cs)), fold.defn(t, acc, both)
).forall([t, acc, c, cs])
mem_Cons = prove(mem(e, both) == smt.Or(e == c, mem(e, cs)), mem.defn(e, both)).forall([e, c, cs])
stepped = step(t, acc, n)
loop_zero = prove(loop(t, 0, acc) == Result.ok(acc), loop.defn(t, 0, acc)).forall([t, acc])
loop_succ = prove(
    given(n >= 0, loop(t, n + 1, acc) == smt.If(stepped.is_error, stepped, loop(t, n, stepped.value))),
    loop.defn(t, n + 1, acc),
).forall([t, n, acc])

accessors = [getNode.defn, addNode.defn, push.defn, mapPush.defn]
theorem("getNode_addNode_of_lt", *accessors)
add_push = theorem("addGradAll_addNode_push", addGradAll.defn, *accessors)

add_size = prove(
    given(addGradAll(t, acc, id, g).is_ok, addGradAll(t, acc, id, g).value.size == acc.size), addGradAll.defn
).forall([t, acc, id, g])
fold_size = by_induction_on_list(
    kd.QForAll([acc], fold(t, acc, cs).is_ok, fold(t, acc, cs).value.size == acc.size), add_size
).forall([t, cs])
step_size = prove(
    given(step(t, acc, id).is_ok, step(t, acc, id).value.size == acc.size), step.defn, fold_size
).forall([t, acc, id])

over, claim = statements["foldlM_addGradAll_addNode_push"]
fold_push = by_induction_on_list(claim, add_push, add_size, mapPush.defn).forall(over)
theorems["foldlM_addGradAll_addNode_push"] = fold_push
step_push = theorem("backwardDenseFromStep_addNode_push", BackwardPidsLt.defn, step.defn, fold_push, *accessors)

over, claim = statements["backwardDenseFromLoop_addNode_push"]
loop_push = by_induction(
    claim,
    m,
    [loop_zero, mapPush.defn],
    lambda j, a: [
        loop_succ(t1, j, push(a, v)),
        loop_succ(t, j, a),
        step_push(t, nd, v, j, a),
        step_size(t, a, j),
        mapPush.defn,
    ],
).forall(over)
theorems["backwardDenseFromLoop_addNode_push"] = loop_push

theorem("addNode_prefix_node_spec", lowered.defn, isPack.defn, *accessors)

# what is left to add from slot k on, m contributions
indexed = toIndexed(q, k)
fits = kd.QForAll(
    [i],
    k <= i,
    i < q.size,
    smt.And(
        t.nodes[i].requiresGrad,
        shape(t.nodes[i].stored) == shape(q.slots[i]),
        shape(p.slots[i]) == shape(q.slots[i]),
    ),
)
whole = smt.And(k >= 0, k + m == q.size, q.size <= t.length, q.size <= p.size)


def one_contribution(_, a, j):
    g1 = q.slots[j]
    a1 = Grads(a.size, smt.Store(a.slots, j, plus(a.slots[j], g1)))
    return [
        toIndexed.defn(q, j),
        fold_Cons(t, a, Contribution(j, g1), toIndexed(q, j + 1)),
        addGradAll.defn(t, a, j, g1),
        getNode.defn(t, j),
        addFrom.defn(a, q, j),
        addFrom.defn(a1, q, j + 1),
    ]


fold_toIndexed = by_induction(
    given(m >= 0, kd.QForAll([p, k], whole, fits, fold(t, p, indexed) == Result.ok(addFrom(p, q, k)))),
    m,
    [toIndexed.defn, fold_Nil, addFrom.defn],
    one_contribution,
).forall([t, q, m])
addFrom_push = prove(
    given(seed.size == contrib.size, addFrom(seeds, contrib, 0) == push(summed, seedOut)),
    addFrom.defn,
    addPack.defn,
    push.defn,
)
step_last = theorem(
    "backwardDenseFromStep_addNode_lowerNode_last",
    step.defn(t2, seeds, t.length),
    lowerNode.defn(tau, nm, ps, node, ctx, d),
    fold_toIndexed(t2, contrib, contrib.size),
    addFrom_push,
    lowered.defn,
    typed.defn,
    isPack.defn,
    *accessors,
)(t, ss, tau, nm, ps, node, ctx, d, seed, seedOut)

add_packs = prove(
    given(isPack(ss, p), isPack(ss, q), isPack(ss, addPack(p, q))),
    isPack.defn,
    addPack.defn(p, q),
    addFrom.defn(p, q, 0),
    plus_keeps_shape,
).forall([ss, p, q])
packs = prove(
    given(lowered(t, ss, ctx), *well_typed, smt.And(isPack(ss, contrib), isPack(ss, summed))),
    typed.defn(node, ss, tau),
    lowered.defn(t, ss, ctx),
    add_packs(ss, seed, contrib),
)
both_runs = prove(
    given(
        lowered(t, ss, ctx),
        *well_typed,
        BackwardPidsLt(t),
        backwardDenseFrom(t2, seeds) == mapPush(backwardDenseFrom(t, summed), seedOut),
    ),
    packs,
    step_last,
    loop_succ(t2, t.length, seeds),
    loop_push(t, last, seedOut, t.length),
    backwardDenseFrom.defn(t2, seeds),
    backwardDenseFrom.defn(t, summed),
    lowered.defn(t, ss, ctx),
    isPack.defn(ss, seed),
    isPack.defn(ss, summed),
    addNode.defn(t, last),
    push.defn(seed, seedOut),
)
agrees_push = prove(
    given(agrees(r, p), agrees(mapPush(r, v), push(p, v))), agrees.defn, mapPush.defn, push.defn
).forall([r, p, v])
theorem(
    "backwardDenseFrom_addNode_lowerNode",
    packs,
    both_runs,
    agrees_push(backwardDenseFrom(t, summed), bp[summed], seedOut),
)

for name, (over, claim) in statements.items():
    if not theorems[name].thm.eq(smt.ForAll(over, claim)):
        raise SystemExit(f"{name}: what was proved is not what was stated")
    print("proved", name)
