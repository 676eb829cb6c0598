"""The text of functions, and the parts of a lemma's text. Each file is read and parsed once."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from symtape import logic
from symtape.mathematics import WORDS, mathematics
from symtape.slips import slip


@dataclass(frozen=True)
class Module:
    """A file's lines, as bytes, since that is how the parser counts columns, and its tree."""

    lines: list[bytes]
    tree: ast.Module

    @cached_property
    def functions(self) -> dict[int, list[ast.FunctionDef | ast.Lambda]]:
        """Those that begin on a line, their decorators included."""
        found: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.Lambda):
                decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
                first = min([node.lineno, *(each.lineno for each in decorators)])
                found.setdefault(first, []).append(node)
        return found

    def segment(self, node: ast.expr) -> str:
        """The text of an expression."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if first == last:
            return self.lines[first][node.col_offset : node.end_col_offset].decode()
        middle = self.lines[first + 1 : last]
        parts = [self.lines[first][node.col_offset :], *middle, self.lines[last][: node.end_col_offset]]
        return b"".join(parts).decode()


@lru_cache(maxsize=64)
def module(file: str) -> Module | None:
    """A file of Python; `None` for what is none, such as what was typed at a prompt."""
    try:
        text = Path(file).read_bytes()
        return Module(text.splitlines(keepends=True), ast.parse(text))
    except (OSError, SyntaxError, ValueError):
        return None


def definitions(code: CodeType) -> Iterator[ast.FunctionDef | ast.Lambda]:
    """The functions that begin on the line on which this one does, its decorators included."""
    found = module(code.co_filename)
    yield from found.functions.get(code.co_firstlineno, []) if found is not None else []


@dataclass(frozen=True)
class Parts:
    """The source text of a statement's goal and hypotheses."""

    goal: str
    hypotheses: dict[str, str]
    mathematics: dict[str, str] = field(default_factory=dict)
    """The same in mathematical notation; the goal's name is empty."""
    slip: str = ""
    """What in the text decides about symbols instead of values, if anything does."""

    @staticmethod
    def of(function: Callable[..., Any]) -> Parts:
        found = module(function.__code__.co_filename)
        for definition in definitions(function.__code__):
            own = _own(function, definition)
            named = list(_named(definition))
            for node in ast.walk(definition):
                match node:
                    case ast.Call(func=ast.Attribute(value=ast.Call() as opened, attr="show"), args=[goal]):
                        body = goal.body if isinstance(goal, ast.Lambda) else goal
                        texts = {k.arg: _text(found, k.value) for k in opened.keywords if k.arg is not None}
                        said = {k.arg: mathematics(k.value, own) for k in opened.keywords if k.arg is not None}
                        where = [(name, mathematics(value, own)) for name, value in named]
                        return Parts(
                            _where(_text(found, body), [(name, _text(found, value)) for name, value in named]),
                            texts,
                            {**said, "": _where(mathematics(body, own), where)},
                            slip(definition),
                        )
            return Parts("(not written as given(...).show(...))", {})
        return Parts("(source not available)", {})


def _own(function: Callable[..., Any], definition: ast.AST) -> frozenset[str]:
    """The words of symtape's language that stand for something else in a function."""
    here = {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
    here |= {
        node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    here |= {
        node.name for node in ast.walk(definition) if isinstance(node, ast.FunctionDef) and node is not definition
    }
    here.update(function.__code__.co_freevars)
    meant = {name: function.__globals__.get(name, getattr(logic, name)) for name in WORDS}
    return frozenset(name for name, value in meant.items() if name in here or value is not getattr(logic, name))


def _named(definition: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What a function gives a name of its own before it returns: without it the rest says nothing."""
    for statement in definition.body if isinstance(definition, ast.FunctionDef) else []:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield ast.unparse(target), value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield ast.unparse(target), value


def _where(text: str, named: Sequence[tuple[str, str]]) -> str:
    return text + (f", where {', '.join(f'{name} := {value}' for name, value in named)}" if named else "")


def _text(found: Module | None, node: ast.expr) -> str:
    """An expression on one line."""
    raw = ast.unparse(node) if found is None else found.segment(node)
    one_line = re.sub(r"\s+", " ", raw)
    return re.sub(r",? ?([)\]])", r"\1", re.sub(r"([(\[]) ", r"\1", one_line))
