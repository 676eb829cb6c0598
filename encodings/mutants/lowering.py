"""Mutants of `lowerNode`: the value, the flag, and what the backward function of a lowered node does."""

from __future__ import annotations

from symtape.encodings import plain
from symtape.encodings.backward import WRONG_CONTRIBUTION
from symtape.encodings.mutants._making import ALWAYS, LOWER, Both, answers, asks, edited, fails, mutant
from symtape.encodings.result import success

PYTORCH = "https://github.com/pytorch/pytorch/issues/197887"
UPSTREAM = "upstream shape"

MUTANTS_SHAPE = [
    edited(
        LOWER,
        f"'{UPSTREAM}' dropped",
        "check dropped",
        "To a gradient of the wrong shape nothing is emitted, and that is no error.",
        # a vjp has no answer to such a gradient
        answers(
            UPSTREAM,
            Both(
                lambda run, node, ctx, *_: success(node.world, ctx.toIndexedShapeErasedArray(0).take(0)),
                lambda *_: plain.Ok(plain.Contributions([])),
            ),
        ),
    ),
    edited(
        LOWER,
        f"'{UPSTREAM}' always",
        "check inverted",
        "Every gradient passes for one of the wrong shape.",
        asks(UPSTREAM, ALWAYS),
    ),
    edited(
        LOWER,
        f"'{UPSTREAM}' says '{WRONG_CONTRIBUTION.removeprefix('autograd: ')}'",
        "message exchanged",
        "A gradient of the wrong shape gives the message about a contribution.",
        answers(UPSTREAM, fails(WRONG_CONTRIBUTION)),
    ),
]

HOOKS = (
    (
        "flag false",
        "flag ignored",
        "A lowered node requires no gradient.",
        "",
        {"lowered_flag": lambda self: False},
        {"lowered_flag": lambda self: False},
    ),
    (
        "value doubled",
        "operand doubled",
        "The value of a lowered node is the sum of the graph node's with itself.",
        "",
        {"lowered_value": lambda self, node, ctx, d: node.forward(ctx, d).plus(node.forward(ctx, d))},
        {"lowered_value": lambda self, node, ctx, d: self.plus(node.forward(ctx, d), node.forward(ctx, d))},
    ),
    (
        "value at another context",
        "saved operand changed",
        "The value of a lowered node is the graph node's at its context added to itself.",
        "",
        {"lowered_value": lambda self, node, ctx, d: node.forward(ctx.add(ctx), d)},
        {"lowered_value": lambda self, node, ctx, d: node.forward(ctx.add(ctx), d)},
    ),
    (
        "vjp at another context",
        "saved operand changed",
        "The saved operands are changed in place, added to themselves, before the vjp runs on them.",
        PYTORCH,
        {"lowered_vjp": lambda self, node, ctx, d, g: node.vjp_of(ctx.add(ctx), d, g)},
        {"lowered_vjp": lambda self, node, ctx, d, g: node.vjp(ctx.add(ctx), d, g)},
    ),
    (
        "gradient doubled",
        "operand doubled",
        "The vjp runs on the sum of the gradient with itself.",
        "",
        {"lowered_vjp": lambda self, node, ctx, d, g: node.vjp_of(ctx, d, g.plus(g))},
        {"lowered_vjp": lambda self, node, ctx, d, g: node.vjp(ctx, d, self.plus(g, g))},
    ),
    (
        "vjp's answer doubled",
        "operand doubled",
        "What the vjp answers is added to itself.",
        "",
        {"lowered_vjp": lambda self, node, ctx, d, g: node.vjp_of(ctx, d, g).add(node.vjp_of(ctx, d, g))},
        {"lowered_vjp": lambda self, node, ctx, d, g: node.vjp(ctx, d, g).add(node.vjp(ctx, d, g))},
    ),
    (
        "context emitted",
        "operand replaced",
        "The values of the context are emitted instead of what the vjp answers.",
        "",
        {"lowered_vjp": lambda self, node, ctx, d, g: ctx},
        {"lowered_vjp": lambda self, node, ctx, d, g: ctx},
    ),
    (
        "ids from 1",
        "index off by one",
        "The entries of a pack are numbered one further.",
        "",
        {"first_id": 1},
        {"numbered": lambda self, pack: pack.toIndexedShapeErasedArray(1)},
    ),
    (
        "emitted last first",
        "fold reversed",
        "The entries of a pack are emitted last first, each to its own id.",
        "",
        {"numbered": lambda self, pack: pack.toIndexedShapeErasedArray(0).reverse()},
        {"numbered": lambda self, pack: plain.Contributions([*enumerate(pack.tensors)][::-1])},
    ),
    (
        "ids reversed",
        "index reversed",
        "The first entry of a pack goes to the last id, and so on.",
        "",
        {"numbered": lambda self, pack: pack.reversed().toIndexedShapeErasedArray(0)},
        {"numbered": lambda self, pack: plain.Contributions(enumerate(pack.tensors[::-1]))},
    ),
    (
        "last entry lost",
        "fold truncated",
        "The last entry of a pack is not emitted.",
        "",
        {"numbered": lambda self, pack: pack.toIndexedShapeErasedArray(0).dropLast()},
        {"numbered": lambda self, pack: plain.Contributions(enumerate(pack.tensors[:-1]))},
    ),
    (
        "only the first entry",
        "fold truncated",
        "All entries of a pack but the first are not emitted.",
        "",
        {"numbered": lambda self, pack: pack.toIndexedShapeErasedArray(0).take(1)},
        {"numbered": lambda self, pack: plain.Contributions(enumerate(pack.tensors[:1]))},
    ),
)

MUTANTS_HOOKS = [
    mutant(LOWER, change, operator, doc, symbolic=symbolic, plain=interpreted, source=source)
    for change, operator, doc, source, symbolic, interpreted in HOOKS
]
