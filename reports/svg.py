"""The dependency graph as SVG: a link for each lemma, with its verdict as glyph, word and colour."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from symtape.reports.layout import layered
from symtape.reports.status import css_class, palette, status

if TYPE_CHECKING:
    import networkx as nx

CHARACTER = 7.3
"""Width of a character of the node font, in pixels."""
HEIGHT = 44.0


def anchor(name: str) -> str:
    """The id under which a lemma's block stands in the page."""
    return f"lemma-{quote(name, safe='')}"


def draw(graph: nx.DiGraph[str], *, standalone: bool = False) -> str:
    """The graph as an SVG element, or as a file of its own with the style sheet in it."""
    widths = {name: max(120.0, CHARACTER * len(name) + 24) for name in graph}
    layout = layered(graph, widths, HEIGHT)
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    parts = [
        f'<svg{namespace} class="graph" viewBox="0 0 {layout.width:g} {layout.height:g}" '
        f'width="{layout.width:g}" height="{layout.height:g}" role="group" aria-label="dependency graph">',
        f"<style>{palette()}{_STYLE}</style>" if standalone else "",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
        'markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    ]
    for (used, user), points in layout.edges.items():
        parts.append(
            f'<path class="edge" d="{_curve(points)}" marker-end="url(#arrow)">'
            f"<title>{escape(user)} uses {escape(used)}</title></path>"
        )
    for name, data in graph.nodes(data=True):
        parts.append(_node(name, data["verdict"], layout.centres[name], widths[name]))
    return "\n".join(part for part in [*parts, "</svg>"] if part) + "\n"


def _node(name: str, verdict: str | None, centre: tuple[float, float], width: float) -> str:
    look, css = status(verdict), css_class(verdict)
    x, y = centre[0] - width / 2, centre[1] - HEIGHT / 2
    dash = {"dashed": ' stroke-dasharray="6 3"', "dotted": ' stroke-dasharray="2 3"'}.get(look.border, "")
    return (
        f'<a href="#{escape(anchor(name))}"><title>{escape(name)}: {look.word}; {escape(look.meaning)}</title>'
        f'<rect class="{css}" x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT:g}" rx="6"{dash}/>'
        f'<text class="{css}" x="{x + 12:g}" y="{y + 18:g}">{escape(name)}</text>'
        f'<text class="{css} word" x="{x + 12:g}" y="{y + 35:g}">{look.glyph} {look.word}</text></a>'
    )


def _curve(points: list[Any]) -> str:
    """From the bottom of one box through the gaps between boxes to the top of another."""
    (x0, y0), *middle, (x1, y1) = points
    stops = [(x0, y0 + HEIGHT / 2)]
    for x, y in middle:
        stops += [(x, y - HEIGHT / 2), (x, y + HEIGHT / 2)]
    stops.append((x1, y1 - HEIGHT / 2))
    drawn = [f"M{stops[0][0]:g} {stops[0][1]:g}"]
    for i in range(0, len(stops) - 1, 2):
        (ax, ay), (bx, by) = stops[i], stops[i + 1]
        half = (ay + by) / 2
        drawn.append(f"C{ax:g} {half:g} {bx:g} {half:g} {bx:g} {by:g}")
        if i + 2 < len(stops):
            drawn.append(f"L{stops[i + 2][0]:g} {stops[i + 2][1]:g}")
    return "".join(drawn)


_STYLE = (
    "text{font:12px ui-monospace,monospace}.edge{fill:none;stroke:#526070;stroke-width:1.4}.head{fill:#526070}"
    "rect{stroke-width:1.5}"
)
