"""A counterexample as a file for pytest, which fails on the engine that it refutes."""

from __future__ import annotations

import ast
import re
from textwrap import fill

from symtape.statement import Lemma

WIDTH = 88
REFUTES = '"""Refutes '
"""How every such file begins."""


def pytest_file(lemma: Lemma, call: str, exported: list[str]) -> str:
    """The text of the file. `call` is the call of `replay`, `exported` the names that it may use."""
    from symtape import __version__

    tree = ast.parse(call, mode="eval").body
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & set(exported)
    engine = "" if lemma.engine is not None else " on the runtime"
    name = re.sub(r"\W+", "_", lemma.name, flags=re.ASCII).strip("_")
    says = (
        "It fails as long as all hypotheses hold of these values and the claim does not, and passes once the lemma "
        f"or the engine is mended. Found by symtape {__version__}; it needs symtape to run, but not the solver."
    )
    heading = f"def test_{name}() -> None:"
    claim = " ".join(lemma.summary.split())
    return "\n".join(
        [
            f"{REFUTES}{_quotable(lemma.name)}{engine}.",
            "",
            fill(_quotable(f"The claim: {claim}"), WIDTH),
            "",
            fill(says, WIDTH),
            '"""',
            "",
            _imports(used),
            "",
            "",
            heading if len(heading) <= WIDTH else f"def test_{name}():",
            f"    replayed = {written(tree, 4, len('replayed = '))}",
            r'    assert not replayed, f"\n{replayed}"',
            "",
        ]
    )


def _imports(names: set[str]) -> str:
    # as ruff sorts them: classes before functions
    ordered = sorted(names, key=lambda name: (not name[0].isupper(), name))
    line = f"from symtape.encodings.replay import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join(["from symtape.encodings.replay import (", *(f"    {name}," for name in ordered), ")"])


def _quotable(text: str) -> str:
    """Text that may stand in a docstring."""
    return text.replace("\\", "\\\\").replace('"', "'")


def written(tree: ast.expr, indent: int = 0, before: int = 0) -> str:
    """An expression of calls, lists, tuples, dicts and constants, one part a line where a line is too long for it.
    `before`: how much stands in front of it on its first line."""
    flat = _flat(tree)
    parts = _parts(tree, indent + 4)
    if indent + before + len(flat) + 1 <= WIDTH or not parts:
        return flat
    opening, closing = _brackets(tree)
    inner = "".join(f"{' ' * (indent + 4)}{part},\n" for part in parts)
    return f"{opening}\n{inner}{' ' * indent}{closing}"


def _parts(tree: ast.expr, indent: int) -> list[str]:
    match tree:
        case ast.Call():
            named = [
                f"{keyword.arg}={written(keyword.value, indent, len(str(keyword.arg)) + 1)}"
                for keyword in tree.keywords
            ]
            return [*(written(each, indent) for each in tree.args), *named]
        case ast.List() | ast.Tuple():
            return [written(each, indent) for each in tree.elts]
        case ast.Dict():
            return [
                f"{_key(key, indent)}: {written(value, indent, len(_key(key, indent).rsplit(chr(10))[-1]) + 2)}"
                for key, value in zip(tree.keys, tree.values, strict=True)
                if key is not None
            ]
    return []


def _key(tree: ast.expr, indent: int) -> str:
    return written(tree, indent, 1)


def _brackets(tree: ast.expr) -> tuple[str, str]:
    match tree:
        case ast.Call():
            return f"{_flat(tree.func)}(", ")"
        case ast.List():
            return "[", "]"
        case ast.Dict():
            return "{", "}"
    return "(", ")"


def _flat(tree: ast.expr) -> str:
    """The expression on one line, with the quotes that formatters like."""
    match tree:
        case ast.Constant(value=str()):
            text = repr(tree.value)
            plain = text[1:-1].replace("\\'", "'") if text[0] == "'" else text[1:-1]
            return f'"{plain}"' if '"' not in plain else text
        case ast.Call():
            named = [f"{keyword.arg}={_flat(keyword.value)}" for keyword in tree.keywords]
            return f"{_flat(tree.func)}({', '.join([*map(_flat, tree.args), *named])})"
        case ast.List():
            return f"[{', '.join(map(_flat, tree.elts))}]"
        case ast.Tuple():
            return f"({', '.join(map(_flat, tree.elts))}{',' if len(tree.elts) == 1 else ''})"
        case ast.Dict():
            pairs = zip(tree.keys, tree.values, strict=True)
            return "{" + ", ".join(f"{_flat(key)}: {_flat(value)}" for key, value in pairs if key is not None) + "}"
    return ast.unparse(tree)
