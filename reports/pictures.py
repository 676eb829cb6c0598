"""Which boxes and arrows stand in a picture: all lemmas, the groups of them, one group, or what is around a lemma.

What follows from other arrows is left out of a picture unless it is asked for: the tables and the exports have it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from symtape.reports import boxes
from symtape.reports.arrows import ARROWS, joined
from symtape.reports.boxes import Box
from symtape.reports.graph import dependency_graph
from symtape.reports.standing import Lemma
from symtape.verdict import Verdict

if TYPE_CHECKING:
    import networkx as nx

FOLDED = 60
"""From more lemmas than this on, the page starts with their groups."""

USED, USERS = "used here", "resting on these"


@dataclass(frozen=True)
class Line:
    """An arrow from what is used to its user, or between them in both directions."""

    used: str
    user: str
    kind: str
    title: str
    bad: bool = False
    """Whether what is used is not proved."""
    both: bool = False


@dataclass(frozen=True)
class Picture:
    """What is to be drawn. Lines run from an earlier box to a later one, in some order of the boxes, or `against`."""

    title: str
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    left_out: int = 0
    """How many arrows were left out since they follow from others."""
    against: frozenset[tuple[str, str]] = frozenset()
    """The lines that are placed the other way round, since groups may use each other."""


def folds(lemmas: Sequence[Lemma]) -> bool:
    """Whether these are so many that the page starts with groups."""
    return len(lemmas) > FOLDED and len(groups(lemmas)) > 1


def groups(lemmas: Iterable[Lemma]) -> dict[str, list[Lemma]]:
    """The lemmas by group, in the order in which the groups come."""
    found: defaultdict[str, list[Lemma]] = defaultdict(list)
    for lemma in lemmas:
        found[lemma.get("group") or ""].append(lemma)
    return dict(found)


def whole(lemmas: Sequence[Lemma], *, every_arrow: bool = False) -> Picture:
    """All lemmas."""
    graph = dependency_graph(lemmas)
    kept = set(graph.edges) if every_arrow else _essential(graph)
    by_name = {lemma["name"]: lemma for lemma in lemmas}
    lines = [
        _line(by_name[used], user, str(kind)) for used, user, kind in graph.edges(data="kind") if (used, user) in kept
    ]
    return Picture(
        f"{len(lemmas)} lemmas and what they use",
        tuple(boxes.of_lemma(lemma, grouped=len(groups(lemmas)) > 1) for lemma in lemmas),
        tuple(lines),
        len(graph.edges) - len(lines),
    )


def of_groups(lemmas: Sequence[Lemma]) -> Picture:
    """A box for each group, an arrow where a lemma of one group uses one of another."""
    group = {lemma["name"]: lemma.get("group") or "" for lemma in lemmas}
    kinds: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for used, user, kind in dependency_graph(lemmas).edges(data="kind"):
        if group[used] != group[user]:
            kinds[group[used], group[user]].append(str(kind))
    order = {name: number for number, name in enumerate(_by_depth(lemmas))}
    lines, against = [], set()
    for (used, user), found in kinds.items():
        back = kinds.get((user, used))
        if back is not None and order[user] < order[used]:
            continue
        if order[used] > order[user]:
            against.add((used, user))
        said = _many_uses(used, user, found) + ("; " + _many_uses(user, used, back) if back else "")
        lines.append(Line(used, user, joined(found + (back or [])), said, both=back is not None))
    shown = tuple(boxes.of_group(name, of) for name, of in groups(lemmas).items())
    return Picture(f"{len(shown)} groups of lemmas and what they use", shown, tuple(lines), 0, frozenset(against))


def of_each_group(lemmas: Sequence[Lemma]) -> dict[str, Picture]:
    """By group: its lemmas, and a box for each other group that they use or are used by."""
    graph = dependency_graph(lemmas)
    kept = _essential(graph)
    return {name: _of_group(name, of, graph, kept) for name, of in groups(lemmas).items()}


def _of_group(group: str, lemmas: Sequence[Lemma], graph: nx.DiGraph[str], kept: set[tuple[str, str]]) -> Picture:
    inside = {lemma["name"]: lemma for lemma in lemmas}
    inner = [(a, b, kind) for a, b, kind in graph.edges(inside, data="kind") if b in inside]
    lines = [_line(inside[used], user, kind) for used, user, kind in inner if (used, user) in kept]
    left_out = len(inner) - len(lines)
    border: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    crossing: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)

    def cross(used: str, user: str, kind: str, side: str, other: str) -> None:
        key = side, graph.nodes[other]["group"]
        border[key].add(other)
        ends = (_border(*key), user) if other == used else (used, _border(*key))
        crossing[ends].append((kind, f"{user} uses {used}: {ARROWS[kind].words}"))

    for used, user, kind in graph.out_edges(inside, data="kind"):
        if user not in inside:
            cross(used, user, kind, USERS, user)
    for used, user, kind in graph.in_edges(inside, data="kind"):
        if used not in inside:
            cross(used, user, kind, USED, used)
    around = [boxes.outside(_border(*key), key[1], sorted(names), key[0]) for key, names in sorted(border.items())]
    lines += [
        Line(used, user, joined([kind for kind, _ in uses]), "; ".join(sorted(said for _, said in uses)))
        for (used, user), uses in crossing.items()
    ]
    return Picture(
        f"{group or 'no group'}, and what its lemmas use and are used by",
        (*map(boxes.of_lemma, lemmas), *around),
        tuple(lines),
        left_out,
    )


def _border(side: str, group: str) -> str:
    """The key of a box for another group. It is no lemma's name, and what is used and what uses have boxes apart."""
    return f"\n{side}\n{group}"


def near(
    lemmas: Sequence[Lemma], names: Iterable[str], depth: int, *, up: bool = True, down: bool = True
) -> set[str]:
    """The lemmas that these use (`up`) and that use them (`down`), over so many arrows, themselves included."""
    import networkx as nx

    graph = dependency_graph(lemmas)
    found = set(names)
    for start in sorted(found):
        if down:
            found |= set(nx.single_source_shortest_path_length(graph, start, depth))
        if up:
            found |= set(nx.single_source_shortest_path_length(graph.reverse(copy=False), start, depth))
    return found


def neighbours(lemmas: Sequence[Lemma]) -> dict[str, set[str]]:
    """Each lemma with what it uses and what uses it."""
    graph = dependency_graph(lemmas)
    return {name: {name, *graph.predecessors(name), *graph.successors(name)} for name in graph}


def without_strips(picture: Picture) -> Picture:
    """The same without what each box says of each size."""
    return replace(picture, boxes=tuple(replace(box, strip=()) for box in picture.boxes))


def _line(used: Lemma, user: str, kind: str) -> Line:
    said = f"{user} uses {used['name']}: {ARROWS[kind].words}"
    return Line(used["name"], user, kind, said, bad=used["verdict"] not in (None, Verdict.PROVED))


def _many_uses(used: str, user: str, kinds: Sequence[str]) -> str:
    counted = Counter(kinds)
    said = ", ".join(f"{counted[kind]} {arrow.words}" for kind, arrow in ARROWS.items() if counted[kind])
    return f"{user or 'no group'} uses {used or 'no group'}: {said}"


def _by_depth(lemmas: Sequence[Lemma]) -> list[str]:
    """Groups by how many lemmas stand above theirs, so that most arrows between groups run one way."""
    import networkx as nx

    graph = dependency_graph(lemmas)
    depth: dict[str, int] = {}
    for name in nx.topological_sort(graph):
        depth[name] = 1 + max((depth[used] for used in graph.predecessors(name)), default=-1)
    mean = {group: sum(depth[lemma["name"]] for lemma in of) / len(of) for group, of in groups(lemmas).items()}
    return sorted(mean, key=lambda group: (mean[group], group))


def _essential(graph: nx.DiGraph[str]) -> set[tuple[str, str]]:
    """The edges that do not follow from others. What is needed follows only from what is needed, never from a use
    that is merely declared."""
    import networkx as nx

    needed = graph.edge_subgraph((a, b) for a, b, kind in graph.edges(data="kind") if ARROWS[kind].found)
    return set(nx.transitive_reduction(graph).edges) | set(nx.transitive_reduction(needed).edges)
