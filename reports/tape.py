"""A tape as SVG: its nodes in a column by id, and an arrow for each contribution from the node that emits it.

To the right of a node every arrow that leaves or reaches it has a line of its own, and every arrow a lane of its own
where it would cover another: so loops, parallel arrows and labels never lie on each other. A node that is asked for
but does not exist is drawn too, dashed. Each answer is also said in words, in the picture and in its description.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import TextWrapper
from typing import Any

CHARACTER = 7.3
"""Width of a character of the picture's font, in pixels."""
LINE = 17.0
GAP = 14.0
"""Space between two boxes."""
LANE = 13.0
"""Distance between two arrows that run beside each other."""
WIDEST = 34
"""How many characters stand in one line."""
_wrap = TextWrapper(WIDEST, break_on_hyphens=False).wrap

Tape = dict[str, Any]


@dataclass
class _Port:
    """A line to the right of a box: words, the end of an arrow, or both."""

    text: str = ""
    css: str = ""
    leaves: _Arrow | None = None
    reaches: _Arrow | None = None


@dataclass
class _Arrow:
    """A contribution, from its line beside one box to its line beside another."""

    target: int
    start: tuple[float, float] = (0.0, 0.0)
    end: float = 0.0
    lane: int = 0

    @property
    def span(self) -> tuple[float, float]:
        low, high = sorted((self.start[1], self.end))
        return low, high


@dataclass
class _Box:
    """A node, or the place of a node that does not exist."""

    lines: list[str]
    css: str
    ports: list[_Port] = field(default_factory=list)
    top: float = 0.0

    @property
    def height(self) -> float:
        return LINE * max(len(self.lines), len(self.ports)) + 10


def draw_tape(tape: Tape) -> str:
    """The picture of a tape of a counterexample."""
    boxes = _boxes(tape["nodes"])
    arrows = list(_connected(tape["nodes"], boxes))
    right = CHARACTER * max((len(line) for box in boxes.values() for line in box.lines), default=16) + 21
    y = 1.0
    for box in boxes.values():
        box.top = y
        for i, port in enumerate(box.ports):
            _place(port, right, y + LINE * i + 5 + LINE / 2)
        y += box.height + GAP
    widest = max((len(port.text) for box in boxes.values() for port in box.ports), default=0)
    edge = right + 14 + CHARACTER * widest
    width = max(edge + LANE * (_share_lanes(arrows) + 1), 160.0)
    height = max(y - GAP + 1, LINE + 10)
    return "".join(
        [
            f'<svg class="tape" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img">',
            f"<title>{escape(tape['title'])}</title><desc>{escape(in_words(tape))}</desc>",
            *(_drawn_box(box, right) for box in boxes.values()),
            *(_drawn_arrow(arrow, boxes, right, edge) for arrow in arrows),
            "" if boxes else f'<text x="2" y="{LINE:g}">a tape of no nodes</text>',
            "</svg>",
        ]
    )


def in_words(tape: Tape) -> str:
    """What the picture shows, for those who do not see it."""
    ids = {node["id"] for node in tape["nodes"]}
    said = []
    for node in tape["nodes"]:
        said.append(f"Node {', '.join([str(node['id']), *_facts(node)])}.")
        for answer in node["emits"]:
            gifts = [
                f"{to['gradient']} to node {to['node']}{'' if to['node'] in ids else ', which does not exist'}"
                for to in answer["to"]
            ]
            what = f"fails with {answer['error']}" if answer["error"] is not None else "; ".join(gifts) or "nothing"
            said.append(f"On {answer['on']}: {what}.")
    return " ".join(said) or "A tape of no nodes."


def _facts(node: dict[str, Any]) -> list[str]:
    flag = "requires grad" if node["requires_grad"] else "no grad required"
    return [node["value"], flag, *(["appended"] if node["appended"] else [])]


def _boxes(nodes: Sequence[dict[str, Any]]) -> dict[int, _Box]:
    """The boxes by id, in the order in which they are drawn."""
    boxes = {}
    for node in nodes:
        value, flag, *appended = _facts(node)
        words = [*_wrap(f"{node['id']}: {value}"), flag, *(f"+ {word}" for word in appended)]
        boxes[node["id"]] = _Box(words, f"node{' appended' * node['appended']}{' grad' * node['requires_grad']}")
    asked = {to["node"] for node in nodes for answer in node["emits"] for to in answer["to"]}
    boxes |= {number: _Box([f"no node {number}"], "absent") for number in asked if number not in boxes}
    return dict(sorted(boxes.items()))


def _connected(nodes: Sequence[dict[str, Any]], boxes: dict[int, _Box]) -> Iterator[_Arrow]:
    """The arrows, with a port at both ends: what comes from above reaches a box above what leaves it."""
    sent: list[tuple[int, _Arrow]] = []
    for node in nodes:
        ports = boxes[node["id"]].ports
        for answer in node["emits"]:
            ports += [_Port(text, "on") for text in _wrap(f"on {answer['on']}")]
            if answer["error"] is not None:
                ports += [_Port(text, "fails") for text in _wrap(f"✗ fails: {answer['error']}")]
            elif not answer["to"]:
                ports.append(_Port("emits nothing", "on"))
            for to in answer["to"]:
                arrow = _Arrow(to["node"])
                *above, last = _wrap(f"{to['gradient']} → {to['node']}")
                ports += [*(_Port(text) for text in above), _Port(last, leaves=arrow)]
                sent.append((node["id"], arrow))
    for source, arrow in sent:
        ports = boxes[arrow.target].ports
        where = _first_that_leaves(ports) if source < arrow.target else len(ports)
        ports.insert(where, _Port(reaches=arrow))
        yield arrow


def _first_that_leaves(ports: Sequence[_Port]) -> int:
    return next((i for i, port in enumerate(ports) if port.reaches is None), len(ports))


def _place(port: _Port, right: float, y: float) -> None:
    if port.leaves is not None:
        port.leaves.start = (right + 14 + CHARACTER * len(port.text) + 5, y)
    if port.reaches is not None:
        port.reaches.end = y


def _share_lanes(arrows: Sequence[_Arrow]) -> int:
    """Give short arrows the inner lanes, and no two that run beside each other the same one; how many there are."""
    taken: list[list[tuple[float, float]]] = []
    for arrow in sorted(arrows, key=lambda each: (each.span[1] - each.span[0], each.span)):
        low, high = arrow.span
        free = (i for i, lane in enumerate(taken) if all(high + 4 < a or b + 4 < low for a, b in lane))
        arrow.lane = next(free, len(taken))
        if arrow.lane == len(taken):
            taken.append([])
        taken[arrow.lane].append((low, high))
    return len(taken)


def _drawn_box(box: _Box, right: float) -> str:
    texts = [(10.0, i, line, "name" if i == 0 else "") for i, line in enumerate(box.lines)]
    texts += [(right + 14, i, port.text, port.css) for i, port in enumerate(box.ports) if port.text]
    drawn = [f'<rect class="{box.css}" x="1" y="{box.top:g}" width="{right - 1:g}" height="{box.height:g}" rx="5"/>']
    for x, i, text, css in texts:
        of_class = f' class="{css}"' if css else ""
        drawn.append(f'<text{of_class} x="{x:g}" y="{box.top + LINE * i + 18:g}">{escape(text)}</text>')
    return "".join(drawn)


def _drawn_arrow(arrow: _Arrow, boxes: dict[int, _Box], right: float, edge: float) -> str:
    """From its label out to its lane, along it, and back to the box that it reaches."""
    (x, y), end, lane = arrow.start, arrow.end, edge + LANE * (arrow.lane + 1)
    down = 1 if end > y else -1
    lost = " lost" if boxes[arrow.target].css == "absent" else ""
    return (
        f'<path class="emits{lost}" d="M{x:g} {y:g}H{lane - 5:g}q5 0 5 {5 * down}V{end - 5 * down:g}'
        f'q0 {5 * down} -5 {5 * down}H{right + 7:g}"/>'
        f'<path class="tip{lost}" d="M{right + 1:g} {end:g}l9 -4.5v9z"/>'
    )
