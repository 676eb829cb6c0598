"""The report's page in a real browser, opened from disk: with and without script, by mouse and by keyboard, on paper.

Every visit also fails if the page writes to the console, breaks its own policy or asks for any other file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="no playwright: pip install -e '.[browser]'")
from playwright.sync_api import Browser, expect

from symtape.reports.page import render
from tests.browser import Visit
from tests.pages import Page
from tests.written_pages import THEORY, page, theory

ALL = list(THEORY)
Opener = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Opens a page by its name in `written_pages`, or by its text, at an address behind the file's name."""
    visits = []

    def opened(name: str, address: str = "", **options: Any) -> Visit:
        file = tmp_path / "index.html"
        file.write_text(name if name.startswith("<") else page(name), "utf-8")
        visits.append(Visit(browser, file, address, **options))
        return visits[-1]

    yield opened
    for each in visits:
        each.close()


def test_a_visit_notices_what_a_page_may_not_do(visit: Opener, tmp_path: Path) -> None:
    it = visit(
        page("all proved").replace(
            "<main>", '<main><style>main{color:red}</style><img src="https://example.org/a.png">'
        )
    )
    assert [each for each in it.problems if "style" in each]
    assert [each for each in it.problems if "img-src" in each or "a.png" in each]
    it.problems.clear()


def node(name: str) -> str:
    return f".drawing a[data-name='{name}']:visible"


# --- without script ---


@pytest.mark.parametrize("name", ["one refuted", "audit", "mutants", "empty selection"])
def test_without_script_all_is_there_and_no_control_is(visit: Opener, name: str) -> None:
    it = visit(name, java_script_enabled=False)
    expect(
        it.page.locator(
            "button:visible, input:not(#every-arrow):visible, select:visible, aside:visible, dialog:visible"
        )
    ).to_have_count(0)
    closed = it.page.locator("main details:not([open]) > summary:visible")
    while closed.count():
        closed.first.click()
    main = page(name).partition("<main>")[2].partition("</main>")[0]
    source = Page(re.sub(r'<svg.*?</svg>|<p class="muted walked".*?</p>', "", main, flags=re.DOTALL))
    shown = it.page.locator("main").inner_text()
    assert [word for piece in source.words for word in piece.split() if word not in shown] == []


def test_without_script_every_link_leads_to_what_it_names(visit: Opener) -> None:
    it = visit("one refuted", java_script_enabled=False)
    for link in it.page.locator("a[href^='#']:visible").all():
        link.click()
        expect(it.page.locator(f"[id='{it.address()[1:]}']")).to_be_in_viewport()


# --- search, filters, sorting ---


def test_search_finds_names_and_statements_and_survives_a_reload(visit: Opener) -> None:
    it = visit("all proved")
    it.page.keyboard.press("/")
    it.page.keyboard.type("PUSH fold")
    assert it.rows() == ["fold_push"]
    assert it.told()[0] == "1 of 9 lemmas shown"
    assert it.address() == "?q=PUSH+fold"
    expect(it.page.locator("main article:visible h3 code")).to_have_text(["fold_push"])
    assert it.page.locator(".drawing .out:visible").count() == 8
    it.page.reload()
    assert it.rows() == ["fold_push"]
    expect(it.page.locator("[name=q]")).to_have_value("PUSH fold")
    it.page.locator("[name=q]").fill("what slot_size says.")
    assert it.rows() == ["slot_size"]
    it.page.locator("[name=q]").fill("nothing has this")
    assert it.rows() == []
    assert it.told()[0] == "No lemma matches; Clear shows all."
    it.page.get_by_role("button", name="Clear").click()
    assert (it.rows(), it.told()[0], it.address()) == (ALL, "", "")


def test_search_reads_the_statement_and_not_what_was_found(visit: Opener) -> None:
    found = theory()
    found["lemmas"][3]["hypotheses"] = [{"name": "hΔ", "statement": "as in Lean", "mathematics": "∀ i < n, q i"}]
    found["lemmas"][4]["statement"] = "some Lean text"
    found["lemmas"][5]["mathematics"] = "x ≠ y"
    it = visit(render(found))
    for words, name in (
        ("∀ i < n, q i", "slot_size"),
        ("hδ", "slot_size"),
        ("some lean text", "fold_push"),
        ("x ≠ y", "step_push"),
    ):
        it.page.locator("[name=q]").fill(words)
        assert it.rows() == [name]
    for words in ("fully", "core", "--bound", "symtape prove"):
        it.page.locator("[name=q]").fill(words)
        assert it.rows() == []


def test_keys_work_from_every_control(visit: Opener) -> None:
    it = visit("all proved", "?status=proved#lemma-slot_push")
    panel = it.page.locator(".panel")
    for control in ("#every-arrow", "[name=status]"):
        expect(panel).to_be_visible()
        it.page.locator(control).focus()
        it.page.keyboard.press("Escape")
        expect(panel).to_be_hidden()
        it.page.go_back()
    it.page.locator("#every-arrow").focus()
    it.page.keyboard.press("/")
    expect(it.page.locator("[name=q]")).to_be_focused()


def test_slash_types_itself_in_a_field(visit: Opener) -> None:
    it = visit("all proved")
    it.page.keyboard.press("/")
    it.page.keyboard.type("a/b?")
    expect(it.page.locator("[name=q]")).to_have_value("a/b?")


def test_filters_go_together_and_back(visit: Opener) -> None:
    it = visit("undecided")
    assert it.page.locator("[name=status] option").all_inner_texts()[:2] == ["any", "not fully proved"]
    it.page.locator("[name=status]").select_option("undecided")
    assert it.rows() == ["slot_push", "pass_eq_program"]
    it.page.locator("[name=scope]").select_option("known sizes")
    assert it.rows() == ["pass_eq_program"]
    it.page.locator("[name=status]").select_option("any")
    assert it.rows() == [name for name in ALL if name != "slot_push"]
    it.page.locator("[name=group]").select_option("Slots")
    assert it.rows() == ["slot_size", "fold_push"]
    it.page.go_back()
    it.page.go_back()
    assert it.rows() == ["pass_eq_program"]
    expect(it.page.locator("[name=status]")).to_have_value("undecided")
    it.page.go_forward()
    assert len(it.rows()) == 8


def test_an_address_that_asks_for_what_is_not_there_shows_what_is(visit: Opener) -> None:
    it = visit("all proved", "?status=lost&group=none&sort=size#lemma-gone")
    assert it.rows() == ALL
    expect(it.page.locator(".panel")).to_be_hidden()


def test_the_table_is_sorted_by_any_column(visit: Opener) -> None:
    it = visit("one refuted")
    by_name = it.page.get_by_role("button", name="lemma", exact=True)
    by_name.click()
    assert it.rows() == sorted(ALL)
    expect(it.page.locator("th[aria-sort=ascending]")).to_have_text("lemma")
    by_name.press("Enter")
    assert it.rows() == sorted(ALL, reverse=True)
    assert it.address() == "?sort=-name"
    it.page.reload()
    assert it.rows() == sorted(ALL, reverse=True)
    by_name.click()
    assert (it.rows(), it.page.locator("th[aria-sort]").count()) == (ALL, 0)
    it.page.get_by_role("button", name="1", exact=True).click()
    it.page.go_back()
    assert it.rows() == ALL
    it.page.go_forward()
    assert it.rows()[-1] == "step_last"  # the refuted one; all others keep their order
    assert it.rows()[:-1] == [name for name in ALL if name != "step_last"]


def test_what_was_not_asked_comes_last_either_way(visit: Opener) -> None:
    for order, refuted in (("1", -1), ("-1", 0)):
        assert visit("undecided", f"?sort={order}").rows()[-1] == "slot_push"
        assert visit("one refuted", f"?sort={order}").rows()[refuted] == "step_last"


# --- what rests on what ---


def test_hover_and_focus_light_both_cones_and_open_nothing(visit: Opener) -> None:
    it = visit("all proved")
    under, over = {"node_of_lt", "slot_push", "slot_size"}, {"step_push", "loop_push", "pass_eq_program"}
    for what in (".sizes tr[data-name='fold_push'] td >> nth=0", node("fold_push")):
        it.page.locator(what).hover()
        for where in (".sizes", ".drawing"):
            assert it.lit(where) == {"here": {"fold_push"}, "under": under, "over": over}
        assert it.told()[1] == "fold_push rests on 3, 3 rest on it"
        assert it.page.locator(".drawing .edge.on:visible").count() == 6
        expect(it.page.locator(".panel")).to_be_hidden()
        it.page.locator("h1").hover()
        assert it.lit(".drawing") == {"here": set(), "under": set(), "over": set()}
        assert it.told()[1] == ""
    it.page.locator(".sizes tr[data-name='step_last'] a").focus()
    assert it.lit(".drawing") == {"here": {"step_last"}, "under": {"node_of_last"}, "over": {"pass_eq_program"}}
    assert it.told()[1] == "step_last rests on 1, 1 rests on it"
    expect(it.page.locator(".panel")).to_be_hidden()


def test_arrow_keys_walk_the_graph_along_its_arrows(visit: Opener) -> None:
    it = visit("all proved")
    it.page.locator(".drawing").focus()
    it.page.keyboard.press("Tab")
    start = it.focused()
    it.page.keyboard.press("Tab")
    assert it.focused() not in ALL  # the graph is one stop
    it.page.keyboard.press("Shift+Tab")
    assert it.focused() == start
    it.page.locator(node("pass_eq_program")).focus()
    walked = []
    for _ in range(6):
        it.page.keyboard.press("ArrowUp")
        walked.append(it.focused())
    steps = [("pass_eq_program", walked[0]), *pairwise(walked)]
    assert all(above in THEORY[below][1] or (above == below and not THEORY[below][1]) for below, above in steps)
    assert not THEORY[walked[-1]][1]
    it.page.keyboard.press("ArrowDown")
    assert walked[-1] in THEORY[it.focused()][1]
    met = set()
    for key in ["ArrowLeft"] * len(ALL) + ["ArrowRight"] * len(ALL):
        it.page.keyboard.press(key)
        met.add(it.focused())
    assert met == set(ALL)
    expect(it.page.locator(".drawing a[tabindex='0']")).to_have_count(1)


@pytest.mark.parametrize("box", [False, True])
def test_arrow_keys_follow_arrows_that_are_seen(visit: Opener, box: bool) -> None:
    it = visit("all proved")
    it.page.locator("#every-arrow").set_checked(box)
    for name in ALL:
        for key, way in (("ArrowUp", ("to", "from")), ("ArrowDown", ("from", "to"))):
            it.page.locator(node(name)).focus()
            it.page.keyboard.press(key)
            if it.focused() != name:
                path = f".drawing path[data-{way[0]}='{name}'][data-{way[1]}='{it.focused()}']:visible"
                assert it.page.locator(path).count() == 1


def test_arrow_keys_go_through_open_groups_one_after_the_other(visit: Opener) -> None:
    it = visit("200 lemmas")
    first, second = it.page.locator(".fold").nth(0), it.page.locator(".fold").nth(1)
    for each in (first, second):
        each.locator("summary").click()
    inside = [
        set(each.locator("a[data-name]").evaluate_all("all => all.map(a => a.dataset.name)"))
        for each in (first, second)
    ]
    first.locator("a[data-name]").first.focus()
    met = [it.focused()]
    for _ in range(len(inside[0]) + len(inside[1]) - 1):
        it.page.keyboard.press("ArrowRight")
        met.append(it.focused())
    assert set(met[: len(inside[0])]) == inside[0]
    assert set(met[len(inside[0]) :]) == inside[1]


def test_the_graph_opens_whole(visit: Opener) -> None:
    it = visit("one refuted", viewport={"width": 700, "height": 900})
    inside, whole = (
        it.page.locator(".drawing").bounding_box(),
        it.page.locator(".drawing .graph:visible").bounding_box(),
    )
    assert inside is not None
    assert whole is not None
    assert inside["x"] <= whole["x"]
    assert whole["x"] + whole["width"] <= inside["x"] + inside["width"]


# --- a lemma beside the page ---


def test_a_click_or_enter_opens_a_lemma_and_escape_gives_the_focus_back(visit: Opener) -> None:
    it = visit("one refuted")
    panel = it.page.locator(".panel")
    for opener in (node("step_last"), ".sizes tr[data-name='step_last'] a"):
        it.page.locator(opener).click()
        expect(panel.get_by_role("heading", name="step_last")).to_be_visible()
        expect(panel).to_contain_text("What step_last says.")
        expect(panel).to_be_focused()
        assert it.address() == "#lemma-step_last"
        it.page.keyboard.press("Escape")
        expect(panel).to_be_hidden()
        expect(it.page.locator(opener)).to_be_focused()
        assert it.address() == ""
    it.page.locator(node("loop_push")).press("Enter")
    panel.get_by_role("link", name="step_push").click()
    expect(panel.get_by_role("heading", name="step_push")).to_be_visible()
    it.page.go_back()
    expect(panel.get_by_role("heading", name="loop_push")).to_be_visible()
    panel.get_by_role("button", name="Close").click()
    expect(it.page.locator(node("loop_push"))).to_be_focused()


def test_the_focus_is_not_lost_where_a_search_hid_the_opener(visit: Opener) -> None:
    it = visit("all proved")
    it.page.locator(".sizes tr[data-name='slot_push'] a").click()
    it.page.locator("[name=q]").fill("fold")
    it.page.locator(".panel").focus()
    it.page.keyboard.press("Escape")
    expect(it.page.locator(node("slot_push"))).to_be_focused()


def test_the_address_of_a_lemma_opens_it_again(visit: Opener) -> None:
    it = visit("one refuted", "?q=push#lemma-step_last")
    panel = it.page.locator(".panel")
    heading = panel.get_by_role("heading", name="step_last")
    expect(heading).to_be_visible()
    assert "step_last" not in it.rows()
    assert it.lit(".drawing")["here"] == {"step_last"}
    it.page.reload()
    expect(heading).to_be_visible()
    it.page.get_by_role("link", name="Sizes").click()
    expect(panel).to_be_hidden()
    it.page.go_back()
    expect(heading).to_be_visible()
    ids = it.page.locator("[id]").evaluate_all("all => all.map(each => each.id)")
    assert len(ids) == len(set(ids))


def test_where_there_is_no_room_a_link_from_elsewhere_leads_to_the_block(visit: Opener) -> None:
    it = visit("one refuted", "#lemma-loop_push", viewport={"width": 360, "height": 700})
    expect(it.page.locator(".panel")).to_be_hidden()
    expect(it.page.locator("#lemma-loop_push h3")).to_be_in_viewport()
    it.page.locator("[name=q]").fill("push")
    it.page.get_by_role("button", name="lemma", exact=True).click()
    expect(it.page.locator(".panel")).to_be_hidden()
    it.page.locator(".sizes tr[data-name='loop_push'] a").click()
    expect(it.page.locator(".panel").get_by_role("heading", name="loop_push")).to_be_in_viewport()
    it.page.locator(".sizes tr[data-name='step_push'] a").click()
    expect(it.page.locator(".panel").get_by_role("heading", name="step_push")).to_be_in_viewport()


def test_names_may_be_anything(visit: Opener) -> None:
    names = ["</script><b>", "\"'><img src=x>", "a b", "∀x? #1%20", "&amp;", "__proto__", "constructor"]
    found = theory()
    for each, name in zip(found["lemmas"], names, strict=False):
        for other in found["lemmas"]:
            other["uses"] = [name if used == each["name"] else used for used in other["uses"]]
            for use in other["every_size"]["uses"]:
                use["name"] = name if use["name"] == each["name"] else use["name"]
        each["name"] = each["group"] = name
    it = visit(render(found))
    for name in names:
        it.page.locator("[name=q]").fill(name)
        assert name in it.rows()
        link = it.page.locator(".sizes tr:visible").get_by_role("link", name=name, exact=True)
        link.click()
        expect(it.page.locator(".panel h3 code")).to_have_text(name)
        it.page.keyboard.press("Escape")
        expect(link).to_be_focused()
        it.page.locator("[name=group]").select_option(label=name)
        assert it.rows() == [name]
        it.page.get_by_role("button", name="Clear").click()
    assert it.page.locator("img, b").count() == 0


# --- keys, themes, paper ---


def test_question_mark_shows_the_keys(visit: Opener) -> None:
    it = visit("all proved", "#lemma-slot_push")
    it.page.keyboard.press("?")
    dialog = it.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    it.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(it.page.locator(".panel")).to_be_visible()
    it.page.get_by_role("button", name="Keys").click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_theme_is_the_systems_until_it_is_chosen(visit: Opener, system: str) -> None:
    it = visit("one refuted", color_scheme=system)
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(16, 21, 28)"}
    button = it.page.get_by_role("button", name="Theme")
    for name in ("auto", "light", "dark", "auto", "light"):
        expect(button).to_have_text(f"Theme: {name}")
        expect(it.page.locator("body")).to_have_css("background-color", colours.get(name, colours[system]))
        button.click()
    it.page.reload()
    expect(button).to_have_text("Theme: dark")
    expect(it.page.locator("body")).to_have_css("background-color", colours["dark"])
    it.page.emulate_media(media="print")
    expect(it.page.locator("body")).to_have_css("background-color", colours["light"])


@pytest.mark.parametrize("name", ["one refuted", "audit", "20 sizes"])
def test_on_paper_all_is_open_and_nothing_is_cut(visit: Opener, name: str) -> None:
    # 186 mm, the width of a page between its margins, at 96 pixels an inch.
    it = visit(name, viewport={"width": 703, "height": 980})
    it.page.locator(".sizes tr[data-name] a").first.click()
    it.page.emulate_media(media="print")
    expect(it.page.locator("button:not([data-do=sort]):visible, input:visible, .panel:visible")).to_have_count(0)
    cut = it.page.evaluate(
        "() => [...document.querySelectorAll('main *')].filter(each => each.getBoundingClientRect().right >"
        " document.documentElement.clientWidth + 1).map(each => each.outerHTML.slice(0, 90))"
    )
    assert cut == []
    for closed in it.page.locator("main details:not([open]):not(.around)").all():
        expect(closed.locator(":scope > :not(summary)").first).to_be_visible()
