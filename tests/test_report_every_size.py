"""The report on proofs at every size: which of the two it was, how full a proof, what for each lemma was needed."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from symtape.cli import main
from symtape.reports.arrows import ARROWS
from symtape.reports.graph import export
from symtape.reports.page import render
from symtape.reports.rules import RULES
from symtape.reports.status import FULLY, NOT_FULLY, STATUSES
from symtape.results import check, dump, load
from tests.pages import Page, block, node, row, section
from tests.written_results import EVERY, KNOWN, every_size, lemma, obligation, results

GOLDEN = Path(__file__).parent / "golden" / "report_graph.dot"
REASON = "admitted: shown on paper"
IH = "induction hypothesis #3"
STEPS = (
    obligation("base", "goal", "goal", rlimit=0),
    obligation("step", "hset", "have", "h"),
    obligation("step", "taken #1", "types"),
    obligation("step", "taken #1", "h", "h", "hset"),
    obligation("step", "other #2", "types", needed=False),
    obligation("step", "other #2", "h", "h", needed=False),
    obligation("step", IH, "size"),
    obligation("step", IH, "h", "taken #1"),
    obligation("step", "goal", "goal", "hset", "taken #1", IH),
)


def tainted(name: str, uses: dict[str, str], **more: Any) -> dict[str, Any]:
    """A lemma that rests on `taken`, which was taken to be true."""
    said = every_size(uses, admitted=["taken"], reason="proved from taken, which is not", **more)
    return lemma(name, said)


@pytest.fixture(scope="module")
def mixed() -> dict[str, Any]:
    """One admitted lemma, two that rest on it, one that rests on nothing, one without a proof."""
    return results(
        lemma("taken", every_size(reason=REASON, proof=REASON)),
        lemma("other", every_size(hypotheses=["h"]), hypotheses=["h", "hidle"]),
        tainted("rests", {"taken": "prove and state", "other": ""}, proof="induction on m", obligations=STEPS),
        tainted("above", {"rests": "state", "other": "prove"}),
        lemma("open", every_size({"other": ""}, reason="the claim: the goal does not follow")),
    )


@pytest.fixture(scope="module")
def page(mixed: dict[str, Any]) -> str:
    return render(mixed)


@pytest.fixture(scope="module")
def both() -> str:
    """A page on lemmas that were asked about at every size and at known sizes."""
    return render(
        results(
            lemma("fine", every_size(), known=["proved", "proved"]),
            lemma("slow", every_size(), known=["proved", "undecided"]),
            lemma("stuck", every_size(reason="the claim: the goal was not decided"), known=["proved", "proved"]),
        )
    )


def test_what_is_written_by_hand_is_a_results_file(mixed: dict[str, Any], tmp_path: Path) -> None:
    check(mixed, "mixed")
    (tmp_path / "results.json").write_text(dump(mixed), "utf-8")
    assert load(tmp_path / "results.json") == mixed


# --- which of the two it was ---


def test_columns_are_those_that_were_asked_for(page: str, both: str) -> None:
    known = render(results(lemma("fine", known=["proved", "proved"])))
    heads = [
        re.findall(r'<th scope="col"[^>]*>([^<]*)', each.split('<h2 id="lemmas">')[0]) for each in (page, both, known)
    ]
    assert heads == [
        ["lemma", "every size"],
        ["lemma", "every size", "known sizes", "0", "1"],
        ["lemma", "known sizes", "0", "1"],
    ]
    assert row(page, "other") == ["✓✓ fully proved 250 ms"]
    assert row(both, "slow") == ["✓✓ fully proved 250 ms", "? undecided", "✓ 100 ms proved", "? 100 ms undecided"]
    assert row(known, "fine") == ["✓ proved", "✓ 100 ms proved", "✓ 100 ms proved"]


def test_a_block_says_what_was_proved_where_and_for_which_scope(page: str, both: str) -> None:
    said = Page(block(both, "fine")).text
    assert f"At every size ✓✓ fully proved for {EVERY}. The hypotheses have a witness, at t = 1." in said
    assert f"Directly, at tape sizes 0-1 ✓ proved for {KNOWN}." in said
    assert "Directly" not in Page(block(page, "other")).text
    known = Page(block(render(results(lemma("fine", known=["proved"]))), "fine")).text
    assert f"Directly, at tape size 0 ✓ proved for {KNOWN}." in known
    assert "every size" not in known


def test_each_of_the_two_has_its_own_reason(both: str) -> None:
    assert f"? undecided for {KNOWN}: timeout." in Page(block(both, "slow")).text
    assert f"? undecided for {EVERY}: the claim: the goal was not decided." in Page(block(both, "stuck")).text
    first = section(both, "Look here first")
    assert "slow: undecided at tape sizes 0-1, timeout" in first
    assert "stuck: undecided at every size, the claim: the goal was not decided" in first
    assert "fine" not in first


def test_a_box_says_which_of_the_two_it_was(page: str, both: str) -> None:
    assert node(page, "other") == "other ✓✓ fully proved at every size"
    assert node(both, "slow") == "slow ✓✓ fully proved at every size ? undecided at sizes 0-1"
    assert node(render(results(lemma("fine", known=["proved"]))), "fine") == "fine ✓ proved at size 0"
    assert '<rect class="fully-proved"' in both
    assert both.count('<rect class="undecided"') == 2


def test_the_top_counts_the_two_apart(page: str, both: str) -> None:
    said = Page(page).text
    assert "3 of 5 proved, 2 undecided: tapes of every size" in said
    assert "At every size: 1 ✓✓ fully proved, 2 ◐ proved, not fully, 2 ? undecided." in said
    assert "no known size was asked about" in said
    said = Page(both).text
    assert "At every size: 2 ✓✓ fully proved, 1 ? undecided." in said
    assert "Directly, at tape sizes 0-1: 2 ✓ proved, 1 ? undecided." in said
    assert "of at most 1 node;" in said


def test_a_file_without_the_key_is_one_without_proofs_at_every_size() -> None:
    new = results(lemma("fine", known=["proved"]), lemma("user", known=["proved"], uses=["fine"]))
    old = json.loads(json.dumps(new))
    for each in old["lemmas"]:
        del each["every_size"]
    assert render(old) == render(new)
    for form in ("dot", "graphml", "svg", "json"):
        assert export(old["lemmas"], form) == export(new["lemmas"], form)


# --- how full a proof ---


def test_a_taint_shows_in_everything_above_and_nowhere_else(page: str) -> None:
    assert node(page, "rests") == "rests ◐ proved, not fully at every size rests on taken, not proved"
    assert row(page, "above") == ["◐ proved, not fully 250 ms rests on taken, which is not proved"]
    assert (
        f"◐ proved, not fully for {EVERY}; it rests on taken, which is not proved." in Page(block(page, "above")).text
    )
    first = section(page, "Look here first")
    for name in ("rests", "above"):
        assert f"◐ proved, not fully {name} rests on taken, which is not proved" in first
    for name in ("other", "open"):
        said = f"{node(page, name)} {row(page, name)} {Page(block(page, name)).text}"
        assert "rests on" not in said
        assert NOT_FULLY not in said
    assert "other rests" not in first


def test_two_admitted_lemmas_are_both_named() -> None:
    said = every_size(admitted=["a", "b"], reason="proved from a, b, which is not")
    shown = render(results(lemma("rests", said)))
    assert "rests on a and 1 more, not proved" in node(shown, "rests")
    assert "rests on a, b, which are not proved" in Page(block(shown, "rests")).text


def test_fully_proved_and_proved_are_told_apart_by_more_than_colour() -> None:
    looks = [STATUSES[word] for word in (FULLY, NOT_FULLY, "proved")]
    for attribute in ("glyph", "word", "meaning", "light", "dark"):
        assert len({getattr(look, attribute) for look in looks}) == 3


def test_the_end_says_what_is_admitted(page: str, both: str) -> None:
    said = section(page, "What this rests on")
    assert "taken is taken to be true without a proof (shown on paper); 2 lemmas rest on it" in said
    assert "nothing is admitted" not in said
    assert "Admitted nothing is admitted" in section(both, "What this rests on")


def test_an_admitted_lemma_that_nothing_rests_on_is_named_too() -> None:
    shown = render(results(lemma("taken", every_size(reason=REASON, proof=REASON))))
    assert "no lemmas rest on it" in section(shown, "What this rests on")


def test_the_rules_are_named_where_they_were_used(page: str) -> None:
    for rule, sentence in RULES.items():
        assert f"{rule}: {sentence}" in section(page, "What this rests on")
    assert "Rules" not in section(render(results(lemma("fine", known=["proved"]))), "What this rests on")


# --- kinds of use ---


def test_arrows_have_the_kind_that_the_cores_show(mixed: dict[str, Any]) -> None:
    kinds = {(e["from"], e["to"]): e["kind"] for e in json.loads(export(mixed["lemmas"], "json"))["edges"]}
    assert kinds == {
        ("taken", "rests"): "prove and state",
        ("other", "rests"): "not needed",
        ("rests", "above"): "state",
        ("other", "above"): "prove",
        ("other", "open"): "declared",
    }
    drawn = export(mixed["lemmas"], "svg")
    for (used, user), kind in kinds.items():
        assert f"<title>{user} uses {used}: {ARROWS[kind].words}</title>" in drawn
    graphml = ElementTree.fromstring(export(mixed["lemmas"], "graphml"))
    data = {key.get("id"): key.get("attr.name") for key in graphml.iterfind(".//{*}key")}
    found = [
        (edge.get("source"), edge.get("target"), each.text)
        for edge in graphml.iterfind(".//{*}edge")
        for each in edge
        if data[each.get("key")] == "kind"
    ]
    assert {(a, b): kind for a, b, kind in found} == kinds


def test_the_dot_file_is_as_before(mixed: dict[str, Any]) -> None:
    assert export(mixed["lemmas"], "dot") == GOLDEN.read_text("utf-8")


def test_the_legend_has_the_arrows_that_are_drawn_and_no_others(page: str) -> None:
    for arrow in ARROWS.values():
        assert f"{arrow.words} {arrow.meaning}" in section(page, "Dependency graph")
    known = section(
        render(results(lemma("fine", known=["proved"]), lemma("user", known=["proved"], uses=["fine"]))),
        "Dependency graph",
    )
    assert ARROWS["declared"].meaning in known
    assert not any(arrow.meaning in known for kind, arrow in ARROWS.items() if kind != "declared")
    proved = render(
        results(lemma("other", every_size()), lemma("fine", every_size({"other": "prove", "absent": ""})))
    )
    shown = [arrow.kind for arrow in ARROWS.values() if arrow.meaning in section(proved, "Dependency graph")]
    assert shown == ["prove"]


def test_kinds_of_arrow_differ_in_line_or_marks() -> None:
    drawn = {(arrow.dash, arrow.marked, arrow.found) for arrow in ARROWS.values()}
    assert len(drawn) == len(ARROWS)


def test_a_declared_use_that_no_core_needed_is_a_remark(page: str, both: str) -> None:
    assert "other declared, but no core needed it" in Page(block(page, "rests")).text
    assert section(page, "Remarks").endswith("rests: declares to use other, but no core needed it")
    for name in ("above", "open"):
        assert "no core needed it" not in Page(block(page, name)).text
    assert section(both, "Remarks") == ""
    assert "Remarks" not in Page(both).text


def test_a_remark_is_no_failure() -> None:
    shown = render(results(lemma("other", every_size()), lemma("fine", every_size({"other": ""}))))
    assert section(shown, "Look here first") == ""
    assert node(shown, "fine") == "fine ✓✓ fully proved at every size"


# --- the proof ---


def test_a_proof_is_a_tree_of_what_had_to_be_shown(page: str) -> None:
    said = Page(block(page, "rests")).text
    assert (
        "Proof at every size: induction on m "
        "Base, at size 0 goal: plain from the definitions "
        "Step, from size k to size k + 1 "
        "fact on the way hset: from h 2 ms, rlimit 7 "
        "use of taken "
        "the values have the types of its parameters: from types and definitions alone 2 ms, rlimit 7 "
        "its hypothesis h: from h, hset 2 ms, rlimit 7 "
        "use of other not needed for the goal "
        "the values have the types of its parameters: from types and definitions alone 2 ms, rlimit 7 "
        "its hypothesis h: from h 2 ms, rlimit 7 "
        "use of induction hypothesis "
        "it is used at size k: from types and definitions alone 2 ms, rlimit 7 "
        "its hypothesis h: from taken 2 ms, rlimit 7 "
        "goal: from hset, taken, induction hypothesis 2 ms, rlimit 7"
    ) in said


def test_what_the_goal_does_not_need_is_marked_and_nothing_else(page: str) -> None:
    assert block(page, "rests").count('class="needless"') == 1
    assert 'class="needless"' not in block(page, "other")
    unneeded = (obligation("claim", "hfact", "have", needed=False), obligation("claim", "goal", "goal"))
    shown = render(results(lemma("fine", every_size(obligations=unneeded))))
    assert "fact on the way hfact: from types and definitions alone 2 ms, rlimit 7 not needed for the goal" in (
        Page(block(shown, "fine")).text
    )


def test_a_lemma_without_a_proof_has_no_tree(page: str) -> None:
    assert "Proof at every size" not in Page(block(page, "open")).text


def test_several_uses_of_one_lemma_are_counted() -> None:
    twice = (
        obligation("claim", "other #1", "types"),
        obligation("claim", "other #2", "types"),
        obligation("claim", "goal", "goal", "other #1", "other #2"),
    )
    shown = render(results(lemma("fine", every_size({"other": "prove"}, obligations=twice))))
    said = Page(block(shown, "fine")).text
    assert "use of other (1)" in said
    assert "goal: from other (1), other (2)" in said


def test_hypotheses_that_no_core_used_are_named(page: str) -> None:
    assert "Proved without hidle: no core needed it." in Page(block(page, "other")).text
    assert "Proved without" not in Page(block(page, "above")).text
    assert "Proved without" not in Page(block(page, "open")).text
    # Without a proof there are no cores to tell.
    assert "in no core" not in Page(block(page, "open")).text


def test_a_hypothesis_may_be_needed_at_one_of_the_two_only() -> None:
    shown = render(results(lemma("fine", every_size(hypotheses=[]), known=["proved"])))
    said = Page(block(shown, "fine")).text
    assert "h : what h says in no core at every size, used by a core at known sizes" in said
    assert "Proved without" not in said


# --- the page as a whole ---


@pytest.mark.parametrize("nasty", ["</style><b>", '"><img src=x>', "a & b < c"])
def test_text_is_escaped(nasty: str) -> None:
    def named(name: str) -> dict[str, Any]:
        steps = (
            obligation("claim", f"{name} #1", name),
            obligation("claim", name, "have", name),
            obligation("claim", "goal", "goal", f"{name} #1", name, needed=False),
        )
        return results(
            lemma(name, every_size(reason=f"admitted: {name}", proof=f"admitted: {name}")),
            tainted("rests", {name: "prove", "absent": ""}, proof=name, obligations=steps),
        )

    plain, page = Page(render(named("harmless"))), Page(render(named(nasty)))
    assert page.tags == plain.tags
    assert page.text.count(nasty) == plain.text.count("harmless")


def test_links_lead_somewhere(mixed: dict[str, Any]) -> None:
    # A file may hold a lemma without those that it uses.
    page = Page(render(results(*mixed["lemmas"][2:])))
    assert len(page.ids) == len(set(page.ids))
    assert all(link[1:] in page.ids for link in page.links if link.startswith("#"))


def test_59_lemmas_are_drawn_inside_the_picture_and_apart() -> None:
    """As many as there are, with names as long as theirs, in the chains and fans that proofs have."""
    lemmas: list[dict[str, Any]] = []
    for i in range(59):
        uses = {lemmas[j]["name"]: "prove" for j in {i - 1, i // 2, i - 7} if 0 <= j < i and i % 5}
        lemmas.append({**tainted(f"backwardDenseFrom_lowerGraphDataToTape_eq_{i}", uses), "group": f"group {i % 4}"})
    drawn = ElementTree.fromstring(export(lemmas, "svg"))
    width, height = (float(drawn.get(side, "0")) for side in ("width", "height"))
    boxes = []
    for rect in drawn.iterfind(".//{*}rect"):
        x, y, w, h = (float(rect.get(side, "0")) for side in ("x", "y", "width", "height"))
        assert x >= 0 and x + w <= width and y >= 0 and y + h <= height
        boxes.append((y, x, w, h))
    assert len(boxes) == 59
    boxes.sort()
    for (y, x, w, h), (below, right, _, _) in pairwise(boxes):
        assert x + w < right if y == below else y + h < below
    for link in drawn.iterfind(".//{*}a"):
        rect = next(link.iterfind(".//{*}rect"))
        left, top, w, h = (float(rect.get(side, "0")) for side in ("x", "y", "width", "height"))
        for text in link.iterfind(".//{*}text"):
            x, y = float(text.get("x", "0")), float(text.get("y", "0"))
            character = 6.6 if "word" in text.get("class", "").split() else 7.2
            assert left < x and x + character * len(text.text or "") < left + w
            assert top < y < top + h
        assert next(link.iterfind(".//{*}text")).text in {f"group {i}" for i in range(4)}


def test_a_real_run_of_two_lemmas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["prove", "foldlM_addGradAll_ok_size", "--all-sizes", "--bound", "1", "--report", "report"]) == 0
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert [lemma["name"] for lemma in load(tmp_path / "report" / "results.json")["lemmas"]] == [
        "addGradAll_ok_size",
        "foldlM_addGradAll_ok_size",
    ]
    for name in ("addGradAll_ok_size", "foldlM_addGradAll_ok_size"):
        assert "✓✓ fully proved at every size ✓ proved at sizes 0-1" in node(page, name)
    said = Page(block(page, "foldlM_addGradAll_ok_size")).text
    assert "Proof at every size: induction on cs, for every acc Base, at size 0 goal: from h" in said
    assert "use of induction hypothesis the values have the types of its parameters" in said
    assert "At every size: 2 ✓✓ fully proved. Directly, at tape sizes 0-1: 2 ✓ proved." in Page(page).text
    assert "nothing is admitted" in section(page, "What this rests on")


def test_what_rests_on_a_refuted_lemma_says_that_it_is_refuted() -> None:
    taken = lemma("taken", every_size(reason="the goal does not follow"), known=["proved", "refuted"])
    resting = lemma("resting", every_size({"taken": "prove"}, admitted=["taken"], reason="proved from taken"))
    page = Page(render(results(taken, resting))).text
    assert page.count("rests on taken, which is not proved; refuted: taken") == 3
    assert "(the goal does not follow), and is refuted at a known size; 1 lemma rests on it" in page
    taken = lemma("taken", every_size(reason="the goal does not follow"), known=["proved", "undecided"])
    assert "refuted: taken" not in Page(render(results(taken, resting))).text
