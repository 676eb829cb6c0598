"""symtape on one question at one size, settled in full: by default the one that the baselines ask, the loop lemma at
t = m = acc = n.

That is more than they do: the hypotheses' witness is found and replayed, and the core minimised.
"""

from __future__ import annotations

import sympy  # noqa: F401  symtape loads it when it first needs it; here it counts as an import
from command import LEMMAS, every_size, lemma_options, report

from symtape.bound import Bound
from symtape.discover import find_lemma
from symtape.kernel import settle
from symtape.solver import Limits


def main() -> None:
    asked = lemma_options("One lemma at one size by symtape's `settle`.").parse_args()
    lemma = find_lemma(LEMMAS[asked.lemma])
    bound = Bound(asked.nodes, asked.contributions, asked.entries)

    def answer() -> str:
        case = every_size(lemma, asked.nodes)
        return str(settle(lemma, case, bound, "uninterpreted", Limits(timeout=asked.timeout)).verdict)

    report("symtape", asked, answer)


if __name__ == "__main__":
    main()
