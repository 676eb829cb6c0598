"""Statements as mathematics: what an author wrote in Python, in the notation of Lean.

>>> mathematics(ast.parse("for_all(below(t.size), lambda i: t.nodes[i].requiresGrad)", mode="eval").body)
'∀ i < t.size, t.nodes[i].requiresGrad'

Unicode text: it copies, it is searched, and a screen reader reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from enum import IntEnum


class _Binds(IntEnum):
    """How tightly the outermost part of a text binds."""

    QUANTIFIER = 0
    IFF = 1
    IMPLIES = 2
    OR = 3
    AND = 4
    NOT = 5
    RELATION = 6
    SUM = 7
    APPLICATION = 8
    ATOM = 9


CONNECTIVES = {"all_of": ("∧", _Binds.AND), "any_of": ("∨", _Binds.OR)}
RELATIONS = {
    ast.Lt: "<",
    ast.LtE: "≤",
    ast.Gt: ">",
    ast.GtE: "≥",
    ast.Eq: "=",
    ast.NotEq: "≠",
}
MEMBERS = {"forall": "∀", "exists": "∃"}
"""Methods of a list or an option that say something of its members."""

WORDS = ("equal", "negate", "implies", "iff", "for_all", "below", *CONNECTIVES)
"""The functions of symtape's language that have a notation."""

Said = tuple[str, _Binds]


def mathematics(node: ast.expr, own: frozenset[str] = frozenset()) -> str:
    """An expression of a statement as a line of mathematics; what has no notation stays as it was written.

    `own` are words of symtape's language that mean something else here: they have no notation, but a prime.
    """
    return _said(_Primed(own).visit(deepcopy(node)) if own else node)[0]


class _Primed(ast.NodeTransformer):
    """Marks words that are not symtape's own."""

    def __init__(self, words: frozenset[str]) -> None:
        self._words = words

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"{node.id}′", node.ctx) if node.id in self._words else node


def _said(node: ast.expr) -> Said:
    match node:
        case ast.Lambda() if not _plain(node):
            return ast.unparse(node), _Binds.QUANTIFIER
        case ast.Call(keywords=named) if any(each.arg is None for each in named):
            return ast.unparse(node), _Binds.QUANTIFIER
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _named(name, arguments, node)
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[ast.Lambda() as body], keywords=[]) if (
            method in MEMBERS and _plain(body)
        ):
            return _quantified(f"{MEMBERS[method]} {_pattern(body)} ∈ {_within(owner, _Binds.SUM)}", body.body)
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=arguments, keywords=named):
            return _applied(f"{_within(owner, _Binds.ATOM)}.{method}", arguments, named)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=named):
            return _applied(name, arguments, named)
        case ast.Attribute(value=owner, attr=name):
            return f"{_within(owner, _Binds.ATOM)}.{name}", _Binds.ATOM
        case ast.Subscript(value=owner, slice=index):
            return f"{_within(owner, _Binds.ATOM)}[{mathematics(index)}]", _Binds.ATOM
        case ast.Lambda(body=body):
            return f"fun {_binders(node)} ↦ {mathematics(body)}", _Binds.QUANTIFIER
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in RELATIONS:
            return _related(left, RELATIONS[type(operator)], right)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{_within(left, _Binds.SUM)} + {_within(right, _Binds.APPLICATION)}", _Binds.SUM
        case ast.Starred(value=value):
            return _said(value)
        case ast.Tuple(elts=elements):
            return f"({', '.join(map(mathematics, elements))})", _Binds.ATOM
        case ast.Constant(value=bool() as value):
            return "true" if value else "false", _Binds.ATOM
        case ast.Name() | ast.Constant():
            return ast.unparse(node), _Binds.ATOM
    return ast.unparse(node), _Binds.QUANTIFIER


def _named(name: str, arguments: Sequence[ast.expr], node: ast.expr) -> Said:
    """A call of a function of symtape's language, or of the author's own."""
    if any(isinstance(each, ast.Starred) for each in arguments):
        return _applied(name, arguments)
    match name, arguments:
        case "equal", [left, right]:
            return _related(left, "=", right)
        case "negate", [ast.Call(func=ast.Name(id="equal"), args=[left, right])]:
            return _related(left, "≠", right)
        case "negate", [prop]:
            return f"¬{_within(prop, _Binds.NOT)}", _Binds.NOT
        case "implies", [left, right]:
            return f"{_within(left, _Binds.OR)} → {_within(right, _Binds.IMPLIES)}", _Binds.IMPLIES
        case "iff", [left, right]:
            return f"{_within(left, _Binds.IMPLIES)} ↔ {_within(right, _Binds.IMPLIES)}", _Binds.IFF
        case "for_all", [ast.Call(func=ast.Name(id="below"), args=[bound]), ast.Lambda() as body] if _plain(body):
            return _quantified(f"∀ {_pattern(body)} < {_within(bound, _Binds.SUM)}", body.body)
        case "for_all", [domain, ast.Lambda() as body] if _plain(body):
            return _quantified(f"∀ {_pattern(body)} ∈ {_within(domain, _Binds.SUM)}", body.body)
    if name in CONNECTIVES and arguments:
        sign, binds = CONNECTIVES[name]
        return f" {sign} ".join(_within(each, _Binds(binds + 1)) for each in arguments), binds
    return _applied(name, arguments)


def _related(left: ast.expr, sign: str, right: ast.expr) -> Said:
    return f"{_within(left, _Binds.SUM)} {sign} {_within(right, _Binds.SUM)}", _Binds.RELATION


def _quantified(opening: str, body: ast.expr) -> Said:
    return f"{opening}, {mathematics(body)}", _Binds.QUANTIFIER


def _applied(function: str, arguments: Sequence[ast.expr], named: Sequence[ast.keyword] = ()) -> Said:
    """A function and its arguments, those with a name as Lean writes them."""
    if not arguments and not named:
        return function, _Binds.ATOM
    by_name = [f"({each.arg} := {mathematics(each.value)})" for each in named]
    return " ".join([function, *(_within(each, _Binds.ATOM) for each in arguments), *by_name]), _Binds.APPLICATION


def _within(node: ast.expr, binds: _Binds) -> str:
    """A part of a text, in parentheses unless it binds at least so tightly."""
    text, own = _said(node)
    return text if own >= binds else f"({text})"


def _plain(node: ast.Lambda) -> bool:
    """Whether its parameters are names and nothing else: a default or a star is not to be lost."""
    said = node.args
    return not (said.posonlyargs or said.vararg or said.kwonlyargs or said.kwarg or said.defaults)


def _binders(node: ast.Lambda) -> str:
    return " ".join(each.arg for each in node.args.args)


def _pattern(node: ast.Lambda) -> str:
    """What a member is called: a pair where it is one."""
    names = [each.arg for each in node.args.args]
    return names[0] if len(names) == 1 else f"({', '.join(names)})"
