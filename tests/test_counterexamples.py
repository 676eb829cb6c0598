"""Counterexamples: each replays, is small, is the same in every process, and a model that does not replay is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import jsonschema
import pytest

from symtape import Bound, Lemma, Verdict
from symtape.cli import main
from symtape.encodings import replay as replay_module
from symtape.encodings.backward import Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.result import Result, success
from symtape.encodings.tensor import SomeTensor
from symtape.findings import Counterexample
from symtape.results import counterexample, load, schema
from symtape.terminal import MOST_STEPS, refutation
from tests.deciding import decide, lemmas
from tests.refutations import refuted_lemmas, shown

NAMES = list(refuted_lemmas())
STEP_LAST = "backwardDenseFromStep_addNode_lowerNode_last"

FEW = [
    "addGradAll_any_order",
    "prefix_has_shape_of_any_seed",
    f"{STEP_LAST} on addGradAll_overwriting",
    "backwardDenseFrom_addNode_lowerNode on backwardDenseFromLoop_upward",
    "addGradAll_addNode_push without hacc",
]
"""One of each kind."""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line replays a lemma on an engine of the tests, too, although no file states it."""
    stated = {name: lemma for name, (lemma, _) in refuted_lemmas().items()}

    def find(name: str, paths: Any = ()) -> Lemma:
        return stated[name] if name in stated else lemmas()[name]

    monkeypatch.setattr(replay_module, "find_lemma", find)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("name", NAMES)
def test_it_replays(name: str) -> None:
    call = shown(name).call.removeprefix("from symtape.encodings.replay import *; print(").removesuffix(")")
    said = eval(call, {each: getattr(replay_module, each) for each in replay_module.__all__})
    assert said
    assert (said.replay.left, said.replay.right) == (shown(name).left, shown(name).right)


def test_half_of_them_have_at_most_two_nodes_and_none_has_more_than_three() -> None:
    nodes = [shown(name).measure[0] for name in NAMES]
    assert median(nodes) <= 2
    assert max(nodes) <= 3


@pytest.mark.parametrize("name", NAMES)
def test_it_says_all_that_the_schema_does(name: str) -> None:
    said = json.loads(json.dumps(shown(name).as_json()))
    jsonschema.validate(said, {"$defs": schema()["$defs"], "$ref": "#/$defs/counterexample"})
    assert Counterexample.from_json(said) == shown(name)
    assert said["pytest"].startswith('"""Refutes ')
    assert len(said["measure"]) == 10


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (
            "addGradAll_any_order",
            "add=Sums('a b', {'a + b': 'b'}, 'a'), t=Tape([Node(Tensor((), ['a']), True)]), "
            "acc=Accumulator([Tensor((), ['a'])]), pid=0, g=Tensor((), ['b']), h=Tensor((), ['a'])",
        ),
        (
            "addGradAll_addNode_push without hacc",
            "without=['hacc'], t=Tape([Node(Tensor((), [0]), True)]), nd=Node(Tensor((), [0]), True), "
            "v=Tensor((), [0]), acc=Accumulator([]), pid=0, pg=Tensor((), [0])",
        ),
        (
            f"{STEP_LAST} on backwardDenseFromStep_last_contribution_lost",
            "ss=ShapeList([()]), τ=(), t=Tape([Node(Tensor((), [0]), True)]), name='name0', "
            "node=NodeData((), Tensor((), [0]), {}, Pack([Tensor((), [1])])), ctx=Pack([Tensor((), [0])]), d='δ0', "
            "seedPrev=Pack([Tensor((), [0])]), seedOut=Tensor((), [0])",
        ),
    ],
)
def test_it_is_as_small_as_can_be(name: str, arguments: str) -> None:
    assert f", {arguments}))" in shown(name).call


@pytest.mark.parametrize("name", ["addGradAll_always_ok", "fold_ignores_order", "addGradAll_any_order"])
def test_no_error_is_met_where_something_else_shows_it(name: str) -> None:
    """Contributions that do not fit also refute these; but so does a sum, in the second over no usual addition."""
    assert not any("error" in line for line in (*shown(name).left, *shown(name).right))


_SAY = """
import json, sys
from tests.refutations import shown
print(json.dumps([shown(name).as_json() for name in json.loads(sys.argv[1])]))
"""


def _said_by_another_process(names: list[str], seed: str) -> Any:
    ran = subprocess.run(
        [sys.executable, "-c", _SAY, json.dumps(names)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)


def test_it_is_the_same_in_every_process() -> None:
    assert _said_by_another_process(FEW, "1") == [shown(name).as_json() for name in FEW]


@pytest.mark.slow
def test_all_are_the_same_in_every_process() -> None:
    assert _said_by_another_process(NAMES, "1") == _said_by_another_process(NAMES[::-1], "2")[::-1]


def test_the_simplest_is_shown() -> None:
    findings = decide(lemmas()["addGradAll_addNode_push"].without("hacc"), Bound(2, 1, 1)).findings
    chosen = counterexample({"obligations": [finding.as_json() for finding in findings]})
    assert chosen is not None
    measures = [f.counterexample.measure for f in findings if f.counterexample is not None]
    assert len(measures) > 1
    assert chosen["measure"] == min(measures)


class Disagreeing(Engine):
    """The model replaces a slot; what replays it does not."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return success(existing.world, contribution)

    def interpreter(self) -> type[Runtime]:
        return Unlike


class Unlike(Runtime):
    """The runtime itself, under another name."""


def test_a_model_that_does_not_replay_is_kept_for_us_to_look_at() -> None:
    decided = decide(lemmas()[STEP_LAST].on(Disagreeing()), Bound(1, 1, 1))
    assert decided.verdict is Verdict.UNDECIDED
    assert decided.refutations == []
    left = [finding for finding in decided.findings if finding.reason == "model did not replay"]
    assert left
    for finding in left:
        assert finding.unreplayed is not None
        assert finding.unreplayed.goal is True
        assert all(finding.unreplayed.hypotheses.values())
        assert finding.unreplayed.left == finding.unreplayed.right
        assert "replay(" in finding.unreplayed.call
        assert "(check-sat)" in finding.unreplayed.smtlib


def test_a_model_that_does_not_replay_is_a_file_of_the_report(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from symtape.discover import find_lemma\n"
        "from tests.test_counterexamples import STEP_LAST, Disagreeing\n"
        "disagreeing = find_lemma(STEP_LAST).on(Disagreeing())\n",
        "utf-8",
    )
    arguments = ["prove", "* on Disagreeing", "--bound", "1", "--encodings", str(tmp_path / "mine.py")]
    assert main([*arguments, "--report", str(tmp_path / "report")]) == 3
    results = load(tmp_path / "report" / "results.json")
    kept = [o["unreplayed"] for o in results["lemmas"][0]["obligations"] if o["unreplayed"]]
    assert kept
    files = sorted((tmp_path / "report" / "unreplayed").iterdir())
    assert [json.loads(file.read_text("utf-8")) for file in files] == kept
    assert files[0].name == f"{STEP_LAST}_on_Disagreeing_ss_1_t_1.json"


@pytest.mark.parametrize("more", [0, 1, 60])
def test_the_terminal_is_told_what_it_is_not_shown(more: int) -> None:
    steps = [{"depth": 0, "text": f"step {i}"} for i in range(MOST_STEPS - 1 + more)]
    said = {**shown(FEW[0]).as_json(), "steps": {"left": steps, "right": [*steps[:3], {"depth": 0, "text": "other"}]}}
    lines = refutation("x", said)
    after = lines[lines.index("  step by step:") + 1 :]
    assert len(after) <= MOST_STEPS + 1
    assert [line for line in after if "…" in line] == ([f"  … {more} more, see the report"] if more else [])
    assert after[:4] == ["  both   step 0", "  both   step 1", "  both   step 2", "≠ left   step 3"]
