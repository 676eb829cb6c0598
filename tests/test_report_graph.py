"""The graph in the report: where boxes and arrows go, what stands in them, what is left out, and what is folded."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtape.reports import pictures
from symtape.reports.arrows import ARROWS, joined
from symtape.reports.boxes import WIDTH, Box, anchor, broken, of_lemma, worst_of
from symtape.reports.graph import dependency_graph, export
from symtape.reports.layout import Placement, Point, place
from symtape.reports.page import render
from symtape.reports.status import FULLY, NOT_FULLY
from symtape.reports.svg import draw
from tests.pages import Page, around, node
from tests.written_results import every_size, lemma, results

Sizes = dict[str, tuple[float, float]]
Lemmas = list[dict[str, Any]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[nx.DiGraph[str], Sizes]:
    count = draw(st.integers(0, 18))
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(f"n{i}" for i in range(count))
    for i in range(1, count):
        graph.add_edges_from((f"n{j}", f"n{i}") for j in draw(st.sets(st.integers(0, i - 1), max_size=4)))
    size = st.tuples(st.sampled_from([80.0, 199.2, 260.0]), st.sampled_from([40.0, 83.0, 130.0]))
    return graph, {name: draw(size) for name in graph}


def points(route: list[Point], steps: int = 12) -> list[Point]:
    """Points along a chain of Bézier curves."""
    found = [route[0]]
    for i in range(0, len(route) - 3, 3):
        for step in range(1, steps + 1):
            t = step / steps
            parts = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(p * at[axis] for p, at in zip(parts, route[i : i + 4], strict=True)) for axis in (0, 1))
            found.append((x, y))
    return found


def check_placement(placed: Placement, graph: nx.DiGraph[str], sizes: Sizes) -> None:
    """Nothing overlaps, nothing sticks out, arrows run downward from box to box and through no other."""
    assert set(placed.centres) == set(graph)
    assert set(placed.routes) == set(graph.edges)
    slack = 0.11  # positions are rounded to a tenth
    boxes = {
        name: (x - sizes[name][0] / 2, y - sizes[name][1] / 2, x + sizes[name][0] / 2, y + sizes[name][1] / 2)
        for name, (x, y) in placed.centres.items()
    }
    for left, top, right, bottom in boxes.values():
        assert left >= -slack and top >= -slack
        assert right <= placed.width + slack and bottom <= placed.height + slack
    for a, b in combinations(boxes.values(), 2):
        assert a[2] <= b[0] + slack or b[2] <= a[0] + slack or a[3] <= b[1] + slack or b[3] <= a[1] + slack
    for (used, user), route in placed.routes.items():
        assert len(route) % 3 == 1
        way = points(route)
        assert boxes[used][0] < way[0][0] < boxes[used][2] and abs(way[0][1] - boxes[used][3]) < slack
        assert boxes[user][0] < way[-1][0] < boxes[user][2] and abs(way[-1][1] - boxes[user][1]) < slack
        assert all(above[1] <= below[1] + 1e-6 for above, below in pairwise(way))
        for x, y in way:
            assert -slack <= x <= placed.width + slack
            for left, top, right, bottom in boxes.values():
                assert not (left + slack < x < right - slack and top + slack < y < bottom - slack)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(graphs(), st.integers(0, 3))
def test_nothing_overlaps_and_no_arrow_runs_through_a_box(made: tuple[nx.DiGraph[str], Sizes], seed: int) -> None:
    graph, sizes = made
    placed = place(graph, sizes)
    check_placement(placed, graph, sizes)
    shuffle = random.Random(seed)
    other: nx.DiGraph[str] = nx.DiGraph()
    other.add_nodes_from(shuffle.sample(list(graph), len(graph)))
    other.add_edges_from(shuffle.sample(list(graph.edges), len(graph.edges)))
    assert place(other, dict(reversed(sizes.items()))) == placed


def test_the_empty_picture_can_be_drawn() -> None:
    assert place(nx.DiGraph(), {}) == Placement({}, {}, 0.0, 0.0)
    assert "<svg" in export([], "svg")


# --- a library ---


def library(count: int, groups: int = 4) -> Lemmas:
    """Lemmas in groups; each uses some before it, and all that these use, declared anew."""
    made: Lemmas = []
    draw = random.Random(count)
    for i in range(count):
        near = draw.sample(range(max(0, i - 6), i), min(i, 2))
        uses = sorted({made[j]["name"] for j in near} | {name for j in near for name in made[j]["uses"][:1]})
        said = every_size(dict.fromkeys(uses, "prove"))
        made.append({**lemma(f"lemma{i}", said, known=["proved"] * 17), "group": f"group {i % groups}"})
    return made


@pytest.fixture(scope="module")
def small() -> Lemmas:
    return library(20)


@pytest.fixture(scope="module")
def large() -> Lemmas:
    """More than are drawn at once, one of them refuted."""
    made = library(pictures.FOLDED + 20)
    bad = lemma("lemma33", known=["proved", "refuted"])
    made[33] = {**bad, "group": made[33]["group"], "uses": made[33]["uses"]}
    return made


def test_what_follows_from_other_arrows_is_left_out_unless_asked_for(small: Lemmas) -> None:
    graph = dependency_graph(small)
    few, every = pictures.whole(small), pictures.whole(small, every_arrow=True)
    assert {(line.used, line.user) for line in every.lines} == set(graph.edges)
    assert few.left_out == len(every.lines) - len(few.lines) > 0
    drawn = nx.DiGraph([(line.used, line.user) for line in few.lines])
    assert set(nx.transitive_closure(drawn).edges) == set(nx.transitive_closure(graph).edges)


def test_what_is_needed_never_follows_from_what_is_not() -> None:
    a, b = lemma("a", every_size()), lemma("b", every_size({"a": ""}))
    c = lemma("c", every_size({"a": "prove", "b": "prove"}))
    assert pictures.whole([a, b, c]).left_out == 0
    b = lemma("b", every_size({"a": "state"}))
    assert pictures.whole([a, b, c]).left_out == 1


def test_the_exports_have_every_arrow(small: Lemmas) -> None:
    edges = set(dependency_graph(small).edges)
    assert {(each["from"], each["to"]) for each in json.loads(export(small, "json"))["edges"]} == edges
    assert export(small, "dot").count(" -> ") == len(edges)
    assert export(small, "graphml").count("<edge ") == len(edges)
    assert export(small, "svg", every_arrow=True).count("data-from=") == len(edges)
    assert export(small, "svg").count("data-from=") < len(edges)


def test_the_page_has_a_switch_that_needs_no_script(small: Lemmas) -> None:
    page = render(results(*small))
    left_out = pictures.whole(small).left_out
    assert f"Show also the {left_out} arrows that follow from others" in Page(page).text
    assert re.search(r'<input type="checkbox" id="every-arrow">\s*<label for="every-arrow">', page)
    assert ":checked~.every{display:block}" in page
    lone = render(results(lemma("fine", every_size())))
    assert "every-arrow" not in lone.split("</style>")[1]


def test_boxes_and_arrows_say_what_they_are(small: Lemmas) -> None:
    drawing = draw(pictures.whole(small))
    for each in small:
        name, group = each["name"], each["group"]
        assert f'<a href="#{anchor(name)}" data-name="{name}" data-group="{group}"><title>{name}' in drawing
    for used, user, kind in dependency_graph(small).edges(data="kind"):
        found = re.findall(rf'data-from="{used}" data-to="{user}" data-kind="([^"]*)"', drawing)
        assert found in ([], [kind])
    assert drawing.startswith('<svg class="graph"')
    assert re.search(r"<title>20 lemmas and what they use</title>\s*<desc>20 boxes, ", drawing)


def test_a_file_of_its_own_is_whole(small: Lemmas) -> None:
    drawing = export(small, "svg")
    root = ElementTree.fromstring(drawing)
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert sorted(ids) == sorted(set(re.findall(r"url\(#(\w+)\)", drawing)) | set(ids))
    for variable in set(re.findall(r"var\((--[\w-]+)\)", drawing)):
        assert f"{variable}:#" in drawing or variable == "--line"


def test_a_cycle_is_no_picture() -> None:
    circle = [lemma("a", every_size({"b": "prove"})), lemma("b", every_size({"a": "prove"}))]
    with pytest.raises(nx.NetworkXError):
        pictures.whole(circle)


def test_the_order_of_the_lemmas_does_not_matter(small: Lemmas, large: Lemmas) -> None:
    for lemmas in (small, large):
        other = random.Random(1).sample(lemmas, len(lemmas))
        assert export(other, "svg") == export(lemmas, "svg")
        assert draw(pictures.of_groups(other)) == draw(pictures.of_groups(lemmas))
        assert {name: draw(each) for name, each in pictures.of_each_group(other).items()} == {
            name: draw(each) for name, each in pictures.of_each_group(lemmas).items()
        }


def test_hashing_does_not_matter() -> None:
    program = (
        "from tests.test_report_graph import library; from tests.written_results import results;"
        "from symtape.reports.page import render; print(render(results(*library(80))))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parent.parent,
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "7")
    }
    assert len(said) == 1


# --- boxes ---


@pytest.mark.parametrize(
    "name",
    [
        "backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx",
        "aNameInHumpsOnlyThatIsLongerThanAnyLine",
        "x" * 100,
        "Proofs.Autograd.Algebra.Graph.addGradAll",
        "a",
    ],
)
def test_names_are_broken_and_never_cut(name: str) -> None:
    lines = broken(name)
    assert "".join(lines) == name
    assert all(len(line) <= WIDTH for line in lines)


def test_seventeen_sizes_fit_into_one_row() -> None:
    box = of_lemma(lemma("fine", known=["proved"] * 17))
    assert box.columns >= 17
    assert len(box.strip) == 17
    more = of_lemma(lemma("fine", known=["proved"] * 65))
    assert more.size[0] <= of_lemma(lemma("x" * 24, every_size(), known=["proved"])).size[0] + 30
    assert more.size[1] > box.size[1]


def test_the_strip_says_what_was_found_at_each_size() -> None:
    said = lemma("odd", known=["proved", "proved", "undecided", "refuted"])
    drawing = draw(pictures.whole([said]))
    assert "<title>tape sizes 0-1: proved; 2: undecided; 3: refuted</title>" in drawing
    assert {path: len(re.findall("8h-8z", d)) or d.count("h-8z") for path, d in _cells(drawing)} == {
        "proved": 2,
        "undecided": 1,
        "refuted": 1,
    }
    assert re.findall(r'<text class="[\w-]+ glyph"[^>]*>(.)</text>', drawing) == ["?", "✗"]


def _cells(drawing: str) -> list[tuple[str, str]]:
    return re.findall(r'<path class="([\w-]+) cell" d="([^"]*)"', drawing)


def test_taint_shows_without_colour() -> None:
    taken = lemma("taken", every_size(reason="admitted: x", proof="admitted: x"))
    rests = lemma("rests", every_size({"taken": "prove"}, admitted=["taken"]))
    drawing = draw(pictures.whole([taken, rests]))
    assert drawing.count('class="proved-not-fully hatch"') == 1
    assert re.search(r'<rect class="proved-not-fully"[^>]* stroke-dasharray="6 3"/>', drawing)
    assert drawing.count('class="edge use-prove bad"') == 1


# --- folding ---


def test_many_lemmas_start_folded_and_few_do_not(small: Lemmas, large: Lemmas) -> None:
    assert not pictures.folds(small) and pictures.folds(large)
    assert not pictures.folds([{**each, "group": "one"} for each in large])
    page = render(results(*large))
    assert page.count('<details class="fold">') == 4
    for each in large:
        assert len(re.findall(rf'<a [^>]*data-name="{each["name"]}"', page)) == 1
    shown = Page(page)
    assert len(shown.ids) == len(set(shown.ids))
    assert {link[1:] for link in shown.links if link.startswith("#")} <= set(shown.ids)
    assert 'class="fold"' not in render(results(*small))


def test_a_group_looks_like_its_worst_lemma_and_counts_them(large: Lemmas) -> None:
    boxes = {box.key: box for box in pictures.of_groups(large).boxes}
    assert boxes["group 1"].word == "refuted"
    assert boxes["group 0"].word == FULLY
    assert [text for _, text in boxes["group 1"].lines] == [
        "group 1",
        "20 lemmas",
        "19 ✓✓ fully proved",
        "1 ✗ refuted",
    ]


@pytest.mark.parametrize(
    ("words", "worst"),
    [
        ([FULLY, FULLY], FULLY),
        ([FULLY, NOT_FULLY], NOT_FULLY),
        ([FULLY, "proved"], "proved"),
        ([NOT_FULLY, "proved"], NOT_FULLY),
        ([FULLY, None], None),
        ([None, "undecided"], "undecided"),
        (["undecided", "refuted", NOT_FULLY], "refuted"),
        (["proved", "vacuous"], "vacuous"),
    ],
)
def test_the_worst_of_a_group(words: list[str | None], worst: str | None) -> None:
    assert worst_of(words) == worst


def test_groups_may_use_each_other(large: Lemmas) -> None:
    picture = pictures.of_groups(large)
    drawing = draw(picture)
    assert any(line.both for line in picture.lines)
    assert drawing.count('marker-start="url(#arrow)"') == sum(
        line.both and ARROWS[line.kind].found for line in picture.lines
    )
    group = {each["name"]: each["group"] for each in large}
    between = {frozenset((group[a], group[b])) for a, b in dependency_graph(large).edges if group[a] != group[b]}
    assert {frozenset((line.used, line.user)) for line in picture.lines} == between


def test_three_groups_in_a_circle_are_drawn() -> None:
    chain = [
        {**lemma(f"l{i}", every_size({f"l{i - 1}": "prove"} if i else {})), "group": f"g{i % 3}"} for i in range(4)
    ]
    picture = pictures.of_groups(chain)
    assert {(line.used, line.user) for line in picture.lines} == {("g0", "g1"), ("g1", "g2"), ("g2", "g0")}
    assert picture.against
    assert draw(picture).count(" data-from-group=") == 3
    assert "data-name=" not in draw(picture)


def test_a_group_shows_its_neighbours(large: Lemmas) -> None:
    picture = pictures.of_each_group(large)["group 2"]
    inside = [box for box in picture.boxes if not box.style]
    outside = [box for box in picture.boxes if box.style]
    assert [box.key for box in inside] == [each["name"] for each in large if each["group"] == "group 2"]
    assert {box.group for box in outside} <= {"group 0", "group 1", "group 3"}
    graph = dependency_graph(large)
    for box in inside:
        around = {*graph.predecessors(box.key), *graph.successors(box.key)} - {each.key for each in inside}
        said = " ".join(line.title for line in picture.lines if box.key in (line.used, line.user))
        assert all(name in said for name in around)


def test_a_line_for_several_uses_is_what_some_of_them_are() -> None:
    assert joined(["prove", "not needed"]) == "prove"
    assert joined(["prove", "state"]) == "prove and state"
    assert joined(["not needed", "not needed"]) == "not needed"
    assert joined(["declared"]) == "declared"


# --- around one lemma ---


def test_what_is_near_a_lemma() -> None:
    chain = [lemma(f"l{i}", every_size({f"l{i - 1}": "prove"} if i else {})) for i in range(6)]
    assert pictures.near(chain, ["l2"], 1) == {"l1", "l2", "l3"}
    assert pictures.near(chain, ["l2"], 2, down=False) == {"l0", "l1", "l2"}
    assert pictures.near(chain, ["l2"], 9, up=False) == {"l2", "l3", "l4", "l5"}
    assert pictures.near(chain, ["l0", "l5"], 0) == {"l0", "l5"}


def test_a_block_has_the_picture_around_its_lemma() -> None:
    chain = [lemma(f"l{i}", every_size({f"l{i - 1}": "prove"} if i else {})) for i in range(4)]
    page = render(results(*chain, lemma("alone", every_size())))
    assert re.findall(r'data-name="(\w+)"', around(page, "l1")) == ["l0", "l1", "l2"]
    assert around(page, "alone") == ""
    assert node(page, "l1") == "l1 ✓✓ fully proved at every size"


def test_a_box_is_as_wide_as_what_it_says() -> None:
    box = Box("a", "#a", "", None, (("name", "a" * 24), ("word", "b" * 29)), "a")
    assert box.size[0] >= 24 * 7.2
    assert box.size[0] >= 29 * 6.6


@pytest.mark.parametrize("form", ["svg", "graphml"])
@pytest.mark.parametrize("group", ["a\x00b", "\x1b[31m", "\ufffe", '<&"]]>'])
def test_an_export_is_xml_whatever_it_names(form: str, group: str) -> None:
    name = f"one {group}"
    made = [{**lemma(name, every_size()), "group": group}, lemma("two", every_size({name: "prove"}))]
    text = export(made, form)
    ElementTree.fromstring(text)
    assert text == export([dict(each) for each in made], form)


def test_arrows_that_are_left_out_without_a_switch_are_counted() -> None:
    """More lemmas than have a switch, in one group, so that nothing is folded."""
    uses = [{f"l{i - 1}": "prove", **({"l0": "prove"} if i == 2 else {})} if i else {} for i in range(61)]
    made = [lemma(f"l{i}", every_size(each)) for i, each in enumerate(uses)]
    shown = render(results(*made))
    assert "every-arrow" not in shown.partition("<body>")[2]
    assert "1 arrow that follows from others is not drawn" in Page(shown).text
    assert "not drawn" not in Page(render(results(*made[:2]))).text
