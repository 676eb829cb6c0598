"""Mutants of the tables: each check dropped, inverted, shifted or moved, each result replaced, messages exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from symtape.encodings.backward import (
    INVALID_PARENT,
    NODE_MISSING,
    OUT_OF_BOUNDS,
)
from symtape.encodings.mutants._making import (
    ADD,
    OK_ACC,
    PASS,
    STEP,
    Both,
    Edit,
    answers,
    asks,
    dropped,
    edited,
    exchanges,
    fails,
    followed,
    inverts,
    moved,
    mutant,
    tables,
)
from symtape.logic import equal, negate
from symtape.mutant import Mutant
from symtape.naturals import less, plus

MISSING, FLAG, CONTRIBUTION, BOUNDS, SLOT, LENGTH = (
    "node missing",
    "no gradient required",
    "contribution shape",
    "out of bounds",
    "slot shape",
    "wrong length",
)
CHECKS = {ADD: (MISSING, FLAG, CONTRIBUTION, BOUNDS, SLOT), STEP: (MISSING, FLAG, BOUNDS, SLOT), PASS: (LENGTH,)}
"""The checks of each function, in order."""

NO_NODE = Both(lambda run, t, acc, i, *_: negate(t.getNode(i).some), lambda run, t, acc, i, *_: not 0 <= i < t.size)
PASSED_OVER = followed(MISSING, NO_NODE, OK_ACC)
"""What gets past the check for missing nodes is passed over: nothing can be done with a node that is not there."""

# --- checks dropped ---

DROPPED = {
    (ADD, MISSING): "A contribution to a node that does not exist is passed over.",
    (ADD, FLAG): "Nodes that require no gradient get one.",
    (ADD, CONTRIBUTION): "A contribution of the wrong shape is only noticed by the addition.",
    (ADD, BOUNDS): "A slot that the array does not have is looked at all the same.",
    (ADD, SLOT): "A slot of the wrong shape is only noticed by the addition.",
    (STEP, MISSING): "A step at a node that does not exist is passed over.",
    (STEP, FLAG): "Nodes that require no gradient run as well.",
    (STEP, BOUNDS): "A slot that the array does not have is looked at all the same.",
    (STEP, SLOT): "A node runs on a slot of the wrong shape.",
    (PASS, LENGTH): "An array of any length is taken.",
}


def _dropped(check: str) -> Edit:
    return answers(check, OK_ACC) if check == MISSING else dropped(check)


MUTANTS_DROPPED = [
    edited(function, f"'{check}' dropped", "check dropped", doc, _dropped(check))
    for (function, check), doc in DROPPED.items()
]

# --- checks inverted ---


def _inverted() -> Iterator[Mutant]:
    for function, checks in CHECKS.items():
        for check in checks:
            doc = f"The check '{check}' applies exactly where it should not."
            edits = [PASSED_OVER, inverts(check)] if check == MISSING else [inverts(check)]
            yield edited(function, f"'{check}' inverted", "check inverted", doc, *edits)


MUTANTS_INVERTED = list(_inverted())

# --- comparisons shifted, and their operands replaced ---

SHIFTED = {
    (MISSING, "one short"): (
        "The last node of the tape passes for missing.",
        Both(lambda run, t, acc, i, *_: negate(less(plus(i, 1), t.size)), lambda run, t, acc, i, *_: i + 1 >= t.size),
    ),
    (MISSING, "one long"): (
        "The first id beyond the tape passes for a node's; nothing is done about it.",
        Both(lambda run, t, acc, i, *_: less(t.size, i), lambda run, t, acc, i, *_: i > t.size),
    ),
    (BOUNDS, "one short"): (
        "The last slot of the array passes for one outside.",
        Both(
            lambda run, t, acc, i, *_: negate(less(plus(i, 1), acc.size)),
            lambda run, t, acc, i, *_: i + 1 >= acc.size,
        ),
    ),
    (BOUNDS, "one long"): (
        "The first id beyond the array passes for one inside.",
        Both(lambda run, t, acc, i, *_: less(acc.size, i), lambda run, t, acc, i, *_: i > acc.size),
    ),
}


def _shifted() -> Iterator[Mutant]:
    for function in (ADD, STEP):
        for (check, how), (doc, when) in SHIFTED.items():
            edits = [PASSED_OVER, asks(check, when)] if check == MISSING else [asks(check, when)]
            yield edited(function, f"'{check}' {how}", "comparison shifted", doc, *edits)
    for how, doc, when in (
        (
            "only if too short",
            "An array that is too long is taken.",
            Both(lambda run, t, acc: less(acc.size, t.size), lambda run, t, acc: acc.size < t.size),
        ),
        (
            "only if too long",
            "An array that is too short is taken.",
            Both(lambda run, t, acc: less(t.size, acc.size), lambda run, t, acc: acc.size > t.size),
        ),
        (
            "one off",
            "The array must have one slot more than the tape has nodes.",
            Both(
                lambda run, t, acc: negate(equal(acc.size, plus(t.size, 1))),
                lambda run, t, acc: acc.size != t.size + 1,
            ),
        ),
    ):
        yield edited(PASS, f"'{LENGTH}' {how}", "comparison shifted", doc, asks(LENGTH, when))


MUTANTS_SHIFTED = list(_shifted())

MUTANTS_OPERAND = [
    edited(
        ADD,
        f"'{CONTRIBUTION}' compares with the slot",
        "operand replaced",
        "A contribution must have the shape of the slot instead of the node's.",
        asks(
            CONTRIBUTION,
            Both(
                lambda run, t, acc, i, g: negate(equal(g.shape, acc[i].shape)),
                lambda run, t, acc, i, g: g.shape != acc[i].shape,
            ),
        ),
    ),
    edited(
        ADD,
        f"'{SLOT}' compares with the contribution",
        "operand replaced",
        "The slot must have the shape of the contribution instead of the node's: by then they are the same.",
        asks(
            SLOT,
            Both(
                lambda run, t, acc, i, g: negate(equal(acc[i].shape, g.shape)),
                lambda run, t, acc, i, g: acc[i].shape != g.shape,
            ),
        ),
    ),
    edited(
        STEP,
        f"'{SLOT}' compares with the first node",
        "operand replaced",
        "The slot must have the shape of the first node instead of its own node's.",
        asks(
            SLOT,
            Both(
                lambda run, t, acc, i: negate(equal(acc[i].shape, t.nodes[0].value.shape)),
                lambda run, t, acc, i: acc[i].shape != t.nodes[0].value.shape,
            ),
        ),
    ),
]

# --- rows moved ---

MOVED = (
    (ADD, CONTRIBUTION, FLAG, "A contribution of the wrong shape is an error even where no gradient is required."),
    (ADD, BOUNDS, CONTRIBUTION, "A missing slot is reported before a contribution's wrong shape."),
    (ADD, BOUNDS, FLAG, "A missing slot is an error even where no gradient is required."),
    (ADD, BOUNDS, MISSING, "A missing slot is reported before a missing node."),
    (ADD, SLOT, CONTRIBUTION, "A slot's wrong shape is reported before a contribution's, and before a missing slot."),
    (ADD, SLOT, FLAG, "A slot of the wrong shape is an error even where no gradient is required."),
    (STEP, BOUNDS, FLAG, "A missing slot is an error even where no gradient is required."),
    (STEP, BOUNDS, MISSING, "A missing slot is reported before a missing node."),
    (STEP, SLOT, FLAG, "A slot of the wrong shape is an error even where no gradient is required."),
)
MUTANTS_MOVED = [
    edited(function, f"'{check}' before '{other}'", "rows exchanged", doc, moved(check, before=other))
    for function, check, other, doc in MOVED
]

# --- results replaced ---

PASSES = {
    (ADD, CONTRIBUTION): "A contribution of the wrong shape is passed over.",
    (ADD, BOUNDS): "A contribution without a slot is passed over.",
    (ADD, SLOT): "A contribution to a slot of the wrong shape is passed over.",
    (STEP, BOUNDS): "A step without a slot is passed over.",
    (STEP, SLOT): "A step at a slot of the wrong shape is passed over.",
    (PASS, LENGTH): "From an array of the wrong length the pass does nothing.",
}
FAILS = {
    (ADD, FLAG, INVALID_PARENT): "A contribution to a node that requires no gradient is an error.",
    (STEP, FLAG, OUT_OF_BOUNDS): "A step at a node that requires no gradient is an error.",
}
MUTANTS_RESULT = [
    *(
        edited(function, f"'{check}' is ok acc", "result replaced", doc, answers(check, OK_ACC))
        for (function, check), doc in PASSES.items()
    ),
    *(
        edited(function, f"'{check}' is an error", "result replaced", doc, answers(check, fails(message)))
        for (function, check, message), doc in FAILS.items()
    ),
    edited(
        ADD, "nothing is added", "result replaced", "Where all checks pass nothing is done.", answers("add", OK_ACC)
    ),
    edited(
        STEP, "nothing is run", "result replaced", "Where all checks pass nothing is done.", answers("fold", OK_ACC)
    ),
    edited(PASS, "no loop", "result replaced", "Where the length is right nothing is done.", answers("loop", OK_ACC)),
]

# --- messages ---

MESSAGES = {
    (ADD, MISSING, NODE_MISSING): "the message of a step at a missing node.",
    (STEP, MISSING, INVALID_PARENT): "the message of a contribution to a missing node.",
    (PASS, LENGTH, OUT_OF_BOUNDS): "the message of a missing slot.",
}
MUTANTS_MESSAGE = [
    *(
        edited(
            function,
            f"messages of '{first}' and '{second}' exchanged",
            "message exchanged",
            f"Where the check '{first}' fails the message is that of '{second}', and the other way round.",
            exchanges(first, second),
        )
        for function, checks in CHECKS.items()
        for first, second in combinations([check for check in checks if check != FLAG], 2)
    ),
    *(
        edited(
            function,
            f"'{check}' says '{message.removeprefix('autograd: ')}'",
            "message exchanged",
            f"The check '{check}' gives {doc}",
            answers(check, fails(message)),
        )
        for (function, check, message), doc in MESSAGES.items()
    ),
]

# --- flags in both functions ---


def _flags(change: str, operator: str, doc: str, edit: Edit) -> Mutant:
    in_add, in_step = tables(ADD, edit), tables(STEP, edit)
    both = f"{ADD}, {STEP}"
    return mutant(both, change, operator, doc, symbolic=in_add[0] | in_step[0], plain=in_add[1] | in_step[1])


MUTANTS_FLAGS = [
    _flags("flags ignored", "flag ignored", "Whether a node requires a gradient is never asked.", dropped(FLAG)),
    _flags(
        "flags inverted",
        "check inverted",
        "Nodes that require a gradient are taken for those that do not, and the other way round.",
        inverts(FLAG),
    ),
]
