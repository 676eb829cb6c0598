"""The lemmas around the seed's eight: proved, each hypothesis needed, false variants and wrong engines refuted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from symtape import Bound, StatementError, Verdict
from symtape.discover import discover
from symtape.encodings.backward import Engine
from symtape.obligation import cases
from tests import changed_engines as changed
from tests.deciding import SEED, decide, lemmas
from tests.pasting import paste

AROUND = [name for name in lemmas() if name not in SEED and lemmas()[name].group != "Runtime equations"]
GRAPHS = [name for name in AROUND if lemmas()[name].group == "Lowered graph"]
THEOREMS = [
    "backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx",
    "backwardDenseFrom_lowerGraphToTape_eq_backpropAllCtx",
]

FROM_SUCCESS = [name for name in AROUND if lemmas()[name].group == "Inductive step, from success"]
OURS = {"foldlM_addGradAll_ok_size", "backwardDenseFromLoop_ok_size", *FROM_SUCCESS}
"""No theorems in Lean: the first is a local step of a proof, the second nobody needed, the others are symtape's own
(see test_from_success)."""

WANTS_AN_ID = {"getNode?_addLeaves_empty", "backwardDenseFromStep_addLeaves_empty"}
"""They speak of an existing id, so on the empty tape they say nothing."""

RULED_OUT: dict[str, Callable[[dict[str, int]], bool]] = {
    "backwardDenseFromLoop_ok_fits": lambda sizes: sizes["m"] > sizes["acc"],
    "backwardDenseFrom_addNode_lowerNode_of_ok": lambda sizes: sizes["ss"] != sizes["t"],
}
"""The sizes at which nothing succeeds: they are asked about, since no hypothesis says so plainly."""

GROUPS = {
    "Accumulation": 5,
    "Leaf tapes": 4,
    "Lowered node": 2,
    "Lowered graph": 12,
    "Inductive step, from success": 10,
}

FALSE_FILE = Path(__file__).parent / "false_graphs.py"
FALSE = {name: lemma for name, lemma in discover([FALSE_FILE]).items() if lemma.group == "false"}


def test_they_are_all_stated() -> None:
    groups = [lemmas()[name].group for name in AROUND]
    assert {group: groups.count(group) for group in GROUPS} == GROUPS
    assert len(AROUND) == sum(GROUPS.values())


@pytest.mark.parametrize("name", AROUND)
def test_names_are_leans(name: str) -> None:
    lemma = lemmas()[name]
    assert lemma.lean == (None if name in OURS else f"Proofs.Autograd.Algebra.Graph.{name}")
    assert lemma.lean_statement is None, "only the seed's statements are quoted"


@pytest.mark.parametrize("name", AROUND)
def test_proved(name: str) -> None:
    decided = decide(lemmas()[name], Bound(3 if name in GRAPHS else 2, 2, 1))
    assert decided.verdict is Verdict.PROVED, decided.conclusion.reason
    for finding in decided.findings:
        nothing_there = finding.size == 0 and name in WANTS_AN_ID
        if name in RULED_OUT and finding.kind == "claim":
            nothing_there = RULED_OUT[name](finding.sizes)
        assert finding.verdict is (Verdict.VACUOUS if nothing_there else Verdict.PROVED), finding.reason
        if finding.kind == "claim":
            assert finding.satisfiable is not nothing_there


@pytest.mark.parametrize("name", AROUND)
def test_proved_over_floats(name: str) -> None:
    assert decide(lemmas()[name], Bound(1, 1, 1), "float32").verdict is Verdict.PROVED


# --- what they need ---

HYPOTHESES = [(name, hypothesis) for name in AROUND for hypothesis in lemmas()[name].hypotheses]


@pytest.mark.parametrize(("name", "hypothesis"), HYPOTHESES)
def test_each_hypothesis_is_needed(name: str, hypothesis: str) -> None:
    decided = decide(lemmas()[name].without(hypothesis), Bound(2, 1, 1), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert "goal: FAILS" in paste(shown.call)


@pytest.mark.parametrize("name", FALSE)
def test_false_variants_are_refuted_by_a_line_that_can_be_pasted(name: str) -> None:
    decided = decide(FALSE[name], Bound(2, 2, 1), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    said = paste(shown.call)
    assert "goal: FAILS" in said
    assert "FAILS" not in said.replace("goal: FAILS", "")


# --- wrong engines ---

WRONG = [
    changed.Overwrite,
    changed.OperandsSwapped,
    changed.AddedTwice,
    changed.LoopUpward,
    changed.LastNodeSkipped,
    changed.LoopOneLong,
    changed.VisitedTwice,
    changed.LastContributionLost,
    changed.OnlyFirstContribution,
    changed.NextSlotWritten,
    changed.PushedSlotWritten,
    changed.StaleRead,
    changed.FirstSlotRead,
    changed.OwnSlotDoubled,
]
NOT_SEEN = [changed.RangeOneShort, changed.FlagsIgnored, changed.ContributionsReversed]


@pytest.mark.parametrize(
    ("name", "engine"),
    [(THEOREMS[0], engine) for engine in WRONG] + [(THEOREMS[1], engine) for engine in WRONG[:5]],
)
def test_the_graph_theorems_see_wrong_engines(name: str, engine: type[Engine]) -> None:
    decided = decide(lemmas()[name].on(engine()), Bound(3, 1, 1), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    assert shown.left != shown.right
    assert "g=Graph" in shown.call


@pytest.mark.parametrize("engine", NOT_SEEN)
def test_some_wrong_engines_agree_on_every_lowered_graph(engine: type[Engine]) -> None:
    """All nodes of a lowered graph have the flag, each emits once to each node before it, none to the last."""
    assert decide(lemmas()[THEOREMS[0]].on(engine()), Bound(3, 1, 1)).verdict is Verdict.PROVED


def test_a_range_one_short_is_seen_when_one_adds_to_the_last_node() -> None:
    lemma = lemmas()["foldlM_addGradAll_toIndexedShapeErasedArray_eq_add"].on(changed.RangeOneShort())
    assert decide(lemma, Bound(1, 1, 1), until_refuted=True).verdict is Verdict.REFUTED


def test_an_engine_that_changes_the_size_is_seen() -> None:
    decided = decide(lemmas()["addGradAll_ok_size"].on(changed.ArrayGrows()), Bound(1, 1, 1), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED
    assert {f.sizes["acc1"] - f.sizes["acc"] for f in decided.refutations} == {1}


@pytest.mark.parametrize("name", THEOREMS)
def test_which_way_the_loop_goes_is_seen_from_three_nodes_on(name: str) -> None:
    """Something, a node over it, and a node over both: with fewer, no gradient changes before it is passed on."""
    decided = decide(lemmas()[name].on(changed.LoopUpward()), Bound(3, 1, 1))
    assert [each.verdict for each in decided.conclusion.by_size] == [Verdict.PROVED] * 3 + [Verdict.REFUTED]
    assert [f.sizes for f in decided.refutations] == [{"Γ": 0, "ss": 3, "g": 3}, {"Γ": 1, "ss": 2, "g": 3}]


@pytest.mark.parametrize("name", [name for name in AROUND if "backwardDense" not in name])
def test_what_no_loop_is_run_for_holds_of_a_wrong_loop(name: str) -> None:
    assert decide(lemmas()[name].on(changed.LoopUpward()), Bound(1, 1, 1)).verdict is Verdict.PROVED


# --- sizes ---


def test_the_size_of_a_graph_is_that_of_its_tape() -> None:
    lemma = lemmas()[THEOREMS[0]]
    for size in range(4):
        sizes = [dict(case.sizes) for case in cases(lemma, Bound(3, 1, 1), size)]
        assert sizes == [{"Γ": inputs, "ss": size - inputs, "g": size} for inputs in range(size + 1)]


def test_a_pack_over_two_lists_has_a_tensor_for_each_of_both() -> None:
    case = next(finding for finding in decide(FALSE["graph_pass_returns_its_seed"], Bound(2, 1, 1)).refutations)
    assert case.sizes["Γ"] + case.sizes["ss"] == case.sizes["g"] == 2
    assert case.counterexample is not None
    assert case.counterexample.parameters["seed"][0] == "pack of 2"


HEADER = """
from typing import Annotated
from symtape import equal, given, lemma, over
from symtape.encodings.graph import ReverseProgram, ShapeList, TensorPack
from symtape.encodings.graph_data import GraphData
from symtape.encodings.tape import Tape

@lemma()
def f(t: Tape, Γ: ShapeList, ss: ShapeList, {arguments}):
    'Doc.'
    return given().show(lambda: {goal})
"""


@pytest.mark.parametrize(
    ("arguments", "goal", "says"),
    [
        ("p: Annotated[TensorPack, over('Γ ++ zz')]", "True", "over zz, no earlier one"),
        ("p: Annotated[TensorPack, over('Γ ++ ')]", "True", "over , no earlier one"),
        ("p: Annotated[TensorPack, over('Γ ++ t')]", "True", r"over t \+\+ …, which has no \+\+"),
        ("g: Annotated[GraphData, over('Γ ++ ss')]", "True", "with 2 arguments"),
        ("bp: Annotated[ReverseProgram, over('ss')]", "bp.agreesWith(t)", "can be a hypothesis, but not a goal"),
        (
            "g: Annotated[GraphData, over('Γ', 'ss')], x: Annotated[TensorPack, over('ss')]",
            "equal(g.eval(x, x).toShapeErasedArray(), x.toShapeErasedArray())",
            "needs a pack over the list of shapes",
        ),
        ("p: Annotated[TensorPack, over('ss')]", "equal(p.unsnoc().prefix, p)", "has no last tensor"),
    ],
)
def test_what_is_not_well_typed_is_said_in_one_line(tmp_path: Path, arguments: str, goal: str, says: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEADER.format(arguments=arguments, goal=goal), "utf-8")
    with pytest.raises((StatementError, ValueError), match=says) as raised:
        decide(discover([file])["f"], Bound(1, 1, 1))
    assert "\n" not in str(raised.value)


def test_a_hypothesis_about_all_gradients_is_also_a_goal(tmp_path: Path) -> None:
    """What holds of every gradient by hypothesis holds of a fresh one; at the ids after it nothing is known."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from symtape import given, lemma\n"
        "from symtape.encodings.tape import Tape\n\n"
        "@lemma()\ndef same(t: Tape):\n    'Doc.'\n"
        "    return given(hpids=t.BackwardPidsLt()).show(lambda: t.BackwardPidsLt())\n\n"
        "@lemma()\ndef other(t: Tape, u: Tape):\n    'Doc.'\n"
        "    return given(hpids=t.BackwardPidsLt()).show(lambda: u.BackwardPidsLt())\n",
        "utf-8",
    )
    stated = discover([file])
    decided = decide(stated["same"], Bound(2, 2, 1))
    assert decided.verdict is Verdict.PROVED
    assert decided.core == {"hpids"}
    assert decide(stated["other"], Bound(1, 1, 1), until_refuted=True).verdict is Verdict.REFUTED
