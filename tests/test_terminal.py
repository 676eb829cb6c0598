"""The table that a run ends with: it fits, says everything, is coloured where that is wanted, and never fails."""

from __future__ import annotations

import copy
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtape import audit_text, mutation_text, terminal
from symtape.results import dump
from symtape.screen import STYLES, Screen, display_width, never_fail, printable, shows
from symtape.table import Cell, Column, Table, lay_out, paragraph
from tests.test_false_lemmas import FILE as FALSE_LEMMAS
from tests.test_junit import refuted
from tests.written_audits import audit
from tests.written_mutants import small
from tests.written_results import every_size, lemma, results

GOLDEN = Path(__file__).parent / "golden"


def run() -> dict[str, Any]:
    """All verdicts, a long name, a wide one, and one that would move the cursor."""
    open_still = every_size(reason="no proof within the limits")
    return results(
        lemma("short", every_size(), known=["proved"]),
        lemma("backwardDenseFrom_lowerGraphDataToTape_eq_backpropAllCtx_of_wellFormed", every_size()),
        lemma(
            "backwardDenseFrom_addNode_lowerNode",
            every_size({"short": ""}, admitted=["axiom"], reason="proved from axiom, which is not"),
        ),
        lemma("勾配の加算は可換である", open_still, known=["proved"]),
        lemma("\x1b[31mred\u202e", every_size(), known=["vacuous"]),
        lemma("α_τ", every_size(), known=["error"]),
        {**refuted(), "every_size": None},
    )


def audited() -> dict[str, Any]:
    data = results(lemma("short", known=["proved"]), lemma("backwardDenseFrom_addNode_lowerNode", known=["proved"]))
    hypotheses = ["hreq", "hbp", "hsize", "hvals", "hpids", "hshape", "hwellFormed", "hpositive"]
    for each, names in zip(data["lemmas"], (["h"], hypotheses), strict=True):
        each["hypotheses"] = [{"name": name, "statement": name} for name in names]
        each["audit"] = audit(each["name"], names[:5], names[5:], wanted=names[7:])
    return data


def without_counterexamples(data: dict[str, Any]) -> dict[str, Any]:
    for one in (one for each in data["lemmas"] for one in each["audit"]["without"]):
        one["counterexample"] = None
    return data


def mutated() -> dict[str, Any]:
    data = small()
    for each in data["lemmas"]:
        each["on_runtime"] = "proved"
    return data


SHOWN: dict[str, Callable[[Screen], list[str]]] = {
    "prove": lambda screen: terminal.summary(run(), screen),
    "audit": lambda screen: audit_text.summary(without_counterexamples(audited()), screen, witness=False),
    "mutate": lambda screen: mutation_text.summary(mutated(), screen),
}


@pytest.mark.parametrize("command", SHOWN)
@pytest.mark.parametrize("width", [80, 120])
def test_golden(command: str, width: int) -> None:
    shown = "\n".join(SHOWN[command](Screen(width))) + "\n"
    assert shown == (GOLDEN / f"{command}_{width}.txt").read_text("utf-8")


def test_golden_in_colour() -> None:
    shown = "\n".join(lay_out(terminal.table(run()), Screen(colour=True))) + "\n"
    assert shown == (GOLDEN / "prove_colour.txt").read_text("utf-8")
    for style in STYLES.values():
        shown = shown.replace(f"\x1b[{style}m", "")
    assert shown.replace("\x1b[0m", "").splitlines() == lay_out(terminal.table(run()), Screen())


@pytest.mark.parametrize("made", [terminal.table(run()), audit_text.table(audited()), mutation_text.table(mutated())])
@pytest.mark.parametrize("width", [50, 80, 100, 200])
def test_tables_fit_and_leave_nothing_out(made: Table, width: int) -> None:
    lines = lay_out(made, Screen(width))
    assert max(map(display_width, lines)) <= width
    shown = "".join("".join(lines).split())
    for row in made.rows:
        for cell in row:
            assert set("".join(printable(cell.text).split())) <= set(shown)
    if width == 200:
        assert len(lines) == len(made.rows) + 1


TEXT = st.text(st.sampled_from("ab_ .漢字é́\x1b\n∀"), max_size=60)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(st.tuples(TEXT, TEXT, st.sampled_from(["✓ proved", "✗ refuted"])), max_size=4), st.integers(40, 120))
def test_any_text_fits_and_is_aligned(texts: list[tuple[str, str, str]], width: int) -> None:
    columns = (Column("a", "names"), Column("b", "words"), Column("c", right=True))
    rows = tuple((Cell(a), Cell(b), Cell(c, "good")) for a, b, c in texts)
    lines = lay_out(Table(columns, rows), Screen(width))
    assert all(display_width(line) <= width and line.isprintable() for line in lines)
    ends = {display_width(line) for line in lines if line.endswith(("proved", "refuted", "c"))}
    assert len(ends) <= 2, "the last column ends at one place; a wrapped cell may end in c too"
    for text in (each for row in texts for each in row[:2]):
        assert len("".join(printable(text).split())) <= len("".join(lines))


def test_names_are_broken_at_their_joints() -> None:
    (_, first, second) = lay_out(
        Table((Column("lemma", "names"),), ((Cell("addGradAll_addNode_push"),),)), Screen(12)
    )[:3]
    assert (first, second) == ("addGradAll_", "addNode_push")


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("∀ α", 3), ("\uff21", 2), ("", 0)]
)
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width


def test_running_text_is_wrapped_between_words() -> None:
    assert paragraph("one two-three four", Screen(12)) == ["one", "  two-three", "  four"]


# --- when there are colours ---


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "colour"),
    [
        (Terminal(), {}, True),
        (io.StringIO(), {}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": ""}, False),
        (Terminal(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
    ],
)
def test_colour_is_decided_as_python_does(stream: io.StringIO, environ: dict[str, str], colour: bool) -> None:
    assert Screen.of(stream, environ).colour is colour


def test_only_a_terminal_is_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "132")
    assert Screen.of(Terminal(), {}).width == 132
    assert Screen.of(io.StringIO(), {}).width == 80


def said_on_a_terminal(arguments: list[str], environ: dict[str, str]) -> str:
    """What a command prints on a terminal of its own."""
    ours, theirs = pty.openpty()
    ran = subprocess.Popen(
        [sys.executable, "-m", "symtape", *arguments],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "90", **environ},
    )
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:  # how Linux says that nobody holds the other end any more
        pass
    os.close(ours)
    ran.wait()
    return said.decode("utf-8")


@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}])
def test_on_a_real_terminal(tmp_path: Path, environ: dict[str, str]) -> None:
    new = results(lemma("l", known=["undecided"]))
    for name, data in (("new", new), ("old", results(lemma("l", known=["proved"])))):
        (tmp_path / f"{name}.json").write_text(dump(data), "utf-8")
    files = [str(tmp_path / name) for name in ("new.json", "old.json", "report")]
    said = said_on_a_terminal(["report", files[0], "--against", files[1], "--report", files[2]], environ)
    assert "▼ proof lost" in said
    assert ("\x1b[31m" in said) == (not environ)


# --- when stdout has not all characters ---


def stream(encoding: str, errors: str = "strict") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=errors)


def written(to: io.TextIOWrapper, text: str) -> str:
    never_fail(to)
    to.write(text)
    to.flush()
    return to.buffer.getvalue().decode(to.encoding)  # type: ignore[attr-defined,no-any-return]


def test_glyphs_have_plain_ones_to_stand_for_them() -> None:
    assert written(stream("ascii"), "✓ ✗ ∅ ◐ ≤ τ 𝛼") == r"+ x 0 ~ <= \u03c4 \U0001d6fc"
    assert written(stream("latin-1"), "✓ é") == "+ é"
    assert written(stream("utf-8"), "✓ τ") == "✓ τ"
    assert written(stream("utf-8"), "\ud800") == r"\ud800"
    assert written(stream("ascii", "surrogateescape"), "✓") == "+"
    assert written(stream("ascii", "replace"), "✓") == "?", "as it was set up"
    assert len({written(stream("ascii"), glyph) for glyph in [*terminal.GLYPHS.values(), "◐"]}) == 6


def test_every_glyph_of_a_table_is_one_column_in_ascii_too() -> None:
    for data in (terminal.table(run()), mutation_text.table(mutated()), audit_text.table(audited())):
        plain = [written(stream("ascii"), line) for line in lay_out(data, Screen(200))]
        assert len({line.find("lemma") for line in plain} - {-1}) == 1


@pytest.mark.parametrize("arguments", [["list"], ["show", "addGradAll_addNode_push"], ["prove", "--bound", "0"]])
def test_no_command_fails_where_stdout_is_ascii(tmp_path: Path, arguments: list[str]) -> None:
    chosen = ["fold_ignores_order", "--no-report", "--encodings", str(FALSE_LEMMAS)]
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "symtape", *arguments, *(chosen if arguments[0] == "prove" else [])]
    ran = subprocess.run(command, capture_output=True, env=environ, cwd=tmp_path, check=False)
    assert ran.returncode in (0, 1, 3)
    assert ran.stdout.decode("ascii").strip()
    assert b"Error" not in ran.stderr


def test_json_on_an_ascii_stdout_is_the_same_json(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "symtape", "prove", "lowerNode_value", "--bound", "1", "--no-report"]
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    said = subprocess.run([*command, "--json", "-"], capture_output=True, env=environ, cwd=tmp_path, check=True)
    assert "≤" in json.loads(said.stdout.decode("ascii"))["scope"]["text"]


def test_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", stream("latin-1"))
    assert shows("é")
    assert not shows("∀")


def test_results_of_an_older_version_have_a_table() -> None:
    old = copy.deepcopy(results(lemma("l", known=["proved"])))
    del old["lemmas"][0]["every_size"]
    assert lay_out(terminal.table(old), Screen())[1].startswith("✓ proved  l")
