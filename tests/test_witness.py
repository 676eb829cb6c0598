"""Reading a model: what the interpreter is told is what the model says."""

from __future__ import annotations

from symtape import Bound, Verdict
from symtape.encodings import plain
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.scalar import scalars
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import Shapes
from symtape.encodings.witness import Reader
from symtape.smt import z3
from symtape.solver import ask
from symtape.world import Evaluation, World
from tests.deciding import LIMITS, decide
from tests.test_false_lemmas import FALSE


def test_what_a_function_was_asked_after_an_error_is_not_read_as_its_answer_to_a_tensor() -> None:
    """Two passes over one tape: after the second has failed, its slot 0 holds something that agrees with the first
    pass's tensor where that has entries and is no tensor elsewhere."""
    world = World(Bound(2, 2, 2), scalar="int")
    t = Tape.declare(world, "t", 2)
    a, b = Accumulator.declare(world, "a", 2), Accumulator.declare(world, "b", 2)
    first = t.backwardDenseFrom(a)
    t.backwardDenseFrom(b)
    (asked, answer), (asked_later, answer_later) = t.nodes[0].backward.applications
    one_entry, filler = world.share(Shapes).has_entry, world.share(scalars).filler
    model = ask(
        [
            *world.constraints,
            z3.Distinct(*(node.backward.token for node in t.nodes)),
            *(node.requiresGrad for node in t.nodes),
            asked.shape == asked_later.shape,
            one_entry[0](asked.shape),
            z3.Not(one_entry[1](asked.shape)),
            asked.terms[0] == asked_later.terms[0],
            asked.terms[1] == filler,
            asked_later.terms[1] != filler,
            first.ok,
            answer.ok,
            z3.Not(answer_later.ok),
        ],
        {},
        LIMITS,
    ).model
    read = Evaluation(world, model).share(Reader)
    with plain.using(read.arithmetic().runtime()):
        run = read.tape(t).backwardDenseFrom(read.accumulator(a))
    assert run == read.result(first, read.accumulator)


def test_nodes_that_differ_in_what_the_pass_never_reads_are_still_told_apart() -> None:
    decided = decide(FALSE["all_nodes_are_alike"], Bound(2, 1, 0), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED
