"""Step by step: what is told of a run is what ran, on the runtime and on changed engines."""

from __future__ import annotations

import pytest

from symtape.encodings import plain
from symtape.encodings.backward import Engine
from symtape.encodings.drawing import tapes
from symtape.encodings.interpreter import Runtime
from symtape.encodings.plain import Accumulator, Backward, Contributions, Error, Node, Ok, Tape, Tensor, using
from symtape.encodings.replay import Arithmetic, evaluate
from symtape.encodings.trace import Watcher, trace
from tests import changed_engines as changed
from tests.deciding import lemmas
from tests.refutations import shown

INT = Arithmetic("int")
STEP_LAST = "backwardDenseFromStep_addNode_lowerNode_last"


def scalar(entry: int) -> Tensor:
    return Tensor((), [entry])


def emits(on: int, *to: tuple[int, int]) -> Backward:
    return Backward({scalar(on): Ok(Contributions((pid, scalar(entry)) for pid, entry in to))})


T = Tape([Node(scalar(0)), Node(scalar(0), False), Node(scalar(0), backward=emits(5, (0, 3), (1, 4), (0, 6)))])
ACC = Accumulator([scalar(1), scalar(2), scalar(5)])


def told(engine: type[Engine] | None = None, t: Tape = T, acc: Accumulator = ACC) -> list[str]:
    runtime = INT.runtime(None if engine is None else engine())
    with using(runtime):
        expected = t.backwardDenseFrom(acc)
    watcher = Watcher(runtime)
    with using(runtime):
        assert t.backwardDenseFrom(acc) == expected
    return ["  " * event.depth + event.text for event in watcher.log]


def test_a_pass_in_words() -> None:
    assert told() == [
        "dense pass over 3 nodes",
        "  step at node 2: slot [2] holds 5",
        "    backward of node 2 on 5 emits 3 → node 0, 4 → node 1, 6 → node 0",
        "    node 0 gets 3: slot [0]: 1 + 3 = 4",
        "    node 1 gets 4: requires no gradient, nothing is added",
        "    node 0 gets 6: slot [0]: 4 + 6 = 10",
        "  step at node 1: it requires no gradient and is passed over",
        "  step at node 0: slot [0] holds 10",
        "    backward of node 0 on 10 emits nothing",
    ]


@pytest.mark.parametrize(
    ("t", "acc", "said"),
    [
        (Tape([Node(scalar(0), backward=emits(5, (7, 3)))]), [5], "    node 7 gets 3: error "),
        (
            Tape([Node(scalar(0), backward=Backward({}, Error("no")))]),
            [5],
            "    backward of node 0 on 5 fails, error ",
        ),
        (Tape([Node(Tensor((1,), [0]))]), [5], "    error "),
        (Tape([]), [5], "  error "),
    ],
)
def test_an_error_is_told_where_it_comes_from(t: Tape, acc: list[int], said: str) -> None:
    *_, last = told(t=t, acc=Accumulator(map(scalar, acc)))
    assert last.startswith(said)


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (changed.Overwrite, "node 0 gets 3: slot [0]: 1 becomes 3"),
        (changed.OperandsSwapped, "node 0 gets 3: slot [0]: 3 + 1 = 4"),
        (changed.AddedTwice, "node 0 gets 3: slot [0]: 1 + 3 = 4, 4 + 3 = 7"),
        (changed.NextSlotWritten, "node 0 gets 3: slot [1]: 1 + 3 = 4"),
        (changed.ArrayGrows, "node 0 gets 3: slot [0]: 1 + 3 = 4; new slot [3]: 3"),
        (changed.StaleRead, "slot [0]: 4 becomes 1"),
        (changed.OwnSlotDoubled, "slot [2]: 5 + 5 = 10"),
        (changed.FirstSlotRead, "backward of node 2 on 1 emits nothing"),
        (changed.LoopOneLong, "step at node 3: it is not on the tape of 3"),
        (changed.FlagsIgnored, "node 1 gets 4: slot [1]: 2 + 4 = 6"),
    ],
)
def test_what_a_changed_engine_does_is_told(engine: type[Engine], said: str) -> None:
    assert said in [line.strip() for line in told(engine)]


@pytest.mark.parametrize("name", changed.MUTANTS)
def test_watching_changes_no_engine(name: str) -> None:
    told(type(changed.MUTANTS[name].engine))


def test_both_sides_are_told_apart() -> None:
    lemma = lemmas()["addGradAll_addNode_push"].without("hacc")
    nd = Node(scalar(0))
    values = {"t": Tape([nd]), "nd": nd, "v": scalar(8), "acc": Accumulator([]), "pid": 0, "pg": scalar(3)}
    run = trace(lemma, values, INT)
    assert run.steps() == {
        "left": [
            {"depth": 0, "text": "node 0 gets 3: slot [0]: 8 + 3 = 11"},
            {"depth": 0, "text": "result: ok, [0] 11"},
        ],
        "right": [
            {"depth": 0, "text": 'node 0 gets 3: error "autograd: internal error (gradient array out of bounds)"'},
            {"depth": 0, "text": 'result: error "autograd: internal error (gradient array out of bounds)"'},
        ],
    }
    goal = evaluate(lemma, values, INT).goal
    assert (goal.lhs, goal.rhs) == run.sides
    assert [(each["title"], [node["appended"] for node in each["nodes"]]) for each in tapes(values, run)] == [
        ("left", [False, True]),
        ("right", [False]),
    ]


def test_what_no_result_carries_is_told_too() -> None:
    """The right side of the last step is a sum of packs, not a run."""
    steps = shown(f"{STEP_LAST} on backwardDenseFromStep_last_contribution_lost").steps
    assert [step["text"] for step in steps["left"]][:2] == [
        "step at node 1: slot [1] holds 0",
        "backward of node 1 on 0 emits 1 → node 0",
    ]
    assert [step["text"] for step in steps["right"]] == ["0 + 1 = 1", "result: ok, [0] 1, [1] 0"]


def test_the_drawing_has_what_a_lowered_node_emits() -> None:
    (tape,) = shown(f"{STEP_LAST} on backwardDenseFromStep_last_contribution_lost").tapes
    assert tape["title"] == "left"
    first, last = tape["nodes"]
    assert not first["appended"] and last["appended"]
    assert last["emits"] == [{"on": "scalar: 0", "to": [{"node": 0, "gradient": "scalar: 1"}], "error": None}]


def test_the_drawing_keeps_ids_that_are_out_of_range_and_errors() -> None:
    t = Tape([Node(scalar(0), backward=Backward({scalar(5): Ok(Contributions([(9, scalar(1))]))}, Error("no")))])
    lemma = lemmas()["backwardDenseFromStep_addNode_push"]
    values = {"t": t, "nd": Node(scalar(0)), "v": scalar(8), "acc": Accumulator([scalar(5)]), "id": 0}
    longer, given = tapes(values, trace(lemma, values, INT))
    assert (longer["title"], given["title"]) == ("left", "right")
    assert given["nodes"][0]["emits"] == [
        {"on": "scalar: 5", "to": [{"node": 9, "gradient": "scalar: 1"}], "error": None},
        {"on": "anything else", "to": [], "error": "no"},
    ]


def test_where_no_pass_runs_there_are_no_steps_and_the_given_tapes_are_drawn() -> None:
    said = shown("getNode?_addNode_of_lt without hid")
    assert said.steps == {"left": [], "right": []}
    assert [tape["title"] for tape in said.tapes] == ["t"]


def test_events_are_no_part_of_a_result() -> None:
    told_of = plain.after(("event",), Ok(scalar(1)))
    assert told_of == Ok(scalar(1))
    assert repr(told_of) == repr(Ok(scalar(1)))
    assert told_of.map(lambda x: x).events == told_of.bind(lambda x: Error("e")).events == ("event",)
    assert type(INT.runtime()) is Runtime
