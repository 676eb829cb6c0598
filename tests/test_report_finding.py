"""What the page's script reads off the table of lemmas, and how large a page gets."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import pairwise

import pytest

from symtape.reports.finding import OPEN, choices, order
from symtape.reports.page import SCRIPTS, render
from symtape.reports.status import STATUSES
from symtape.reports.view import of_results
from tests.written_pages import RESULTS, THEORY, many, page
from tests.written_results import lemma, results


def test_only_filters_that_make_a_difference_are_offered() -> None:
    assert choices(of_results(results(lemma("a", known=["proved"])))["lemmas"]) == {
        "statuses": [],
        "scopes": [],
        "groups": [],
    }
    found = of_results(RESULTS["undecided"]())["find"]
    words = [word for word, _ in found["statuses"]]
    assert words == [OPEN, "fully proved", "proved, not fully", "proved", "undecided"]
    assert json.loads(dict(found["statuses"])[OPEN]) == ["proved, not fully", "undecided"]
    assert [key for key, _ in found["scopes"]] == ["every", "known"]
    assert found["groups"] == ["Nodes", "Pass", "Slots"]


def test_answers_sort_by_status_and_then_by_time() -> None:
    keys = [float(order(word, seconds)) for word in STATUSES for seconds in (0, 0.001, 0.25, 3600, 1e9)]
    assert all(a < b for a, b in pairwise(keys))


def test_each_row_names_what_its_lemma_uses() -> None:
    found = re.findall(r'<tr data-name="([^"]*)" data-uses="([^"]*)"', page("all proved"))
    assert {name: json.loads(unescape(uses)) for name, uses in found} == {
        name: list(uses) for name, (_, uses) in THEORY.items()
    }


def test_nodes_and_arrows_carry_the_names_that_the_script_looks_for() -> None:
    text = page("all proved")
    assert set(re.findall(r'<a href="#lemma-[^"]*" data-name="([^"]*)"', text)) == set(THEORY)
    arrows = set(re.findall(r'<path [^>]*data-from="([^"]*)" data-to="([^"]*)"', text))
    assert arrows == {(used, name) for name, (_, uses) in THEORY.items() for used in uses}


def test_fifty_lemmas_at_seventeen_sizes_stay_below_a_megabyte() -> None:
    assert len(render(many(50, 17)).encode()) < 1_000_000


@pytest.mark.parametrize("word", ["fetch", "XMLHttpRequest", "import(", "innerHTML", "insertAdjacent", "eval("])
def test_no_script_loads_anything_or_makes_markup_of_text(word: str) -> None:
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page("all proved"), re.DOTALL)
    assert len(scripts) == len(SCRIPTS)
    assert not [script for script in scripts if word in script]
