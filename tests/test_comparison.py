"""What changed between two runs: nothing against itself, the opposite the other way round, every lost proof seen."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtape.reports import changes_text
from symtape.reports.comparison import (
    AUDIT,
    FASTER,
    GAINED,
    GONE,
    GROWN,
    KINDS,
    LOST,
    NEW,
    OTHERWISE,
    RESTATED,
    SHRUNK,
    SLOWER,
    UNMATCHED,
    VERDICT,
    Change,
    compare,
)
from symtape.reports.page import render
from symtape.results import check, dump
from symtape.screen import Screen, display_width
from tests.pages import Page, block, section
from tests.test_cli import Run, symtape  # noqa: F401
from tests.written_audits import audit
from tests.written_mutants import small
from tests.written_results import every_size, lemma, obligation, results

ADMITTED = every_size(admitted=["axiom"], reason="proved from axiom, which is not")
OPEN = every_size(reason="no proof")


def changed(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The same results with the first lemma changed."""
    made = copy.deepcopy(data)
    made["lemmas"][0].update(changes)
    return made


def kinds(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    return [change.kind for change in compare(new, old).changes]


# --- each kind of change, and what is no change ---


def test_a_proof_that_has_nothing_to_show_any_more_is_lost() -> None:
    old, new = results(lemma("l", known=["proved", "proved"])), results(lemma("l", known=["proved", "proved"]))
    new["lemmas"][0]["sizes"][0] |= {"trivial": True, "reason": "trivial: the hypotheses contradict each other"}
    found = compare(new, old)
    assert found.changes == (
        Change(LOST, "l", "at tape size 0", "proved", "trivial (the hypotheses contradict each other)"),
    )
    assert found.no_longer_proved == ("l",)
    assert kinds(old, new) == [GAINED]
    assert kinds(new, new) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"known": ["proved", "proved"]}, {"known": ["proved", "undecided"]}, ("at tape size 1", "proved")),
        ({"every": every_size()}, {"every": OPEN}, ("at every size", "fully proved")),
        ({"every": every_size()}, {"every": ADMITTED}, ("at every size", "fully proved")),
        ({"every": ADMITTED}, {"every": OPEN}, ("at every size", "proved, not fully (proved from axiom")),
        ({"every": OPEN, "known": ["proved"]}, {"every": OPEN, "known": ["error"]}, ("at tape size 0", "proved")),
        ({"known": ["proved"]}, {"known": ["proved", "undecided"]}, (UNMATCHED, "proved")),
        ({"known": ["proved"]}, {"every": OPEN}, (UNMATCHED, "proved")),
    ],
)
def test_a_lost_proof(before: dict[str, Any], after: dict[str, Any], said: tuple[str, str]) -> None:
    old, new = results(lemma("l", **before)), results(lemma("l", **after))
    found = compare(new, old)
    (lost,) = [change for change in found.changes if change.kind == LOST]
    assert lost.what == said[0]
    assert lost.before.startswith(said[1])
    assert found.no_longer_proved == ("l",)
    back = compare(old, new)
    assert GAINED in kinds(old, new)
    assert back.no_longer_proved == ()


def test_a_gain_at_one_size_hides_no_loss_at_another() -> None:
    old = results(lemma("l", ADMITTED, known=["proved"]))
    new = results(lemma("l", every_size(), known=["proved", "undecided"]))
    assert kinds(new, old) == [LOST, GAINED]
    assert compare(new, old).no_longer_proved == ("l",)


def test_sizes_with_the_same_change_are_told_together() -> None:
    old, new = (results(lemma("l", known=[word] * 3)) for word in ("proved", "undecided"))
    (change,) = compare(new, old).changes
    assert change.text == "at tape size 0, 1, 2: proved → undecided (timeout)"


def test_another_verdict_is_no_lost_proof() -> None:
    old, new = (results(lemma("l", known=[word])) for word in ("undecided", "error"))
    assert kinds(new, old) == [VERDICT]
    assert compare(new, old).no_longer_proved == ()


def test_new_and_gone() -> None:
    old = results(lemma("a", known=["proved"]), lemma("b", known=["undecided"]))
    new = results(lemma("c", known=["undecided"]))
    found = compare(new, old)
    assert [(c.kind, c.lemma, c.text) for c in found.changes] == [
        (GONE, "a", "proved"),
        (GONE, "b", "undecided"),
        (NEW, "c", "undecided"),
    ]
    assert found.no_longer_proved == ("a",), "what was not proved is no loss"


@pytest.mark.parametrize(("word", "lost"), [("proved", ()), ("undecided", ("l",))])
def test_the_verdict_on_another_claim_does_not_carry_over(word: str, lost: tuple[str, ...]) -> None:
    old = results(lemma("l", known=["proved"]))
    new = changed(results(lemma("l", known=[word])), statement="something else", hypotheses=[])
    found = compare(new, old)
    assert [(c.kind, c.what) for c in found.changes] == [
        (RESTATED, "statement"),
        (RESTATED, "hypothesis h"),
        (RESTATED, "the old verdict does not carry over"),
    ]
    assert found.changes[0].text == "statement: l = l → something else"
    assert found.changes[1].after == "not there"
    assert found.no_longer_proved == lost


def test_how_a_statement_is_laid_out_and_in_which_order_hypotheses_come_is_no_change() -> None:
    old = results(lemma("l", known=["proved"], hypotheses=["h", "k"]))
    new = changed(results(lemma("l", known=["proved"], hypotheses=["k", "h"])), statement="l\n  = l")
    assert kinds(new, old) == []


def test_the_scope() -> None:
    small, large = (results(lemma("l", known=["proved"])) for _ in range(2))
    large["bound"] = {"tape": 3, "contributions": 1, "entries": 1}
    assert [c.text for c in compare(large, small).changes] == ["nodes of a tape, at most: 1 → 3"]
    assert kinds(large, small) == [GROWN]
    assert kinds(small, large) == [SHRUNK]
    both = results(lemma("l", every_size(), known=["proved"]))
    assert kinds(both, small) == [GROWN]
    assert kinds(small, both) == [SHRUNK]
    assert compare(small, both).no_longer_proved == (), "what was not asked is not lost"
    assert kinds(results(lemma("l", every_size())), both) == [SHRUNK]


def test_answers_to_other_questions_are_not_set_side_by_side() -> None:
    """Undecided with more contributions says nothing against proved with fewer, at the same tape size."""
    old = results(lemma("l", OPEN, known=["proved"]))
    new = results(lemma("l", OPEN, known=["undecided"]))
    assert LOST in kinds(new, old)
    new["bound"] = {"tape": 1, "contributions": 2, "entries": 1}
    assert kinds(new, old) == [GROWN]


def test_another_element_type_and_other_tools_are_said() -> None:
    old, new = (results(lemma("l", known=["proved"])) for _ in range(2))
    old["scope"]["scalar"], new["scope"]["scalar"] = "int", "real"
    new["symtape"], new["solver"]["version"], new["run"]["state"] = "9", "9", "interrupted"
    found = compare(new, old)
    assert [(c.kind, c.what) for c in found.changes] == [
        (OTHERWISE, what) for what in ("element type", "symtape", "solver", "run")
    ]


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (10_000, 30_000, [SLOWER]),
        (30_000, 10_000, [FASTER]),
        (100_000, 140_000, []),
        (100, 900, []),
        (30_000, 30_000, []),
    ],
)
def test_effort(was: int, now: int, said: list[str]) -> None:
    old, new = (
        results(lemma("l", every_size(obligations=[obligation("claim", "goal", "goal", rlimit=units)])))
        for units in (was, now)
    )
    found = compare(new, old)
    assert kinds(new, old) == said
    if said:
        assert found.changes[0].text == f"3.0 times: {was:,} Z3 resource units → {now:,} Z3 resource units"
    assert found.no_longer_proved == ()


@pytest.mark.parametrize(("was", "now", "said"), [(1.0, 7.0, [SLOWER]), (0.1, 3.0, []), (10.0, 16.0, [])])
def test_seconds_count_only_where_there_are_no_units(was: float, now: float, said: list[str]) -> None:
    old, new = (results(lemma("l", known=["proved"])) for _ in range(2))
    for data, seconds in ((old, was), (new, now)):
        data["lemmas"][0]["obligations"][0].update(seconds=seconds, rlimit=0)
    assert kinds(new, old) == said
    for data in (old, new):
        data["lemmas"][0]["obligations"][0]["rlimit"] = 10
    assert kinds(new, old) == []


def test_time_lost_on_what_was_not_proved_is_not_called_slower() -> None:
    old, new = (results(lemma("l", known=[word])) for word in ("proved", "undecided"))
    new["lemmas"][0]["obligations"][0].update(rlimit=10**9)
    assert kinds(new, old) == [LOST]


def test_audits_are_compared_if_there_are_two() -> None:
    plain = results(lemma("l", known=["proved"]))
    needed, redundant = changed(plain, audit=audit("l", ["h"])), changed(plain, audit=audit("l", [], ["h"]))
    (change,) = compare(redundant, needed).changes
    assert (change.kind, change.text) == (AUDIT, "hypothesis h: needed → redundant")
    assert kinds(needed, needed) == []
    assert kinds(redundant, plain) == []
    assert kinds(redundant, changed(plain, audit=None)) == []


def test_older_files_without_newer_fields() -> None:
    new = changed(results(lemma("l", every_size(), known=["proved", "proved"])), audit=audit("l", ["h"]))
    old = results(lemma("l", known=["proved"]))
    del old["lemmas"][0]["every_size"], old["scope"]["every_size"]
    for data in (old, new):
        check(data, "written")
    assert kinds(new, old) == [GROWN]
    assert kinds(old, new) == [SHRUNK]


# --- properties ---

VERDICTS = st.sampled_from(["proved", "undecided", "error", "vacuous"])
EVERY = st.sampled_from([None, every_size(), ADMITTED, OPEN])


@st.composite
def files(draw: st.DrawFn) -> dict[str, Any]:
    lemmas = []
    for name in draw(st.lists(st.sampled_from("abcd"), unique=True, min_size=1)):
        every = draw(EVERY)
        known = draw(st.lists(VERDICTS, min_size=0 if every else 1, max_size=3))
        made = lemma(name, every, known=known, hypotheses=draw(st.sampled_from([["h"], ["h", "k"], []])))
        made["statement"] = draw(st.sampled_from(["this", "this", "that"]))
        for each in made["obligations"]:
            each.update(rlimit=draw(st.sampled_from([0, 10, 40_000])), seconds=draw(st.sampled_from([0.1, 9.0])))
        if draw(st.booleans()):
            hypotheses = [each["name"] for each in made["hypotheses"]]
            cut = draw(st.integers(0, len(hypotheses)))
            made["audit"] = audit(name, hypotheses[:cut], hypotheses[cut:])
        lemmas.append(made)
    data = results(*lemmas)
    if data["bound"]:
        data["bound"]["contributions"] = draw(st.integers(1, 2))
    data["scope"]["scalar"] = draw(st.sampled_from(["int", "real"]))
    return data


@settings(max_examples=200, derandomize=True, deadline=None)
@given(files())
def test_against_itself_nothing_changed(data: dict[str, Any]) -> None:
    found = compare(data, copy.deepcopy(data))
    assert found.changes == found.no_longer_proved == ()
    assert found.unchanged == len(data["lemmas"])
    assert changes_text.headline(found).startswith("Nothing changed since")


@settings(max_examples=300, derandomize=True, deadline=None)
@given(files(), files())
def test_the_other_way_round_it_is_the_opposite(new: dict[str, Any], old: dict[str, Any]) -> None:
    def mirrored(change: Change) -> Change:
        return Change(KINDS[change.kind].opposite, change.lemma, change.what, change.after, change.before)

    there, back = compare(new, old), compare(old, new)
    assert Counter(map(mirrored, there.changes)) == Counter(back.changes)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(files(), files())
def test_no_lost_proof_is_kept_quiet(new: dict[str, Any], old: dict[str, Any]) -> None:
    found = compare(new, old)
    proved = {each["name"] for each in new["lemmas"] if each["verdict"] == "proved"}
    for each in old["lemmas"]:
        if each["verdict"] == "proved" and each["name"] not in proved:
            assert each["name"] in found.no_longer_proved
    for name in found.no_longer_proved:
        assert {change.kind for change in found.of(name)} & {LOST, GONE, RESTATED}
    assert {change.lemma for change in found.changes if change.kind == LOST} <= set(found.no_longer_proved)


def test_opposites_are_opposite() -> None:
    assert all(KINDS[kind.opposite].opposite == word == kind.word for word, kind in KINDS.items())


# --- how it is shown ---

NASTY = "a`|b</li>\n@all #1 \x1b[31m\u202e"


def nasty() -> tuple[dict[str, Any], dict[str, Any]]:
    old = results(lemma(NASTY, known=["proved"]), lemma("same", known=["proved"]), lemma("ok", known=["proved"]))
    new = copy.deepcopy(old)
    new["lemmas"][0]["statement"] = NASTY
    new["lemmas"][2] = lemma("ok", known=["undecided"])
    old["run"]["started"] = NASTY
    return new, old


def test_the_page_has_a_section_and_a_mark_at_each_changed_lemma() -> None:
    new, old = nasty()
    page = render(new, compare(new, old))
    said = section(page, "What changed")
    assert "proof lost" in said
    assert "ok: at tape size 0: proved → undecided (timeout)" in said
    assert "the old verdict does not carry over: proved → proved" in said
    assert page.index('id="changes"') < page.index('id="graph"')
    assert "▼ proof lost: at tape size 0: proved → undecided (timeout)" in Page(block(page, "ok")).text
    assert "changed" not in block(page, "same")
    assert sorted(set(Page(page).tags)) == sorted({*Page(render(new)).tags, "strong", "section"})
    assert "What changed" not in Page(render(new)).text


def test_on_the_terminal_it_fits_and_moves_no_cursor() -> None:
    lines = changes_text.terminal(compare(*nasty()), Screen())
    assert all(display_width(line) <= 80 and line.isprintable() for line in lines)
    assert "▼ proof lost: it was proved, and the same claim no longer is" in lines
    assert "  ok: at tape size 0: proved → undecided (timeout)" in lines
    assert changes_text.terminal(compare(*nasty()), Screen(colour=True))[0].startswith("\x1b[31m▼ proof lost")


def test_as_markdown_no_text_is_markup() -> None:
    new, old = nasty()
    text = changes_text.markdown(compare(new, old))
    assert "- `ok`: at tape size 0: `proved` → `undecided (timeout)`" in text.splitlines()
    quoted = "``a`|b</li> @all #1 \\u001b[31m\\u202e``"
    (line,) = [each for each in text.splitlines() if each.startswith("- ") and ": statement: " in each]
    assert line == f"- {quoted}: statement: ``{quoted[2:-2]} = {quoted[2:-2]}`` → {quoted}"
    assert text.replace(quoted[2:-2], "").count("@") == 0
    assert f"Since the run of {quoted}: " in text


def test_a_comment_is_never_too_long_for_a_forge() -> None:
    old = results(*(lemma(f"lemma{i}", known=["proved"]) for i in range(2000)))
    new = copy.deepcopy(old)
    for each in new["lemmas"]:
        each["statement"] = "x" * 1000
    text = changes_text.markdown(compare(new, old))
    assert 20_000 < len(text) < 65_536
    more = int(text.rpartition("- and ")[2].split()[0])
    assert more + text.count("\n- `") == 4000


def test_golden_markdown() -> None:
    old = results(
        lemma("lost", every_size(), known=["proved", "proved"]),
        lemma("gone", every_size(), known=["proved"]),
        lemma("restated", every_size(), known=["proved"]),
        lemma("gained", OPEN, known=["proved"]),
    )
    new = results(
        lemma("lost", ADMITTED, known=["proved", "undecided"]),
        lemma("restated", every_size(), known=["proved"], hypotheses=["h", "k"]),
        lemma("gained", every_size(), known=["proved"]),
        lemma("added", every_size(), known=["proved"]),
    )
    new["bound"]["tape"] = 4
    golden = Path(__file__).parent / "golden" / "changes.md"
    assert changes_text.markdown(compare(new, old)) == golden.read_text("utf-8")


# --- the command ---


def written(folder: Path, **files: dict[str, Any]) -> None:
    for name, data in files.items():
        (folder / f"{name}.json").write_text(dump(data), "utf-8")


PROVED, UNDECIDED = results(lemma("l", known=["proved"])), results(lemma("l", known=["undecided"]))


@pytest.mark.parametrize(("new", "old", "code"), [("u", "p", 1), ("p", "u", 0), ("p", "p", 0), ("u", "u", 0)])
def test_exit_codes(symtape: Run, tmp_path: Path, new: str, old: str, code: int) -> None:  # noqa: F811
    written(tmp_path, p=PROVED, u=UNDECIDED)
    said = symtape("report", f"{new}.json", "--against", f"{old}.json")
    assert said[0] == code
    assert ("Nothing changed" in said[1]) == (new == old)
    assert said[2] == "report: symtape-report/index.html\n"
    assert "What changed" in (tmp_path / "symtape-report" / "index.html").read_text("utf-8")
    assert json.loads((tmp_path / "symtape-report" / "results.json").read_text("utf-8"))["lemmas"][0]["name"] == "l"


def test_markdown_goes_to_a_file_or_alone_to_stdout(symtape: Run, tmp_path: Path) -> None:  # noqa: F811
    written(tmp_path, p=PROVED, u=UNDECIDED)
    _, out, _ = symtape("report", "u.json", "--against", "p.json", "--markdown", "comment.md")
    text = (tmp_path / "comment.md").read_text("utf-8")
    assert text.startswith("### symtape\n") and "### symtape" not in out and "proof lost" in out
    assert symtape("report", "u.json", "--against", "p.json", "--markdown", "-")[1] == text


def test_without_against_the_verdicts_do_not_matter(symtape: Run, tmp_path: Path) -> None:  # noqa: F811
    written(tmp_path, u=UNDECIDED)
    assert symtape("report", "u.json") == (0, "", "report: symtape-report/index.html\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["p.json", "--against", "m.json"], "m.json: a file of symtape mutate"),
        (["m.json", "--against", "p.json"], "m.json: a file of symtape mutate"),
        (["m.json", "--against", "m.json"], "m.json: a file of symtape mutate"),
        (["p.json", "--against", "missing.json"], "missing.json: No such file"),
        (["p.json", "--against", "cut.json"], "cut.json: not JSON, or cut off"),
        (["p.json", "--markdown", "-"], "--against"),
        (["p.json", "--against", "p.json", "--markdown", "/dev/null/x.md"], "cannot write /dev/null/x.md"),
    ],
)
def test_mistakes(symtape: Run, tmp_path: Path, arguments: list[str], says: str) -> None:  # noqa: F811
    made = small()
    for each in made["lemmas"]:
        each.setdefault("on_runtime", "proved")
    written(tmp_path, p=PROVED, m=made)
    (tmp_path / "cut.json").write_text(dump(PROVED)[:50], "utf-8")
    code, out, err = symtape("report", *arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_help_says_what_the_exit_codes_are(capsys: pytest.CaptureFixture[str]) -> None:
    from symtape.cli import main

    with pytest.raises(SystemExit):
        main(["report", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "1 with --against: a lemma that was proved is gone, or no longer (or no longer fully) proved" in said
