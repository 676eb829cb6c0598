"""What a user names on the command line: lemmas, mutants, and which of the lemmas are the theory that is judged."""

from __future__ import annotations

import fnmatch
import importlib
from collections.abc import Mapping, Sequence
from typing import TypeVar

from symtape.discover import THEORY, Named, UnknownLemmaError, UnknownMutantError, unknown, unknown_mutant
from symtape.mutant import Mutant
from symtape.statement import Lemma

CHOSEN = "the chosen theory"


Choice = TypeVar("Choice", bound=Named)


def choose(lemmas: Mapping[str, Choice], patterns: Sequence[str]) -> list[Choice]:
    """The lemmas that the patterns name, in the order of the registry; all for no pattern.

    A pattern is a name, a full Lean name, a group, a glob over these, or the only name that starts so.
    Raises `UnknownLemmaError`.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        found = {name for name, lemma in lemmas.items() if _matches(lemma, pattern)}
        if not found:
            starts = [name for name in lemmas if name.startswith(pattern)]
            found = set(starts) if len(starts) == 1 else set()
        if not found:
            raise UnknownLemmaError(unknown(pattern, lemmas))
        chosen |= found
    return [lemma for name, lemma in lemmas.items() if not patterns or name in chosen]


def with_used(chosen: Sequence[Lemma], lemmas: dict[str, Lemma]) -> list[Lemma]:
    """The chosen lemmas and all that they use, directly or not, in the order of the registry."""
    wanted = [lemma.name for lemma in chosen]
    for name in wanted:
        wanted += [used for used in lemmas[name].uses if used not in wanted]
    return [lemma for name, lemma in lemmas.items() if name in wanted]


def choose_mutants(mutants: dict[str, Mutant], patterns: Sequence[str]) -> list[Mutant]:
    """The mutants that the patterns name, in the order of the registry; all for no pattern.

    A pattern is a name, an operator, a function of the runtime, or a glob over these. Raises `UnknownMutantError`.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        found = {
            mutant.name
            for mutant in mutants.values()
            if _any_matches([mutant.name, mutant.operator, mutant.function], pattern)
        }
        if not found:
            raise UnknownMutantError(unknown_mutant(pattern, mutants))
        chosen |= found
    return [mutant for name, mutant in mutants.items() if not patterns or name in chosen]


def theory(lemmas: dict[str, Lemma], patterns: Sequence[str]) -> tuple[tuple[str, str], list[Lemma], list[Lemma]]:
    """What a kill matrix judges: the names of the theory and of the additions to it, and the lemmas of both.

    Without a pattern these are the ones that the encodings call so; otherwise the lemmas that are chosen, of which
    the additions are judged apart from the others. Raises `UnknownLemmaError`.
    """
    said = importlib.import_module(THEORY)
    (name, groups), (added, added_groups) = said.THEORY, said.ADDITIONS
    additions = [each for each in choose(lemmas, patterns) if each.group in added_groups]
    if not patterns:
        return (name, added), [each for each in lemmas.values() if each.group in groups], additions
    rest = [each for each in choose(lemmas, patterns) if each not in additions]
    return (CHOSEN, added), rest or additions, additions if rest else []


def _matches(lemma: Named, pattern: str) -> bool:
    names = [name for name in (lemma.name, lemma.lean, lemma.group) if name]
    if pattern in names or (lemma.lean or "").endswith(f".{pattern}"):
        return True
    return _any_matches(names, pattern)


def _any_matches(names: Sequence[str], pattern: str) -> bool:
    if pattern in names:
        return True
    # `?` is part of some Lean names, so only `*` and `[` make a pattern a glob
    return ("*" in pattern or "[" in pattern) and any(
        fnmatch.fnmatchcase(name, pattern.replace("?", "[?]")) for name in names
    )
