"""How well the graph is laid out, and how fast: crossings, pierced boxes, size and time, by graph and engine.

The graphs: what `--results FILE` holds (repeatable), 200 and 500 lemmas in groups as a library of lemmas has them,
and 200 and 500 at random, which no engine makes readable. Each is drawn as the report draws it at full size, without
what follows from other arrows. Crossings and pierced boxes are counted on the drawn curves. Besides the project's own
`place`, engines are tried that are installed: `graphviz-pure`. Prints one row for each graph and engine; exits 1 if a
layout depends on the order of its input.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

import networkx as nx

from symtape.reports.layout import Placement, Point, place

Sizes = dict[str, tuple[float, float]]
Engine = Callable[["nx.DiGraph[str]", Sizes], Placement]


def modular(count: int, seed: int = 1) -> nx.DiGraph[str]:
    """Lemmas in groups of twenty: each uses one to three just before it, some one of an earlier group."""
    draw = random.Random(seed)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for i in range(count):
        group, place_in = divmod(i, 20)
        graph.add_node(f"group{group}_lemma_{i}_of_{count}", group=f"group {group}")
        names = list(graph)
        near = names[group * 20 : i][-5:]
        for used in draw.sample(near, min(len(near), draw.choice([1, 1, 2, 3]))):
            graph.add_edge(used, names[i])
        if group and (place_in == 0 or draw.random() < 0.12):
            graph.add_edge(draw.choice(names[: group * 20]), names[i])
    return graph


def arbitrary(count: int, seed: int = 1) -> nx.DiGraph[str]:
    """Each lemma uses up to three of all before it, at random."""
    draw = random.Random(seed)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for i in range(count):
        names = list(graph)
        graph.add_node(f"lemma_{i}_of_{count}")
        for used in draw.sample(names, min(i, draw.choice([0, 1, 2, 3]))):
            graph.add_edge(used, f"lemma_{i}_of_{count}")
    return graph


def of_results(path: Path) -> nx.DiGraph[str]:
    """The lemmas of a results file."""
    from symtape.reports.graph import dependency_graph

    return dependency_graph(json.loads(path.read_text("utf-8"))["lemmas"])


def reduced(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """Without the edges that follow from others, in a fixed order."""
    kept = set(nx.transitive_reduction(graph).edges)
    made: nx.DiGraph[str] = nx.DiGraph()
    made.add_nodes_from(sorted(graph))
    made.add_edges_from(edge for edge in sorted(graph.edges) if edge in kept)
    return made


def shuffled(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    draw, made = random.Random(2), nx.DiGraph()
    made.add_nodes_from(draw.sample(list(graph), len(graph)))
    made.add_edges_from(draw.sample(list(graph.edges), len(graph.edges)))
    return made


def graphviz_pure(graph: nx.DiGraph[str], sizes: Sizes) -> Placement:
    """dot's layout from the `graphviz-pure` program."""
    ids = {name: f"n{i}" for i, name in enumerate(sorted(graph))}
    names = {ident: name for name, ident in ids.items()}
    lines = ['digraph{graph[nodesep=0.3,ranksep=0.5];node[shape=box,fixedsize=true,label=""];edge[arrowhead=none]']
    lines += [f"{ids[name]}[width={w / 72:.4f},height={h / 72:.4f}]" for name, (w, h) in sorted(sizes.items())]
    lines += [f"{ids[a]}->{ids[b]}" for a, b in sorted(graph.edges)]
    text = "\n".join([*lines, "}"])
    said = subprocess.run(["graphviz-pure", "-Tplain"], input=text, capture_output=True, text=True, check=True).stdout
    width = height = 0.0
    centres: dict[str, Point] = {}
    routes: dict[tuple[str, str], list[Point]] = {}
    for kind, *rest in map(str.split, said.splitlines()):
        if kind == "graph":
            width, height = 72 * float(rest[1]), 72 * float(rest[2])
        elif kind == "node":
            centres[names[rest[0]]] = 72 * float(rest[1]), height - 72 * float(rest[2])
        elif kind == "edge":
            at = [72 * float(each) for each in rest[3 : 3 + 2 * int(rest[2])]]
            route = [(x, height - y) for x, y in zip(at[::2], at[1::2], strict=True)]
            routes[names[rest[0]], names[rest[1]]] = route
    return Placement(centres, routes, width, height)


@dataclass(frozen=True)
class Quality:
    crossings: int
    pierced: int
    overlapping: int


def polyline(route: Sequence[Point], steps: int = 8) -> list[Point]:
    """Points on a chain of cubic Bézier curves."""
    points = [route[0]]
    for i in range(0, len(route) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = route[i : i + 4]
        for step in range(1, steps + 1):
            t = step / steps
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            points.append((a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy))
    return points


def quality(placed: Placement, sizes: Sizes) -> Quality:
    """What is counted on the drawn curves: pairs of arrows that meet in a point that is no shared end, pairs of an
    arrow and a box that it runs through, pairs of boxes that overlap."""
    lines = {edge: polyline(route) for edge, route in placed.routes.items()}
    hulls = {
        edge: (min(x for x, _ in line), min(y for _, y in line), max(x for x, _ in line), max(y for _, y in line))
        for edge, line in lines.items()
    }
    boxes = {
        name: (x - sizes[name][0] / 2, y - sizes[name][1] / 2, x + sizes[name][0] / 2, y + sizes[name][1] / 2)
        for name, (x, y) in placed.centres.items()
    }
    crossings = sum(
        _meet(hulls[a], hulls[b]) and _cross(lines[a], lines[b])
        for a, b in combinations(lines, 2)
        if not set(a) & set(b)
    )
    pierced = sum(
        _meet(hulls[edge], box) and any(_inside(point, box) for point in line)
        for edge, line in lines.items()
        for name, box in boxes.items()
        if name not in edge
    )
    overlapping = sum(_meet(a, b) for a, b in combinations(boxes.values(), 2))
    return Quality(crossings, pierced, overlapping)


Box = tuple[float, float, float, float]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _inside(point: Point, box: Box) -> bool:
    return box[0] + 0.5 < point[0] < box[2] - 0.5 and box[1] + 0.5 < point[1] < box[3] - 0.5


def _cross(one: Sequence[Point], other: Sequence[Point]) -> bool:
    def side(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    # arrows run downward, so that only a part of the other is at a segment's height
    heights = [y for _, y in other]
    for a, b in pairwise(one):
        first = max(0, bisect_left(heights, a[1]) - 2)
        for c, d in pairwise(other[first : bisect_right(heights, b[1]) + 2]):
            if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
                continue
            if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
                return True
    return False


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--results", type=Path, action="append", default=[], metavar="RESULTS.json")
    given = options.parse_args()
    graphs = {path.parent.name or path.name: of_results(path) for path in given.results}
    graphs |= {f"groups {n}": modular(n) for n in (200, 500)} | {f"random {n}": arbitrary(n) for n in (200, 500)}
    engines: dict[str, Engine] = {"symtape": place}
    if shutil.which("graphviz-pure"):
        engines["graphviz-pure"] = graphviz_pure
    print("| graph | lemmas | arrows | engine | crossings | pierced | overlapping | width | height | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    stable = True
    for title, graph in graphs.items():
        drawn = reduced(graph)
        sizes = {name: (max(120.0, 7 * min(len(name), 24) + 20), 14.0 * (2 + len(name) // 24) + 30) for name in drawn}
        for engine, run in engines.items():
            started = sum(os.times()[:4])
            placed = run(drawn, sizes)
            seconds = sum(os.times()[:4]) - started
            again = run(shuffled(drawn), dict(reversed(sizes.items())))
            stable = stable and placed == again
            found = quality(placed, sizes)
            print(
                f"| {title} | {len(drawn)} | {len(drawn.edges)} | {engine} | {found.crossings} | {found.pierced} | "
                f"{found.overlapping} | {placed.width:.0f} | {placed.height:.0f} | {seconds:.2f} |",
                flush=True,
            )
    return 0 if stable else 1


if __name__ == "__main__":
    sys.exit(main())
