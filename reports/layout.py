"""Where the boxes of a graph and the arrows between them go: `place`, the one function that knows how.

The method is Sugiyama's. Boxes stand in layers, what is used above what uses it, and a layer takes no more boxes than
a page is wide, where that can be. An arrow has a place of its own in each layer that it crosses, so that none
runs through a box. The order within layers is sought in `ordering`, with few crossings; then every layer is put, in
that order, as near as it gets to its neighbours (least squares, by pooling those that would overlap). Parts of the
graph that do not hang together are set beside each other in rows.

Nothing depends on the order of the input, on hashing or on a font: the same graph is placed the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

from symtape.reports.ordering import ordered

if TYPE_CHECKING:
    import networkx as nx

PAGE = 1150.0
"""How wide a layer of boxes may be before the next box goes to another layer, in pixels."""
GAP_X = 22.0
GAP_Y = 30.0
LANE = 12.0
"""How much room an arrow has where it passes boxes, or other arrows."""
SLOPE = 0.07
"""How much further apart two layers are for each pixel that the widest arrow between them goes sideways."""
STEEP = 70.0
"""The most that is added for that."""
PORT = 16.0
"""How far apart the arrows at one side of a box start or end, if the box is wide enough."""
SWEEPS = 24
TO_MIDDLE = 0.5
"""How much the middle of the picture counts for a box, beside its neighbours: it keeps a picture from drifting."""

Point = tuple[float, float]
Size = tuple[float, float]
Edge = tuple[str, str]
Key = tuple[str, str, int]
"""A box `(name, "", 0)`, or the place where the arrow from one box to another crosses a layer."""


@dataclass(frozen=True)
class Placement:
    """Centres of the boxes, the way of each arrow, and the size of the whole, in pixels.

    A way is a chain of cubic Bézier curves: a point, then two control points and a point for each curve.
    """

    centres: dict[str, Point]
    routes: dict[Edge, list[Point]]
    width: float
    height: float


def place(graph: nx.DiGraph[str], sizes: Mapping[str, Size]) -> Placement:
    """Place boxes of these sizes. The graph must have no cycle."""
    import networkx as nx

    area = sum((width + GAP_X) * (height + GAP_Y) for width, height in sizes.values())
    limit = max(PAGE, 0.8 * sqrt(area))
    parts = [sorted(part) for part in nx.weakly_connected_components(graph)]
    placed = []
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        edges = sorted(graph.subgraph(part).edges)
        placed.append(_Part(part, edges, sizes, limit).placed())
    return _packed(placed, max([limit, *(each.width for each in placed)]))


def _packed(parts: Sequence[Placement], limit: float) -> Placement:
    """The parts in rows, from the left, no row wider than this."""
    centres: dict[str, Point] = {}
    routes: dict[Edge, list[Point]] = {}
    x = y = row = width = 0.0
    for part in parts:
        if x and x + part.width > limit:
            x, y, row = 0.0, y + row + GAP_Y, 0.0
        centres |= {name: _moved(point, x, y) for name, point in part.centres.items()}
        routes |= {edge: [_moved(point, x, y) for point in points] for edge, points in part.routes.items()}
        width, row = max(width, x + part.width), max(row, part.height)
        x += part.width + GAP_X
    return Placement(centres, routes, round(width, 1), round(y + row, 1))


def _moved(point: Point, x: float, y: float) -> Point:
    return round(point[0] + x, 1), round(point[1] + y, 1)


class _Part:
    """The boxes of one connected part, and what is worked out of them on the way."""

    def __init__(self, names: Sequence[str], edges: Sequence[Edge], sizes: Mapping[str, Size], limit: float) -> None:
        self.sizes = sizes
        level = _levels(names, edges, {name: sizes[name][0] + GAP_X for name in names}, limit)
        self.chains: dict[Edge, list[Key]] = {}
        layers: list[list[Key]] = [[] for _ in range(1 + max(level.values()))]
        for name in names:
            layers[level[name]].append((name, "", 0))
        for used, user in edges:
            crossings = [(used, user, at) for at in range(level[used] + 1, level[user])]
            for key in crossings:
                layers[key[2]].append(key)
            self.chains[used, user] = [(used, "", 0), *crossings, (user, "", 0)]
        self.above: defaultdict[Key, list[Key]] = defaultdict(list)
        self.below: defaultdict[Key, list[Key]] = defaultdict(list)
        for chain in self.chains.values():
            for upper, lower in pairwise(chain):
                self.above[lower].append(upper)
                self.below[upper].append(lower)
        self.layers = ordered(layers, self.above, self.below)
        self.x = self._across()

    def width(self, key: Key) -> float:
        return 0.0 if key[1] else self.sizes[key[0]][0]

    def placed(self) -> Placement:
        """Positions with the upper left corner at the origin."""
        x = self.x
        starts = self._ports(self.below, 0, 1)
        ends = self._ports(self.above, -1, -2)
        heights = [max([LANE, *(self.sizes[key[0]][1] for key in layer if not key[1])]) for layer in self.layers]
        tops = [0.0]
        for height, upper in zip(heights, self.layers, strict=True):
            aside = max((abs(x[key] - x[other]) for key in upper for other in self.below[key]), default=0.0)
            tops.append(tops[-1] + height + GAP_Y + min(STEEP, SLOPE * aside))
        at = {key: number for number, layer in enumerate(self.layers) for key in layer}

        def route(edge: Edge) -> list[Point]:
            first, *_, last = chain = self.chains[edge]
            across = [x[first] + starts[edge], *(x[key] for key in chain[1:-1]), x[last] + ends[edge]]
            way = [(across[0], tops[at[first]] + (heights[at[first]] + self.sizes[edge[0]][1]) / 2)]
            for (left, right), (upper, lower) in zip(pairwise(across), pairwise(chain), strict=True):
                bottom, top = tops[at[upper]] + heights[at[upper]], tops[at[lower]]
                half = (bottom + top) / 2
                _straight(way, (left, bottom))
                way += [(left, half), (right, half), (right, top)]
            _straight(way, (across[-1], tops[at[last]] + (heights[at[last]] - self.sizes[edge[1]][1]) / 2))
            return way

        routes = {edge: route(edge) for edge in self.chains}
        left = min([x[key] - self.width(key) / 2 for key in x])
        right = max([x[key] + self.width(key) / 2 for key in x])
        centres = {key[0]: (x[key] - left, tops[at[key]] + heights[at[key]] / 2) for key in sorted(x) if not key[1]}
        moved = {edge: [(px - left, py) for px, py in way] for edge, way in routes.items()}
        return Placement(centres, moved, right - left, tops[-2] + heights[-1])

    def _across(self) -> dict[Key, float]:
        """Where along its layer each member is, from the middle of the picture."""
        x: dict[Key, float] = {}
        for layer in self.layers:
            offsets = self._offsets(layer)
            x |= {key: offset - offsets[-1] / 2 for key, offset in zip(layer, offsets, strict=True)}
        for sweep in range(SWEEPS):
            for layer in self.layers if sweep % 2 == 0 else reversed(self.layers):
                self._settle(layer, sweep, x)
        return x

    def _settle(self, layer: Sequence[Key], sweep: int, x: dict[Key, float]) -> None:
        """Put a layer, in its order, as near as it gets to its neighbours.

        The first sweeps look one way, later ones let boxes look both ways. An arrow on its way always follows what
        lies before it, else a bend would only be spread over all layers instead of being taken out.
        """
        one = [self.above] if sweep % 2 == 0 else [self.below]
        wishes, weights = [], []
        for key in layer:
            sides = one if key[1] or sweep < SWEEPS // 3 else [self.above, self.below]
            near = [(x[other], _pull(key, other)) for side in sides for other in side.get(key, ())]
            weight = sum(pull for _, pull in near) + (0.0 if key[1] else TO_MIDDLE)
            wishes.append(sum(at * pull for at, pull in near) / weight)
            weights.append(weight)
        offsets = self._offsets(layer)
        free = _rising([wish - offset for wish, offset in zip(wishes, offsets, strict=True)], weights)
        for key, each, offset in zip(layer, free, offsets, strict=True):
            x[key] = each + offset

    def _offsets(self, layer: Sequence[Key]) -> list[float]:
        """Where the members of a layer are if they stand as close as they may."""
        offsets = [0.0]
        for key, after in pairwise(layer):
            gap = LANE if key[1] and after[1] else (GAP_X + LANE) / 2 if key[1] or after[1] else GAP_X
            offsets.append(offsets[-1] + (self.width(key) + self.width(after)) / 2 + gap)
        return offsets

    def _ports(self, side: Mapping[Key, list[Key]], end: int, following: int) -> dict[Edge, float]:
        """How far from its box's middle each arrow is: in the order of where they go, so that none cross at once."""
        leaving: defaultdict[str, list[Edge]] = defaultdict(list)
        for edge, chain in self.chains.items():
            leaving[chain[end][0]].append(edge)
        offsets: dict[Edge, float] = {}
        for name, edges in leaving.items():
            edges.sort(key=lambda edge: (self.x[self.chains[edge][following]], edge))
            step = min(PORT, 0.8 * self.sizes[name][0] / len(edges))
            for number, edge in enumerate(edges):
                offsets[edge] = (number - (len(edges) - 1) / 2) * step
        return offsets


def _straight(way: list[Point], to: Point) -> None:
    """Go on straight down, if that is any way at all."""
    if to[1] > way[-1][1]:
        way += [way[-1], to, to]


def _pull(key: Key, other: Key) -> float:
    """How much a neighbour counts: long arrows are to be straight, and less so where they start and end."""
    return 64.0 if key[1] and other[1] else 0.5 if key[1] or other[1] else 1.0


def _rising(wishes: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The numbers nearest to these, by weighted least squares, of which none is less than the one before."""
    pools: list[tuple[float, float, int]] = []
    for wish, weight in zip(wishes, weights, strict=True):
        pool = (wish, weight, 1)
        while pools and pools[-1][0] > pool[0]:
            mean, heavy, count = pools.pop()
            total = heavy + pool[1]
            pool = ((mean * heavy + pool[0] * pool[1]) / total, total, count + pool[2])
        pools.append(pool)
    return [mean for mean, _, count in pools for _ in range(count)]


def _levels(names: Sequence[str], edges: Sequence[Edge], widths: Mapping[str, float], limit: float) -> dict[str, int]:
    """The layer of each box, from the top: as near to its users as there is room, and then, if it uses more than it
    is used, as near to what it uses."""
    users: dict[str, list[str]] = {name: [] for name in names}
    used: dict[str, list[str]] = {name: [] for name in names}
    for a, b in edges:
        users[a].append(b)
        used[b].append(a)
    chain = _chains(names, used, users)
    waiting = {name: len(users[name]) for name in names}
    ready: list[tuple[int, str]] = []
    for name in names:
        if not waiting[name]:
            heappush(ready, (-chain[name], name))
    room: defaultdict[int, float] = defaultdict(lambda: limit + GAP_X)
    up: dict[str, int] = {}

    def settle(name: str, levels: Sequence[int] | range, otherwise: int) -> None:
        up[name] = next((level for level in levels if room[level] >= widths[name]), otherwise)
        room[up[name]] -= widths[name]

    while ready:
        _, name = heappop(ready)
        least = 1 + max((up[user] for user in users[name]), default=-1)
        settle(name, range(least, len(names)), least)
        for each in used[name]:
            waiting[each] -= 1
            if not waiting[each]:
                heappush(ready, (-chain[each], each))
    for name in sorted(names, key=lambda name: (chain[name], name)):
        if len(used[name]) > len(users[name]):
            present = up[name]
            room[present] += widths[name]
            settle(name, range(min(up[each] for each in used[name]) - 1, present, -1), present)
    kept = sorted(set(up.values()), reverse=True)
    return {name: kept.index(up[name]) for name in names}


def _chains(names: Sequence[str], used: Mapping[str, list[str]], users: Mapping[str, list[str]]) -> dict[str, int]:
    """How many lemmas stand above each in the longest chain."""
    length = dict.fromkeys(names, 0)
    waiting = {name: len(used[name]) for name in names}
    ready = [name for name in names if not waiting[name]]
    while ready:
        name = ready.pop()
        for user in users[name]:
            length[user] = max(length[user], length[name] + 1)
            waiting[user] -= 1
            if not waiting[user]:
                ready.append(user)
    return length
