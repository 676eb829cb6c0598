"""The kernel of every-size proofs: what counts as one. Nothing else can make a `Theorem`.

A lemma claims, for all values of its parameters: hypotheses → goal. It is proved by one of these rules.

discharge   facts ∧ hypotheses ∧ conclusions of what is used ∧ ¬goal is unsatisfiable. Facts are what holds of every
            value by its type and by definition; sizes are arbitrary naturals, so one question covers every size.
induction   on the size n of one parameter (a natural number itself, or the length of a list): the claim is discharged
            at n = 0, and at n = k + 1 from the same claim at size k. That may only be used at other values of the
            parameters it was generalised over, and of those whose type mentions the one that the induction is on.
use         of an earlier theorem at named values: that these have the types of its parameters, and that they satisfy
            its hypotheses, are obligations; then its goal at these values is a conclusion. The induction hypothesis
            is used in the same way, with one obligation more: that the size is k.
admit       a lemma is taken to be true. What rests on it carries that on.

A theorem can only be used when it exists, so no proof goes in a circle. Every question is free of quantifiers.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import InitVar, dataclass, replace
from typing import Any, NamedTuple

from symtape.bound import Bound
from symtape.instances import Instances, TooManyInstancesError
from symtape.logic import Formula, all_of, formula, implies, negate
from symtape.naturals import plus
from symtape.proof_text import slip_in_proof
from symtape.recursion import DefinitionError
from symtape.script import Have, Hypothesis, Script, Use, Uses
from symtape.smt import stating, z3
from symtape.solver import Answer, Limits, Session
from symtape.statement import Argument, Claim, Lemma, StatementError, Universal
from symtape.world import World, in_world

IH = "induction hypothesis"
_KERNEL = object()


class Refused(Exception):
    """A proof that is none; the message says which part of it fails, and why."""


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
    """The obligations of a lemma's proof, all of them shown, given that the lemmas that it uses are true."""

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


@dataclass(frozen=True)
class Theorem:
    """A lemma that holds at every size. Only this module makes one."""

    lemma: Lemma
    checked: Checked
    rests_on: tuple[Theorem, ...]
    admitted: frozenset[str]
    """The lemmas that were taken to be true without proof, by this theorem or by one that it rests on."""
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not _KERNEL:
            raise TypeError("only the kernel makes theorems: prove or admit the lemma")


def admit(lemma: Lemma, reason: str) -> Theorem:
    """Take a lemma to be true. Raises `ValueError` without a reason."""
    if not reason:
        raise ValueError("a lemma is admitted for a reason")
    return Theorem(lemma, Checked(lemma.fingerprint, ()), (), frozenset({lemma.name}), _KERNEL)


def prove(lemma: Lemma, theorems: Mapping[str, Theorem], limits: Limits) -> Theorem:
    """The lemma as a theorem, by its own script and by earlier theorems. Raises `Refused`, and `StatementError` for a
    lemma that cannot be stated at every size."""
    if lemma.proof.admitted:
        return admit(lemma, lemma.proof.admitted)
    return conclude(lemma, check(lemma, {name: each.lemma for name, each in theorems.items()}, limits), theorems)


def check(lemma: Lemma, earlier: Mapping[str, Lemma], limits: Limits) -> Checked:
    """Show all obligations of a lemma's proof, given that the earlier lemmas it uses are true. Raises like `prove`.

    It can be done in another process than `conclude`, and before the earlier lemmas are proved.
    """
    script = lemma.proof
    if script.admitted:
        raise Refused("it is admitted, so there is no proof to check")
    given = tuple((name, earlier[name].fingerprint) for name in lemma.uses if name in earlier)
    try:
        if script.on is None:
            claim = _Part("claim", lemma, earlier, limits).discharge(script.uses)
            return Checked(lemma.fingerprint, tuple(claim), given)
        argument = _inducted(lemma, script)
        base = _Part("base", lemma, earlier, limits, on=argument).discharge(script.base)
        step = _Part("step", lemma, earlier, limits, on=argument).discharge(script.uses)
        return Checked(lemma.fingerprint, (*base, *step), given)
    except (DefinitionError, TooManyInstancesError) as problem:
        raise Refused(str(problem)) from problem


def conclude(lemma: Lemma, checked: Checked, theorems: Mapping[str, Theorem]) -> Theorem:
    """The theorem whose obligations were shown. Raises `Refused` unless all that it rests on are theorems."""
    if checked.lemma != lemma.fingerprint:
        raise Refused("what was shown is about another lemma")
    for part in ["claim"] if lemma.proof.on is None else ["base", "step"]:
        if not any(each.of == THE_GOAL and each.part == part for each in checked.obligations):
            raise Refused(f"the goal was not shown in the {part}")
    used = checked.uses("prove") | checked.uses("state")
    for name in sorted(used):
        if name not in theorems:
            raise Refused(f"{name} is no theorem yet, so it cannot be used")
        if theorems[name].lemma.engine is not lemma.engine:
            raise Refused(f"{name} is a theorem about another engine")
        if (name, theorems[name].lemma.fingerprint) not in checked.given:
            raise Refused(f"{name} is a theorem, but not of the claim that the proof used")
    rests_on = tuple(theorems[name] for name in lemma.uses if name in used)
    admitted: frozenset[str] = frozenset().union(*(theorem.admitted for theorem in rests_on))
    return Theorem(lemma, checked, rests_on, admitted, _KERNEL)


def _inducted(lemma: Lemma, script: Script) -> Argument:
    """The parameter that an induction is on."""
    for argument in lemma.arguments:
        if argument.name == script.on:
            if argument.kind.sized is None or argument.kind.at_every_size().size is None:
                raise Refused(f"{argument.name} has no size of its own, so there is no induction on it")
            unknown = set(script.generalizing) - {each.name for each in lemma.arguments}
            if unknown:
                raise Refused(f"the proof generalizes over {', '.join(sorted(unknown))}, which is no parameter")
            return argument
    raise Refused(f"the proof is by induction on {script.on}, which is no parameter")


class _Part:
    """The claim itself, or the base or step of an induction: its symbols, what is assumed, and what was shown."""

    def __init__(
        self, name: str, lemma: Lemma, earlier: Mapping[str, Lemma], limits: Limits, on: Argument | None = None
    ) -> None:
        self.name = name
        self.lemma = lemma
        self.earlier = earlier
        self.on = on
        self.world = World(Bound(0, 0, 0), engine=lemma.engine, every_size=True)
        self.session = Session(limits)
        self.required = 0
        self.obligations: list[Obligation] = []
        self.assumed: list[Label] = []
        self.k: Any = None
        size: Any = None
        if on is not None and name == "base":
            size = 0
        elif on is not None:
            self.k = self._natural(f"{on.name}.k")
            size = plus(self.k, 1)
        self.values = self._declare(lemma, {} if on is None else {on.name: size})

    @property
    def where(self) -> str:
        """The part, as a message names it."""
        if self.on is None:
            return "the claim"
        return (
            f"the base, {self.on.name} of size 0"
            if self.name == "base"
            else f"the step, {self.on.name} of size k + 1"
        )

    def discharge(self, uses: Uses) -> list[Obligation]:
        """Show the goal, from the hypotheses and the conclusions of what is used. Raises `Refused`."""
        with in_world(self.world):
            claim = self._state(self.lemma, self.values)
            for name, prop in claim.hypotheses.items():
                self._assume(Label("hypothesis", name), self._formula(prop))
            for use in self._uses(uses):
                if isinstance(use, Have):
                    self._have(use)
                else:
                    self._use(use)
            goal = self._formula_of_goal(claim)
            answer = self._ask(THE_GOAL, "goal", goal)
            if answer is not None:
                raise Refused(f"{self.where}: the goal {answer}")
            facts = self.session.ask([])
        if facts.status != "sat":
            raise Refused(f"{self.where}: the facts alone were not shown to be satisfiable ({facts.reason})")
        return self.obligations

    def _declare(self, lemma: Lemma, sizes: Mapping[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for argument in lemma.arguments:
            over = argument.typed_over(values)
            size = None
            if argument.kind.sized is not None:
                size = sizes[argument.name] if argument.name in sizes else self._natural(f"{argument.name}.size")
            values[argument.name] = argument.kind.at_every_size().declare(self.world, argument.name, size, *over)
        return values

    def _natural(self, name: str) -> Any:
        number = z3.Int(name)
        self.world.require(number >= 0)
        return number

    def _state(self, lemma: Lemma, values: dict[str, Any]) -> Claim:
        with stating(), self._saying_where():
            return lemma.state(values)

    @contextmanager
    def _saying_where(self) -> Iterator[None]:
        """What cannot be done with values of every size is said of the part that does it."""
        try:
            yield
        except (StatementError, AttributeError, TypeError) as problem:
            raise Refused(f"{self.where}: it cannot be stated at every size: {problem}") from problem

    def _formula(self, prop: Any) -> Formula:
        if isinstance(prop, Universal):
            raise Refused(f"{self.where}: {type(prop).__name__} can be said at known sizes only")
        with stating(), self._saying_where():
            return formula(prop)

    def _formula_of_goal(self, claim: Claim) -> Formula:
        with stating(), self._saying_where():
            goal = claim.goal()
        return self._formula(goal)

    # --- questions ---

    def _facts(self) -> None:
        with stating(), self._saying_where():
            self.world.share(Instances).saturate()
        self.session.require(self.world.constraints[self.required :])
        self.required = len(self.world.constraints)

    def _assume(self, label: Label, prop: Formula) -> None:
        self.session.assume(label, prop)
        self.assumed.append(label)

    def _ask(self, of: Label, what: str, prop: Formula) -> str | None:
        """Show a formula from what is assumed; why not, if it was not shown."""
        if prop is True:
            self.obligations.append(Obligation(self.name, of, what, 0.0, 0, ()))
            return None
        self._facts()
        negation = Label("negation", f"¬ {of}: {what}")
        self.session.assume(negation, negate(prop))
        answer = self._answer(negation, first_without_uses=of.used)
        if answer.status == "sat":
            return "does not follow"
        if answer.status == "unknown":
            return f"was not decided ({answer.reason})"
        core = tuple(label for label in answer.core if label != negation)
        self.obligations.append(Obligation(self.name, of, what, answer.seconds, answer.rlimit, core))
        return None

    def _answer(self, negation: Label, *, first_without_uses: bool) -> Answer:
        """That of the question whose goal is negated under this name. What a use has to show mostly follows from the
        hypotheses, so that is asked first; else the core is made small, since it tells which uses are needed."""
        own = [label for label in self.assumed if not label.used]
        before = None
        if first_without_uses and own != self.assumed:
            before = self.session.ask([*own, negation], leave_out=own)
        if before is not None and before.status == "unsat":
            return before
        uses = [label for label in self.assumed if label.used]
        answer = self.session.ask([*self.assumed, negation], rather_not=uses, leave_out=own)
        if before is None:
            return answer
        return replace(answer, seconds=before.seconds + answer.seconds, rlimit=before.rlimit + answer.rlimit)

    # --- uses ---

    def _uses(self, uses: Uses) -> Iterable[Use | Have]:
        if said := slip_in_proof(uses):
            raise Refused(f"{self.where}: in the text of the proof: {said}")
        scope: dict[str, Any] = dict(self.values)
        if self.name == "step":
            scope |= {"k": self.k, "ih": Hypothesis()}
        wanted = list(inspect.signature(uses).parameters)
        unknown = [name for name in wanted if name not in scope]
        if "ih" in unknown:
            raise Refused(f"{self.where}: there is no induction hypothesis here")
        if unknown:
            raise Refused(f"{self.where}: the proof asks for {', '.join(unknown)}, which is no parameter")
        try:
            return list(uses(**{name: scope[name] for name in wanted}))
        except (StatementError, AttributeError, TypeError) as problem:
            raise Refused(f"{self.where}: the proof: {problem}") from problem

    def _have(self, fact: Have) -> None:
        label = Label("have", fact.name)
        if fact.name == THE_GOAL.name or any(fact.name == each.name for each in self.assumed if not each.used):
            raise Refused(f"{self.where}: have {fact.name}: the name is taken")
        prop = self._formula(fact.prop)
        problem = self._ask(label, "have", prop)
        if problem is not None:
            raise Refused(f"{self.where}: have {fact.name}: it {problem}")
        self._assume(label, prop)

    def _use(self, use: Use) -> None:
        name = IH if use.lemma is None else use.lemma
        lemma = self._what_is_used(use)
        values, guard = self._arguments(lemma, use)
        if use.lemma is None:
            self._check_generalized(values, use.every)
        label = Label("ih" if use.lemma is None else "use", name, len(self.assumed))
        if use.every:
            self._assume(label, implies(guard, self._for_every(lemma, use, values)))
            return
        typed = self._types(lemma, values)
        problem = self._ask(label, "types", implies(guard, typed))
        if problem is not None:
            raise Refused(f"{self.where}: {name} is used at values that {self._mistyped(lemma, values)}")
        if use.lemma is None:
            problem = self._ask(label, "size", implies(guard, self._size_is_k(values)))
            if problem is not None:
                raise Refused(
                    f"{self.where}: the induction hypothesis is about size k, and is used at another size: that it "
                    f"is k {problem}"
                )
        claim = self._state(lemma, values)
        for hypothesis, prop in claim.hypotheses.items():
            problem = self._ask(label, hypothesis, implies(guard, self._formula(prop)))
            if problem is not None:
                raise Refused(f"{self.where}: the use of {name}: its hypothesis {hypothesis} {problem}")
        self._assume(label, implies(guard, self._formula_of_goal(claim)))

    def _what_is_used(self, use: Use) -> Lemma:
        if use.lemma is None:
            if self.name != "step":
                raise Refused(f"{self.where}: there is no induction hypothesis here")
            return self.lemma
        if use.lemma == self.lemma.name:
            raise Refused(
                f"{self.where}: the lemma uses itself: that is a circle, only an induction hypothesis is not"
            )
        if use.lemma not in self.lemma.uses:
            raise Refused(f"{self.where}: the proof uses {use.lemma}, which uses=[...] does not name")
        if use.lemma not in self.earlier:
            raise Refused(f"{self.where}: {use.lemma} is no theorem yet, so it cannot be used")
        return self.earlier[use.lemma]

    def _arguments(self, lemma: Lemma, use: Use) -> tuple[dict[str, Any], Formula]:
        """The values of the used lemma's parameters, and that those which may be errors are none."""
        names = [argument.name for argument in lemma.arguments]
        unknown = [name for name in [*use.values, *use.every] if name not in names]
        if unknown:
            raise Refused(f"{self.where}: {use.lemma or IH} has no parameter {', '.join(unknown)}")
        values: dict[str, Any] = {}
        guards = []
        for name in names:
            if name in use.every:
                continue
            if name not in use.values and name not in self.values:
                raise Refused(f"{self.where}: the use of {use.lemma or IH} gives no value for its parameter {name}")
            value = use.values.get(name, self.values.get(name))
            if hasattr(value, "bind") and hasattr(value, "ok"):
                if value.ok is False:
                    raise Refused(f"{self.where}: the value for {name} of {use.lemma or IH} is an error")
                guards.append(value.ok)
                value = value.value
            values[name] = value
        return values, all_of(*guards)

    def _types(self, lemma: Lemma, values: Mapping[str, Any]) -> Formula:
        return all_of(*(self._belongs(argument, values) for argument in lemma.arguments))

    def _belongs(self, argument: Argument, values: Mapping[str, Any]) -> Formula:
        over = argument.typed_over(values)
        return formula(argument.kind.at_every_size().belongs(values[argument.name], *over))

    def _mistyped(self, lemma: Lemma, values: Mapping[str, Any]) -> str:
        wrong = [a.name for a in lemma.arguments if self._belongs(a, values) is False]
        return f"do not have the type of {', '.join(wrong)}" if wrong else "were not shown to have its types"

    def _for_every(self, lemma: Lemma, use: Use, values: dict[str, Any]) -> Formula:
        """The used lemma as one formula, for every value of an argument."""
        if len(use.every) != 1:
            raise Refused(f"{self.where}: {use.lemma or IH} can be used for every value of one argument at a time")
        (name,) = use.every
        argument = next(each for each in lemma.arguments if each.name == name)
        over = argument.typed_over(values)
        kind = argument.kind.at_every_size()
        if kind.members is None:
            raise Refused(f"{self.where}: {argument.kind.__name__} is nothing that can be quantified over")
        domain, make = kind.members(*over)
        others = {**values, name: None}
        rest = [each for each in lemma.arguments if each.name != name]
        typed = all_of(*(self._belongs(each, others) for each in rest))
        size = self._size_is_k(others) if use.lemma is None else True

        def body(*members: Any) -> Formula:
            claim = self._state(lemma, {**values, name: make(*members)})
            hypotheses = [self._formula(prop) for prop in claim.hypotheses.values()]
            return implies(all_of(typed, size, *hypotheses), self._formula_of_goal(claim))

        return self.world.share(Instances).forall(domain, body)

    # --- the induction hypothesis ---

    def _check_generalized(self, values: Mapping[str, Any], every: tuple[str, ...]) -> None:
        """The hypothesis speaks of the same values as the claim, where it was not generalised over them."""
        if self.on is None:
            return
        dependent = {self.on.name}
        for argument in self.lemma.arguments:
            if any(name in dependent for names in argument.mentions for name in names):
                dependent.add(argument.name)
        free = dependent | set(self.lemma.proof.generalizing)
        for name in [*values, *every]:
            if name not in free and (name in every or not _same(values[name], self.values[name])):
                raise Refused(
                    f"{self.where}: the induction hypothesis is used at another {name}, but the induction does not "
                    f"generalize over it: generalizing=[..., {name!r}]"
                )

    def _size_is_k(self, values: Mapping[str, Any]) -> Formula:
        if self.on is None:
            return False
        size_of = self.on.kind.at_every_size().size
        return False if size_of is None else formula(size_of(values[self.on.name]) == self.k)


def _same(a: Any, b: Any) -> bool:
    """Whether two values are plainly one: the same object, or made of the same terms."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if hasattr(a, "key"):
        return bool(a.key == b.key)
    mine, its = ([x] if hasattr(x, "ast") else x.leaves() if hasattr(x, "leaves") else [] for x in (a, b))
    return (
        bool(mine) and len(mine) == len(its) and all(x.get_id() == y.get_id() for x, y in zip(mine, its, strict=True))
    )
