"""The theory's uninterpreted sorts, of whose elements nothing is known but which are equal.

Z3 numbers the sorts of a context in the order in which it meets them, and the numbers find their way into its search.
Here they are met in one order in every process, so that a question takes the same effort whichever lemma came first.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from symtape.smt import z3

_NAMES = ("α", "Shape", "Message", "Backward", "Name", "Parents", "Δ")


@lru_cache(maxsize=1)
def _sorts() -> dict[str, Any]:
    return {name: z3.DeclareSort(name) for name in _NAMES}


def named_sort(name: str) -> Any:
    """The sort of this name, one of the theory's or another one."""
    known = _sorts()
    return known[name] if name in known else z3.DeclareSort(name)
