"""The tables of `docs/audit.md`, from the files that `symtape audit` and `symtape mutate` write.

python benchmarks/findings.py symtape-report/results.json symtape-report/mutants.json
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from symtape import mutation, results


def audit_table(lemmas: list[dict[str, Any]]) -> list[str]:
    """A row for each lemma: what is needed, what is not, what suffices, and how far that was shown."""
    rows = ["| lemma | needed | redundant | what suffices | at every size |", "|---|---|---|---|---|"]
    for lemma in lemmas:
        audit = lemma["audit"]
        redundant = [f"`{h}`" + ("\\*" if h in audit["proof_needs"] else "") for h in audit["redundant"]]
        suffices = [" ".join(f"`{h}`" for h in each) or "nothing" for each in audit["minimal_sets"]]
        proved = ["proved" if _everywhere(each) else "not shown" for each in audit["sets"]]
        cells = [
            f"`{lemma['name']}`",
            " ".join(f"`{h}`" for h in audit["needed"]) or "–",
            " ".join(redundant) or "–",
            "; or ".join(suffices),
            "; ".join(proved),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _everywhere(each: dict[str, Any]) -> bool:
    return each["every_size"] is not None and each["every_size"]["verdict"] == "proved"


def kill_table(data: dict[str, Any]) -> list[str]:
    """A row for each operator: how many mutants it made that are not the runtime, and who notices them."""
    theory = set(data["theory"]["lemmas"])
    made, seen, noticed = Counter[str](), Counter[str](), Counter[str]()
    for mutant in data["mutants"]:
        operator = mutant["operator"]
        made[operator] += mutant["status"] != "equivalent"
        seen[operator] += bool(theory & set(mutant["killed_by"]))
        noticed[operator] += bool(mutant["killed_by"])
    rows = ["| operator | mutants | noticed by the seed | with the runtime's equations |", "|---|---|---|---|"]
    rows += [f"| {each} | {made[each]} | {seen[each]} | {noticed[each]} |" for each in sorted(made)]
    return [*rows, f"| **all** | {made.total()} | {seen.total()} | {noticed.total()} |"]


def main() -> None:
    audited, matrix = results.load(Path(sys.argv[1])), mutation.load(Path(sys.argv[2]))
    print("\n".join(audit_table(audited["lemmas"])), end="\n\n")
    print("\n".join(kill_table(matrix)))


if __name__ == "__main__":
    main()
