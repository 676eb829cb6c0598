"""Every mutant is one change in two engines that share no code: they agree, and differ from the runtime."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symtape import Bound, Verdict
from symtape.discover import discover_equivalence, discover_mutants
from symtape.encodings import plain
from symtape.encodings.graph import lowerNode
from symtape.encodings.plain_packs import NodeData
from symtape.encodings.result import ok
from symtape.mutant import Mutant
from tests.concrete import EXPRESSIONS, Question, Run, interpreted, questions, stream
from tests.deciding import decide

MUTANTS = discover_mutants()

EXPRESSIONS["value of a lowered node"] = lambda t, ctx, node, name, d: ok(
    t.addNode(lowerNode(name, node, ctx, d)).tape.values()
)
"""What a lowered node's value is: elsewhere only its shape matters."""

EQUIVALENT = {
    "addGradAll: 'slot shape' compares with the contribution",
    "addGradAll: own check dropped",
}
"""Mutants that do what the runtime does: the check before has shown the shapes to be the same."""

ASKED = {
    "addGradAll": ("addGradAll", "foldlM addGradAll"),
    "backwardDenseFromStep": ("backwardDenseFromStep", "lowered backwardDenseFromStep"),
    "addGradAll, backwardDenseFromStep": ("addGradAll", "backwardDenseFromStep"),
    "backwardDenseFromLoop": ("backwardDenseFromLoop",),
    "backwardDenseFrom": ("backwardDenseFrom", "lowered backwardDenseFrom"),
    "lowerNode": ("lowerNode backward", "lowered backwardDenseFromStep", "value of a lowered node"),
}
"""For each function of the runtime those that show most directly what it does."""
MOST = 600
"""How much of the stream of questions is looked at."""


@cache
def question(function: str, number: int) -> Question:
    if function != "value of a lowered node":
        return stream(function, number)
    of_pass = stream("lowered backwardDenseFrom", number)
    values = {name: value for name, value in of_pass.values.items() if name != "acc"}
    # a value that depends on the context: at this one it is another than everywhere else
    node, at = values["node"], (values["ctx"], values["d"])
    here = plain.Tensor(node.shape, node.value.entries[:1] * len(node.value.entries))
    elsewhere = plain.Tensor(node.shape, of_pass.arithmetic.runtime().plus(here, here).entries)
    values["node"] = NodeData(node.shape, elsewhere, node.table, node.otherwise, {at: here})
    return replace(of_pass, function=function, values=values)


@cache
def by_the_runtime(function: str, number: int) -> Any:
    return interpreted(question(function, number))


def differing(mutant: Mutant) -> Iterator[Question]:
    """The questions that the interpreter answers in another way under the mutant. Without floats: sums of sums of
    them take the solver long."""
    functions = ASKED[mutant.function]
    for i in range(MOST):
        function, number = functions[i % len(functions)], i // len(functions)
        asked = question(function, number)
        if asked.arithmetic.name == "float32":
            continue
        if interpreted(asked, mutant.engine) != by_the_runtime(function, number):
            yield asked


def agree(mutant: Mutant, asked: Question) -> None:
    """Both halves give one answer, and the symbolic one could give no other."""
    expected = interpreted(asked, mutant.engine)
    run = Run(asked, mutant.engine)
    assert run.answer() == expected, asked
    assert run.leaves_no_choice(expected), asked


# --- both halves ---


@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in EQUIVALENT])
def test_differs_from_the_runtime_in_both_halves(name: str) -> None:
    asked = next(differing(MUTANTS[name]), None)
    assert asked is not None, f"nothing differs where {MUTANTS[name].doc}"
    agree(MUTANTS[name], asked)


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_halves_agree_where_they_differ_from_the_runtime(name: str) -> None:
    for asked in islice(differing(MUTANTS[name]), 12):
        agree(MUTANTS[name], asked)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(MUTANTS)[::4])
@settings(
    max_examples=12, derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(data=st.data())
def test_halves_agree(name: str, data: st.DataObject) -> None:
    mutant = MUTANTS[name]
    function = data.draw(
        st.sampled_from([each for each in ASKED[mutant.function] if each != "value of a lowered node"])
    )
    agree(mutant, data.draw(questions(function).filter(lambda asked: asked.arithmetic.name != "float32")))


@pytest.mark.parametrize("name", sorted(EQUIVALENT))
def test_equivalent(name: str) -> None:
    """Each function of these is proved to be the runtime's."""
    assert next(differing(MUTANTS[name]), None) is None
    for lemma in discover_equivalence():
        decided = decide(lemma.on_mutant(MUTANTS[name]), Bound(2, 1, 1))
        assert decided.verdict is Verdict.PROVED, decided.conclusion.reason
