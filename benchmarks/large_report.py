"""How large a report gets and how long it takes to be made, by number of lemmas; nothing is proved for it.

Writes reports on invented results, lemmas in groups as a library has them, each with a verdict at 17 tape sizes and
one at every size, and prints CPU seconds and bytes. `--keep DIR` leaves the reports there to be looked at.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
from layouts import modular

from symtape.reports.graph import export
from symtape.reports.graph_view import of_graph
from symtape.reports.page import write_report
from symtape.verdict import Verdict

SIZES = 17
EVERY = "tapes of every size"


def invented(count: int) -> dict[str, Any]:
    """Results in which a lemma is refuted, one undecided and one admitted, and what rests on that is tainted."""
    graph = modular(count)
    names = list(graph)
    odd = {names[count // 2]: "refuted", names[count // 3]: "undecided"}
    admitted = names[count // 5]
    lemmas = [_lemma(graph, name, odd.get(name, "proved"), admitted) for name in names]
    verdicts = [Verdict(each["verdict"]) for each in lemmas]
    return {
        "schema": 1,
        "symtape": "0",
        "solver": {"name": "z3", "version": "0"},
        "bound": {"tape": SIZES - 1, "contributions": 2, "entries": 2},
        "scope": {"text": EVERY, "every_size": True},
        "verdict": str(Verdict.worst(verdicts)),
        "counts": {str(verdict): verdicts.count(verdict) for verdict in Verdict},
        "lemmas": lemmas,
        "run": {
            "state": "complete",
            "command": "symtape prove",
            "started": "2000-01-01T00:00:00+00:00",
            "seconds": 1.0,
            "jobs": 1,
            "limits": {"timeout": None, "rlimit": None, "memory": 100},
            "python": "3",
            "machine": "none",
        },
    }


def _lemma(graph: nx.DiGraph[str], name: str, found: str, admitted: str) -> dict[str, Any]:
    uses = sorted(graph.predecessors(name))
    tainted = admitted in nx.ancestors(graph, name)
    open_ = found != "proved" or name == admitted
    at = ["proved" if size < SIZES - 3 else found for size in range(SIZES)]
    goal = {
        "part": "claim",
        "of": "goal",
        "what": "goal",
        "seconds": 0.002,
        "rlimit": 7,
        "core": ["h"],
        "needed": True,
    }
    goal["needed"] = True
    every = {
        "verdict": "undecided" if open_ else "proved",
        "reason": "the goal does not follow" if open_ else "",
        "fully": not open_ and not tainted,
        "admitted": [admitted] if tainted and not open_ else [],
        "scope": {"text": EVERY},
        "proof": "admitted: shown on paper" if name == admitted else "direct",
        "uses": [{"name": used, "to_prove": i % 2 == 0, "to_state": i % 3 == 1} for i, used in enumerate(uses)],
        "hypotheses": [] if open_ else ["h"],
        "witness": None if open_ else {"t": 1},
        "seconds": 0.25,
        "obligations": [] if open_ else [goal],
    }
    counted = {"rlimit": 10, "obligations": 1}
    shown = {
        "call": f"replay({name!r})",
        "sizes": {"t": SIZES - 1},
        "hypotheses": {},
        "goal": True,
        "left": [],
        "right": [],
        "smtlib": "",
        "parameters": {},
    }
    return {
        "name": name,
        "lean": f"Library.{name}",
        "group": graph.nodes[name]["group"],
        "doc": "What a sentence or two say of the lemma, invented, as long as such a thing may be in a library.",
        "statement": f"∀ t : Tape, h t → {name} t = {name} t",
        "hypotheses": [{"name": "h", "statement": "t.size < 17"}],
        "uses": uses,
        "source": "invented",
        "location": {"file": "library.py", "line": 1},
        "verdict": str(Verdict.worst([Verdict(found), Verdict(every["verdict"])])),
        "reason": "",
        "scope": {"text": EVERY},
        "sizes": [
            {"size": size, "verdict": verdict, "trivial": size == 0, "seconds": 0.1, "reason": "", **counted}
            for size, verdict in enumerate(at)
        ],
        "every_size": every,
        "obligations": [
            {
                "name": f"{name}[t={size}]",
                "kind": "claim",
                "size": size,
                "sizes": {"t": size},
                "verdict": verdict,
                "reason": "",
                "seconds": 0.1,
                "rlimit": 10,
                "core": ["h"],
                "satisfiable": True,
                "counterexample": shown if verdict == "refuted" else None,
            }
            for size, verdict in enumerate(at)
        ],
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--keep", type=Path, metavar="DIR")
    keep = options.parse_args().keep
    print("| lemmas | graph of the page, s | graph.svg, s | report, s | index.html, KB | graph.svg, KB |")
    print("|---|---|---|---|---|---|")
    for count in (8, 50, 200, 500):
        results = invented(count)
        with tempfile.TemporaryDirectory() as scratch:
            folder = (keep or Path(scratch)) / str(count)
            folder.mkdir(parents=True, exist_ok=True)
            times = [time.process_time()]
            for run in (
                lambda: of_graph(results["lemmas"]),  # noqa: B023
                lambda: export(results["lemmas"], "svg"),  # noqa: B023
                lambda: write_report(results, folder),  # noqa: B023
            ):
                run()
                times.append(time.process_time())
            took = " | ".join(f"{b - a:.2f}" for a, b in pairwise(times))
            size = [(folder / name).stat().st_size // 1000 for name in ("index.html", "graph.svg")]
            print(f"| {count} | {took} | {size[0]} | {size[1]} |", flush=True)


if __name__ == "__main__":
    main()
