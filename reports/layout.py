"""A layered layout: every edge runs downward, none runs through a box, and the same graph is laid out the same.

The method is Sugiyama's: layers by longest path, invisible nodes where an edge crosses a layer, and sweeps that
order each layer by the mean of its neighbours. A box goes down to right above its first user where that makes the
edges no longer in all, so that the first layer is not as wide as the graph has leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

GAP_X = 28.0
GAP_Y = 56.0
SWEEPS = 12
PORT = 18.0
"""How far apart the arrows at one side of a box start or end, if the box is wide enough."""

Key = tuple[str, str, int]
"""A box `(name, "", 0)`, or the place where the edge from one lemma to another crosses a layer."""


@dataclass(frozen=True)
class Layout:
    """Centres of the boxes, the points that each edge runs through, and the size of the whole, in pixels.

    An edge starts and ends at the height of a box's centre, but at a place of its own along the box's side.
    """

    centres: dict[str, tuple[float, float]]
    edges: dict[tuple[str, str], list[tuple[float, float]]]
    width: float
    height: float


def layered(graph: nx.DiGraph[str], widths: Mapping[str, float], height: float) -> Layout:
    """Lay out an acyclic graph whose boxes have these widths and one height."""
    depth = _depths(graph)
    layers: list[list[Key]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for name in graph:
        layers[depth[name]].append((name, "", 0))
    chains = {}
    for used, user in graph.edges:
        crossings = [(used, user, level) for level in range(depth[used] + 1, depth[user])]
        for key in crossings:
            layers[key[2]].append(key)
        chains[used, user] = [(used, "", 0), *crossings, (user, "", 0)]
    neighbours: dict[Key, list[Key]] = {key: [] for layer in layers for key in layer}
    for chain in chains.values():
        for above, below in pairwise(chain):
            neighbours[above].append(below)
            neighbours[below].append(above)

    def width(key: Key) -> float:
        return 8.0 if key[1] else widths[key[0]]

    x = _spread(layers, width)
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wish = {key: mean([x[n] for n in neighbours[key]] or [x[key]]) for key in layer}
            layer.sort(key=lambda key: (wish[key], key))
            _place(layer, wish, width, x)
    left = min((x[key] - width(key) / 2 for key in x), default=0.0) - GAP_X / 2
    right = max((x[key] + width(key) / 2 for key in x), default=0.0) + GAP_X / 2
    row = {key: level for level, layer in enumerate(layers) for key in layer}

    def at(key: Key) -> tuple[float, float]:
        return round(x[key] - left, 1), row[key] * (height + GAP_Y) + height / 2 + GAP_X / 2

    starts = _ports(graph, chains, widths, x)
    ends = _ports(graph, {edge: chain[::-1] for edge, chain in chains.items()}, widths, x)

    def points(edge: tuple[str, str]) -> list[tuple[float, float]]:
        (x0, y0), *middle, (x1, y1) = (at(key) for key in chains[edge])
        return [(round(x0 + starts[edge], 1), y0), *middle, (round(x1 + ends[edge], 1), y1)]

    return Layout(
        {name: at((name, "", 0)) for name in graph},
        {edge: points(edge) for edge in chains},
        round(right - left, 1),
        max(0, len(layers)) * (height + GAP_Y) - (GAP_Y if layers else 0) + GAP_X,
    )


def _depths(graph: nx.DiGraph[str]) -> dict[str, int]:
    """The layer of each box, from the top."""
    import networkx as nx

    depth: dict[str, int] = {}
    order = list(nx.lexicographical_topological_sort(graph))
    for name in order:
        depth[name] = 1 + max((depth[used] for used in graph.predecessors(name)), default=-1)
    for name in reversed(order):
        if graph.out_degree(name) and graph.in_degree(name) <= graph.out_degree(name):
            depth[name] = min(depth[user] for user in graph.successors(name)) - 1
    return depth


def _ports(
    graph: nx.DiGraph[str],
    chains: Mapping[tuple[str, str], list[Key]],
    widths: Mapping[str, float],
    x: Mapping[Key, float],
) -> dict[tuple[str, str], float]:
    """How far from its box's middle each edge starts: in the order of where they go, so that none cross at once."""
    offsets: dict[tuple[str, str], float] = {}
    for name in graph:
        leaving = sorted(
            (edge for edge, chain in chains.items() if chain[0][0] == name), key=lambda e: (x[chains[e][1]], e)
        )
        step = min(PORT, 0.8 * widths[name] / max(1, len(leaving)))
        for place, edge in enumerate(leaving):
            offsets[edge] = (place - (len(leaving) - 1) / 2) * step
    return offsets


def _spread(layers: list[list[Key]], width: Callable[[Key], float]) -> dict[Key, float]:
    x: dict[Key, float] = {}
    for layer in layers:
        edge = 0.0
        for key in sorted(layer):
            x[key] = edge + width(key) / 2
            edge += width(key) + GAP_X
    return x


def _place(layer: list[Key], wish: dict[Key, float], width: Callable[[Key], float], x: dict[Key, float]) -> None:
    """Put a layer's members where they wish to be, pushed apart in order so that none overlap."""
    edge = float("-inf")
    for key in layer:
        half = width(key) / 2
        x[key] = max(wish[key], edge + half)
        edge = x[key] + half + GAP_X
    shift = mean([wish[key] - x[key] for key in layer]) if layer else 0.0
    for key in layer:
        x[key] += shift
