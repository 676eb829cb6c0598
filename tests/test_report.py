"""The report: complete without script or network, escaped, and never greener than the results."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from symtape.cli import main
from symtape.reports import page as page_module
from symtape.reports.files import pytest_files, write_files
from symtape.reports.inline import inlined
from symtape.reports.page import render
from symtape.reports.status import CELLS, HYPOTHESES, LOOKS, MUTANTS, STATUSES, Status, css_class
from symtape.results import check, counterexample
from tests.colours import BLINDNESSES, apart, contrast
from tests.pages import Page
from tests.test_false_lemmas import FILE as FALSE_LEMMAS

FILES = ("index.html", "results.json", "graph.svg", "graph.dot", "graph.graphml", "junit.xml", "report.sarif")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The seed and two false lemmas at bound 1."""
    file = tmp_path_factory.mktemp("results") / "results.json"
    names = ["getNode?_addNode_of_lt", "addGradAll_addNode_push", "loop_one_longer", "fold_ignores_order"]
    code = main(
        ["prove", *names, "--bound", "1", "--encodings", str(FALSE_LEMMAS), "--no-report", "--json", str(file)]
    )
    assert code == 1
    loaded: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return loaded


def test_everything_is_in_the_page(results: dict[str, Any]) -> None:
    page = Page(render(results))
    for lemma in results["lemmas"]:
        doc = lemma["doc"].replace("`", "").split("\n\n")
        for said in (lemma["name"], lemma["statement"], lemma["scope"]["text"], *doc):
            assert " ".join(said.split()) in page.text
        for hypothesis in lemma["hypotheses"]:
            assert f"{hypothesis['name']} : {hypothesis['statement']}" in page.text
        for obligation in lemma["obligations"]:
            assert obligation["name"] in page.text
    assert "2 of 4 proved, 2 refuted: tapes of 0-1 nodes" in page.text
    for status in STATUSES.values():
        assert status.meaning in page.text
    shown = [o["counterexample"] for each in results["lemmas"] for o in each["obligations"] if o["counterexample"]]
    assert any(c["call"] in page.text for c in shown)


def test_a_counterexample_is_told_step_by_step(results: dict[str, Any]) -> None:
    page = Page(render(results))
    (lemma,) = [each for each in results["lemmas"] if each["name"] == "loop_one_longer"]
    told = counterexample(lemma)
    assert told is not None
    assert told["steps"]["left"] and told["steps"]["right"]
    for step in (*told["steps"]["left"], *told["steps"]["right"]):
        assert step["text"] in page.text
    assert "counterexamples/test_loop_one_longer.py" in page.links


def test_results_of_an_earlier_version_are_shown_too(results: dict[str, Any]) -> None:
    """They say nothing of steps, tapes and test files."""
    old = json.loads(json.dumps(results))
    for each in (o for lemma in old["lemmas"] for o in lemma["obligations"]):
        del each["unreplayed"]
        for later in ("measure", "steps", "tapes", "pytest") if each["counterexample"] else ():
            del each["counterexample"][later]
    check(old, "an old file")
    page = Page(render(old))
    assert "Step by step" not in page.text
    assert not any(link.startswith("counterexamples/") for link in page.links)


def test_names_that_look_alike_have_files_of_their_own(results: dict[str, Any], tmp_path: Path) -> None:
    (lemma,) = [each for each in results["lemmas"] if each["name"] == "loop_one_longer"]
    left = {"call": "", "hypotheses": {}, "goal": True, "left": [], "right": [], "smtlib": ""}
    (asked, *_) = [each for each in lemma["obligations"] if each["counterexample"]]
    lemmas = [
        {**lemma, "name": name, "obligations": [{**asked, "name": f"{name}[t=1]", "unreplayed": left}]}
        for name in ("a?b", "a/../b", "A b", "∀")
    ]
    files = pytest_files(lemmas)
    assert [files[each["name"]] for each in lemmas] == [
        "counterexamples/test_a_b.py",
        "counterexamples/test_a_b_2.py",
        "counterexamples/test_A_b_3.py",
        "counterexamples/test_lemma.py",
    ]
    write_files(lemmas, tmp_path)
    assert sorted(each.name for each in (tmp_path / "counterexamples").iterdir()) == sorted(
        file.rpartition("/")[2] for file in files.values()
    )
    assert len(list((tmp_path / "unreplayed").iterdir())) == len(lemmas)
    write_files([], tmp_path)
    assert not [each for each in tmp_path.rglob("*") if each.is_file()]


def test_links_lead_somewhere_and_ids_are_unique(results: dict[str, Any]) -> None:
    page = Page(render(results))
    assert len(page.ids) == len(set(page.ids))
    files = [*FILES, *pytest_files(results["lemmas"]).values()]
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert link in files


def test_the_page_needs_no_network_and_no_script(results: dict[str, Any]) -> None:
    text = render(results)
    assert not re.search(r"https?:", text)
    # What only a script can make work is out of sight until it does.
    for control in re.findall(r"<(?:form|button|aside|p|div)[^>]*(?:find|data-do|panel|walked|told)[^>]*>", text):
        assert "hidden" in control or re.search(r'data-do="(?:close|keys)"', control)


def test_the_policy_admits_the_styles_and_scripts_of_the_page_and_nothing_else(results: dict[str, Any]) -> None:
    text = render(results)
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = dict(each.split(" ", 1) for each in found[1].split("; "))
    for kind, tag in (("style-src", "style"), ("script-src", "script")):
        inside = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", text, re.DOTALL)
        hashes = [b64encode(sha256(each.encode()).digest()).decode() for each in inside]
        assert policy.pop(kind).split() == [f"'sha256-{each}'" for each in hashes]
    assert policy.pop("style-src-attr") == "'unsafe-inline'"
    assert policy == dict.fromkeys(["default-src", "base-uri", "form-action"], "'none'")
    body = text[text.index("<body>") :]
    assert not re.search(r"<[^>]* on\w+=", body)
    assert set(re.findall(r"<(\w+)[^>]* style=", body)) <= {"svg", "span"}, "only pictures say how they are placed"


def test_what_would_end_its_own_element_is_not_inlined() -> None:
    for texts in (("a</STYLE>",), ("", "a</script>"), ("", "", "</Script ")):
        with pytest.raises(ValueError, match="inside what is inlined"):
            inlined(*texts)


@pytest.mark.parametrize(
    "nasty",
    ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style>", "a & b < c", "\u202ertl"],
)
def test_text_is_escaped(results: dict[str, Any], nasty: str) -> None:
    changed = json.loads(json.dumps(results))
    lemma = changed["lemmas"][0]
    lemma.update(name=nasty, doc=nasty, statement=nasty, group=nasty, source=nasty, reason=nasty, lean=nasty)
    lemma["hypotheses"] = [{"name": nasty, "statement": nasty}]
    changed["lemmas"][1]["uses"] = [nasty]
    changed["run"]["command"] = nasty
    plain, page = Page(render(results)), Page(render(changed))
    assert page.text.count(nasty) >= 9
    assert sorted(set(page.tags)) == sorted(set(plain.tags))
    assert len(page.ids) == len(plain.ids)


def test_an_interrupted_run_has_no_green_headline(results: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(results))
    changed["run"]["state"] = "interrupted"
    assert "(interrupted)" in Page(render(changed)).text
    assert "The run was interrupted" in Page(render(changed)).text


def test_the_command_says_where_the_lemma_is_and_how_long_to_look(results: dict[str, Any]) -> None:
    again = f"prove fold_ignores_order --bound 1 --contributions 2 --entries 2 --encodings {FALSE_LEMMAS}"
    assert f"symtape {again}" in Page(render(results)).text
    changed = json.loads(json.dumps(results))
    changed["run"]["command"] = "symtape prove --encodings=a --encodings 'b c' --encodings"
    changed["run"]["limits"] |= {"timeout": 5.0, "rlimit": 9}
    assert "--entries 2 --encodings=a --encodings 'b c' --timeout 5.0 --rlimit 9" in Page(render(changed)).text
    changed["run"]["command"] = "not 'closed"
    assert "--entries 2 --timeout" in Page(render(changed)).text


def test_the_keys_are_those_that_the_script_knows() -> None:
    folder = Path(page_module.__file__).parent
    named = set(re.findall("<kbd>(.*?)</kbd>", (folder / "panel.html.j2").read_text("utf-8")))
    script = (folder / "page.js").read_text("utf-8")
    known = {"/": '"/"', "?": '"?"', "Esc": '"Escape"', "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft"}
    assert named == {*known, "→", "Enter"}  # the last is the browser's own, and → is what is no ←
    assert all(each in script for each in known.values())


def test_no_lemmas_is_said(results: dict[str, Any]) -> None:
    empty = {**results, "lemmas": [], "counts": {}}
    assert "No lemmas were asked about" in Page(render(empty)).text


def test_the_same_results_make_the_same_bytes(results: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(results), "utf-8")
    pages = set()
    for seed in ("0", "1", "2"):
        subprocess.run(
            [sys.executable, "-m", "symtape", "report", str(file), "--report", str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        pages.add(b"".join((tmp_path / seed / name).read_bytes() for name in FILES))
    assert len(pages) == 1


# --- the palette ---


@pytest.mark.parametrize("word", LOOKS)
def test_colours_pass_wcag_aa_in_both_themes(word: str) -> None:
    for text, background in (LOOKS[word].light, LOOKS[word].dark):
        assert contrast(text, background) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("blindness", BLINDNESSES)
def test_statuses_of_different_colour_look_different_to_everyone(theme: str, blindness: str) -> None:
    backgrounds = {getattr(status, theme)[1] for status in STATUSES.values()}
    assert len(backgrounds) == len(STATUSES) - 2  # undecided and error, vacuous and not asked: they differ in border
    for one, other in combinations(backgrounds, 2):
        assert apart(one, other, blindness) >= 0.035


@pytest.mark.parametrize("theme", [0, 1])
def test_what_is_no_status_passes_wcag_aa_too(theme: int) -> None:
    themes = re.findall(r":root\{([^}]*)\}", (Path(page_module.__file__).parent / "page.css").read_text("utf-8"))
    colour = dict(re.findall(r"--(\w+):(#\w+)", themes[theme].replace("#fff;", "#ffffff;")))
    # Nodes of a drawn tape stand on `soft`, appended ones on `new`.
    for background in ("page", "soft", "new"):
        assert contrast(colour["text"], colour[background]) >= 4.5
    for text in ("muted", "focus", "bad"):
        assert contrast(colour[text], colour["page"]) >= 4.5
    assert contrast(colour["line"], colour["page"]) >= 3


@pytest.mark.parametrize("table", [STATUSES, HYPOTHESES, MUTANTS, CELLS])
def test_every_status_has_a_glyph_and_a_word_of_its_own(table: dict[str, Status]) -> None:
    assert len({status.glyph for status in table.values()}) == len(table)
    assert all(LOOKS[word] is status and status.word == word for word, status in table.items())


def test_no_word_stands_for_two_looks() -> None:
    assert len({css_class(word) for word in LOOKS}) == len(LOOKS)
    assert (
        sum(map(len, (STATUSES, HYPOTHESES, MUTANTS, CELLS))) - len(LOOKS) == 6
    )  # undecided in all, vacuous, error and not asked in the kill matrix
