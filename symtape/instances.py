"""What holds of all values of some domain, used at the values that occur, so that no query has a quantifier.

A *rule* is a fact about every member of a domain; it is put to the solver at each member that was met. A *universal*
is a statement `∀ x, body x` as one Boolean symbol with two kinds of facts that any truth of the statement makes true:
where it holds, so does each instance; and if it fails, it fails at a witness. The symbol may so be assumed, proved,
negated, or stand anywhere in a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from symtape.logic import Formula, formula, implies, term
from symtape.naturals import is_negative, less, normal, numeral
from symtape.smt import z3
from symtape.world import World

GENERATED = "!"
"""Stands in the name of every symbol that is not the author's."""
MOST = 20_000
"""Instances of one question; more of them mean that instantiating does not end."""
DEEPEST = 1
"""A rule may meet further members, at which rules are used, and so on: so many times. Using a fact at fewer members
than there are is sound, it only proves less."""


class TooManyInstancesError(Exception):
    """Instantiating the facts of a question did not come to an end."""


@dataclass(frozen=True)
class Domain:
    """What can be quantified over: how an arbitrary member is made, as one or more symbols."""

    name: str
    arbitrary: Callable[[World, str], tuple[Any, ...]]
    guard: Callable[..., Formula] = lambda *_: True
    """That what was met is a member, for a domain whose members are not told by their sort."""


def natural(world: World, name: str) -> Any:
    """An arbitrary natural number."""
    number = z3.Int(name)
    world.require(number >= 0)
    return number


INDEX = Domain("index", lambda world, name: (natural(world, name),), lambda i: less(-1, i))
"""Ids and positions: where arrays are looked at."""


def meet_index(world: World, position: Any, *, leads_on: bool = False) -> None:
    """Note that an array is looked at in this place, unless it plainly is none.

    Where a fact about all places is used at one, it is only noted if that leads on, from a place of an array to the
    place of another that it is made of: the fact's own arrays are looked at wherever they were anyway.
    """
    instances = world.share(Instances)
    if not is_negative(position) and (leads_on or instances.stating):
        instances.meet(INDEX, numeral(normal(position)))


@dataclass(eq=False)
class _Rule:
    domain: str
    body: Callable[..., Any]
    done: set[tuple[int, ...]] = field(default_factory=set)


def key_of(members: tuple[Any, ...]) -> tuple[int, ...]:
    """Which members these are: each is a tuple of terms."""
    return tuple(member.get_id() for member in members)


class Instances:
    """The rules and universals of one world, and the members that were met; use as `world.share(Instances)`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._met: dict[str, dict[tuple[int, ...], tuple[int, tuple[Any, ...]]]] = {}
        self._depth = 0
        self._rules: list[_Rule] = []
        self._universals: dict[tuple[str, int], tuple[Any, Any]] = {}
        self._names: dict[tuple[Any, ...], tuple[int, Any]] = {}
        self._emitted: set[int] = set()
        self._count = 0
        self.looking = 0
        """How many blocks of `aside` this is inside of."""

    @property
    def stating(self) -> bool:
        """Whether what is met now stands in a statement, not in an instance of a fact."""
        return self._depth == 0

    def meet(self, domain: Domain, *members: Any) -> None:
        """Note that these members occur: every rule of the domain is used at them."""
        if self._depth <= DEEPEST:
            self._met.setdefault(domain.name, {}).setdefault(key_of(members), (self._depth, members))

    def rule(self, domain: Domain, body: Callable[..., Any]) -> None:
        """A fact about every member of the domain."""
        self._rules.append(_Rule(domain.name, lambda *members: implies(domain.guard(*members), body(*members))))

    def once(self, *parts: Any) -> bool:
        """Whether this is the first time that facts about these texts and terms are asked for."""
        number = self.number(*parts)
        if number in self._emitted:
            return False
        self._emitted.add(number)
        return True

    def number(self, *terms: Any) -> int:
        """The number under which this sequence of texts and terms is known: equal ones have the same."""
        key = tuple(("term", t.get_id()) if hasattr(t, "ast") else (type(t), t) for t in terms)
        # the id of a term is its own only while the term is kept
        return self._names.setdefault(key, (len(self._names), terms))[0]

    def forall(self, domain: Domain, body: Callable[..., Any]) -> Formula:
        """`∀ x in domain, body x`, as a formula that may be assumed, proved or negated."""
        self._count += 1
        number = self._count
        witness = domain.arbitrary(self._world, f"witness!{number}")
        at_witness = formula(body(*witness))
        if at_witness is True:
            return True
        if _has_generated(at_witness, witness):
            return self._universal(number, domain, body, witness, at_witness)
        canonical = [z3.Const(f"•{i}", member.sort()) for i, member in enumerate(witness)]
        shape = z3.substitute(term(at_witness), *zip(witness, canonical, strict=True))
        key = (domain.name, shape.get_id())
        if key not in self._universals:
            self._universals[key] = (self._universal(number, domain, body, witness, at_witness), shape)
        return self._universals[key][0]

    def _universal(
        self, number: int, domain: Domain, body: Callable[..., Any], witness: tuple[Any, ...], fails: Formula
    ) -> Formula:
        # stating the body may have stated other universals: the number is this one's own
        holds = z3.Bool(f"forall!{number}")
        self._world.require(implies(fails, holds))
        self.rule(domain, lambda *members: implies(holds, body(*members)))
        self.meet(domain, *witness)
        return holds

    def saturate(self) -> None:
        """Require every rule at every member that was met, also those that this meets. Raises
        `TooManyInstancesError`."""
        total, before = 0, -1
        while total != before:
            before = total
            for rule in list(self._rules):
                for key, (depth, members) in list(self._met.get(rule.domain, {}).items()):
                    if key not in rule.done:
                        rule.done.add(key)
                        self._depth = depth + 1
                        self._world.require(rule.body(*members))
                        total += 1
                        if total > MOST:
                            raise TooManyInstancesError(f"more than {MOST} instances of the facts were needed")
        self._depth = 0

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is required, met and stated in this block is forgotten afterwards: it is only looked at."""
        world = self._world
        constraints, rules = len(world.constraints), len(self._rules)
        met = {name: dict(members) for name, members in self._met.items()}
        universals, emitted = dict(self._universals), set(self._emitted)
        self.looking += 1
        try:
            yield
        finally:
            self.looking -= 1
            del world.constraints[constraints:], self._rules[rules:]
            self._met, self._universals, self._emitted = met, universals, emitted


def _has_generated(formula_: Any, witness: tuple[Any, ...]) -> bool:
    """Whether a formula has symbols whose definitions may mention the witness. The text of two such formulas does not
    tell whether they say the same."""
    known_ones = set(key_of(witness))
    waiting, seen = [term(formula_)], set()
    while waiting:
        part = waiting.pop()
        if part.get_id() in seen or part.get_id() in known_ones:
            continue
        seen.add(part.get_id())
        if GENERATED in part.decl().name():
            return True
        waiting += part.children()
    return False
