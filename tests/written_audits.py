"""Audits and drawn counterexamples written by hand: valid against the schema, and free of the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def node(
    number: int, value: str, *emits: dict[str, Any], grad: bool = True, appended: bool = False
) -> dict[str, Any]:
    """A node of a drawn tape."""
    return {
        "id": number,
        "value": value,
        "requires_grad": grad,
        "appended": appended,
        "emits": list(emits),
    }


def emits(on: str, *to: tuple[int, str], error: str | None = None) -> dict[str, Any]:
    """What a node answers to an upstream gradient."""
    return {"on": on, "to": [{"node": number, "gradient": gradient} for number, gradient in to], "error": error}


TAPE = {
    "title": "left",
    "nodes": [
        node(0, "scalar: 8"),
        node(
            1, "shape [2]: 1, 3", emits("shape [2]: 4, 4", (0, "scalar: 5"), (0, "scalar: 6"), (1, "shape [2]: 7, 7"))
        ),
        node(2, "scalar: 2", emits("scalar: 1", error="no gradient for this"), grad=False),
        node(
            3, "scalar: 3", emits("scalar: 1", (0, "scalar: 1"), (5, "scalar: 9")), emits("scalar: 2"), appended=True
        ),
    ],
}

STEPS = {
    "left": [
        {"depth": 0, "text": "backwardDenseFromLoop 4"},
        {"depth": 1, "text": "step at node 3 with scalar: 1"},
        {"depth": 2, "text": "addGradAll slot 0: scalar: 1"},
        {"depth": 2, "text": "addGradAll slot 5: error “autograd: invalid parent id during backward”"},
    ],
    "right": [
        {"depth": 0, "text": "backwardDenseFromLoop 4"},
        {"depth": 1, "text": "step at node 3 with scalar: 1"},
        {"depth": 2, "text": "addGradAll slot 0: scalar: 1"},
        {"depth": 2, "text": "addGradAll slot 5: ignored"},
        {"depth": 1, "text": "step at node 2: no gradient required"},
    ],
}


def counterexample(lemma: str, **changes: Any) -> dict[str, Any]:
    """A counterexample with all that there can be."""
    return {
        "call": f"from symtape.encodings.replay import *; print(replay('{lemma}', t=Tape([Node(Tensor((), [8]), "
        "True)]), nd=Node(Tensor((), [3]), True, Backward({Tensor((), [1]): Contributions([])})), m=4))",
        "parameters": {
            "t": ["tape of 3 nodes", "[0] node with value scalar: 8, requires grad"],
            "m": ["4"],
        },
        "left": ["ok accumulator of 2 slots", "[0] scalar: 1", "[1] scalar: 2"],
        "right": ["ok accumulator of 2 slots", "[0] scalar: 7"],
        "sizes": {"t": 3},
        "steps": STEPS,
        "tapes": [TAPE],
        "pytest": f"def test_{lemma}():\n    assert replay('{lemma}', m=4).agrees",
        **changes,
    }


def old_counterexample(lemma: str) -> dict[str, Any]:
    """A counterexample as files had it before there were pictures."""
    shown = counterexample(lemma)
    return {key: shown[key] for key in ("call", "parameters", "left", "right", "sizes")}


def audit(
    lemma: str,
    needed: Sequence[str] = (),
    redundant: Sequence[str] = (),
    *,
    undecided: Sequence[str] = (),
    wanted: Sequence[str] = (),
    satisfiable: bool = True,
    sharp: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """What an audit says of a lemma whose needed hypotheses suffice."""
    answer = {"size": None, "reason": "", "counterexample": None}
    return {
        "satisfiable": satisfiable,
        "witness": {
            "sizes": {"t": 0},
            "call": f"check('{lemma}', t=Tape([]))",
            "parameters": {"t": ["tape of 0 nodes"]},
        }
        if satisfiable
        else None,
        "needed": list(needed),
        "redundant": list(redundant),
        "minimal_sets": [list(needed)] if satisfiable and not undecided else [],
        "undecided": [list(needed)] if undecided else [],
        "without": [
            *(
                {**answer, "hypothesis": h, "verdict": "refuted", "size": 1, "counterexample": counterexample(lemma)}
                for h in needed
            ),
            *({**answer, "hypothesis": h, "verdict": "proved"} for h in redundant),
            *({**answer, "hypothesis": h, "verdict": "undecided", "reason": "timeout"} for h in undecided),
        ],
        "sets": [
            {
                "hypotheses": list(needed),
                "verdict": "undecided" if undecided else "proved",
                "reason": "resource limit" if undecided else "",
                "obligations": 12,
                "seconds": 1.5,
                "every_size": {
                    "verdict": "undecided" if wanted else "proved",
                    "fully": not wanted,
                    "route": "the lemma's own proof",
                    "reason": f"the step uses {', '.join(wanted)}" if wanted else "",
                },
            }
        ],
        "proof_needs": list(wanted),
        "by_size": [
            {
                "size": size,
                "satisfiable": satisfiable,
                "needed": list(needed) if size else [],
                "redundant": list(redundant) if size else [*needed, *redundant],
                "minimal_sets": [list(needed) if size else []],
            }
            for size in (0, 1)
        ],
        "sharp": list(sharp),
        "complete": not undecided,
        "seconds": 2.5,
    }


SHARP = {
    "question": "Is `hpid` needed with < and not with ≤?",
    "verdict": "refuted",
    "answer": "With `pid ≤ t.size` the claim is false.",
    "size": 1,
    "counterexample": counterexample("sharp"),
}
