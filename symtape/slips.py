"""What the text of a lemma or of a proof may not say: it would be said of symbols, not of what they stand for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_SLIPS: dict[type[ast.AST], str] = {
    **{ast.And: "and", ast.Or: "or", ast.Not: "not", ast.If: "if", ast.IfExp: "if"},
    **{ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.Set: "a set", ast.SetComp: "a set"},
    **{ast.Sub: "-", ast.USub: "-", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Invert: "~"},
}
_HIDDEN = {"some", "node", "ok", "message", "entries", "items", "slots", "tensors", "token", "applications"}
_MADE_OF = {"world", "require", "share", "term", "terms", "array", "like", "of", "sized", "leaves", "typed"}
"""What values of every size are made of: whoever takes them apart can put together what is no value."""
_INNER = ("z3", "symtape.smt", "symtape.terms", "symtape.instances", "symtape.recursion", "symtape.encodings.free")
"""Modules that a proof does not make values with."""


def slip(tree: ast.AST) -> str:
    """Python that means something else about symbols than about values, in the text of a lemma; helpers that it calls
    are not looked into. What a result or an option holds may only be asked by `map`, `bind` and `exists`, since it is
    unspecified where there is nothing; lists and tensors are padded up to the bound."""
    for node in ast.walk(tree):
        if word := _SLIPS.get(type(node)):
            return (
                f"{word} decides about symbols, not values: use equal, negate, all_of, any_of, implies, forall, "
                "and + instead of -"
            )
        if isinstance(node, ast.Attribute) and node.attr in _HIDDEN:
            return f".{node.attr} is padded or unspecified in the model: use map, bind, exists, forall"
    return ""


def slip_in_proof(uses: Callable[..., Any]) -> str:
    """As `slip`, in the text of a proof; and that it takes values apart, or makes some from what they are made of.

    It catches mistakes, not malice: a proof is Python, and helpers that it calls are not looked into.
    """
    code = getattr(uses, "__code__", None)
    if code is None:
        return "a proof is a function"
    names = getattr(uses, "__globals__", {})
    for name in _names(code):
        found = names.get(name)
        module = found.__name__ if isinstance(found, ModuleType) else str(getattr(found, "__module__", ""))
        if any(module == inner or module.startswith(f"{inner}.") for inner in _INNER):
            return f"{name} is not for proofs: values are made by the methods of others"
    for node in _texts(code):
        if said := slip(node):
            return said
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and (part.attr in _MADE_OF or part.attr.startswith("_")):
                return f".{part.attr} is what a value is made of: a proof has its methods only"
    return ""


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _texts(code: CodeType) -> Iterator[ast.AST]:
    """The functions that begin on the line on which this one does."""
    for node in ast.walk(_module(code.co_filename)):
        if isinstance(node, ast.Lambda | ast.FunctionDef) and node.lineno == code.co_firstlineno:
            yield node


@lru_cache(maxsize=64)
def _module(file: str) -> ast.AST:
    """The text of a file, as a tree; an empty one for what was not read from a file."""
    try:
        return ast.parse(Path(file).read_text("utf-8"))
    except (OSError, UnicodeError, SyntaxError):
        return ast.Module([], [])
