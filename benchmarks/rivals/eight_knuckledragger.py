"""The eight theorems of "Dense Backward Pass: Appending One Lowered Node" in knuckledragger, for tapes of every size.

    pip install -r requirements.txt && python eight_knuckledragger.py

The names are Lean's. A tensor is abstract: all that is known of it is its shape, and of the sum of two tensors of one
shape, that it keeps the shape (the one axiom here). So no law of addition is used, and the order of the operands counts.

An array is a size and what is stored at each index; what is stored out of range means nothing. The theorems that say
that two results are equal say so of these slots too, which is more than Lean says. Where Lean assumes that arrays are
equal (`hvals`, `hbp`) only what is in range is assumed to be, and where the result is compared with `bp`'s, which
may hold anything there, only what is in range is compared.
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
id, pid, i, k, m, n = kd.FreshVars("id pid i k m n", Int)
acc, p, q = kd.FreshVars("acc p q", Grads)
g, v, x, y = kd.FreshVars("g v x y", Tensor)
c, cs, r = kd.FreshVar("c", Contribution), kd.FreshVar("cs", Contributions), kd.FreshVar("r", Result)
ss, tau, node, d = map(kd.FreshVar, ["ss", "tau", "node", "d"], [Shapes, Shape, NodeData, Delta])
bp = kd.FreshVar("bp", smt.ArraySort(Grads, Grads))
ctx, seed, seedOut = kd.FreshVar("ctx", Grads), kd.FreshVar("seed", Grads), kd.FreshVar("seedOut", Tensor)

plus_keeps_shape = kd.axiom(kd.QForAll([x, y], shape(x) == shape(y), shape(plus(x, y)) == shape(x)))


def fail(message):
    return Result.error(smt.StringVal(f"autograd: {message}"))


push = kd.define("push", [acc, v], Grads(acc.size + 1, smt.Store(acc.slots, acc.size, v)))
mapPush = kd.define("mapPush", [r, v], smt.If(r.is_ok, Result.ok(push(r.value, v)), r))
getNode = kd.define(
    "getNode", [t, id], smt.If(smt.And(0 <= id, id < t.length), OptionNode.Some(t.nodes[id]), OptionNode.None_)
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
    kd.QForAll([id, g, c], 0 <= id, id < t.length, answer.is_ok, mem(c, answer.value), c.pid < id),
)
isPack = kd.define(
    "isPack",
    [ss, p],
    smt.And(
        ss.count >= 0, p.size == ss.count, kd.QForAll([i], 0 <= i, i < ss.count, shape(p.slots[i]) == ss.of[i])
    ),
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
        smt.And(
            shape(forward(node, p, d)) == tau, kd.QForAll([g], shape(g) == tau, isPack(ss, vjp(node, p, d, g)))
        ),
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
        kd.QForAll([i], 0 <= i, i < t.length, t.nodes[i].requiresGrad),
        isPack(ss, p),
        kd.QForAll([i], 0 <= i, i < t.length, t.nodes[i].stored == p.slots[i]),
    ),
)
agrees = kd.define(
    "agrees",
    [r, p],
    smt.And(
        r.is_ok,
        r.value.size == p.size,
        kd.QForAll([i], 0 <= i, i < p.size, r.value.slots[i] == p.slots[i]),
    ),
)

# ---- the theorems ----


def given(*hypotheses):
    """The hypotheses and the goal, which is the last."""
    return smt.Implies(smt.And(*hypotheses[:-1]), hypotheses[-1])


def prove(claim, *by):
    return kd.prove(claim, by=by, timeout=TIMEOUT)


t1 = addNode(t, nd)
accessors = [getNode.defn, addNode.defn, push.defn, mapPush.defn]

getNode_addNode_of_lt = prove(given(id < t.length, getNode(t1, id) == getNode(t, id)), *accessors).forall([t, nd, id])

addGradAll_addNode_push = prove(
    given(
        acc.size == t.length, pid < t.length, addGradAll(t1, push(acc, v), pid, g) == mapPush(addGradAll(t, acc, pid, g), v)
    ),
    addGradAll.defn,
    *accessors,
).forall([t, nd, v, acc, pid, g])

addGradAll_ok_size = prove(
    given(addGradAll(t, acc, pid, g).is_ok, addGradAll(t, acc, pid, g).value.size == acc.size), addGradAll.defn
).forall([t, acc, pid, g])
whole = Contributions.Cons(c, cs)
e = kd.FreshVar("e", Contribution)
mem_Cons = prove(mem(e, whole) == smt.Or(e == c, mem(e, cs)), mem.defn(e, whole)).forall([e, c, cs])
fold_Nil = prove(fold(t, acc, Contributions.Nil) == Result.ok(acc), fold.defn).forall([t, acc])
added = addGradAll(t, acc, c.pid, c.grad)
fold_Cons = prove(
    fold(t, acc, whole) == smt.If(added.is_error, added, fold(t, added.value, cs)), fold.defn(t, acc, whole)
).forall([t, acc, c, cs])


def by_induction_on_list(claim, *by):
    """`claim` for every `cs`."""
    l = kd.Lemma(claim)
    l.induct(cs)
    l.auto(by=[fold_Nil, *by], timeout=TIMEOUT)
    l.fixes()
    l.auto(by=[fold_Cons, mem_Cons, *by], timeout=TIMEOUT)
    return l.qed()


fold_ok_size = by_induction_on_list(
    kd.QForAll([acc], fold(t, acc, cs).is_ok, fold(t, acc, cs).value.size == acc.size), addGradAll_ok_size
).forall([t, cs])

in_range = kd.QForAll([e], mem(e, cs), e.pid < t.length)
foldlM_addGradAll_addNode_push = by_induction_on_list(
    kd.QForAll(
        [acc], acc.size == t.length, in_range, fold(t1, push(acc, v), cs) == mapPush(fold(t, acc, cs), v)
    ),
    addGradAll_addNode_push,
    addGradAll_ok_size,
    mapPush.defn,
).forall([t, nd, v, cs])

backwardDenseFromStep_addNode_push = prove(
    given(
        BackwardPidsLt(t),
        0 <= id,
        id < t.length,
        acc.size == t.length,
        step(t1, push(acc, v), id) == mapPush(step(t, acc, id), v),
    ),
    BackwardPidsLt.defn,
    step.defn,
    foldlM_addGradAll_addNode_push,
    *accessors,
).forall([t, nd, v, id, acc])

step_ok_size = prove(
    given(step(t, acc, id).is_ok, step(t, acc, id).value.size == acc.size), step.defn, fold_ok_size
).forall([t, acc, id])

loop_zero = prove(loop(t, 0, acc) == Result.ok(acc), loop.defn(t, 0, acc)).forall([t, acc])
stepped = step(t, acc, n)
loop_succ = prove(
    given(n >= 0, loop(t, n + 1, acc) == smt.If(stepped.is_error, stepped, loop(t, n, stepped.value))),
    loop.defn(t, n + 1, acc),
).forall([t, n, acc])

l = kd.Lemma(
    given(
        m >= 0,
        kd.QForAll(
            [acc],
            BackwardPidsLt(t),
            m <= t.length,
            acc.size == t.length,
            loop(t1, m, push(acc, v)) == mapPush(loop(t, m, acc), v),
        ),
    )
)
l.intros()
l.induct(m, using=induct_nat)
l.auto(by=[loop_zero, mapPush.defn])
j = l.fix()
l.intros()
a = l.fix()
l.auto(
    by=[
        loop_succ(t1, j, push(a, v)),
        loop_succ(t, j, a),
        backwardDenseFromStep_addNode_push(t, nd, v, j, a),
        step_ok_size(t, a, j),
        mapPush.defn,
    ],
    timeout=TIMEOUT,
)
l.auto(by=[])
backwardDenseFromLoop_addNode_push = l.qed().forall([t, nd, v, m])

addNode_prefix_node_spec = prove(
    given(
        lowered(t, ss, ctx),
        isPack(ss, seed),
        0 <= id,
        id < ss.count,
        kd.QExists(
            [nd2 := kd.FreshVar("nd2", Node)],
            getNode(t1, id) == OptionNode.Some(nd2),
            nd2.requiresGrad,
            shape(nd2.stored) == shape(seed.slots[id]),
        ),
    ),
    lowered.defn,
    isPack.defn,
    *accessors,
).forall([t, nd, ss, ctx, seed, id])

# what is left to add, from k on
indexed = toIndexed(q, k)
toIndexed_step = prove(
    indexed == smt.If(k < q.size, Contributions.Cons(Contribution(k, q.slots[k]), toIndexed(q, k + 1)), Contributions.Nil),
    toIndexed.defn(q, k),
).forall([q, k])
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
l = kd.Lemma(
    given(
        m >= 0,
        kd.QForAll(
            [p, k],
            0 <= k,
            k + m == q.size,
            q.size <= t.length,
            q.size <= p.size,
            fits,
            fold(t, p, toIndexed(q, k)) == Result.ok(addFrom(p, q, k)),
        ),
    )
)
l.intros()
l.induct(m, using=induct_nat)
l.fixes()
l.auto(by=[toIndexed_step, fold_Nil, addFrom.defn], timeout=TIMEOUT)
j = l.fix()
l.intros()
a, k1 = l.fixes()
sum1 = Grads(a.size, smt.Store(a.slots, k1, plus(a.slots[k1], q.slots[k1])))
l.auto(
    by=[
        toIndexed_step(q, k1),
        fold_Cons(t, a, Contribution(k1, q.slots[k1]), toIndexed(q, k1 + 1)),
        addGradAll.defn(t, a, k1, q.slots[k1]),
        getNode.defn(t, k1),
        addFrom.defn(a, q, k1),
        addFrom.defn(sum1, q, k1 + 1),
    ],
    timeout=TIMEOUT,
)
l.auto(by=[])
fold_toIndexed = l.qed().forall([t, q, m])

last = lowerNode(tau, nm, ps, node, ctx, d)
t2 = addNode(t, last)
contrib = vjp(node, ctx, d, seedOut)
seeds = push(seed, seedOut)
summed = addPack(seed, contrib)
hypotheses = [
    lowered(t, ss, ctx),
    typed(node, ss, tau),
    isPack(ss, seed),
    shape(seedOut) == tau,
]
push_addPack = prove(
    given(
        seed.size == contrib.size,
        addFrom(seeds, contrib, 0) == push(summed, seedOut),
    ),
    addFrom.defn,
    addPack.defn,
    push.defn,
)
backwardDenseFromStep_addNode_lowerNode_last = prove(
    given(*hypotheses, step(t2, seeds, t.length) == Result.ok(push(summed, seedOut))),
    step.defn(t2, seeds, t.length),
    lowerNode.defn(tau, nm, ps, node, ctx, d),
    fold_toIndexed(t2, contrib, contrib.size),
    push_addPack,
    lowered.defn,
    typed.defn,
    isPack.defn,
    *accessors,
)

hbp = kd.QForAll([p], isPack(ss, p), smt.And(isPack(ss, bp[p]), agrees(backwardDenseFrom(t, p), bp[p])))
packs = prove(
    given(*hypotheses, smt.And(isPack(ss, contrib), isPack(ss, summed))),
    typed.defn,
    isPack.defn,
    lowered.defn,
    addFrom.defn,
    addPack.defn,
    plus_keeps_shape,
)
backwardDenseFrom_addNode = prove(
    given(
        *hypotheses,
        BackwardPidsLt(t),
        backwardDenseFrom(t2, seeds) == mapPush(backwardDenseFrom(t, summed), seedOut),
    ),
    packs,
    loop_succ(t2, t.length, seeds),
    backwardDenseFrom.defn(t2, seeds),
    backwardDenseFrom.defn(t, summed),
    backwardDenseFromStep_addNode_lowerNode_last,
    backwardDenseFromLoop_addNode_push(t, last, seedOut, t.length),
    lowered.defn(t, ss, ctx),
    isPack.defn(ss, seed),
    isPack.defn(ss, summed),
    addNode.defn(t, last),
    push.defn(seed, seedOut),
)
agrees_push = prove(given(agrees(r, p), agrees(mapPush(r, v), push(p, v))), agrees.defn, mapPush.defn, push.defn).forall(
    [r, p, v]
)
everything = [t, ss, tau, nm, ps, node, ctx, d, seed, seedOut]
backwardDenseFrom_addNode_lowerNode = prove(
    given(*hypotheses, BackwardPidsLt(t), hbp, agrees(backwardDenseFrom(t2, seeds), push(bp[summed], seedOut))),
    packs,
    backwardDenseFrom_addNode,
    agrees_push(backwardDenseFrom(t, summed), bp[summed], seedOut),
).forall([*everything, bp])
