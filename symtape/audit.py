"""An audit of a lemma: which hypotheses its claim needs, and which sets of them suffice.

At each tape size all sets of hypotheses are explored with the kernel as the judge. The sets that suffice at all of
them follow from that, and each is proved once more as a lemma of its own: up to the bound and, where the lemma's
proof, a single question or another lemma shows it, at every size.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from symtape.marco import Explored, Names, Said, Sufficiency, explore, jointly_minimal
from symtape.probe import Answered, Probed
from symtape.script import Script, Use, by
from symtape.statement import Lemma, StatementError
from symtape.theorem import Checked
from symtape.verdict import Verdict

OWN_PROOF = "the lemma's own proof"
ONE_QUESTION = "one question"
"""How a set is shown to suffice at every size, or else the name of another lemma: what is used at the claim's own
values, and nothing but that. Whether it says as much is the kernel's to say."""

SUFFICIENCY = {
    Verdict.PROVED: Sufficiency.SUFFICIENT,
    Verdict.REFUTED: Sufficiency.INSUFFICIENT,
}


@dataclass(frozen=True)
class Tried:
    """What became of an attempt to prove a set of hypotheses sufficient at every size."""

    checked: Checked | None
    reason: str = ""


@dataclass
class Audit:
    """What is known so far, and what is to be asked next."""

    lemma: Lemma
    sizes: Sequence[int]
    others: Sequence[Lemma] = ()
    """The lemmas about the same parameters that ask for less: see `asking_less`."""
    probes: dict[tuple[int, Names], Probed] = field(default_factory=dict)
    explored: dict[int, Explored] = field(default_factory=dict)
    tried: dict[tuple[Names, str], Tried] = field(default_factory=dict)
    witness: dict[str, Any] | None = None
    sharp: dict[str, Answered] = field(default_factory=dict)
    """Whether a stronger conclusion holds as well."""
    _explorations: dict[int, Generator[Names, Said, Explored]] = field(default_factory=dict)

    @property
    def hypotheses(self) -> tuple[str, ...]:
        return tuple(self.lemma.hypotheses)

    @property
    def everything(self) -> Names:
        return frozenset(self.hypotheses)

    # --- exploring ---

    def begin(self, size: int) -> Names:
        """The first set to ask about at a tape size: all hypotheses."""
        self._explorations[size] = explore(self.hypotheses)
        return next(self._explorations[size])

    def go_on(self, size: int, kept: Names, probed: Probed) -> Names | None:
        """Take what was found about a set; the next one to ask about at this size, `None` when all are told of."""
        self.probes[size, kept] = probed
        exploration = self._explorations[size]
        while True:
            known = self.probes[size, kept]
            used = frozenset(known.used) if known.verdict is Verdict.PROVED else kept
            try:
                kept = exploration.send(Said(SUFFICIENCY.get(known.verdict, Sufficiency.UNDECIDED), used))
            except StopIteration as done:
                self.explored[size] = done.value
                return None
            if (size, kept) not in self.probes:
                return kept

    @property
    def fully_explored(self) -> bool:
        return set(self.explored) == set(self.sizes)

    def unproved(self) -> Iterator[tuple[int, Names]]:
        """The sizes at which a minimal sufficient set follows from what was found, but was not itself asked about."""
        for kept in self.sufficient:
            for size in self.sizes:
                if (size, kept) not in self.probes:
                    yield size, kept

    # --- what it comes to ---

    @property
    def sufficient(self) -> list[Names]:
        """The minimal sets that suffice at every tape size of the bound."""
        return jointly_minimal([self.explored[size].minimal for size in self.sizes], self.hypotheses)

    @property
    def undecided(self) -> list[Names]:
        """The sets about which there is no answer at some size, and that are refuted at none."""
        kept = dict.fromkeys(kept for (_, kept), each in self.in_order() if each.verdict is Verdict.UNDECIDED)
        return [each for each in kept if self.refuting_size(each) is None]

    def in_order(self) -> list[tuple[tuple[int, Names], Probed]]:
        """What was asked, in an order that does not depend on which answer came first."""
        return sorted(self.probes.items(), key=lambda asked: (asked[0][0], named(self.lemma, asked[0][1])))

    def refuting_size(self, kept: Names) -> int | None:
        """The smallest tape size at which a set was refuted."""
        return next(
            (s for s in self.sizes if (s, kept) in self.probes and self.probes[s, kept].verdict is Verdict.REFUTED),
            None,
        )

    def standing(self, hypothesis: str) -> Verdict:
        """`refuted`: the claim is false without it. `proved`: it holds, since a sufficient set does without."""
        if self.refuting_size(self.everything - {hypothesis}) is not None:
            return Verdict.REFUTED
        does_without = any(hypothesis not in kept and self.proved(kept) for kept in self.sufficient)
        return Verdict.PROVED if does_without else Verdict.UNDECIDED

    def proved(self, kept: Names) -> bool:
        """Whether the kernel proved the claim from these hypotheses at every tape size of the bound."""
        answers = [self.probes.get((size, kept)) for size in self.sizes]
        return all(each is not None and each.verdict is Verdict.PROVED for each in answers)

    def routes(self, kept: Names) -> list[str]:
        """How these hypotheses may be shown to suffice at every size, in the order in which it is tried."""
        return [OWN_PROOF, ONE_QUESTION, *(each.name for each in self.others if kept >= set(each.hypotheses))]

    def variant(self, kept: Names, route: str = OWN_PROOF) -> Lemma:
        """The claim from these hypotheses alone, as a lemma of its own."""
        dropped = [name for name in self.hypotheses if name not in kept]
        return proved_by(self.lemma.without(*dropped) if dropped else self.lemma, route)


def proved_by(lemma: Lemma, route: str) -> Lemma:
    """The lemma with the proof that a route takes."""
    if route == OWN_PROOF:
        return lemma
    if route == ONE_QUESTION:
        return replace(lemma, proof=Script(), uses=())
    return replace(lemma, proof=by(lambda: [Use(route)]), uses=(route,))


def asking_less(lemma: Lemma, lemmas: Iterable[Lemma]) -> list[Lemma]:
    """The lemmas about the same parameters whose hypotheses are some of this one's, by their names, but not all."""
    return [
        other
        for other in lemmas
        if set(other.hypotheses) < set(lemma.hypotheses)
        and _same_parameters(lemma, other)
        and not other.proof.admitted
    ]


def _same_parameters(lemma: Lemma, other: Lemma) -> bool:
    try:
        return other.engine is lemma.engine and other.arguments == lemma.arguments
    except StatementError:  # of one of the two, which nobody may have asked about
        return False


def named(lemma: Lemma, kept: Names) -> tuple[str, ...]:
    """A set of hypotheses in the order of the statement."""
    return tuple(name for name in lemma.hypotheses if name in kept)
