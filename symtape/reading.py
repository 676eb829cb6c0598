"""The commands that ask no solver: `list`, `show`, `report` and `graph`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill, indent
from typing import Any

from symtape.choose import choose
from symtape.discover import discover
from symtape.places import (
    UsageError,
    forget_questions,
    mutants_report_into,
    report_into,
    writable,
    write_text,
)
from symtape.screen import Screen
from symtape.statement import Lemma, relative
from symtape.verdict import EXIT_PROVED, EXIT_REFUTED


def list_lemmas(options: argparse.Namespace, given: Sequence[str]) -> int:
    """`symtape list`: lemmas by group."""
    by_group: dict[str, list[Lemma]] = {}
    for lemma in _chosen(options):
        by_group.setdefault(lemma.group or "(no group)", []).append(lemma)
    for group, lemmas in by_group.items():
        print(group)
        for each in lemmas:
            print(f"  {each.name}")
            print(fill(each.summary, 78, initial_indent=" " * 6, subsequent_indent=" " * 6))
            if each.uses:
                uses = f"uses {', '.join(each.uses)}"
                print(fill(uses, 78, initial_indent=" " * 6, subsequent_indent=" " * 11, break_long_words=False))
    return EXIT_PROVED


def show(options: argparse.Namespace, given: Sequence[str]) -> int:
    """`symtape show`: statement, hypotheses and source of lemmas."""
    for number, lemma in enumerate(_chosen(options)):
        if number:
            print()
        path, line = lemma.location
        print(lemma.lean or lemma.name)
        print(lemma.doc)
        print("\nstatement")
        print(indent(lemma.statement, "  "))
        if lemma.hypotheses:
            print("hypotheses")
            for name, text in lemma.hypotheses.items():
                print(f"  {name} : {text}")
        if lemma.uses:
            print(f"uses {', '.join(lemma.uses)}")
        print(f"proof at every size: {lemma.proof}")
        print(f"source {f'{lemma.source}; ' if lemma.source else ''}{relative(path)}:{line}")
    return EXIT_PROVED


def report(options: argparse.Namespace, given: Sequence[str]) -> int:
    """`symtape report`: the report again, from the results file of any command, and what changed since another."""
    if options.markdown and options.against is None:
        raise UsageError("--markdown says what changed: it needs --against OLD.json")
    loaded, page = _loaded(options.results)
    folder = writable(Path(options.report))
    if page is report_into:
        _forget_others(loaded, folder)
    if options.against is None:
        print(f"report: {folder / page(loaded, folder)}", file=sys.stderr)
        return EXIT_PROVED
    return _compared(loaded, options, folder)


def _forget_others(loaded: dict[str, Any], folder: Path) -> None:
    """Take away the questions of another run that wrote its report there: they are no evidence for these results."""
    from symtape import results

    file = folder / "results.json"
    if not file.exists():
        return
    try:
        same = results.read(file) == loaded
    except results.ResultsError:
        same = False
    if not same:
        forget_questions(folder)


def _compared(loaded: dict[str, Any], options: argparse.Namespace, folder: Path) -> int:
    """Write the report with what changed since an older run, and say it."""
    from symtape.reports.changes_text import markdown, terminal
    from symtape.reports.comparison import compare

    old, _ = _loaded(options.against)
    for path, results in ((options.results, loaded), (options.against, old)):
        if "mutants" in results:
            raise UsageError(f"{path}: a file of symtape mutate; --against compares those of prove and audit")
    comparison = compare(loaded, old)
    page = report_into(loaded, folder, comparison)
    if options.markdown not in (None, "-"):
        write_text(Path(options.markdown), markdown(comparison))
    if options.markdown == "-":
        print(markdown(comparison), end="")
    else:
        print("\n".join(terminal(comparison, Screen.of(sys.stdout))))
    print(f"report: {folder / page}", file=sys.stderr)
    return EXIT_REFUTED if comparison.no_longer_proved else EXIT_PROVED


def graph(options: argparse.Namespace, given: Sequence[str]) -> int:
    """`symtape graph`: the dependency graph in one of several formats."""
    from symtape.reports.graph import export

    if options.depth is not None and not options.lemmas:
        raise UsageError("--depth needs a LEMMA to start from")
    if options.results is not None:
        loaded, _ = _loaded(options.results)
        # a kill matrix says nothing of what lemmas use
        lemmas = [{"uses": [], "verdict": None, **lemma} for lemma in loaded["lemmas"]]
    else:
        lemmas = [
            {"name": each.name, "lean": each.lean, "group": each.group, "uses": list(each.uses), "verdict": None}
            for each in discover(options.encodings).values()
        ]
    text = export(_focused(lemmas, options), options.format, every_arrow=options.every_arrow)
    if options.output:
        write_text(Path(options.output), text)
    else:
        print(text, end="")
    return EXIT_PROVED


def _focused(lemmas: list[dict[str, Any]], options: argparse.Namespace) -> list[dict[str, Any]]:
    """The lemmas that were named, and with a depth those around them, in the order in which they came."""
    from symtape.reports.pictures import near

    named = {each["name"]: _Named(each["name"], each.get("lean"), each.get("group") or "") for each in lemmas}
    wanted = {each.name for each in choose(named, options.lemmas)}
    if options.depth is not None:
        both = options.direction == "both"
        up, down = both or options.direction == "uses", both or options.direction == "used-by"
        wanted = near(lemmas, wanted, options.depth, up=up, down=down)
    return [each for each in lemmas if each["name"] in wanted]


@dataclass(frozen=True)
class _Named:
    """What a lemma of a results file is chosen by."""

    name: str
    lean: str | None
    group: str


def _chosen(options: argparse.Namespace) -> list[Lemma]:
    return choose(discover(options.encodings), options.lemmas)


def _loaded(path: Path) -> tuple[dict[str, Any], Callable[[dict[str, Any], Path], str]]:
    """What is in a results file, and what makes a report of it. Raises `UsageError`."""
    from symtape import mutation, results

    try:
        if "mutants" in results.read(path):
            return mutation.load(path), mutants_report_into
        return results.load(path), report_into
    except results.ResultsError as problem:
        raise UsageError(str(problem)) from problem
