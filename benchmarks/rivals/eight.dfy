// The eight theorems of "Dense Backward Pass: Appending One Lowered Node" in Dafny, for tapes of every size.
//
//     dafny /compile:0 eight.dfy
//
// The names are Lean's. A tensor is abstract: all that is known of it is its shape, and of the sum of two tensors of
// one shape, that it keeps the shape. So no law of addition is used, and the order of the operands counts.
// Nothing is assumed but what stands at `shape` and `plus`, the two functions without a body.

// ---- semantics ----

type Shape(==)
type Tensor(==)
datatype SomeTensor = SomeTensor(tensor: Tensor)
function shape(a: SomeTensor): Shape
function plus(a: SomeTensor, b: SomeTensor): SomeTensor
  requires shape(a) == shape(b)
  ensures shape(plus(a, b)) == shape(a)

datatype Option<T> = None | Some(get: T)
datatype Result<T> = Ok(value: T) | Error(message: string)
datatype Contribution = Contribution(pid: nat, grad: SomeTensor)
datatype Node = Node(name: Option<string>, value: SomeTensor, requiresGrad: bool, parents: seq<nat>,
                     backward: SomeTensor -> Result<seq<Contribution>>)
type Tape = seq<Node>
type Grads = seq<SomeTensor>

function getNode(t: Tape, id: nat): Option<Node> { if id < |t| then Some(t[id]) else None }
function addNode(t: Tape, nd: Node): Tape { t + [nd] }

function addGradAll(t: Tape, acc: Grads, id: nat, g: SomeTensor): Result<Grads>
{
  match getNode(t, id)
  case None => Error("autograd: invalid parent id during backward")
  case Some(node) =>
    if !node.requiresGrad then Ok(acc)
    else if shape(g) != shape(node.value) then Error("autograd: gradient contribution has wrong shape for parent")
    else if id >= |acc| then Error("autograd: internal error (gradient array out of bounds)")
    else if shape(acc[id]) != shape(node.value) then Error("autograd: gradient array has wrong shape for node")
    else Ok(acc[id := plus(acc[id], g)])
}

function foldGrads(t: Tape, acc: Grads, cs: seq<Contribution>): Result<Grads>
  decreases |cs|
{
  if cs == [] then Ok(acc) else
  match addGradAll(t, acc, cs[0].pid, cs[0].grad)
  case Error(e) => Error(e)
  case Ok(a) => foldGrads(t, a, cs[1..])
}

function backwardDenseFromStep(t: Tape, acc: Grads, id: nat): Result<Grads>
{
  match getNode(t, id)
  case None => Error("autograd: internal error (node missing)")
  case Some(node) =>
    if !node.requiresGrad then Ok(acc)
    else if id >= |acc| then Error("autograd: internal error (gradient array out of bounds)")
    else if shape(acc[id]) != shape(node.value) then Error("autograd: gradient array has wrong shape for node")
    else match node.backward(acc[id])
      case Error(e) => Error(e)
      case Ok(cs) => foldGrads(t, acc, cs)
}

function backwardDenseFromLoop(t: Tape, n: nat, acc: Grads): Result<Grads>
{
  if n == 0 then Ok(acc) else
  match backwardDenseFromStep(t, acc, n - 1)
  case Error(e) => Error(e)
  case Ok(a) => backwardDenseFromLoop(t, n - 1, a)
}

function backwardDenseFrom(t: Tape, grads0: Grads): Result<Grads>
{
  if |grads0| == |t| then backwardDenseFromLoop(t, |t|, grads0)
  else Error("autograd: initial dense gradient array has wrong length")
}

function mapPush(r: Result<Grads>, v: SomeTensor): Result<Grads> { if r.Ok? then Ok(r.value + [v]) else r }

predicate BackwardPidsLt(t: Tape)
{
  forall id: nat, d: SomeTensor, cs: seq<Contribution>, k: nat ::
    id < |t| && t[id].backward(d) == Ok(cs) && k < |cs| ==> cs[k].pid < id
}

// A pack over `ss` is a sequence of tensors of those shapes; a tensor of shape `tau`, one of which `shape` says so.
predicate isPack(ss: seq<Shape>, p: Grads) { |p| == |ss| && forall i: nat :: i < |ss| ==> shape(p[i]) == ss[i] }

function addPack(ss: seq<Shape>, a: Grads, b: Grads): Grads
  requires isPack(ss, a) && isPack(ss, b)
{
  if ss == [] then [] else [plus(a[0], b[0])] + addPack(ss[1..], a[1..], b[1..])
}

function toIndexed(p: Grads, start: nat): seq<Contribution>
{
  if p == [] then [] else [Contribution(start, p[0])] + toIndexed(p[1..], start + 1)
}

datatype NodeData<!D> = NodeData(forward: (Grads, D) -> SomeTensor, vjp: (Grads, D, SomeTensor) -> Grads)

predicate typed<D(!new)>(nd: NodeData<D>, ss: seq<Shape>, tau: Shape)
{
  forall ctx: Grads, d: D :: isPack(ss, ctx) ==>
    shape(nd.forward(ctx, d)) == tau && forall g :: shape(g) == tau ==> isPack(ss, nd.vjp(ctx, d, g))
}

function lowerNode<D>(tau: Shape, name: Option<string>, parents: seq<nat>, nd: NodeData<D>, ctx: Grads, d: D): Node
{
  Node(name, nd.forward(ctx, d), true, parents, g =>
    if shape(g) == tau then Ok(toIndexed(nd.vjp(ctx, d, g), 0)) else Error("autograd: upstream gradient shape mismatch"))
}

// What L6, L7 and L8 assume of the prefix: hsize, hreq, hvals.
predicate lowered(t: Tape, ss: seq<Shape>, ctx: Grads)
{
  |t| == |ss| && (forall i: nat :: i < |t| ==> t[i].requiresGrad) &&
  isPack(ss, ctx) && forall i: nat :: i < |t| ==> t[i].value == ctx[i]
}

// ---- the theorems ----

lemma getNode_addNode_of_lt(t: Tape, nd: Node, id: nat)
  requires id < |t|
  ensures getNode(addNode(t, nd), id) == getNode(t, id)
{}

lemma addGradAll_addNode_push(t: Tape, nd: Node, v: SomeTensor, acc: Grads, pid: nat, pg: SomeTensor)
  requires |acc| == |t|
  requires pid < |t|
  ensures addGradAll(addNode(t, nd), acc + [v], pid, pg) == mapPush(addGradAll(t, acc, pid, pg), v)
{
  forall s: SomeTensor {:nowarn} ensures (acc + [v])[pid := s] == acc[pid := s] + [v] {}
}

lemma foldlM_addGradAll_addNode_push(t: Tape, nd: Node, v: SomeTensor, cs: seq<Contribution>, acc: Grads)
  requires |acc| == |t|
  requires forall k: nat :: k < |cs| ==> cs[k].pid < |t|
  ensures foldGrads(addNode(t, nd), acc + [v], cs) == mapPush(foldGrads(t, acc, cs), v)
  decreases |cs|
{
  if cs != [] {
    addGradAll_addNode_push(t, nd, v, acc, cs[0].pid, cs[0].grad);
    var r := addGradAll(t, acc, cs[0].pid, cs[0].grad);
    if r.Ok? { foldlM_addGradAll_addNode_push(t, nd, v, cs[1..], r.value); }
  }
}

lemma backwardDenseFromStep_addNode_push(t: Tape, nd: Node, v: SomeTensor, id: nat, acc: Grads)
  requires BackwardPidsLt(t)
  requires id < |t|
  requires |acc| == |t|
  ensures backwardDenseFromStep(addNode(t, nd), acc + [v], id) == mapPush(backwardDenseFromStep(t, acc, id), v)
{
  var r := t[id].backward(acc[id]);
  if r.Ok? { foldlM_addGradAll_addNode_push(t, nd, v, r.value, acc); }
}

lemma backwardDenseFromLoop_addNode_push(t: Tape, nd: Node, v: SomeTensor, m: nat, acc: Grads)
  requires BackwardPidsLt(t)
  requires m <= |t|
  requires |acc| == |t|
  ensures backwardDenseFromLoop(addNode(t, nd), m, acc + [v]) == mapPush(backwardDenseFromLoop(t, m, acc), v)
  decreases m
{
  if m != 0 {
    backwardDenseFromStep_addNode_push(t, nd, v, m - 1, acc);
    var r := backwardDenseFromStep(t, acc, m - 1);
    if r.Ok? { step_ok_size(t, acc, m - 1); backwardDenseFromLoop_addNode_push(t, nd, v, m - 1, r.value); }
  }
}

lemma addNode_prefix_node_spec(t: Tape, nd: Node, ss: seq<Shape>, ctx: Grads, seed: Grads, i: nat)
  requires lowered(t, ss, ctx)
  requires isPack(ss, seed)
  requires i < |ss|
  ensures exists node :: getNode(addNode(t, nd), i) == Some(node) && node.requiresGrad && shape(node.value) == shape(seed[i])
{
  var node := t[i];
  assert getNode(addNode(t, nd), i) == Some(node);
}

lemma backwardDenseFromStep_addNode_lowerNode_last<D>(t: Tape, ss: seq<Shape>, tau: Shape, name: Option<string>,
    parents: seq<nat>, node: NodeData<D>, ctx: Grads, d: D, seedPrev: Grads, seedOut: SomeTensor)
  requires lowered(t, ss, ctx)
  requires typed(node, ss, tau)
  requires isPack(ss, seedPrev) && shape(seedOut) == tau
  ensures backwardDenseFromStep(addNode(t, lowerNode(tau, name, parents, node, ctx, d)), seedPrev + [seedOut], |t|)
    == Ok(addPack(ss, seedPrev, node.vjp(ctx, d, seedOut)) + [seedOut])
{
  var t1 := addNode(t, lowerNode(tau, name, parents, node, ctx, d));
  var contrib := node.vjp(ctx, d, seedOut);
  foldGrads_toIndexed(t1, ss, [], seedPrev, contrib, [seedOut]);
  assert [] + seedPrev + [seedOut] == seedPrev + [seedOut];
  assert [] + addPack(ss, seedPrev, contrib) + [seedOut] == addPack(ss, seedPrev, contrib) + [seedOut];
}

lemma backwardDenseFrom_addNode_lowerNode<D>(t: Tape, ss: seq<Shape>, tau: Shape, name: Option<string>,
    parents: seq<nat>, node: NodeData<D>, ctx: Grads, d: D, bp: Grads -> Grads, seedPrev: Grads, seedOut: SomeTensor)
  requires lowered(t, ss, ctx)
  requires typed(node, ss, tau)
  requires BackwardPidsLt(t)
  requires forall s :: isPack(ss, s) ==> isPack(ss, bp(s))
  requires forall s :: isPack(ss, s) ==> backwardDenseFrom(t, s) == Ok(bp(s))
  requires isPack(ss, seedPrev) && shape(seedOut) == tau
  ensures backwardDenseFrom(addNode(t, lowerNode(tau, name, parents, node, ctx, d)), seedPrev + [seedOut])
    == Ok(bp(addPack(ss, seedPrev, node.vjp(ctx, d, seedOut))) + [seedOut])
{
  var nd := lowerNode(tau, name, parents, node, ctx, d);
  var sum := addPack(ss, seedPrev, node.vjp(ctx, d, seedOut));
  addPack_isPack(ss, seedPrev, node.vjp(ctx, d, seedOut));
  backwardDenseFromStep_addNode_lowerNode_last(t, ss, tau, name, parents, node, ctx, d, seedPrev, seedOut);
  backwardDenseFromLoop_addNode_push(t, nd, seedOut, |t|, sum);
  calc {
    backwardDenseFrom(addNode(t, nd), seedPrev + [seedOut]);
    backwardDenseFromLoop(addNode(t, nd), |t| + 1, seedPrev + [seedOut]);
    backwardDenseFromLoop(addNode(t, nd), |t|, sum + [seedOut]);
    mapPush(backwardDenseFrom(t, sum), seedOut);
  }
}

// ---- what they need besides ----

lemma fold_ok_size(t: Tape, acc: Grads, cs: seq<Contribution>)
  ensures foldGrads(t, acc, cs).Ok? ==> |foldGrads(t, acc, cs).value| == |acc|
  decreases |cs|
{
  if cs != [] {
    var r := addGradAll(t, acc, cs[0].pid, cs[0].grad);
    if r.Ok? { fold_ok_size(t, r.value, cs[1..]); }
  }
}

lemma step_ok_size(t: Tape, acc: Grads, id: nat)
  ensures backwardDenseFromStep(t, acc, id).Ok? ==> |backwardDenseFromStep(t, acc, id).value| == |acc|
{
  if id < |t| && id < |acc| && t[id].backward(acc[id]).Ok? { fold_ok_size(t, acc, t[id].backward(acc[id]).value); }
}

lemma addPack_isPack(ss: seq<Shape>, a: Grads, b: Grads)
  requires isPack(ss, a) && isPack(ss, b)
  ensures isPack(ss, addPack(ss, a, b))
{}

lemma foldGrads_toIndexed(t: Tape, ss: seq<Shape>, pref: Grads, seed: Grads, contrib: Grads, suffix: Grads)
  requires isPack(ss, seed) && isPack(ss, contrib)
  requires |pref| + |ss| <= |t|
  requires forall i: nat :: |pref| <= i < |pref| + |ss| ==> t[i].requiresGrad && shape(t[i].value) == ss[i - |pref|]
  ensures foldGrads(t, pref + seed + suffix, toIndexed(contrib, |pref|)) == Ok(pref + addPack(ss, seed, contrib) + suffix)
  decreases |ss|
{
  if ss == [] {
    assert toIndexed(contrib, |pref|) == [];
    assert pref + seed + suffix == pref + addPack(ss, seed, contrib) + suffix;
  } else {
    var acc := pref + seed + suffix;
    var cs := toIndexed(contrib, |pref|);
    var sum := plus(seed[0], contrib[0]);
    assert acc[|pref| := sum] == pref + [sum] + seed[1..] + suffix;
    assert cs[1..] == toIndexed(contrib[1..], |pref| + 1);
    foldGrads_toIndexed(t, ss[1..], pref + [sum], seed[1..], contrib[1..], suffix);
    assert pref + [sum] + addPack(ss[1..], seed[1..], contrib[1..]) + suffix == pref + addPack(ss, seed, contrib) + suffix;
  }
}
