"""The dependency graph between the lemmas of a results file, and its plain exports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symtape.reports.status import status

if TYPE_CHECKING:
    import networkx as nx


def dependency_graph(lemmas: Sequence[dict[str, Any]]) -> nx.DiGraph[str]:
    """An edge runs from a lemma to each lemma that uses it. Used lemmas outside the selection are not drawn."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for lemma in lemmas:
        graph.add_node(lemma["name"], group=lemma["group"], verdict=lemma["verdict"] or "not asked")
    for lemma in lemmas:
        for used in lemma["uses"]:
            if used in graph:
                graph.add_edge(used, lemma["name"])
    return graph


def export(lemmas: Sequence[dict[str, Any]], form: str) -> str:
    """The graph as `dot`, `graphml`, `svg` or `json` text, the same for the same lemmas."""
    graph = dependency_graph(lemmas)
    if form == "dot":
        return _dot(graph)
    if form == "graphml":
        import networkx as nx

        return "\n".join(nx.generate_graphml(graph)) + "\n"
    if form == "svg":
        from symtape.reports.svg import draw

        return draw(graph, standalone=True)
    if form == "json":
        nodes = [{"name": name, **data} for name, data in graph.nodes(data=True)]
        edges = [{"from": a, "to": b} for a, b in graph.edges]
        return json.dumps({"nodes": nodes, "edges": edges}, indent=1, ensure_ascii=False) + "\n"
    raise ValueError(f"no graph format {form!r}")


def _dot(graph: nx.DiGraph[str]) -> str:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'

    lines = ["digraph lemmas {", '  node [shape=box, fontname="monospace"];']
    for name, data in graph.nodes(data=True):
        look = status(data["verdict"])
        lines.append(f"  {quoted(name)} [label={quoted(f'{look.glyph} {name} ({look.word})')}];")
    lines += [f"  {quoted(a)} -> {quoted(b)};" for a, b in graph.edges]
    return "\n".join([*lines, "}"]) + "\n"
