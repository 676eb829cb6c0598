"""The dependency graph between the lemmas of a results file, and its plain exports.

Each edge has the kind of the use, each node what stands of the lemma; without results the kind is `declared`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symtape.reports.arrows import ARROWS, kinds
from symtape.reports.junit import allowed
from symtape.reports.standing import Lemma, admission_in_words, at_every_size, in_all, rests_on_unproved
from symtape.reports.status import status

if TYPE_CHECKING:
    import networkx as nx


def dependency_graph(lemmas: Sequence[Lemma]) -> nx.DiGraph[str]:
    """An edge runs from a lemma to each lemma that uses it. Used lemmas outside the selection are not drawn."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for lemma in lemmas:
        graph.add_node(lemma["name"], **_of_node(lemma))
    for lemma in lemmas:
        for used, kind in kinds(lemma).items():
            if used in graph:
                graph.add_edge(used, lemma["name"], kind=kind)
    return graph


def _of_node(lemma: Lemma) -> dict[str, str]:
    """What the exports say of a lemma; of its proof at every size only where one was asked for."""
    said = {"group": lemma["group"], "verdict": lemma["verdict"] or "not asked"}
    every = at_every_size(lemma)
    if every is None:
        return said
    return {**said, "every_size": every, "rests_on_unproved": ", ".join(rests_on_unproved(lemma))}


def export(lemmas: Sequence[Lemma], form: str, *, every_arrow: bool = False) -> str:
    """The graph as `dot`, `graphml`, `svg` or `json` text, the same for the same lemmas.

    Only the SVG leaves out the arrows that follow from others, unless every arrow is asked for.
    """
    graph = dependency_graph(lemmas)
    if form == "dot":
        return _dot(graph, lemmas)
    if form == "graphml":
        import networkx as nx

        # names and groups may be any text, and XML cannot hold all of them
        graph = nx.relabel_nodes(graph, allowed)
        for _, data in graph.nodes(data=True):
            data.update({key: allowed(value) for key, value in data.items()})
        return "\n".join(nx.generate_graphml(graph)) + "\n"
    if form == "svg":
        from symtape.reports.pictures import whole
        from symtape.reports.svg import draw

        return allowed(draw(whole(lemmas, every_arrow=every_arrow), standalone=True))
    if form == "json":
        nodes = [{"name": name, **data} for name, data in graph.nodes(data=True)]
        edges = [{"from": a, "to": b, **data} for a, b, data in graph.edges(data=True)]
        return json.dumps({"nodes": nodes, "edges": edges}, indent=1, ensure_ascii=False) + "\n"
    raise ValueError(f"no graph format {form!r}")


def _dot(graph: nx.DiGraph[str], lemmas: Sequence[Lemma]) -> str:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'

    lines = ["digraph lemmas {", '  node [shape=box, fontname="monospace"];']
    for lemma in lemmas:
        standing, unproved = status(in_all(lemma)), rests_on_unproved(lemma)
        said = f"{standing.word}; {admission_in_words(unproved)}" if unproved else standing.word
        label = f"{standing.glyph} {lemma['name']} ({said})"
        lines.append(f"  {quoted(lemma['name'])} [label={quoted(label)}];")
    for used, user, kind in graph.edges(data="kind"):
        head = "normal" if ARROWS[kind].found else "vee"
        look = f"style={ARROWS[kind].graphviz}, arrowhead={head}"
        lines.append(f"  {quoted(used)} -> {quoted(user)} [kind={quoted(kind)}, {look}];")
    return "\n".join([*lines, "}"]) + "\n"
