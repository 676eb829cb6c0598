"""Ids that are known numbers, and ids that are not.

The runtime asks an id only whether it is in range and what is stored there. So a table of cases is worked out
once for every id that can be in range, each time with a known id, and once for all the others together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from symtape.logic import Formula

R = TypeVar("R")

BEYOND = 1_000_000
"""Added to a size, this is the id that stands for every id out of every range. A shift by one of an id keeps
it there, so a wrong engine that looks at `id + 1` or `id - 1` is modelled right as well."""


def by_id(
    identifier: Any,
    sizes: Sequence[Any],
    table: Callable[[Any], R],
    select: Callable[[list[tuple[Formula, R]], R], R],
) -> R:
    """`table(identifier)`, where `table` is only ever applied to known ids.

    `sizes` are the sizes of all arrays that `table` looks into; `select` merges its results. Where these are not
    known either, one table for the id as it is has to do for all of them.
    """
    if isinstance(identifier, int) or not all(isinstance(size, int) for size in sizes):
        return table(identifier)
    in_reach = range(max(sizes, default=0) + 2)
    branches = [(identifier == j, table(j)) for j in in_reach]
    return select(branches, table(len(in_reach) + BEYOND))
