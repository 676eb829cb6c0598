"""A picture of the graph as SVG: a link for each lemma, with what stands of it as glyph, word and colour."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from symtape.reports import arrows
from symtape.reports.arrows import ARROWS, Arrow
from symtape.reports.boxes import CELL, LINES, OUTSIDE, SIDE, TRIVIAL, Box, strip_in_words
from symtape.reports.layout import Placement, Point, place
from symtape.reports.pictures import Line, Picture
from symtape.reports.status import css_class, palette, status

if TYPE_CHECKING:
    import networkx as nx

MARGIN = 14.0
READABLE = 9 / 11
"""How far a picture is shrunk to the width of the page: its small text, of 11 pixels, stays 9 pixels high."""

FIRST = 300.0
"""How much of a picture, from the top, is seen at first."""


def draw(picture: Picture, *, standalone: bool = False) -> str:
    """A picture as an SVG element, which needs `markers()` in the same page, or as a file of its own."""
    boxes = {box.key: box for box in picture.boxes}
    sizes = {box.key: box.size for box in picture.boxes}
    placed = place(_graph(picture), sizes)
    width, height = round(placed.width + 2 * MARGIN, 1), round(placed.height + 2 * MARGIN, 1)
    box = f'viewBox="{-MARGIN:g} {-MARGIN:g} {width:g} {height:g}" role="group"'

    def reading_order(box: Box) -> tuple[float, float, str]:
        """By which the keyboard goes from box to box, too."""
        x, y = placed.centres[box.key]
        return y, x, box.key

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" {box} width="{width:g}" height="{height:g}">'
        if standalone
        else f'<svg class="graph" {box} style="{_shrunk(width, height)}">',
        f"<title>{escape(picture.title)}</title>",
        f"<desc>{escape(_described(picture))}</desc>",
        f"<style>{_style()}</style>{_DEFS}" if standalone else "",
        *(_line(line, boxes, _way(picture, line, placed)) for line in sorted(picture.lines, key=_ends)),
        *(_node(box, placed.centres[box.key]) for box in sorted(picture.boxes, key=reading_order)),
        "</svg>",
        "" if standalone else _opening(placed),
    ]
    return "\n".join(filter(None, parts)) + "\n"


def _shrunk(width: float, height: float) -> str:
    """As large as it is drawn, or less, to fit the page's width and the screen's height, as far as it can be read."""
    least = round(READABLE * width), round(READABLE * height)
    return f"width:{width:g}px;min-width:{least[0]}px;max-height:max(88vh,{least[1]}px)"


def _opening(placed: Placement) -> str:
    """Where a picture that is wider than its page opens: in the middle of what stands at its top."""
    top = [x for x, y in placed.centres.values() if y < FIRST] or [0.0]
    return f'<span class="first" style="left:calc({READABLE * (sum(top) / len(top) + MARGIN):.0f}px - 50%)"></span>'


def markers() -> str:
    """The arrows' heads, once for all pictures of a page."""
    return f'<svg width="0" height="0" class="markers" aria-hidden="true">{_DEFS}</svg>'


def sample(arrow: Arrow) -> str:
    """One arrow as an SVG element of its own, for the legend."""
    return (
        '<svg class="graph sample" viewBox="0 0 64 12" width="64" height="12" aria-hidden="true">'
        f'<path {_look(arrow)} d="M6 6H60"/></svg>'
    )


def _graph(picture: Picture) -> nx.DiGraph[str]:
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(box.key for box in picture.boxes)
    for line in picture.lines:
        ends = (line.used, line.user)
        graph.add_edge(*(ends[::-1] if ends in picture.against else ends))
    return graph


def _ends(line: Line) -> tuple[str, str]:
    return line.used, line.user


def _way(picture: Picture, line: Line, placed: Placement) -> list[Point]:
    ends = (line.used, line.user)
    return placed.routes[ends[::-1]][::-1] if ends in picture.against else placed.routes[ends]


def _described(picture: Picture) -> str:
    said = f"{len(picture.boxes)} boxes, {len(picture.lines)} arrows, each from a lemma to a lemma that uses it."
    return said + (f" {picture.left_out} more arrows follow from these." if picture.left_out else "")


def _line(line: Line, boxes: Mapping[str, Box], way: Sequence[Point]) -> str:
    arrow = ARROWS[line.kind]
    ends = f'{_end("from", boxes[line.used])} {_end("to", boxes[line.user])} data-kind="{escape(line.kind)}"'
    look = _look(arrow, bad=line.bad, both=line.both)
    return f'<path {look} {ends} d="{_curve(way)}"><title>{escape(line.title)}</title></path>'


def _end(which: str, box: Box) -> str:
    """What scripts know an arrow's end by: a lemma by its name, what stands for a group by the group's."""
    return f'data-{which}="{escape(box.key)}"' if box.is_lemma else f'data-{which}-group="{escape(box.group)}"'


def _look(arrow: Arrow, *, bad: bool = False, both: bool = False) -> str:
    head = "arrow" if arrow.found else "open"
    start = f' marker-start="url(#{head})"' if both else ' marker-start="url(#mark)"' if arrow.marked else ""
    return f'class="edge {arrows.css_class(arrow.kind)}{" bad" if bad else ""}"{start} marker-end="url(#{head})"'


def _curve(way: Sequence[Point]) -> str:
    drawn = [f"M{way[0][0]:g} {way[0][1]:g}"]
    for i in range(0, len(way) - 3, 3):
        (ax, _), (bx, by), (cx, cy), (dx, dy) = way[i : i + 4]
        straight = ax == bx == cx == dx
        drawn.append(f"V{dy:g}" if straight else f"C{bx:g} {by:g} {cx:g} {cy:g} {dx:g} {dy:g}")
    return "".join(drawn)


def _node(box: Box, centre: Point) -> str:
    css = css_class(box.word) if box.style != OUTSIDE else OUTSIDE
    width, height = box.size
    x, y = round(centre[0] - width / 2, 1), round(centre[1] - height / 2, 1)
    border = "solid" if box.style == OUTSIDE else status(box.word).border
    dash = {"dashed": ' stroke-dasharray="6 3"', "dotted": ' stroke-dasharray="2 3"'}.get(border, "")
    texts, bottom = "", y + 5
    for style, text in box.lines:
        bottom += LINES[style]
        texts += f'<text class="{css} {style}" x="{x + SIDE:g}" y="{bottom - 2.5:g}">{escape(text)}</text>'
    name = f' data-name="{escape(box.key)}"' if box.is_lemma else ""
    return (
        f'<a href="{escape(box.href)}"{name} data-group="{escape(box.group)}"><title>{escape(box.title)}</title>'
        f'<rect class="{css}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6"{dash}/>'
        f"{_hatch(css, x, y, height) if box.tainted else ''}{texts}"
        f"{_strip(box, x + SIDE, bottom + 3)}</a>"
    )


def _hatch(css: str, x: float, y: float, height: float) -> str:
    """Slanted lines along the left side: what stands here rests on something that is not proved."""
    lines = "".join(f"M{x + 1:g} {y + at + 5:g}l5-5" for at in range(4, int(height) - 7, 5))
    return f'<path class="{css} hatch" d="{lines}"/>'


def _strip(box: Box, x: float, y: float) -> str:
    """A cell for each size. Cells of one status are one path; each but the proved ones has its glyph."""
    if not box.strip:
        return ""
    cells: defaultdict[str, list[Point]] = defaultdict(list)
    for number, (_, word) in enumerate(box.strip):
        row, column = divmod(number, box.columns)
        cells[word].append((x + CELL * column, y + (CELL + 2) * row))
    paths, glyphs = [], []
    for word, at in cells.items():
        squares, last = "", (0.0, 0.0)
        for cx, cy in at:
            squares += f"{'m' if squares else 'M'}{cx - last[0]:g} {cy - last[1]:g}h8v8h-8z"
            last = cx, cy
        css = TRIVIAL if word == TRIVIAL else css_class(word)
        paths.append(f'<path class="{css} cell" d="{squares}"/>')
        if word not in (TRIVIAL, "proved"):
            text = status(word).glyph
            glyphs += [f'<text class="{css} glyph" x="{cx + 4:g}" y="{cy + 6.9:g}">{text}</text>' for cx, cy in at]
    title = f"<title>{escape(strip_in_words(box.strip))}</title>"
    return f'<g class="strip">{title}{"".join(paths)}{"".join(glyphs)}</g>'


def _marker(name: str, x: int, shape: str) -> str:
    return (
        f'<marker id="{name}" viewBox="-1 -1 10 10" refX="{x}" refY="4" markerWidth="11" markerHeight="11" '
        f'markerUnits="userSpaceOnUse" orient="auto-start-reverse">{shape}</marker>'
    )


_DEFS = (
    "<defs>"
    + _marker("arrow", 8, '<path class="head" d="M0 0 8 4 0 8z"/>')
    + _marker("open", 8, '<path class="head-open" d="M1 0 8 4 1 8"/>')
    + _marker("mark", 0, '<circle class="head" cx="4" cy="4" r="3.5"/>')
    + "</defs>"
)


def _style() -> str:
    """What a file of its own has of the page's style sheets."""
    return f"{_THEMES}{palette()}{(Path(__file__).parent / 'graph.css').read_text('utf-8')}{arrows.style()}"


# A file of its own is as large as it is drawn, for the viewer to scroll or to shrink.
_THEMES = (
    ":root{color-scheme:light dark;--page:#ffffff;--text:#16202c;--muted:#526070;--bad:#a11a08;--focus:#0b57d0}"
    "@media (prefers-color-scheme:dark)"
    "{:root{--page:#10151c;--text:#e6ebf1;--muted:#a3b0bf;--bad:#ffab94;--focus:#8ab4f8}}"
    "svg.graph{background:var(--page);max-width:none}"
)
