"""Mutants of the addition into a slot: what is added, and where the sum goes."""

from __future__ import annotations

from symtape.encodings.mutants._making import ADD, Both, answers, edited, mutant
from symtape.encodings.plain import Ok
from symtape.encodings.result import success
from symtape.naturals import minus, plus

ARENA = "https://github.com/callummcdougall/ARENA_2.0/pull/18"

# --- what is added ---

ADDITION = (
    (
        "operands swapped",
        "operands swapped",
        "The contribution is the left operand.",
        lambda self, existing, contribution: contribution.add(existing),
        lambda self, existing, contribution: self.add_tensors(contribution, existing),
    ),
    (
        "contribution added twice",
        "operand doubled",
        "Every contribution is added twice.",
        lambda self, existing, contribution: existing.add(contribution).bind(lambda total: total.add(contribution)),
        lambda self, existing, contribution: self.add_tensors(existing, contribution).bind(
            lambda total: self.add_tensors(total, contribution)
        ),
    ),
    (
        "contribution added to itself",
        "operand doubled",
        "The sum is that of the contribution with itself.",
        lambda self, existing, contribution: contribution.add(contribution),
        lambda self, existing, contribution: self.add_tensors(contribution, contribution),
    ),
    (
        "slot added to itself",
        "operand doubled",
        "The sum is that of the slot with itself.",
        lambda self, existing, contribution: existing.add(existing),
        lambda self, existing, contribution: self.add_tensors(existing, existing),
    ),
    (
        "own check dropped",
        "check dropped",
        "The addition does not compare the shapes once more: by then they are the same.",
        lambda self, existing, contribution: success(existing.world, existing.sum(contribution)),
        lambda self, existing, contribution: Ok(self.plus(existing, contribution)),
    ),
    (
        "only the first entry",
        "fold truncated",
        "All entries but the first stay as they were.",
        lambda self, existing, contribution: existing.add(contribution).map(existing.with_first_of),
        lambda self, existing, contribution: self.add_tensors(existing, contribution).map(existing.with_first_of),
    ),
)

MUTANTS_ADDITION = [
    *(
        mutant(ADD, change, operator, doc, symbolic={"combine": symbolic}, plain={"combine": plain})
        for change, operator, doc, symbolic, plain in ADDITION
    ),
    mutant(
        ADD,
        "overwriting",
        "operand dropped",
        "The contribution replaces what is in the slot.",
        symbolic={"combine": lambda self, existing, contribution: success(existing.world, contribution)},
        plain={"combine": lambda self, existing, contribution: Ok(contribution)},
        source=ARENA,
    ),
    edited(
        ADD,
        "node's value read",
        "operand replaced",
        "The contribution is added to the node's value instead of its slot.",
        answers(
            "add",
            Both(
                lambda run, t, acc, i, g: run.combine(t.nodes[i].value, g).map(lambda total: acc.set(i, total)),
                lambda run, t, acc, i, g: run.combine(t.nodes[i].value, g).map(lambda total: acc.set(i, total)),
            ),
        ),
    ),
]

# --- where the sum goes ---

WRITING = (
    (
        "next slot written",
        "index off by one",
        "The sum goes into the slot after the right one.",
        lambda self, acc, i, total: acc.set(plus(i, 1), total),
        lambda self, acc, i, total: acc.set(i + 1, total),
    ),
    (
        "previous slot written",
        "index off by one",
        "The sum goes into the slot before the right one.",
        lambda self, acc, i, total: acc.set(minus(i, 1), total),
        lambda self, acc, i, total: acc.set(i - 1, total),
    ),
    (
        "next slot written too",
        "slots aliased",
        "The sum also goes into the slot after the right one.",
        lambda self, acc, i, total: acc.set(i, total).set(plus(i, 1), total),
        lambda self, acc, i, total: acc.set(i, total).set(i + 1, total),
    ),
    (
        "first slot written",
        "slots aliased",
        "The sum goes into the first slot.",
        lambda self, acc, i, total: acc.set(0, total),
        lambda self, acc, i, total: acc.set(0, total),
    ),
    (
        "last slot written",
        "slots aliased",
        "The sum goes into the last slot.",
        lambda self, acc, i, total: acc.set(minus(acc.size, 1), total),
        lambda self, acc, i, total: acc.set(acc.size - 1, total),
    ),
    (
        "last slot written too",
        "slots aliased",
        "The sum also goes into the last slot.",
        lambda self, acc, i, total: acc.set(i, total).set(minus(acc.size, 1), total),
        lambda self, acc, i, total: acc.set(i, total).set(acc.size - 1, total),
    ),
    (
        "all slots written",
        "slots aliased",
        "The sum goes into every slot: they are one.",
        lambda self, acc, i, total: acc.filled(total),
        lambda self, acc, i, total: acc.filled(total),
    ),
)

MUTANTS_WRITING = [
    mutant(ADD, change, operator, doc, symbolic={"write": symbolic}, plain={"write": plain})
    for change, operator, doc, symbolic, plain in WRITING
]
