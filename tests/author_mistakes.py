"""Claims in which an author slips: false, ill-typed or contradictory, each by a way that Python allows."""

from __future__ import annotations

from typing import Annotated, Any

from symtape import Claim, equal, given, lemma, negate, over
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.backward import Engine
from symtape.encodings.graph import NodeData, ReverseProgram, ShapeList, TensorPack, lowerNode
from symtape.encodings.lemmas.inductive_step import backwardDenseFrom_addNode_lowerNode
from symtape.encodings.parameter import Name, Nat, Opaque
from symtape.encodings.result import Result, failure
from symtape.encodings.tape import Node, Tape
from symtape.encodings.tensor import Shape, SomeTensor


@lemma(group="mistake")
def pack_of_the_wrong_length(
    t: Tape,
    ss: ShapeList,
    bp: Annotated[ReverseProgram, over("ss")],
    p: Annotated[TensorPack, over("ss")],
    g: SomeTensor,
) -> Claim:
    """`bp` is applied to a pack with one tensor too many."""
    return given(hbp=bp.agreesWith(t)).show(lambda: equal(bp(p.snoc(g)).toShapeErasedArray(), p.toShapeErasedArray()))


@lemma(group="mistake")
def pack_over_other_shapes(
    t: Tape,
    ss: ShapeList,
    ss2: ShapeList,
    bp: Annotated[ReverseProgram, over("ss")],
    p: Annotated[TensorPack, over("ss2")],
) -> Claim:
    """`bp` is applied to a pack over another list of shapes."""
    return given(hlen=equal(ss.length, ss2.length), hbp=bp.agreesWith(t)).show(
        lambda: equal(t.backwardDenseFrom(p.toShapeErasedArray()).map(lambda a: a.size), ok_size(bp(p)))
    )


def ok_size(pack: Any) -> Any:
    """`ok` of a pack's size."""
    return pack.toShapeErasedArray().pure().map(lambda a: a.size)


@lemma(group="mistake")
def a_parameter_called_nowhere(acc: Accumulator, nowhere: SomeTensor, i: Nat) -> Claim:
    """Every slot, existing or not, is one given tensor."""
    return given(hacc=acc.size > 0).show(lambda: equal(acc[i], nowhere))


@lemma(group="mistake")
def tapes_compared_by_python(t: Tape, t2: Tape) -> Claim:
    """No two tapes are equal."""
    return given(h=t.size > 0).show(lambda: negate(equal(t, t2)))


@lemma(group="mistake")
def not_equal_by_python(acc: Accumulator, acc2: Accumulator) -> Claim:
    """No two accumulators are equal, in Python's words."""
    return given(h=acc.size > 0).show(lambda: acc != acc2)


@lemma(group="mistake")
def and_by_python(acc: Accumulator, acc2: Accumulator, i: Nat) -> Claim:
    """All accumulators are equal, and something true."""
    return given(h=acc.size > 0).show(lambda: equal(acc, acc2) and equal(i, i))


@lemma(group="mistake")
def not_by_python(t: Tape, i: Nat, j: Nat) -> Claim:
    """No two numbers are equal, in Python's words."""
    return given(h=t.size > 0).show(lambda: not (i == j))  # noqa: SIM201


@lemma(group="mistake")
def in_by_python(t: Tape, i: Nat) -> Claim:
    """No number is an id."""
    return given(h=t.size > 0).show(lambda: i not in range(t.size))


@lemma(group="mistake")
def subtraction_below_zero(t: Tape, i: Nat) -> Claim:
    """Taking five away and adding five again changes nothing: false of Lean's natural numbers."""
    return given(h=t.size > 0).show(lambda: equal((i - 5) + 5, i))  # type: ignore[operator]


@lemma(group="mistake")
def second_tape_is_no_longer(t: Tape, t2: Tape) -> Claim:
    """A second tape has at most one node more than the first."""
    return given(h=t.size >= 0).show(lambda: t2.size <= t.size + 1)


@lemma(group="mistake")
def lowered_nodes_alike(
    t: Tape,
    ss: ShapeList,
    τ: Shape,
    name: Name,
    node: Annotated[NodeData, over("ss", "τ")],
    ctx: Annotated[TensorPack, over("ss")],
    ctx2: Annotated[TensorPack, over("ss")],
    d: Opaque,
) -> Claim:
    """One node lowered in two contexts is one node, if its values are equal."""
    return given(hvalue=equal(node.forward(ctx, d), node.forward(ctx2, d))).show(
        lambda: equal(
            t.addNode(lowerNode(name, node, ctx, d)).tape.getNode(t.size),
            t.addNode(lowerNode(name, node, ctx2, d)).tape.getNode(t.size),
        )
    )


@lemma(group="mistake")
def slots_are_distinct(acc: Accumulator) -> Claim:
    """No two slots are equal."""
    return given(h=acc.size > 1).show(lambda: equal(how_many_different(acc), acc.size))


def how_many_different(acc: Any) -> int:
    """How many different tensors there are, by a set."""
    return len(set(acc.slots))


@lemma(group="mistake")
def shapes_are_distinct(t: Tape, ss: ShapeList) -> Claim:
    """No two shapes are equal."""
    return given(h=t.size > 0, hs=ss.length > 1).show(lambda: equal(how_many_shapes(ss), ss.length))


def how_many_shapes(ss: Any) -> int:
    """How many different shapes there are, by a set."""
    return len(set(ss.shapes))


@lemma(group="mistake")
def every_id_has_a_node(t: Tape, i: Nat) -> Claim:
    """Every number is an id."""
    return given(h=t.size > 0).show(lambda: bool(t.getNode(i)))


@lemma(group="mistake")
def always_a_node_by_is(t: Tape, i: Nat) -> Claim:
    """Every number is an id."""
    return given(h=t.size > 0).show(lambda: t.getNode(i) is not None)


@lemma(group="mistake")
def a_node_that_is_not_there(t: Tape, i: Nat) -> Claim:
    """The node at any number, existing or not, has the value of the first one."""
    return given(h=equal(t.size, 1)).show(lambda: equal(t.getNode(i).node.value, t.nodes[0].value))


@lemma(group="mistake")
def equal_entries_by_length(g: SomeTensor, h: SomeTensor) -> Claim:
    """All tensors have equally many entries."""
    return given(h0=equal(g.shape, g.shape)).show(lambda: equal(len(g.entries), len(h.entries)))


@lemma(group="mistake")
def functions_differ_by_python(t: Tape, nd: Node, nd2: Node) -> Claim:
    """No two nodes have the same backward function."""
    return given(h=t.size > 0).show(lambda: nd.backward != nd2.backward)


@lemma(group="mistake")
def size_minus(t: Tape) -> Claim:
    """Taking five from a size and adding five again changes nothing: false of Lean's natural numbers."""
    return given(h=t.size >= 0).show(lambda: equal((t.size - 5) + 5, t.size))


@lemma(group="mistake")
def succeeds_by_counting(t: Tape, acc: Accumulator, pid: Nat, g: SomeTensor) -> Claim:
    """`addGradAll` succeeds, counted by the calls of a function that has state."""
    return given(h=equal(acc.size, t.size), hpid=pid < t.size).show(lambda: equal(calls(t, acc, pid, g), 1))


def calls(t: Any, acc: Any, pid: Any, g: Any) -> int:
    """How often `map` calls its function."""
    seen: list[Any] = []
    t.addGradAll(acc, pid, g).map(seen.append)
    return len(seen)


@lemma(group="mistake")
def accumulator_is_no_tape(t: Tape, acc: Accumulator) -> Claim:
    """An accumulator is not a tape."""
    return given(h=t.size > 0).show(lambda: negate(equal(acc, t)))


class Failing(Engine):
    """A pass that always fails; that the interpreter has to change as well was forgotten."""

    def backwardDenseFrom(self, t: Tape, grads0: Accumulator) -> Result[Accumulator]:
        return failure(t.world, "no")


on_a_failing_engine = backwardDenseFrom_addNode_lowerNode.on(Failing())
