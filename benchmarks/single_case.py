"""symtape on the question that the baselines ask: the loop lemma at t = m = acc = n, settled in full.

That is more than they do: the hypotheses' witness is found and replayed, and the core minimised.
"""

from __future__ import annotations

import sympy  # noqa: F401  symtape loads it when it first needs it; here it counts as an import
from command import options, report

from symtape.bound import Bound, Case
from symtape.discover import find_lemma
from symtape.kernel import settle
from symtape.solver import Limits


def main() -> None:
    parser = options("The loop lemma at one size by symtape's `settle`.")
    parser.add_argument("--entries", type=int, default=2, help="tensors of at most so many entries (default 2)")
    asked = parser.parse_args()
    lemma = find_lemma("backwardDenseFromLoop_addNode_push")
    n = asked.nodes
    case = Case(n, (("t", n), ("m", n), ("acc", n)))
    bound = Bound(n, asked.contributions, asked.entries)

    def answer() -> str:
        return str(settle(lemma, case, bound, "uninterpreted", Limits(timeout=asked.timeout)).verdict)

    report("symtape", asked, answer)


if __name__ == "__main__":
    main()
