"""What the text of a lemma or of a proof may not say: it would be said of symbols, not of what they stand for."""

from __future__ import annotations

import ast

_SLIPS: dict[type[ast.AST], str] = {
    **{ast.And: "and", ast.Or: "or", ast.Not: "not", ast.If: "if", ast.IfExp: "if"},
    **{ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.Set: "a set", ast.SetComp: "a set"},
    **{ast.Sub: "-", ast.USub: "-", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Invert: "~"},
}
_HIDDEN = {"some", "node", "ok", "message", "entries", "items", "slots", "tensors", "token", "applications"}


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
