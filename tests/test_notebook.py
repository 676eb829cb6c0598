"""Results in a notebook: the facts of the terminal's table, as HTML and as Markdown, without a notebook."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import symtape
from symtape import markdown
from symtape.results import ResultsError, dump
from symtape.screen import Screen, printable
from symtape.table import lay_out
from tests.pages import Page
from tests.test_terminal import audited, mutated, run
from tests.written_results import lemma, results

MADE: dict[str, Callable[[], dict[str, Any]]] = {"prove": run, "audit": audited, "mutate": mutated}


def loaded(folder: Path, data: dict[str, Any]) -> Any:
    file = folder / "results.json"
    file.write_text(dump(data), "utf-8")
    return symtape.load_results(file)


class Cells(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("th", "td"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


@pytest.mark.parametrize("command", MADE)
def test_the_same_facts_in_each_form(command: str, tmp_path: Path) -> None:
    data = MADE[command]()
    shown = loaded(tmp_path, data)
    html, text, plain = shown._repr_html_(), shown._repr_markdown_(), repr(shown)
    lines = lay_out(shown.table, Screen())
    assert plain.startswith("\n".join(lines))
    titles = [column.title for column in shown.table.columns]
    rows = [[printable(cell.text) for cell in row] for row in shown.table.rows]
    cells = Cells(html.partition("</table>")[0]).cells
    assert cells == [*titles, *(text for row in rows for text in row)]
    in_markdown = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    assert in_markdown[0] == titles
    assert [[cell.strip("`") for cell in row] for row in in_markdown[2:]] == rows
    for said in (Page(html).text, " ".join(plain.split())):
        assert " ".join(shown.headline.split()) in said
    assert len(rows) == len(data["lemmas"])


NASTY = "</td><script>alert(1)</script>|`*_[x](y)&\n<b>"


def test_no_text_is_markup(tmp_path: Path) -> None:
    data = results(lemma(NASTY, known=["proved"]))
    data["scope"]["text"] = NASTY
    shown = loaded(tmp_path, data)
    page, plain = (
        Page(shown._repr_html_()),
        Page(loaded(tmp_path, results(lemma("l", known=["proved"])))._repr_html_()),
    )
    assert page.tags == plain.tags
    assert page.text.count(" ".join(NASTY.split())) == 2
    text = shown._repr_markdown_()
    (row,) = [line for line in text.splitlines() if line.startswith("| ✓")]
    assert r"| ``</td><script>alert(1)</script>\|`*_[x](y)& <b>`` |" in row
    assert r"\</td\>\<script\>alert\(1\)\</script\>\|\`\*\_\[x\]\(y\)\& \<b\>" in text


@pytest.mark.parametrize(
    ("text", "shown"), [("a", "`a`"), ("`", "`` ` ``"), ("a``b", "```a``b```"), ("", "`  `"), ("a\nb", "`a b`")]
)
def test_code_spans(text: str, shown: str) -> None:
    assert markdown.code(text) == shown


def test_no_script_and_no_network(tmp_path: Path) -> None:
    html = loaded(tmp_path, run())._repr_html_()
    assert "http" not in html
    assert set(Page(html).tags) == {"table", "thead", "tbody", "tr", "th", "td", "code", "p"}


def test_the_data_is_at_hand_and_a_bad_file_is_refused(tmp_path: Path) -> None:
    assert loaded(tmp_path, run()).data == run()
    (tmp_path / "results.json").write_text("{}", "utf-8")
    with pytest.raises(ResultsError, match="schema None"):
        symtape.load_results(str(tmp_path / "results.json"))
    with pytest.raises(ResultsError, match=r"missing\.json"):
        symtape.load_results(tmp_path / "missing.json")
