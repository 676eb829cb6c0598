"""How a counterexample is shown: its tape as a picture, both sides and their steps beside each other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtape.reports.counterexample import AFTER, BEFORE
from symtape.reports.page import render
from symtape.reports.tape import CHARACTER, draw_tape, in_words
from symtape.results import ResultsError, check
from tests.pages import Page, block
from tests.written_audits import TAPE, counterexample, emits, node, old_counterexample
from tests.written_results import lemma, results

GOLDEN = Path(__file__).parent / "golden" / "tape.svg"


def refuted(shown: dict[str, Any]) -> dict[str, Any]:
    """A results file of one lemma with this counterexample."""
    found = results(lemma("false", known=["refuted"]))
    found["lemmas"][0]["obligations"][0]["counterexample"] = shown
    return found


def said(**changes: Any) -> str:
    return Page(block(render(refuted(counterexample("false", **changes))), "false")).text


# --- the picture ---


def test_the_picture_is_as_before() -> None:
    assert draw_tape(TAPE) + "\n" == GOLDEN.read_text("utf-8")


def test_the_picture_says_everything() -> None:
    drawn = ElementTree.fromstring(draw_tape(TAPE))
    texts = [each.text for each in drawn.iter("text")]
    for text in (
        *("0: scalar: 8", "1: shape [2]: 1, 3", "2: scalar: 2", "3: scalar: 3", "no node 5", "+ appended"),
        *("scalar: 5 → 0", "scalar: 6 → 0", "shape [2]: 7, 7 → 1", "scalar: 9 → 5", "on scalar: 2", "emits nothing"),
        "✗ fails: no gradient for this",
    ):
        assert texts.count(text) == 1
    assert texts.count("requires grad") == 3
    assert texts.count("no grad required") == 1
    (title,), (desc,) = drawn.iter("title"), drawn.iter("desc")
    assert title.text == TAPE["title"] == "left"
    assert desc.text == in_words(TAPE)
    assert "Node 3, scalar: 3, requires grad, appended." in in_words(TAPE)
    assert "On scalar: 1: scalar: 1 to node 0; scalar: 9 to node 5, which does not exist." in in_words(TAPE)
    assert "On scalar: 1: fails with no gradient for this." in in_words(TAPE)
    assert "On scalar: 2: nothing." in in_words(TAPE)


def test_what_does_not_exist_is_dashed_and_the_arrow_to_it_too() -> None:
    drawn = draw_tape(TAPE)
    assert drawn.count('<rect class="absent"') == 1
    assert drawn.count('<path class="emits lost"') == 1
    assert drawn.count('<path class="emits"') == 4


def test_a_tape_of_no_nodes_is_a_picture_too() -> None:
    assert "a tape of no nodes" in draw_tape({"title": "t", "nodes": []})


WORDS = st.text("ab <&-1", max_size=60)


@st.composite
def tapes(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(0, 4))
    answers = st.builds(
        lambda on, to, error: emits(on, *([] if error is not None else to), error=error),
        WORDS,
        st.lists(st.tuples(st.integers(-1, 6), WORDS), max_size=3),
        st.none() | WORDS,
    )
    nodes = [
        node(i, draw(WORDS), *draw(st.lists(answers, max_size=2)), grad=draw(st.booleans())) for i in range(size)
    ]
    return {"title": draw(WORDS), "nodes": nodes}


@settings(max_examples=150, derandomize=True, deadline=None)
@given(tapes())
def test_nothing_lies_on_anything_else(tape: dict[str, Any]) -> None:
    drawn = ElementTree.fromstring(draw_tape(tape))
    width, height = (float(drawn.get(side, "0")) for side in ("width", "height"))
    boxes = [
        tuple(float(rect.get(side, "0")) for side in ("x", "y", "width", "height")) for rect in drawn.iter("rect")
    ]
    asked = {to["node"] for each in tape["nodes"] for answer in each["emits"] for to in answer["to"]}
    assert len(boxes) == len({each["id"] for each in tape["nodes"]} | asked)
    below = 0.0
    for _, y, w, h in boxes:
        assert y > below and w < width and y + h < height + 0.1
        below = y + h
    labels = []
    for text in drawn.iter("text"):
        x, y, long = float(text.get("x", "0")), float(text.get("y", "0")), CHARACTER * len(text.text or "")
        assert x + long <= width + 0.1
        if boxes and x > boxes[0][2]:
            labels.append((y, x + long))
        elif boxes:
            assert x + long < 1 + boxes[0][2]
    arrows = [read_arrow(path.get("d", "")) for path in drawn.iter("path") if "emits" in path.get("class", "")]
    assert len(arrows) == sum(len(answer["to"]) for each in tape["nodes"] for answer in each["emits"])
    rows = [y for _, start, end in arrows for y in (start, end)]
    assert len(set(rows)) == len(rows)
    assert all(lane > right for lane, _, _ in arrows for _, right in labels)
    # A label may stand on the row where its own arrow begins, on no row where one ends.
    assert not {y - 4.5 for y, _ in labels} & {end for _, _, end in arrows}
    for i, (lane, *span) in enumerate(arrows):
        for other, *there in arrows[:i]:
            assert lane != other or max(span) < min(there) or max(there) < min(span)


def read_arrow(path: str) -> tuple[float, float, float]:
    """The lane of an arrow, and the heights at which it leaves and ends."""
    found = re.fullmatch(r"M\S+ (\S+)H(\S+)q5 0 5 (-?5)V(\S+)q0 -?5 -5 -?5H\S+", path)
    assert found is not None
    start, lane, down, end = map(float, found.groups())
    return lane + 5, start, end + down


# --- both sides ---


def test_lines_that_differ_are_marked_with_more_than_colour() -> None:
    text = said()
    assert "left side right side ok accumulator of 2 slots ok accumulator of 2 slots ≠ differs" in text
    assert "≠ differs [0] scalar: 1 [0] scalar: 7 ≠ differs [1] scalar: 2 (nothing)" in text


def test_steps_stand_beside_each_other_with_the_first_difference_marked() -> None:
    text = said()
    assert "Steps of both sides: 4 and 5; they first differ at step 4 step left side right side 1 backward" in text
    assert "≠ first difference 4 addGradAll slot 5: error" in text
    assert text.count("first difference") == 1
    assert "(no step) step at node 2: no gradient required" in text
    assert 'class="depth-2"' in render(refuted(counterexample("false")))


def test_of_many_steps_those_around_the_first_difference_are_shown() -> None:
    left = [{"depth": 0, "text": f"step number {i}."} for i in range(40)]
    right = [*left[:20], {"depth": 0, "text": "another"}, *left[21:]]
    text = said(steps={"left": left, "right": right})
    shown = [i for i in range(40) if f"step number {i}." in text]
    assert shown == list(range(20 - BEFORE, 20 + AFTER))
    assert f"{20 - BEFORE} more steps, in the data file" in text
    assert f"{20 - AFTER} more steps, in the data file" in text
    assert "first differ at step 21" in text
    assert "without a difference" in said(steps={"left": left, "right": left})


def test_a_test_for_pytest_is_shown() -> None:
    assert "As a test for pytest def test_false():" in said()


def test_files_from_before_have_neither_steps_nor_pictures() -> None:
    old = refuted(old_counterexample("false"))
    check(old, "old")
    page = Page(block(render(old), "false"))
    assert "≠ differs [0] scalar: 1" in page.text
    assert old_counterexample("false")["call"] in page.text
    assert "svg" not in page.tags
    for word in ("Steps", "pytest"):
        assert word not in page.text


def test_new_files_follow_the_schema() -> None:
    check(refuted(counterexample("false")), "new")


@pytest.mark.parametrize(
    "broken",
    [
        {"steps": {"left": []}},
        {"steps": {"left": [{"depth": -1, "text": ""}], "right": []}},
        {"tapes": [{"title": "t"}]},
        {"tapes": [{"title": "t", "nodes": [{"id": 0}]}]},
        {"pytest": 1},
    ],
)
def test_the_schema_rejects_what_cannot_be_drawn(broken: dict[str, Any]) -> None:
    with pytest.raises(ResultsError):
        check(refuted(counterexample("false", **broken)), "broken")


@pytest.mark.parametrize("nasty", ["</style><b>", '"><img src=x>', "<script>"])
def test_text_is_escaped(nasty: str) -> None:
    def named(name: str) -> dict[str, Any]:
        drawn = node(0, name, emits(name, (0, name)), emits("x", error=name))
        return refuted(
            counterexample(
                "false",
                call=name,
                pytest=name,
                parameters={name: [name]},
                left=[name],
                right=[name, name],
                sizes={name: 1},
                steps={"left": [{"depth": 0, "text": name}], "right": []},
                tapes=[{"title": name, "nodes": [drawn]}],
            )
        )

    plain, page = Page(render(named("harmless"))), Page(render(named(nasty)))
    assert page.tags == plain.tags
    assert page.text.count(nasty) == plain.text.count("harmless") >= 9
