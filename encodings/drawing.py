"""The tapes of a counterexample as data: what a report draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symtape.encodings.plain import Backward, Contributions, Error, Node, Ok, Result, Tape, Tensor
from symtape.encodings.plain_packs import Lowered
from symtape.encodings.trace import Trace

Drawing = dict[str, Any]


def tapes(values: Mapping[str, Any], trace: Trace) -> list[Drawing]:
    """The tapes on which the two sides ran, each once; if none did, those that the lemma is given."""
    given = {name: value for name, value in values.items() if isinstance(value, Tape)}
    ran: dict[Tape, list[str]] = {}
    for side, events in (("left", trace.left), ("right", trace.right)):
        for event in events:
            # a part of a pass runs on the tape that the whole of it does, unless an engine changes that
            if event.tape is not None and side not in ran.setdefault(event.tape, []):
                ran[event.tape].append(side)
    asked = [event.asked for event in (*trace.left, *trace.right) if event.asked is not None]
    titled = {tape: "both" if len(sides) == 2 else sides[0] for tape, sides in ran.items()}
    titled = titled or {tape: name for name, tape in given.items()}
    return [
        {
            "title": title,
            "nodes": [_node(i, node, _appended(i, tape, given), asked) for i, node in enumerate(tape.nodes)],
        }
        for tape, title in titled.items()
    ]


def _appended(i: int, tape: Tape, given: Mapping[str, Tape]) -> bool:
    """Whether a node comes after one of the given tapes, which this one begins with."""
    return any(
        len(short.nodes) <= i and short.nodes == tape.nodes[: len(short.nodes)]
        for short in given.values()
        if tape not in given.values()
    )


def _node(i: int, node: Node, appended: bool, asked: list[tuple[Any, Tensor, Result]]) -> Drawing:
    said: dict[str, Result] = {str(gradient): answer for gradient, answer in _answers(node.backward)}
    said |= {str(gradient): answer for function, gradient, answer in asked if function == node.backward}
    if isinstance(node.backward, Backward) and node.backward.otherwise != Ok(Contributions([])):
        said["anything else"] = node.backward.otherwise
    return {
        "id": i,
        "value": str(node.value),
        "requires_grad": node.requiresGrad,
        "appended": appended,
        "emits": [_emission(on, answer) for on, answer in said.items()],
    }


def _answers(function: Any) -> Iterator[tuple[Tensor, Result]]:
    """What is known of a `backward` without asking it."""
    if isinstance(function, Backward):
        yield from function.table.items()
    elif isinstance(function, Lowered):
        for ctx, d, seed in function.node.table:
            if (ctx, d) == (function.ctx, function.d):
                yield seed, function(seed)


def _emission(on: str, answer: Result) -> Drawing:
    if isinstance(answer, Error):
        return {"on": on, "to": [], "error": answer.message}
    return {"on": on, "to": [{"node": pid, "gradient": str(g)} for pid, g in answer.value.items], "error": None}
