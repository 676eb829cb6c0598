"""The dependency graph as SVG: a link for each lemma, with what stands of it as glyph, word and colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from symtape.reports import arrows
from symtape.reports.arrows import ARROWS, Arrow
from symtape.reports.graph import dependency_graph
from symtape.reports.layout import layered
from symtape.reports.standing import (
    Lemma,
    admission_in_words,
    at_every_size,
    at_known_sizes,
    in_all,
    rests_on_unproved,
    sizes_in_words,
)
from symtape.reports.status import css_class, palette, status

CHARACTER = 7.3
"""Width of a character of the node font, in pixels."""
LINE = 17.0
NAME = 32
"""How many characters of a name stand in one line of a box, if it can be broken there."""


def anchor(name: str) -> str:
    """The id under which a lemma's block stands in the page."""
    return f"lemma-{quote(name, safe='')}"


def draw(lemmas: Sequence[Lemma], *, standalone: bool = False) -> str:
    """The graph as an SVG element, or as a file of its own with the style sheet in it."""
    graph = dependency_graph(lemmas)
    grouped = len({lemma["group"] for lemma in lemmas}) > 1
    boxes = {lemma["name"]: _lines(lemma, grouped=grouped) for lemma in lemmas}
    widths = {name: max(120.0, CHARACTER * max(len(text) for _, text in lines) + 24) for name, lines in boxes.items()}
    height = max((LINE * len(lines) + 12 for lines in boxes.values()), default=0.0)
    layout = layered(graph, widths, height)
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    parts = [
        f'<svg{namespace} class="graph" viewBox="0 0 {layout.width:g} {layout.height:g}" '
        f'width="{layout.width:g}" height="{layout.height:g}" role="group" aria-label="dependency graph">',
        f"<style>{palette()}{_STYLE}{arrows.style()}</style>" if standalone else "",
        _MARKERS,
    ]
    for (used, user), points in layout.edges.items():
        arrow = ARROWS[graph.edges[used, user]["kind"]]
        title = f"{user} uses {used}: {arrow.words}"
        parts.append(_path(arrow, _curve(points, height), title, (used, user)))
    for lemma in lemmas:
        name = lemma["name"]
        parts.append(_node(lemma, boxes[name], layout.centres[name], (widths[name], height)))
    return "\n".join(part for part in [*parts, "</svg>"] if part) + "\n"


def sample(arrow: Arrow) -> str:
    """One arrow as an SVG element of its own, for the legend. It needs the markers of a graph in the same page."""
    return (
        '<svg class="graph sample" viewBox="0 0 64 12" width="64" height="12" aria-hidden="true">'
        f"{_path(arrow, 'M6 6L60 6', '')}</svg>"
    )


def _path(arrow: Arrow, line: str, title: str, ends: tuple[str, str] | None = None) -> str:
    between = f' data-from="{escape(ends[0])}" data-to="{escape(ends[1])}"' if ends else ""
    start = ' marker-start="url(#mark)"' if arrow.marked else ""
    said = f"<title>{escape(title)}</title>" if title else ""
    css = arrows.css_class(arrow.kind)
    head = "arrow" if arrow.found else "open"
    return f'<path class="edge {css}"{between} d="{line}"{start} marker-end="url(#{head})">{said}</path>'


def _lines(lemma: Lemma, *, grouped: bool) -> list[tuple[str, str]]:
    """What a box says, each line with its style: the group, the name, a line for each thing asked, the taint."""
    every, known, unproved = at_every_size(lemma), at_known_sizes(lemma), rests_on_unproved(lemma)
    lines = [("group", lemma["group"] or "no group")] if grouped else []
    lines += [("name", piece) for piece in _broken(lemma["name"])]
    if every is not None:
        lines.append(("word", f"{_said(every)} at every size"))
    if known is not None:
        lines.append(("word", f"{_said(known)} at {sizes_in_words(lemma)}"))
    if every is None and known is None:
        lines.append(("word", _said(in_all(lemma))))
    if unproved:
        lines += [("word", piece) for piece in _broken(admission_in_words(unproved))]
    return lines


def _said(word: str | None) -> str:
    look = status(word)
    return f"{look.glyph} {look.word}"


def _broken(text: str) -> list[str]:
    """A text in lines of about `NAME` characters, broken behind underscores and spaces only."""
    lines = [""]
    for piece in re.findall(r"[^_ ]*[_ ]+|[^_ ]+", text):
        if lines[-1] and len(lines[-1]) + len(piece) > NAME:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _node(lemma: Lemma, lines: list[tuple[str, str]], centre: tuple[float, float], size: tuple[float, float]) -> str:
    look, css = status(in_all(lemma)), css_class(in_all(lemma))
    width, height = size
    x, y = centre[0] - width / 2, centre[1] - height / 2
    top = y + (height - LINE * len(lines)) / 2
    dash = {"dashed": ' stroke-dasharray="6 3"', "dotted": ' stroke-dasharray="2 3"'}.get(look.border, "")
    name = lemma["name"]
    texts = "".join(
        f'<text class="{css} {style}" x="{x + 12:g}" y="{top + LINE * i + 13:g}">{escape(text)}</text>'
        for i, (style, text) in enumerate(lines)
    )
    return (
        f'<a href="#{escape(anchor(name))}" data-name="{escape(name)}">'
        f"<title>{escape(name)}: {look.word}; {escape(look.meaning)}</title>"
        f'<rect class="{css}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6"{dash}/>'
        f"{texts}</a>"
    )


def _curve(points: list[Any], height: float) -> str:
    """From the bottom of one box through the gaps between boxes to the top of another."""
    (x0, y0), *middle, (x1, y1) = points
    stops = [(x0, y0 + height / 2)]
    for x, y in middle:
        stops += [(x, y - height / 2), (x, y + height / 2)]
    stops.append((x1, y1 - height / 2))
    drawn = [f"M{stops[0][0]:g} {stops[0][1]:g}"]
    for i in range(0, len(stops) - 1, 2):
        (ax, ay), (bx, by) = stops[i], stops[i + 1]
        half = (ay + by) / 2
        drawn.append(f"C{ax:g} {half:g} {bx:g} {half:g} {bx:g} {by:g}")
        if i + 2 < len(stops):
            drawn.append(f"L{stops[i + 2][0]:g} {stops[i + 2][1]:g}")
    return "".join(drawn)


def _marker(name: str, x: int, shape: str) -> str:
    return (
        f'<marker id="{name}" viewBox="-1 -1 10 10" refX="{x}" refY="4" markerWidth="11" markerHeight="11" '
        f'markerUnits="userSpaceOnUse" orient="auto">{shape}</marker>'
    )


_MARKERS = (
    "<defs>"
    + _marker("arrow", 7, '<path class="head" d="M0 0 8 4 0 8z"/>')
    + _marker("open", 8, '<path class="edge" d="M1 0 8 4 1 8"/>')
    + _marker("mark", 0, '<circle class="head" cx="4" cy="4" r="3.5"/>')
    + "</defs>"
)

_STYLE = (
    "text{font:12px ui-monospace,monospace}.group{font-size:10.5px;font-style:italic}.name{font-weight:600}"
    ".edge{fill:none;stroke:#526070}.head{fill:#526070}rect{stroke-width:1.5}"
)
