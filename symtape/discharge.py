"""The kernel's work on one part of a proof: what may be assumed in it, and what has to be shown.

A part is the claim itself, or the base or step of an induction. `theorem` says which parts make a proof.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from symtape.bound import Bound
from symtape.evidence import THE_GOAL, Label, Obligation
from symtape.instances import Instances, natural
from symtape.logic import Formula, all_of, formula, implies, negate
from symtape.naturals import plus
from symtape.proof_text import slip_in_proof
from symtape.script import Have, Hypothesis, Use, Uses
from symtape.smt import stating
from symtape.solver import Answer, Limits, Session
from symtape.statement import Argument, Claim, Lemma, StatementError, Universal
from symtape.world import World, in_world

IH = "induction hypothesis"


Keep = Callable[[Obligation, str], None]
"""What is done with the text of a question that was answered."""


class Refused(Exception):
    """A proof that is none; the message says which part of it fails, and why."""


class Part:
    """The claim itself, or the base or step of an induction: its symbols, what is assumed, and what was shown."""

    def __init__(
        self,
        name: str,
        lemma: Lemma,
        earlier: Mapping[str, Lemma],
        limits: Limits,
        on: Argument | None = None,
        keep: Keep | None = None,
    ) -> None:
        self.name = name
        self.lemma = lemma
        self.earlier = earlier
        self.on = on
        self.world = World(Bound(0, 0, 0), engine=lemma.engine, every_size=True)
        self.session = Session(limits)
        self.keep = keep
        self.required = 0
        self.obligations: list[Obligation] = []
        self.assumed: list[Label] = []
        self.k: Any = None
        size: Any = None
        if on is not None and name == "base":
            size = 0
        elif on is not None:
            self.k = natural(self.world, f"{on.name}.k")
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
            # stated before the proof is looked at: what that does cannot change what is claimed
            goal = self._formula_of_goal(claim)
            for use in self._uses(uses):
                if isinstance(use, Have):
                    self._have(use)
                else:
                    self._use(use)
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
                size = (
                    sizes[argument.name] if argument.name in sizes else natural(self.world, f"{argument.name}.size")
                )
            values[argument.name] = argument.kind.at_every_size().declare(self.world, argument.name, size, *over)
        return values

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
        shown = Obligation(self.name, of, what, answer.seconds, answer.rlimit, core)
        self.obligations.append(shown)
        if self.keep is not None:
            self.keep(shown, self.session.smtlib(answer.core))
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
            steps = list(uses(**{name: scope[name] for name in wanted}))
            for step in steps:
                if not isinstance(step, Use | Have):
                    raise TypeError(f"a step is lemma.at(...), ih.at(...) or have(...), not {type(step).__name__}")
            return steps
        except Refused:
            raise
        except Exception as problem:
            kind = "" if isinstance(problem, StatementError | TypeError) else f"{type(problem).__name__}: "
            raise Refused(f"{self.where}: the proof: {kind}{problem}") from problem

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
