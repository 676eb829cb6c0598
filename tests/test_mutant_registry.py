"""Mutants are found by name, symtape's own and a user's, and a lemma about one is replayed by one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtape import Bound, StatementError, Verdict
from symtape.discover import (
    EncodingsError,
    UnknownLemmaError,
    UnknownMutantError,
    call_reference,
    discover_mutants,
    find_lemma,
    find_mutant,
)
from symtape.encodings.interpreter import Runtime
from symtape.encodings.replay import replay
from tests.deciding import decide, lemmas
from tests.pasting import paste

MUTANTS = discover_mutants()
OVERWRITING = "addGradAll: overwriting"

OPERATORS = {
    "check dropped",
    "check inverted",
    "comparison shifted",
    "operands swapped",
    "operand dropped",
    "operand doubled",
    "operand replaced",
    "result replaced",
    "rows exchanged",
    "message exchanged",
    "index off by one",
    "loop reversed",
    "loop one short",
    "loop one long",
    "fold reversed",
    "fold truncated",
    "stale read",
    "slots aliased",
    "visited twice",
    "flag ignored",
    "error ignored",
    "late binding",
    "saved operand changed",
    "state survives",
}
REPORTED = {
    "addGradAll: overwriting": "https://github.com/callummcdougall/ARENA_2.0/pull/18",
    "backwardDenseFrom: from what a call before left": "https://github.com/karpathy/micrograd/pull/102",
    "backwardDenseFromStep: last node's function": "https://github.com/EnzymeAD/Enzyme.jl/issues/3477",
    "lowerNode: vjp at another context": "https://github.com/pytorch/pytorch/issues/197887",
}
"""Bugs that somebody had, with where they were reported."""

MINE = '''
"""Mutants of a user."""

from symtape import Mutant
from symtape.encodings.backward import Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.plain import Ok
from symtape.encodings.result import success


class PlainKeeper(Runtime):
    def combine(self, existing, contribution):
        return Ok(existing)


class Keeper(Engine):
    def combine(self, existing, contribution):
        return success(existing.world, existing)

    def interpreter(self):
        return PlainKeeper


KEEPER = Mutant("keeper", "operand dropped", "addGradAll", "What is in a slot stays.", Keeper())
MORE = [Mutant("keeper again", "operand dropped", "addGradAll", "What is in a slot stays.", Keeper())]
AGAIN = KEEPER
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


# --- symtape's own ---


def test_there_are_many_of_every_kind() -> None:
    assert len(MUTANTS) >= 60
    assert {mutant.operator for mutant in MUTANTS.values()} >= OPERATORS
    assert {name: MUTANTS[name].source for name in REPORTED} == REPORTED


@pytest.mark.parametrize("name", MUTANTS)
def test_each_says_what_it_is(name: str) -> None:
    mutant = MUTANTS[name]
    assert mutant.name == name
    assert name.startswith(f"{mutant.function}: ")
    assert " without " not in name, "that is what a lemma with a hypothesis dropped is called"
    assert name.isprintable()
    assert mutant.doc.endswith(".")
    assert ". " not in mutant.doc, "one sentence"
    assert not mutant.engine.unchanged
    assert issubclass(mutant.engine.interpreter(), Runtime)
    assert mutant.engine.interpreter() is not Runtime
    assert mutant.found_in == ()


def test_the_name_is_all_that_differs_in_a_docstring() -> None:
    told = [(mutant.function, mutant.doc) for mutant in MUTANTS.values()]
    assert len(set(told)) == len(told)


# --- a user's ---


def test_a_users_are_found_beside_them(mine: Path) -> None:
    found = discover_mutants([mine])
    assert set(found) - set(MUTANTS) == {"keeper", "keeper again"}
    assert found["keeper"].found_in == (str(mine),)
    assert found[OVERWRITING] is MUTANTS[OVERWRITING]


@pytest.mark.parametrize("name", ["keeper", OVERWRITING])
def test_a_name_stands_for_one_mutant(name: str, mine: Path) -> None:
    mine.write_text(MINE + f'OTHER = Mutant({name!r}, "other", "addGradAll", "Another one.", Keeper())\n')
    with pytest.raises(EncodingsError, match=r"mine\.py: there is another mutant called"):
        discover_mutants([mine])


def test_an_unknown_name_has_near_ones() -> None:
    with pytest.raises(UnknownMutantError, match="'addGradAll: overwriting'") as unknown:
        find_mutant("addGradAll: overwritin")
    assert isinstance(unknown.value, UnknownLemmaError)


# --- lemmas about one ---


def test_a_lemma_about_a_mutant_is_named_after_both() -> None:
    lemma = lemmas()["addGradAll_of_fits"].on_mutant(MUTANTS[OVERWRITING])
    assert lemma.name == "addGradAll_of_fits on addGradAll: overwriting"
    assert lemma.mutant == OVERWRITING
    assert lemma.engine is MUTANTS[OVERWRITING].engine
    assert lemma.fingerprint != lemmas()["addGradAll_of_fits"].on(lemma.engine).fingerprint
    with pytest.raises(StatementError, match="about another engine already"):
        lemma.on_mutant(MUTANTS[OVERWRITING])


def test_hypotheses_may_be_dropped_before_or_after() -> None:
    of, mutant = lemmas()["addGradAll_of_fits"], MUTANTS[OVERWRITING]
    before, after = of.without("hid").on_mutant(mutant), of.on_mutant(mutant).without("hid")
    assert before.name == after.name == f"addGradAll_of_fits without hid on {OVERWRITING}"
    assert call_reference(before) == f"'addGradAll_of_fits', without=['hid'], engine='{OVERWRITING}'"
    assert call_reference(after.without("hslot")).startswith(
        "'addGradAll_of_fits', without=['hid', 'hslot'], engine="
    )


@pytest.mark.parametrize("dropped", [(), ("hid",), ("hid", "hreq")])
def test_a_counterexample_to_a_mutant_can_be_pasted(dropped: tuple[str, ...]) -> None:
    lemma = lemmas()["addGradAll_of_fits"]
    lemma = (lemma.without(*dropped) if dropped else lemma).on_mutant(MUTANTS[OVERWRITING])
    decided = decide(lemma, Bound(1, 1, 1), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert f"engine='{OVERWRITING}'" in shown.call
    assert "goal: FAILS" in paste(shown.call)


def test_a_counterexample_to_a_users_mutant_can_be_pasted(mine: Path) -> None:
    mutant = find_mutant("keeper", [mine])
    decided = decide(lemmas()["addGradAll_of_fits"].on_mutant(mutant), Bound(1, 1, 1), until_refuted=True)
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert f"engine='keeper', encodings=[{str(mine)!r}]" in shown.call
    assert "goal: FAILS" in paste(shown.call)


def test_a_replay_by_another_engine_names_one_that_exists() -> None:
    with pytest.raises(UnknownMutantError):
        replay("addGradAll_of_fits", engine="no such engine")


def test_what_says_of_an_engine_that_it_is_the_runtime_is_found_to_be_replayed() -> None:
    assert find_lemma("addGradAll_is_the_runtime").group == "Equivalence"
