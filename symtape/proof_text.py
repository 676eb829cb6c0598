"""What the text of a proof may not say, besides what a lemma's may not (`slips`)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any

from symtape.slips import slip
from symtape.source import definitions

_MADE_OF = {"world", "require", "share", "term", "terms", "array", "like", "of", "sized", "leaves", "typed"}
"""What values of every size are made of: whoever takes them apart can put together what is no value."""
_INNER = ("z3", "symtape.smt", "symtape.terms", "symtape.instances", "symtape.recursion", "symtape.encodings.free")
"""Modules that a proof does not make values with."""


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
    for node in definitions(code):
        if any(isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load) for part in ast.walk(node)):
            return "a value does not change: a proof assigns to none"
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
