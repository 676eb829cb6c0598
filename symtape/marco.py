"""All minimal sets of hypotheses that suffice for a claim.

Hypotheses and ¬goal are constraints: a set of hypotheses suffices when it has no model together with ¬goal. The
minimal sufficient sets are then the minimal unsatisfiable subsets that hold the goal, and the maximal insufficient
ones the maximal satisfiable subsets. Both are enumerated by MARCO (M. H. Liffiton, A. Previti, A. Malik,
J. Marques-Silva: Fast, flexible MUS enumeration. Constraints 21(2), 2016, 223-250): take a largest set that nothing
found so far tells of; if it does not suffice, neither does a subset of it; if it does, leave out of it what can be
left out, and no set above the result is minimal.

The map of what is told is walked here, not asked of a SAT solver: a lemma has a handful of hypotheses. A set without
an answer tells of nothing but itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import combinations

Names = frozenset[str]


class Sufficiency(Enum):
    """What is known of a set of hypotheses."""

    SUFFICIENT = auto()
    INSUFFICIENT = auto()
    UNDECIDED = auto()


@dataclass(frozen=True)
class Said:
    """The answer to whether a set suffices."""

    sufficiency: Sufficiency
    used: Names
    """Of a sufficient set: a part of it that suffices."""


@dataclass
class Explored:
    """What was found about all sets of hypotheses."""

    minimal: list[Names] = field(default_factory=list)
    """The sufficient sets of which no smaller one is known to suffice."""
    maximal: list[Names] = field(default_factory=list)
    """Insufficient sets that no larger known one contains."""
    undecided: list[Names] = field(default_factory=list)
    """The sets that were asked about without an answer: a minimal set above one of these might not be minimal."""


def explore(hypotheses: Sequence[str]) -> Generator[Names, Said, Explored]:
    """Asks about sets of hypotheses, and is sent what is said of each."""
    found = Explored()
    while (seed := _unexplored(hypotheses, found)) is not None:
        said = yield seed
        if said.sufficiency is Sufficiency.INSUFFICIENT:
            found.maximal.append(seed)
        elif said.sufficiency is Sufficiency.UNDECIDED:
            found.undecided.append(seed)
        else:
            found.minimal.append((yield from _shrink(hypotheses, said.used, found)))
    found.minimal.sort(key=lambda kept: (len(kept), _positions(hypotheses, kept)))
    return found


def _shrink(hypotheses: Sequence[str], kept: Names, found: Explored) -> Generator[Names, Said, Names]:
    """A part of a sufficient set from which nothing more can be left out, as far as is known."""
    for name in hypotheses:
        rest = kept - {name}
        if name not in kept or _told_insufficient(rest, found) or rest in found.undecided:
            continue
        said = yield rest
        if said.sufficiency is Sufficiency.SUFFICIENT:
            kept = said.used
        elif said.sufficiency is Sufficiency.INSUFFICIENT:
            found.maximal = [*(each for each in found.maximal if not each < rest), rest]
        else:
            found.undecided.append(rest)
    return kept


def _unexplored(hypotheses: Sequence[str], found: Explored) -> Names | None:
    """A largest set that nothing found so far tells of."""
    for size in range(len(hypotheses), -1, -1):
        for chosen in combinations(hypotheses, size):
            names = frozenset(chosen)
            told = any(minimal <= names for minimal in found.minimal) or names in found.undecided
            if not told and not _told_insufficient(names, found):
                return names
    return None


def _told_insufficient(names: Names, found: Explored) -> bool:
    return any(names <= maximal for maximal in found.maximal)


def jointly_minimal(each: Iterable[Sequence[Names]], hypotheses: Sequence[str]) -> list[Names]:
    """The minimal sets that suffice everywhere, from those that suffice in each place."""
    joint: list[Names] = [frozenset()]
    for minimal in each:
        unions = {one | other for one in joint for other in minimal}
        joint = [names for names in unions if not any(other < names for other in unions)]
    return sorted(joint, key=lambda kept: (len(kept), _positions(hypotheses, kept)))


def _positions(hypotheses: Sequence[str], kept: Names) -> list[int]:
    return [i for i, name in enumerate(hypotheses) if name in kept]
