"""What an audit found, for the terminal."""

from __future__ import annotations

from typing import Any

from symtape.screen import Screen
from symtape.table import Cell, Column, Table, lay_out, paragraph
from symtape.terminal import headline, refutation, verdict

NONE = "–"


def summary(results: dict[str, Any], screen: Screen, *, witness: bool) -> list[str]:
    """What the minimal sets of each lemma show, the counterexamples of the needed hypotheses, and at the end a table
    with a line for each lemma."""
    lemmas = results["lemmas"]
    lines = [line for lemma in lemmas for line in _of(lemma, witness=witness)]
    said = (headline(results), f"{finding(lemmas)}: {scope(results['bound'])}")
    return [
        *lines,
        *lay_out(table(results), screen),
        "",
        *(each for line in said for each in paragraph(line, screen)),
    ]


def table(results: dict[str, Any]) -> Table:
    """What the hypotheses of the audited lemmas are worth, a row for each lemma."""
    columns = (Column("verdict"), *(Column(title, wraps=True) for title in ("lemma", "needed", "redundant")))
    return Table(columns, tuple(_row(lemma) for lemma in results["lemmas"] if lemma["audit"] is not None))


def scope(bound: dict[str, int]) -> str:
    """What an audit looks at, which is more than a proof up to the bound does: dropped hypotheses tie no sizes."""
    return f"tapes of 0-{bound['tape']} nodes, other sizes up to {bound['tape']} or one more than the tape's"


def finding(lemmas: list[dict[str, Any]]) -> str:
    """One sentence: how many hypotheses are needed, and how many are not."""
    asked = sum(len(lemma["hypotheses"]) for lemma in lemmas)
    needed = sum(len(lemma["audit"]["needed"]) for lemma in lemmas)
    redundant = sum(len(lemma["audit"]["redundant"]) for lemma in lemmas)
    rest = asked - needed - redundant
    undecided = f", {rest} undecided" if rest else ""
    return f"of {asked} hypotheses {needed} are needed, {redundant} redundant{undecided}"


def _row(lemma: dict[str, Any]) -> tuple[Cell, ...]:
    audit = lemma["audit"]
    needed, redundant = (Cell(" ".join(audit[each]) or NONE) for each in ("needed", "redundant"))
    return verdict(lemma), Cell(lemma["name"]), needed, redundant


def _of(lemma: dict[str, Any], *, witness: bool) -> list[str]:
    audit = lemma["audit"]
    lines = [lemma["name"]]
    if not audit["satisfiable"]:
        lines.append("  nothing was found that satisfies the hypotheses: what follows says nothing")
    lines += [f"  {_set(each)}" for each in audit["sets"]]
    if any(each["minimal_sets"] != audit["minimal_sets"] for each in audit["by_size"]):
        lines += [f"  at tape size {each['size']}: {_at(each)}" for each in audit["by_size"]]
    for name in audit["redundant"]:
        needs = name in audit["proof_needs"]
        where = ", but this proof at every size does not go without it" if needs else ""
        lines.append(f"  {name} is redundant for the claim{where}")
    lines += [f"  {each['question']} {each['answer']}" for each in audit["sharp"]]
    for each in audit["without"]:
        if each["verdict"] == "undecided":
            lines.append(f"  {each['hypothesis']}: undecided: {each['reason']}")
        elif each["counterexample"] is not None:
            what = f"{lemma['name']} without {each['hypothesis']}"
            lines += [f"  {line}" for line in refutation(what, each["counterexample"])]
    if witness and audit["witness"] is not None:
        lines += ["  a case that satisfies the hypotheses:", *_witness(audit["witness"])]
    return [*lines, ""]


def _at(each: dict[str, Any]) -> str:
    """What suffices at one tape size."""
    if not each["satisfiable"]:
        return "nothing was found that satisfies the hypotheses"
    sets = [", ".join(names) or "no hypothesis" for names in each["minimal_sets"]]
    return f"what suffices is {' or '.join(sets)}" if sets else "no set of hypotheses suffices"


def _set(each: dict[str, Any]) -> str:
    names = ", ".join(each["hypotheses"])
    what = f"{names} {'suffices' if len(each['hypotheses']) == 1 else 'suffice'}" if names else "holds of everything"
    if each["verdict"] != "proved":
        return f"{what}, it seems: {each['reason']}"
    every = each["every_size"]
    if every is None:
        return what
    if every["verdict"] != "proved":
        return f"{what} up to the bound; at every size: {every['reason']}"
    return f"{what}, also at every size, by {every['route']}" + ("" if every["fully"] else " (not fully proved)")


def _witness(shown: dict[str, Any]) -> list[str]:
    width = max(map(len, shown["parameters"]), default=0)
    lines = [f"    {shown['call']}"]
    for parameter, text in shown["parameters"].items():
        first, *rest = text or [""]
        lines.append(f"    {parameter.ljust(width)} = {first}")
        lines += [f"    {' ' * width}   {line}" for line in rest]
    return lines
