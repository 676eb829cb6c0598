"""Mutants: engines with one thing wrong, to see which lemmas notice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A changed engine. One that stands in an encodings file, alone or in a list or tuple, is found by its name."""

    name: str
    """Stable and readable, such as "addGradAll: 'out of bounds' dropped"."""
    operator: str
    """How it came about, such as "check dropped"."""
    function: str
    """The function of the runtime that it changes."""
    doc: str
    """One sentence on what it does."""
    engine: Any
    """What `Lemma.on` takes."""
    source: str = ""
    """Where it comes from, such as the address of a public bug report."""
    found_in: tuple[str, ...] = ()
    """The files and folders, besides symtape's own, that have to be read to find it."""
