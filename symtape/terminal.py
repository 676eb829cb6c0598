"""What a person sees on the terminal: progress on stderr, the result on stdout, ending with a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from symtape.results import counterexample
from symtape.screen import Screen
from symtape.table import Cell, Column, Table, lay_out, paragraph, side_by_side, step_by_step

if TYPE_CHECKING:
    from symtape.run import Observer, Progress

GLYPHS = {"proved": "✓", "refuted": "✗", "vacuous": "∅", "undecided": "?", "error": "!"}
STYLES = {"proved": "good", "refuted": "bad", "vacuous": "bad", "undecided": "open", "error": "bad"}

MOST_STEPS = 40


def progress(stream: TextIO) -> Observer:
    """Shows how many obligations are done and which is running; silent unless the stream is a terminal."""
    if not stream.isatty():
        return lambda _: None

    def show(at: Progress) -> None:
        stream.write(f"\r\x1b[K{at.done}/{at.known} {at.current[:60]}")
        if at.done == at.known:
            stream.write("\r\x1b[K")
        stream.flush()

    return show


def clear_progress(stream: TextIO) -> None:
    if stream.isatty():
        stream.write("\r\x1b[K")
        stream.flush()


def summary(results: dict[str, Any], screen: Screen) -> list[str]:
    """What a run came to: the counterexamples, what is to be said of the proofs, and at the end, where a reader
    looks first, a table with a line for each lemma, and the scope."""
    lines = []
    for lemma in results["lemmas"]:
        shown = counterexample(lemma)
        if shown is not None:
            lines += [*refutation(lemma["name"], shown), ""]
    remarks = [line for each in _remarks(results) for line in paragraph(each, screen)]
    lines += [*remarks, ""] if remarks else []
    return [*lines, *lay_out(table(results), screen), "", *paragraph(headline(results), screen)]


def table(results: dict[str, Any]) -> Table:
    """What a run came to, a row for each lemma."""
    columns = (Column("verdict"), Column("lemma", wraps=True), Column("time", right=True))
    return Table(columns, tuple(_row(lemma) for lemma in results["lemmas"]))


def verdict(lemma: dict[str, Any]) -> Cell:
    """The verdict on a lemma as glyph and word."""
    word, every = lemma["verdict"], lemma.get("every_size")
    if word == "proved" and every is not None and not every["fully"]:
        return Cell("◐ proved, not fully", "partly")
    return Cell(f"{GLYPHS[word]} {word}", STYLES[word])


def _row(lemma: dict[str, Any]) -> tuple[Cell, ...]:
    every = lemma.get("every_size")
    seconds = sum(o["seconds"] for o in lemma["obligations"]) + (every["seconds"] if every else 0.0)
    return verdict(lemma), Cell(lemma["name"]), Cell(f"{seconds:.2f} s")


def _remarks(results: dict[str, Any]) -> list[str]:
    """Why lemmas are not proved, what the proofs at every size rest on without proof, and which declared uses no
    proof needed."""
    lines = [
        f"{lemma['name']}: {lemma['verdict']}: {lemma['reason'] or 'see the report'}"
        for lemma in results["lemmas"]
        if lemma["verdict"] not in ("proved", "refuted")
    ]
    for lemma in results["lemmas"]:
        every = lemma["every_size"]
        if every is None or every["verdict"] != "proved":
            continue
        if every["admitted"]:
            lines.append(f"{lemma['name']} rests on what is not proved: {', '.join(every['admitted'])}")
        needless = [use["name"] for use in every["uses"] if not (use["to_prove"] or use["to_state"])]
        if needless:
            lines.append(f"{lemma['name']} declares to use {', '.join(needless)}: no core needed it")
    return lines


def headline(results: dict[str, Any]) -> str:
    """One sentence: what was proved, and for which tapes."""
    total = len(results["lemmas"])
    counts = {verdict: count for verdict, count in results["counts"].items() if count}
    proved = counts.pop("proved", 0)
    rest = "".join(f", {count} {verdict}" for verdict, count in counts.items())
    stopped = " (interrupted)" if results["run"]["state"] == "interrupted" else ""
    return f"{proved} of {total} proved{rest}{stopped}: {results['scope']['text']}"


def refutation(name: str, shown: dict[str, Any]) -> list[str]:
    """A counterexample: the call that replays it, the values, both sides with the lines that differ marked."""
    lines = [shown["call"], f"  refutes {name}:"]
    width = max(map(len, shown["parameters"]), default=0)
    for parameter, text in shown["parameters"].items():
        first, *rest = text or [""]
        lines.append(f"  {parameter.ljust(width)} = {first}")
        lines += [f"  {' ' * width}   {line}" for line in rest]
    return lines + side_by_side(shown["left"], shown["right"]) + _steps(shown)


def _steps(shown: dict[str, Any]) -> list[str]:
    """The backward pass on both sides, as much of it as a terminal has room for."""
    lines = step_lines(shown)
    if not lines:
        return []
    more = len(lines) - MOST_STEPS
    cut = [f"  … {more} more, see the report"] if more > 0 else []
    return ["  step by step:", *lines[:MOST_STEPS], *cut]


def step_lines(shown: dict[str, Any]) -> list[str]:
    """What ran on both sides of a counterexample's goal, the lines where they part marked; nothing if nothing did."""
    said = shown.get("steps", {"left": [], "right": []})
    left, right = (["  " * step["depth"] + step["text"] for step in said[side]] for side in ("left", "right"))
    return step_by_step(left, right)
