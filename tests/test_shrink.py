"""The shrinker: what it makes of a refutation refutes the same lemma, is no larger, and shrinks no further."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symtape import Claim, Lemma, all_of, any_of, equal, lemma, negate
from symtape import given as given_
from symtape.encodings import accumulator, tape
from symtape.encodings import shrink as shrink_module
from symtape.encodings import tensor as tensors_of_the_model
from symtape.encodings.measure import Measure, measure, size_of_scalar, size_of_shape
from symtape.encodings.plain import (
    Accumulator,
    Backward,
    Contributions,
    Error,
    Node,
    Ok,
    Shape,
    Tape,
    Tensor,
    entry_count,
)
from symtape.encodings.plain_packs import NodeData, Pack, ReverseProgram, ShapeList
from symtape.encodings.replay import Arithmetic, evaluate
from symtape.encodings.rewriting import Rewriting
from symtape.encodings.shrink import Shrunk, shrink
from tests.test_false_lemmas import FALSE

INT = Arithmetic("int")
SHAPES: list[Shape] = [(), (2,), (0,), (1, 1), (1, 2)]
shapes = st.sampled_from(SHAPES)


def tensors(shape: Shape) -> st.SearchStrategy[Tensor]:
    count = entry_count(shape)
    return st.lists(st.integers(-30, 30), min_size=count, max_size=count).map(lambda entries: Tensor(shape, entries))


some_tensor = shapes.flatmap(tensors)
contributions = st.lists(st.tuples(st.integers(0, 2), some_tensor), max_size=3).map(Contributions)
answers = st.one_of(contributions.map(Ok), st.sampled_from(["autograd: some error", "b"]).map(Error))
texts = st.none() | st.just("a name")


@st.composite
def runs(draw: st.DrawFn) -> dict[str, Any]:
    """A tape, an array that mostly fits it, an id on it, and a gradient that mostly fits that."""
    nodes, slots = [], []
    for _ in range(draw(st.integers(1, 3))):
        shape = draw(shapes)
        slots.append(draw(st.one_of(tensors(shape), tensors(shape), some_tensor)))
        table = {slots[-1]: draw(answers), draw(some_tensor): draw(answers)}
        flag = draw(st.integers(0, 3)) > 0
        nodes.append(Node(draw(tensors(shape)), flag, Backward(table), draw(texts), draw(texts)))
    i = draw(st.integers(0, len(nodes) - 1))
    pg = draw(st.one_of(tensors(nodes[i].value.shape), some_tensor))
    return {"t": Tape(nodes), "acc": Accumulator(slots), "i": i, "pg": pg}


def checked(lemma: Lemma, values: dict[str, Any], arithmetic: Arithmetic = INT) -> Shrunk:
    """What a refutation shrinks to, after a look at what must be true of that."""
    assume(evaluate(lemma, values, arithmetic).refutes)
    made = shrink(lemma, values, arithmetic)
    assert evaluate(lemma, made.values, made.arithmetic).refutes
    assert made.measure == measure(lemma, made.values, made.arithmetic) <= measure(lemma, values, arithmetic)
    assert made.replays <= shrink_module.MOST_REPLAYS
    again = shrink(lemma, made.values, made.arithmetic)
    if made.replays < shrink_module.MOST_REPLAYS:
        assert (again.values, again.arithmetic) == (made.values, made.arithmetic)
    for name, value in values.items():
        assert sizes(made.values[name]) == sizes(value)
    return made


def sizes(value: Any) -> Any:
    """What an obligation is filed under, of values that have it."""
    match value:
        case Tape():
            return len(value.nodes)
        case Accumulator():
            return len(value.slots)
        case Contributions():
            return len(value.items)
        case ShapeList():
            return len(value.shapes)
    return None


@given(runs())
@settings(max_examples=40, deadline=None)
def test_what_it_shrinks_to_is_as_simple_and_refutes_as_well(run: dict[str, Any]) -> None:
    values = {"t": run["t"], "acc": run["acc"], "pid": run["i"], "pg": run["pg"]}
    made = checked(FALSE["addGradAll_always_ok"], values)
    # what a node answers, and what it is called, is never asked
    assert made.measure.contributions == made.measure.errors == made.measure.answers == 0
    assert all(node.name is None and node.parents is None for node in made.values["t"].nodes)
    # it takes one number that is not zero, or one shape that does not fit
    assert made.measure.numbers <= 2
    assert made.measure.shapes <= size_of_shape((1,))


@given(runs(), st.data())
@settings(max_examples=40, deadline=None)
def test_an_answer_that_is_needed_stays(run: dict[str, Any], data: st.DataObject) -> None:
    t, i = run["t"], run["i"]
    # an accumulator that fits, and contributions of the visited node to itself
    slot, *given_back = [data.draw(tensors(t.nodes[i].value.shape)) for _ in range(3)]
    answer = Ok(Contributions((i, gradient) for gradient in given_back))
    t.nodes[i] = Node(t.nodes[i].value, True, Backward({**t.nodes[i].backward.table, slot: answer}))
    made = checked(FALSE["step_keeps_own_slot"], {"t": t, "acc": run["acc"].set(i, slot), "id": i})
    assert made.measure.contributions == made.measure.answers == 1
    assert made.measure.errors == 0


@st.composite
def inductive(draw: st.DrawFn) -> dict[str, Any]:
    """Values of the inductive step: everything is typed over the list of shapes."""
    over = draw(st.lists(shapes, max_size=2))
    last = draw(shapes)

    def pack() -> Pack:
        return Pack([draw(tensors(shape)) for shape in over])

    ctx = pack()
    t = Tape([Node(tensor) for tensor in ctx.tensors])
    seed = draw(tensors(last))
    node = NodeData(last, draw(tensors(last)), {(pack(), "d", draw(tensors(last))): pack()}, pack())
    bp = ReverseProgram(over, {}, t)
    return {
        "ss": ShapeList(over),
        "τ": last,
        "t": t,
        "name": "name0",
        "node": node,
        "ctx": ctx,
        "d": "d",
        "bp": bp,
        "seedPrev": pack(),
        "seedOut": seed,
    }


@given(inductive())
@settings(max_examples=40, deadline=None)
def test_types_are_kept(values: dict[str, Any]) -> None:
    made = checked(FALSE["inductive_step_without_vjp"], values).values
    over = made["ss"].shapes
    node = made["node"]
    for pack in (
        made["ctx"],
        made["seedPrev"],
        node.otherwise,
        *node.table.values(),
        *(ctx for ctx, _, _ in node.table),
    ):
        assert [tensor.shape for tensor in pack.tensors] == over
    for tensor in (made["seedOut"], node.value, *(seed for _, _, seed in node.table)):
        assert tensor.shape == node.shape == made["τ"]
    assert made["bp"].shapes == over
    assert made["bp"].tape == made["t"]


LETTERS = "abcd"
sums = st.fixed_dictionaries({(a, b): st.sampled_from(LETTERS) for a in LETTERS for b in LETTERS})
letters = st.sampled_from(LETTERS)


@given(sums, letters, letters, letters)
@settings(max_examples=40, deadline=None)
def test_a_finite_addition_becomes_short(table: dict[tuple[str, str], str], x: str, g: str, h: str) -> None:
    def scalar(letter: str) -> Tensor:
        return Tensor((), [letter])

    values = {"t": Tape([Node(scalar(x))]), "acc": Accumulator([scalar(x)]), "pid": 0, "g": scalar(g), "h": scalar(h)}
    made = checked(FALSE["addGradAll_any_order"], values, Arithmetic("table", table))
    carrier = sorted({letter for pair in made.arithmetic.table for letter in pair})
    assert carrier == list(LETTERS[: len(carrier)])
    assert set(made.arithmetic.table.values()) <= set(carrier)
    assert len(made.arithmetic.table) == len(carrier) ** 2
    assert made.measure.sums <= 6


def test_functions_fall_silent_together() -> None:
    """Where all of them emit something, or only the first does: none of the others can be left out alone."""

    @lemma()
    def all_or_one(t: tape.Tape, g: tensors_of_the_model.SomeTensor, none: accumulator.Contributions) -> Claim:
        """It is neither all nodes nor the first alone that emit something."""

        def silent(i: int) -> Any:
            return t.getNode(i).exists(lambda node: equal(node.backward(g), none.pure()))

        return given_(h=negate(silent(0))).show(
            lambda: any_of(all_of(silent(1), negate(silent(2))), all_of(negate(silent(1)), silent(2)))
        )

    one = Tensor((), [1])
    nodes = [Node(one, True, Backward({one: Ok(Contributions([(i, one)]))})) for i in range(3)]
    found = shrink(all_or_one, {"t": Tape(nodes), "g": one, "none": Contributions([])}, INT)
    assert found.measure.contributions == 1


def test_nothing_is_tried_beyond_the_limit() -> None:
    values = {
        "t": Tape([Node(Tensor((), [7]))]),
        "acc": Accumulator([Tensor((), [8])]),
        "pid": 0,
        "pg": Tensor((), [9]),
    }
    lemma = FALSE["addGradAll_always_ok"]
    assert shrink(lemma, values, INT, most=0).values == values
    some = shrink(lemma, values, INT, most=2)
    assert some.replays == 2
    assert some.measure < measure(lemma, values, INT)


def test_the_order_of_merit() -> None:
    """Nodes come before contributions, these before entries, these before everything else."""
    assert Measure._fields[:3] == ("nodes", "contributions", "entries")
    order: list[Any] = [0, 1, 2, -2, 30]
    assert sorted(order, key=size_of_scalar) == order
    assert sorted([float("nan"), 0.5, 3.0], key=size_of_scalar)[:2] == [3.0, 0.5]
    assert sorted([(2,), (0,), (), (1,)], key=size_of_shape)[:2] == [(), (1,)]
    node, other = Node(Tensor((), [0])), Node(Tensor((), [0]), backward=Backward({Tensor((), [0]): Error("e")}))
    lemma = FALSE["getNode_of_appended"]

    def of(*nodes: Node) -> Measure:
        return measure(lemma, {"t": Tape(nodes), "nd": node, "id": 0}, INT)

    assert of(node) < of(other) < of(node, node)
    assert of(other).errors == of(other).answers == 1


@pytest.mark.parametrize("name", ["inductive_step_without_vjp", "last_step_vjp_on_the_left"])
def test_looking_at_values_changes_nothing(name: str) -> None:
    @given(inductive())
    @settings(max_examples=20, deadline=None)
    def rebuilt(values: dict[str, Any]) -> None:
        if name == "last_step_vjp_on_the_left":
            del values["bp"]
        assert Rewriting().values(FALSE[name], values) == values

    rebuilt()
