"""The symbolic model, evaluated by Z3 on concrete tapes, against the plain-Python interpreter.

Also that this comparison is worth something: it is made on tapes that reach every case, and every deliberate
change of the model makes it fail.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from math import inf, isnan, nan
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symtape.encodings import graph, plain
from symtape.encodings.backward import Engine
from symtape.encodings.plain import Accumulator, Backward, Contributions, Error, Node, Nothing, Ok, Some, Tape, Tensor
from symtape.encodings.plain_packs import NodeData, Pack
from symtape.encodings.replay import Arithmetic
from symtape.encodings.scalar import scalars
from symtape.encodings.witness import number
from symtape.logic import equal
from symtape.smt import z3
from symtape.solver import ask
from symtape.world import World
from tests.changes import ENGINES, PATCHES
from tests.concrete import (
    BOUND,
    FUNCTIONS,
    LIMITS,
    MESSAGES,
    OWN_MESSAGES,
    Question,
    Run,
    interpreted,
    questions,
    stream,
)

ROUNDS = 40
"""How much of the even stream of questions is looked at, for each function."""


def check(question: Question) -> None:
    """The model gives the interpreter's result, and could give no other."""
    expected = interpreted(question)
    run = Run(question)
    assert run.answer() == expected, question
    assert run.leaves_no_choice(expected), question


# --- agreement ---


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(
    max_examples=30, derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(data=st.data())
def test_agreement(function: str, data: st.DataObject) -> None:
    check(data.draw(questions(function)))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_agreement_on_the_stream(function: str) -> None:
    for i in range(ROUNDS):
        check(stream(function, i))


# --- what the questions reach ---

ADD = {
    "the accumulator as it was",
    "another accumulator",
    "autograd: invalid parent id during backward",
    "autograd: gradient contribution has wrong shape for parent",
    "autograd: internal error (gradient array out of bounds)",
    "autograd: gradient array has wrong shape for node",
}
STEP = {
    "the accumulator as it was",
    "another accumulator",
    "autograd: internal error (node missing)",
    "autograd: internal error (gradient array out of bounds)",
    "autograd: gradient array has wrong shape for node",
    "autograd: gradient contribution has wrong shape for parent",
}
PASS = {
    "the accumulator as it was",
    "another accumulator",
    "autograd: initial dense gradient array has wrong length",
    "autograd: gradient array has wrong shape for node",
    "autograd: gradient contribution has wrong shape for parent",
}
REACHED: dict[str, set[str]] = {
    "getNode": {"Some", "Nothing"},
    "addGradAll": ADD,
    "foldlM addGradAll": ADD,
    "backwardDenseFromStep": STEP,
    "backwardDenseFromLoop": STEP,
    "backwardDenseFrom": PASS,
    "lowerNode backward": {"Contributions", "autograd: upstream gradient shape mismatch"},
    "lowered backwardDenseFromStep": STEP - {"autograd: internal error (node missing)"},
    "lowered backwardDenseFrom": PASS,
}


def outcome(question: Question, result: Any) -> str:
    match result:
        case Error():
            return str(result.message)
        case Ok(value=Accumulator()):
            same = result.value == question.values["acc"]
            return "the accumulator as it was" if same else "another accumulator"
        case Ok():
            return type(result.value).__name__
        case _:
            return type(result).__name__


@pytest.mark.parametrize("function", FUNCTIONS)
def test_stream_reaches_every_case(function: str) -> None:
    asked = [stream(function, i) for i in range(ROUNDS)]
    assert {outcome(question, interpreted(question)) for question in asked} >= REACHED[function]


def test_stream_meets_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backward functions are mostly asked what they have an answer to, and fail in every way."""
    met: list[plain.Result | None] = []
    plainly = Backward.__call__

    def record(self: Backward, gradient: Tensor) -> plain.Result:
        met.append(self.table.get(gradient))
        return plainly(self, gradient)

    asked = [stream(function, i) for function in FUNCTIONS for i in range(ROUNDS)]
    monkeypatch.setattr(Backward, "__call__", record)
    for question in asked:
        interpreted(question)
    answers = [answer for answer in met if answer is not None]
    assert len(answers) > 0.9 * len(met) > 100
    failures = {answer.message for answer in answers if isinstance(answer, Error)}
    assert failures & {*MESSAGES} - {*OWN_MESSAGES}
    assert failures & {*OWN_MESSAGES}


# --- the rows of the semantics, written out ---

# Neither commutative nor associative: p, q, r are 0, 1, 2, and the sum of a and b is 2a + b modulo 3.
ODD = Arithmetic(
    "table",
    {
        ("p", "p"): "p", ("p", "q"): "q", ("p", "r"): "r",
        ("q", "p"): "r", ("q", "q"): "p", ("q", "r"): "q",
        ("r", "p"): "q", ("r", "q"): "r", ("r", "r"): "p",
    },
)  # fmt: skip


def vector(a: str, b: str) -> Tensor:
    return Tensor((2,), [a, b])


def row(a: str, b: str) -> Tensor:
    return Tensor((1, 2), [a, b])


def point(a: str) -> Tensor:
    return Tensor((), [a])


THREE = Tape(
    [
        Node(vector("p", "p"), name="x"),
        Node(
            row("p", "q"),
            True,
            Backward(
                {
                    row("q", "r"): Ok(Contributions([(0, vector("q", "q")), (0, vector("p", "r"))])),
                    row("p", "p"): Error("division by zero"),
                    row("r", "r"): Ok(Contributions([(0, vector("q", "q")), (5, vector("q", "q"))])),
                }
            ),
            parents="[0]",
        ),
        Node(point("p"), False, Backward({point("r"): Ok(Contributions([(0, vector("r", "r"))]))})),
    ]
)
SLOTS = Accumulator([vector("p", "q"), row("q", "r"), point("r")])
CHAIN = Tape(
    [
        Node(point("p"), True, Backward({point("r"): Ok(Contributions([(0, point("p"))]))})),
        Node(point("p"), True, Backward({point("q"): Ok(Contributions([(0, point("r"))]))})),
    ]
)
ENDS = Accumulator([point("p"), point("q")])
CTX = Pack([point("p"), point("q")])
GRAPH_NODE = NodeData(
    (1,), Tensor((1,), ["q"]), {(CTX, "d", Tensor((1,), ["r"])): Pack([point("q"), point("p")])}, CTX
)
LOWERED = {"ctx": CTX, "node": GRAPH_NODE, "name": "y", "d": "d"}

ROWS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "getNode in range": ("getNode", {"t": THREE, "i": 1}, Some(THREE.nodes[1])),
    "getNode at the size": ("getNode", {"t": THREE, "i": 3}, Nothing()),
    "add: node missing": (
        "addGradAll",
        {"t": THREE, "acc": Accumulator([]), "i": 3, "g": point("p")},
        Error("autograd: invalid parent id during backward"),
    ),
    "add: no gradient required, whatever it is": (
        "addGradAll",
        {"t": THREE, "acc": Accumulator([]), "i": 2, "g": row("p", "p")},
        Ok(Accumulator([])),
    ),
    "add: contribution's shape, before the slot is missing": (
        "addGradAll",
        {"t": THREE, "acc": Accumulator([]), "i": 0, "g": row("p", "p")},
        Error("autograd: gradient contribution has wrong shape for parent"),
    ),
    "add: contribution's shape, before the slot's": (
        "addGradAll",
        {"t": THREE, "acc": Accumulator([row("p", "p")]), "i": 0, "g": row("p", "p")},
        Error("autograd: gradient contribution has wrong shape for parent"),
    ),
    "add: slot missing": (
        "addGradAll",
        {"t": THREE, "acc": Accumulator([vector("p", "p")]), "i": 1, "g": row("p", "p")},
        Error("autograd: internal error (gradient array out of bounds)"),
    ),
    "add: slot's shape": (
        "addGradAll",
        {"t": THREE, "acc": Accumulator([row("p", "p")]), "i": 0, "g": vector("p", "p")},
        Error("autograd: gradient array has wrong shape for node"),
    ),
    "add: the existing entry is the left operand": (
        "addGradAll",
        {"t": THREE, "acc": SLOTS, "i": 0, "g": vector("r", "p")},
        Ok(Accumulator([vector("r", "r"), row("q", "r"), point("r")])),
    ),
    "fold: in order": (
        "foldlM addGradAll",
        {"t": THREE, "acc": SLOTS, "cs": Contributions([(0, vector("q", "q")), (0, vector("p", "r"))])},
        Ok(Accumulator([vector("r", "r"), row("q", "r"), point("r")])),
    ),
    "fold: stops at the first error": (
        "foldlM addGradAll",
        {"t": THREE, "acc": SLOTS, "cs": Contributions([(0, vector("q", "q")), (0, point("p")), (9, point("p"))])},
        Error("autograd: gradient contribution has wrong shape for parent"),
    ),
    "step: node missing": (
        "backwardDenseFromStep",
        {"t": THREE, "acc": SLOTS, "i": 3},
        Error("autograd: internal error (node missing)"),
    ),
    "step: no gradient required, even without a slot": (
        "backwardDenseFromStep",
        {"t": THREE, "acc": Accumulator([]), "i": 2},
        Ok(Accumulator([])),
    ),
    "step: slot missing": (
        "backwardDenseFromStep",
        {"t": THREE, "acc": Accumulator([vector("p", "p")]), "i": 1},
        Error("autograd: internal error (gradient array out of bounds)"),
    ),
    "step: slot's shape": (
        "backwardDenseFromStep",
        {"t": THREE, "acc": Accumulator([vector("p", "p"), vector("p", "p")]), "i": 1},
        Error("autograd: gradient array has wrong shape for node"),
    ),
    "step: the function fails": (
        "backwardDenseFromStep",
        {"t": THREE, "acc": Accumulator([vector("p", "p"), row("p", "p")]), "i": 1},
        Error("division by zero"),
    ),
    "step: a contribution fails": (
        "backwardDenseFromStep",
        {"t": THREE, "acc": Accumulator([vector("p", "p"), row("r", "r")]), "i": 1},
        Error("autograd: invalid parent id during backward"),
    ),
    "step: fold in order": (
        "backwardDenseFromStep",
        {"t": THREE, "acc": SLOTS, "i": 1},
        Ok(Accumulator([vector("r", "r"), row("q", "r"), point("r")])),
    ),
    "loop of 0": ("backwardDenseFromLoop", {"t": CHAIN, "acc": ENDS, "count": 0}, Ok(ENDS)),
    "loop of 1": ("backwardDenseFromLoop", {"t": CHAIN, "acc": ENDS, "count": 1}, Ok(ENDS)),
    "loop of 2": (
        "backwardDenseFromLoop",
        {"t": CHAIN, "acc": ENDS, "count": 2},
        Ok(Accumulator([point("q"), point("q")])),
    ),
    "loop of 3": (
        "backwardDenseFromLoop",
        {"t": CHAIN, "acc": ENDS, "count": 3},
        Error("autograd: internal error (node missing)"),
    ),
    "pass": ("backwardDenseFrom", {"t": CHAIN, "acc": ENDS}, Ok(Accumulator([point("q"), point("q")]))),
    "pass: too short": (
        "backwardDenseFrom",
        {"t": CHAIN, "acc": Accumulator([point("p")])},
        Error("autograd: initial dense gradient array has wrong length"),
    ),
    "pass: too long": (
        "backwardDenseFrom",
        {"t": CHAIN, "acc": Accumulator([point("p")] * 3)},
        Error("autograd: initial dense gradient array has wrong length"),
    ),
    "lowered: the pack, numbered": (
        "lowerNode backward",
        {**LOWERED, "g": Tensor((1,), ["r"])},
        Ok(Contributions([(0, point("q")), (1, point("p"))])),
    ),
    "lowered: shape": (
        "lowerNode backward",
        {**LOWERED, "g": point("r")},
        Error("autograd: upstream gradient shape mismatch"),
    ),
    "lowered: pass": (
        "lowered backwardDenseFrom",
        {"t": CHAIN, "acc": Accumulator([point("p"), point("r"), Tensor((1,), ["r"])]), **LOWERED},
        Ok(Accumulator([point("q"), point("q"), Tensor((1,), ["r"])])),
    ),
}
"""Results by hand from the tables of the semantics, messages spelled out."""


@pytest.mark.parametrize("symbolic_id", [True, False], ids=["unknown id", "known id"])
@pytest.mark.parametrize("case", ROWS)
def test_rows_of_the_semantics(case: str, symbolic_id: bool) -> None:
    function, values, expected = ROWS[case]
    question = Question(function, ODD, values, symbolic_id)
    assert interpreted(question) == expected
    check(question)


# --- changes ---


CHANGED_BY: dict[str, tuple[str, ...]] = {
    "combine": ("addGradAll", "foldlM addGradAll"),
    "addGradAll_cases": ("addGradAll", "foldlM addGradAll"),
    "contributions": ("backwardDenseFromStep",),
    "backwardDenseFromStep_cases": ("backwardDenseFromStep",),
    "backwardDenseFromLoop_succ": ("backwardDenseFromLoop",),
    "backwardDenseFromLoop": ("backwardDenseFromLoop",),
    "backwardDenseFrom_cases": ("backwardDenseFrom", "lowered backwardDenseFrom"),
    "backwardDenseFrom": ("backwardDenseFrom", "lowered backwardDenseFrom"),
}
"""For each part of an engine the functions that show most directly what it does."""


def asked(engine: type[Engine]) -> list[str]:
    """The functions to ask about a changed engine."""
    parts = [part for part in CHANGED_BY if getattr(engine, part) is not getattr(Engine, part)]
    return list(dict.fromkeys(function for part in parts for function in CHANGED_BY[part]))


def candidates(functions: Sequence[str]) -> Iterator[Question]:
    """The first questions of the stream about these functions, in turn. Without floats: some changes add up sums."""
    for i in range(300):
        question = stream(functions[i % len(functions)], i // len(functions))
        if question.arithmetic.name != "float32":
            yield question


@pytest.mark.parametrize("name", ENGINES)
def test_changed_engine_is_noticed(name: str) -> None:
    engine = ENGINES[name]
    for question in candidates(asked(engine)):
        expected = interpreted(question)
        if Run(question, engine()).answer() != expected:
            assert Run(question).answer() == expected
            return
    pytest.fail(f"nothing differs where {engine.__doc__}")


@pytest.mark.parametrize("name", PATCHES)
def test_changed_part_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch = PATCHES[name]
    lowering = patch.owner in (graph.NodeData, graph.TensorPack)
    functions = [function for function in FUNCTIONS if not lowering or function.startswith("lower")]
    for question in candidates(functions):
        expected = interpreted(question)
        with monkeypatch.context() as patched:
            patched.setattr(patch.owner, patch.name, patch.make(getattr(patch.owner, patch.name)))
            answer = Run(question).answer()
        if answer != expected:
            assert Run(question).answer() == expected
            return
    pytest.fail(f"nothing differs where {patch.doc}")


# --- floats ---

FLOATS: dict[str, tuple[str, int, int, Callable[[], Any]]] = {
    "float32": (">f", 8, 23, lambda: z3.Float32()),
    "float64": (">d", 11, 52, lambda: z3.Float64()),
}
"""How a float is packed, the bits of its exponent and of its fraction, and its sort."""


def float_pairs(name: str, how_many: int) -> Iterator[tuple[int, int]]:
    """Pairs of floats as bits: all pairs of special values, then random ones, most of similar magnitude."""
    _, exponent_bits, fraction_bits, _ = FLOATS[name]
    top = (1 << exponent_bits) - 1
    sign = 1 << (exponent_bits + fraction_bits)
    bias = top >> 1

    def bits(exponent: int, fraction: int) -> int:
        return exponent << fraction_bits | fraction

    full = (1 << fraction_bits) - 1
    positive = [
        bits(0, 0),  # zero
        bits(0, 1),  # the least denormal
        bits(0, full),  # the largest denormal
        bits(1, 0),  # the least normal number
        bits(bias, 0),  # one
        bits(bias, 1),
        bits(bias, full),
        bits(bias - fraction_bits - 1, 0),  # half of one's last digit: a tie
        bits(bias - fraction_bits - 1, 1),  # just more than the tie
        bits(bias - fraction_bits - 2, full),  # just less than it
        bits(top - 1, full),  # the largest finite number
        bits(top - 1 - fraction_bits - 1, 0),  # half of its last digit: overflows, rounding to even
        bits(top - 1 - fraction_bits - 2, full),  # just less: does not
        bits(top, 0),  # infinity
        bits(top, 1 << (fraction_bits - 1)),  # not a number
    ]
    special = [value | s for value in positive for s in (0, sign)]
    yield from ((a, b) for a in special for b in special)
    random = Random(name)
    for _ in range(how_many):
        exponent = random.randrange(top)
        near = min(max(exponent + random.randint(-fraction_bits - 2, fraction_bits + 2), 0), top)
        yield tuple(  # type: ignore[misc]
            bits(e, random.choice((random.getrandbits(fraction_bits), 0, 1, full))) | random.choice((0, sign))
            for e in (exponent, near)
        )


def identity(value: float, packing: str) -> bytes | str:
    """What tells a float from others: +0 from -0, but not one NaN from another."""
    return "nan" if isnan(value) else struct.pack(packing, value)


@pytest.mark.parametrize("name", FLOATS)
def test_float_addition(name: str) -> None:
    """The interpreter adds floats as `fpAdd` does when rounding to the nearest, ties to even."""
    packing, exponent_bits, fraction_bits, sort = FLOATS[name]
    width = 1 + exponent_bits + fraction_bits
    add = Arithmetic(name).runtime().add
    model_add = scalars(World(BOUND, scalar=name)).add
    for pair in float_pairs(name, 1500):
        a, b = (struct.unpack(packing, bits.to_bytes(width // 8))[0] for bits in pair)
        x, y = (z3.fpBVToFP(z3.BitVecVal(bits, width), sort()) for bits in pair)
        total = z3.simplify(z3.fpAdd(z3.RNE(), x, y))
        assert total.eq(z3.simplify(model_add(x, y)))
        expected: bytes | str = "nan"
        if not total.isNaN():
            expected = z3.simplify(z3.fpToIEEEBV(total)).as_long().to_bytes(width // 8)
        assert identity(add(a, b), packing) == expected, (a, b)
        assert identity(number(total), packing) == expected, (a, b)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize(
    ("left", "right", "same"),
    [(nan, nan, True), (0.0, -0.0, False), (-0.0, -0.0, True), (inf, inf, True), (inf, -inf, False)],
)
def test_float_equality(name: str, left: float, right: float, same: bool) -> None:
    """Both call floats equal that are the same value, which is not IEEE's comparison."""
    sort = FLOATS[name][3]()
    x, y = z3.Const("x", sort), z3.Const("y", sort)
    values = [x == z3.FPVal(left, sort), y == z3.FPVal(right, sort)]
    assert ask(values, {"equal": equal(x, y).holds()}, LIMITS).status == ("sat" if same else "unsat")
    assert (Tensor((), [left]) == Tensor((), [right])) is same
