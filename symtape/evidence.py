"""What a proof at every size has shown, and what each thing that it showed needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Label(NamedTuple):
    """What an assumption is, or what something is shown for."""

    kind: str
    """`goal`, `hypothesis`, `have`, `use` or `ih`."""
    name: str
    number: int = 0
    """Tells the uses of one lemma apart."""

    @property
    def used(self) -> bool:
        """Whether it is the conclusion of something that is used."""
        return self.kind in ("use", "ih")

    def __str__(self) -> str:
        return f"{self.name} #{self.number}" if self.used else self.name


THE_GOAL = Label("goal", "goal")


@dataclass(frozen=True)
class Obligation:
    """One thing that a proof had to show, and what the solver needed for it."""

    part: str
    """`claim`, `base` or `step`."""
    of: Label
    """What it is shown for: the goal, a fact of its own, or something that is used."""
    what: str
    """`goal`, `have`, `types`, `size`, or the name of a hypothesis of what is used."""
    seconds: float
    rlimit: int
    core: tuple[Label, ...]
    """The hypotheses, facts and uses without which it could not be shown."""


@dataclass(frozen=True)
class Checked:
    """The obligations of a lemma's proof, all of them shown, given that the lemmas that it uses are true.

    It is data, since it comes from another process: who makes one by hand and concludes from it has checked nothing.
    """

    lemma: str
    """The fingerprint of the lemma."""
    obligations: tuple[Obligation, ...]
    given: tuple[tuple[str, str], ...] = ()
    """The names and fingerprints of the lemmas that were taken to be true."""

    @property
    def needed(self) -> tuple[Obligation, ...]:
        """Those that the goal, in every part of the proof, rests on."""
        found: list[Obligation] = []
        for part in dict.fromkeys(each.part for each in self.obligations):
            here = [each for each in self.obligations if each.part == part]
            wanted, seen = [THE_GOAL], set()
            while wanted:
                name = wanted.pop()
                seen.add(name)
                met = [each for each in here if each.of == name and each not in found]
                found += met
                wanted += [used for each in met for used in each.core if used not in seen]
        return tuple(found)

    def uses(self, kind: str) -> frozenset[str]:
        """The lemmas that are needed to `prove` the goal or a fact on the way, or to `state` what is used: to show
        that its hypotheses and types fit."""
        return frozenset(
            label.name
            for each in self.needed
            if each.of.used != (kind == "prove")
            for label in each.core
            if label.kind == "use"
        )

    @property
    def hypotheses(self) -> frozenset[str]:
        """The names of the hypotheses that are needed."""
        return frozenset(label.name for each in self.needed for label in each.core if label.kind == "hypothesis")
