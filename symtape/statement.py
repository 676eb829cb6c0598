"""What an author writes: a lemma as a function of its parameters.

@lemma(uses=["getNode?_addNode_of_lt"])
def addGradAll_addNode_push(t: Tape, nd: Node, v: SomeTensor, acc: Accumulator, pid: Nat, pg: SomeTensor) -> Claim:
    '''`addGradAll` commutes with pushing an unused last slot.'''
    return given(hacc=equal(acc.size, t.size), hpid=pid < t.size).show(
        lambda: equal(
            t.addNode(nd).tape.addGradAll(acc.push(v), pid, pg),
            t.addGradAll(acc, pid, pg).map(lambda a: a.push(v)),
        )
    )
"""

from __future__ import annotations

import hashlib
import inspect
import re
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar, Literal, Protocol

from symtape.mutant import Mutant
from symtape.script import Script, Use
from symtape.source import Parts
from symtape.stronger import strengthened
from symtape.world import Evaluation, World


class StatementError(Exception):
    """A lemma that is not written as a lemma; the message says what is missing, and where."""


class Universal(ABC):
    """A hypothesis that quantifies over infinitely many values.

    `proving()` is weaker than the hypothesis (its instances at the terms met so far), so a proof from it is a
    proof from the hypothesis. `refuting()` is stronger, so a model of it is a model of the hypothesis.
    """

    @abstractmethod
    def proving(self) -> Any: ...

    @abstractmethod
    def refuting(self) -> Any: ...

    def showing(self) -> Any:
        """As a goal: what it says of fresh symbols. Nothing is known of these, so what holds of them holds of all
        values, and values of which it is false refute it. Raises `StatementError` if it can be no goal."""
        raise StatementError(f"{type(self).__name__} can be a hypothesis, but not a goal")


@dataclass(frozen=True)
class Claim:
    """Named hypotheses and a goal. The goal is built only when the hypotheses leave something to show."""

    hypotheses: dict[str, Any]
    goal: Callable[[], Any]


@dataclass(frozen=True)
class Given:
    hypotheses: dict[str, Any]

    def show(self, goal: Callable[[], Any]) -> Claim:
        """Close the statement with its goal, as a function without arguments."""
        return Claim(self.hypotheses, goal)


def given(**hypotheses: Any) -> Given:
    """Open a statement with its hypotheses, under their Lean names. Each can be dropped on its own."""
    return Given(hypotheses)


class Interpretation(Protocol):
    """How a model becomes plain Python values on which the lemma can be run again, without the solver."""

    def replay(self, lemma: Lemma, values: dict[str, Any], evaluation: Evaluation) -> Replay:
        """What the lemma says of the values that the model gives."""

    def simplest(self, lemma: Lemma, values: dict[str, Any], evaluation: Evaluation) -> Replay:
        """The replay of the simplest refutation that it finds from a model's values, which refute the lemma too,
        with everything that a reader is shown of it. The sizes of the values stay as they are."""


@dataclass(frozen=True)
class Replay:
    """What the lemma says of concrete values, by an interpreter that shares no code with the model."""

    hypotheses: dict[str, bool]
    goal: bool
    left: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    call: str = ""
    """One line of Python that runs the same replay."""
    parameters: dict[str, list[str]] = field(default_factory=dict)
    measure: tuple[int, ...] = ()
    """How simple the values are: of two counterexamples to one lemma the one with the smaller measure is shown."""
    steps: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """What ran on the `left` and on the `right` of the goal, a line each: `{"depth": int, "text": str}`."""
    tapes: list[dict[str, Any]] = field(default_factory=list)
    """The tapes that it ran on, to be drawn."""
    pytest: str = ""
    """A test file that fails while the values refute the lemma."""

    @property
    def satisfies_hypotheses(self) -> bool:
        return all(self.hypotheses.values())

    @property
    def refutes(self) -> bool:
        return self.satisfies_hypotheses and not self.goal


@dataclass(frozen=True)
class EverySize:
    """What stands for a kind of parameter where sizes are arbitrary."""

    declare: Callable[..., Any]
    """An arbitrary value, from the world, a name, its size (for kinds that have one) and what its type mentions."""
    belongs: Callable[..., Any]
    """Whether a value has the type, as a formula, given what the type mentions."""
    members: Callable[..., tuple[Any, Callable[..., Any]]] | None = None
    """The values of the type as a domain to quantify over, and how a value is made of a member of that."""
    size: Callable[[Any], Any] | None = None
    """The size that `declare` is given, of a value: what an induction counts. `None` where it is not its own."""


class Parameter(ABC):
    """A kind of thing that a lemma can be about; the annotation of a lemma's argument.

    `sized` says which bound the size of such an argument runs over: the tape's, that on contributions, or
    none. `Annotated[TensorPack, over("ss")]` passes earlier arguments to `declare`, as Lean's dependent
    types do.
    """

    sized: ClassVar[Literal["tape", "list"] | None] = None
    depends: ClassVar[int] = 0
    """How many earlier arguments its type mentions."""
    leads: ClassVar[bool] = False
    """Whether the size of such an argument is the size that results are filed under."""

    @classmethod
    def fits(cls, size: int, *over: int) -> bool:
        """Whether there is such an argument of this size over others of these sizes (0 for what has none).

        This is typing, as in Lean: it leaves out no values that a hypothesis would have to rule out.
        """
        return True

    @classmethod
    @abstractmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Any:
        """An arbitrary value of this kind; `size` is 0 for kinds that have none."""

    @classmethod
    @abstractmethod
    def read(cls, value: Any, evaluation: Evaluation) -> Any:
        """The plain Python value that a declared one has in a model."""

    @classmethod
    @abstractmethod
    def interpretation(cls) -> Interpretation: ...

    @classmethod
    def at_every_size(cls) -> EverySize:
        """What stands for such an argument where sizes are arbitrary. Raises `StatementError` if nothing does."""
        raise StatementError(f"{cls.__name__} can only be stated of at known sizes")


@dataclass(frozen=True)
class Over:
    names: tuple[str, ...]


def over(*names: str) -> Over:
    """The earlier arguments that a dependent argument's type mentions, alone or appended: `over("Γ ++ ss")`."""
    return Over(names)


@dataclass(frozen=True)
class Argument:
    name: str
    kind: type[Parameter]
    over: tuple[str, ...] = ()

    @property
    def mentions(self) -> tuple[tuple[str, ...], ...]:
        """The names in each of the expressions that it is over."""
        return tuple(tuple(name.strip() for name in each.split("++")) for each in self.over)

    def typed_over(self, values: Mapping[str, Any]) -> list[Any]:
        """The values of the expressions that it is over; `++` is their `append`."""
        return [reduce(lambda a, b: a.append(b), (values[name] for name in names)) for names in self.mentions]


@dataclass(frozen=True)
class Lemma:
    """A named claim. Made by `@lemma`; variants come from `without`, `on` and `on_mutant`."""

    name: str
    function: Callable[..., Claim]
    group: str = ""
    lean: str | None = None
    """The full Lean name, when a Lean theorem states the same."""
    source: str = ""
    lean_statement: str | None = None
    uses: tuple[str, ...] = ()
    proof: Script = field(default_factory=Script)
    """How it is proved at every size."""
    dropped: frozenset[str] = frozenset()
    engine: Any = None
    conclusion: str = ""
    """The stronger conclusion that stands in the goal's place: see `symtape.stronger`."""
    mutant: str = ""
    """The name of the mutant that it is about, if it is about one."""
    found_in: tuple[str, ...] = ()
    """The files and folders, besides symtape's own, that have to be read to find it."""

    @property
    def doc(self) -> str:
        return inspect.cleandoc(self.function.__doc__ or "")

    @property
    def summary(self) -> str:
        return re.split(r"(?<=\.)\s|\n\n", self.doc, maxsplit=1)[0].replace("\n", " ")

    @property
    def location(self) -> tuple[str, int]:
        """File and line of the statement."""
        code = self.function.__code__
        return code.co_filename, code.co_firstlineno

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        try:
            hints = typing.get_type_hints(self.function, include_extras=True)
        except NameError as problem:
            raise StatementError(f"{self._where}: {problem}") from problem
        names = list(inspect.signature(self.function).parameters)
        if not names:
            raise StatementError(f"{self._where}: a lemma is about something: it needs a parameter")
        arguments = tuple(self._argument(name, hints.get(name)) for name in names)
        for i, argument in enumerate(arguments):
            if unknown := {name for each in argument.mentions for name in each} - set(names[:i]):
                raise StatementError(
                    f"{self._where}: {argument.name} is over {', '.join(sorted(unknown))}, no earlier one"
                )
            joined = {name for each in argument.mentions if len(each) > 1 for name in each}
            if wrong := [a.name for a in arguments[:i] if a.name in joined and not hasattr(a.kind, "append")]:
                raise StatementError(
                    f"{self._where}: {argument.name} is over {', '.join(wrong)} ++ …, which has no ++"
                )
        return arguments

    def _argument(self, name: str, hint: Any) -> Argument:
        names: tuple[str, ...] = ()
        if typing.get_origin(hint) is typing.Annotated:
            hint, *extras = typing.get_args(hint)
            names = tuple(n for extra in extras if isinstance(extra, Over) for n in extra.names)
        if isinstance(hint, type) and issubclass(hint, Parameter) and len(names) != hint.depends:
            raise StatementError(
                f"{self._where}: {name} needs Annotated[..., over(...)] with {hint.depends} arguments"
            )
        if not (isinstance(hint, type) and issubclass(hint, Parameter)):
            raise StatementError(
                f"{self._where}: argument {name} needs a type that symtape can make symbols of, such as Tape or Nat"
            )
        return Argument(name, hint, names)

    @property
    def fingerprint(self) -> str:
        """What it claims, as a text: a function with other code, or closed over other values, has another one.
        Helpers that it calls are not looked into."""
        path, line = self.location
        said = _said(self.function.__code__), [_content(cell) for cell in self.function.__closure__ or ()]
        told = hashlib.sha256(repr(said).encode()).hexdigest()[:16]
        engine = "" if self.engine is None else f" on {type(self.engine).__module__}.{type(self.engine).__qualname__}"
        mutant = f" ({self.mutant})" if self.mutant else ""
        variant = f"without {', '.join(sorted(self.dropped))}{engine}{mutant}{self.conclusion}"
        return f"{self.name} at {path}:{line} ({told}) {variant}"

    @property
    def _where(self) -> str:
        path, line = self.location
        return f"{path}:{line}: lemma {self.name}"

    def at(self, **values: Any) -> Use:
        """The use of this lemma in the proof of another, at these values; an argument that is left out is the one of
        the same name there. A value that may be an error stands for the value it has if it is none."""
        return Use(self.name, values)

    def for_every(self, *names: str, **values: Any) -> Use:
        """As `at`, for every value of the arguments that are named."""
        return Use(self.name, values, names)

    @cached_property
    def _parts(self) -> Parts:
        return Parts.of(self.function)

    @property
    def statement(self) -> str:
        """What is claimed: Lean's text where there is one, else the goal as the Python expression."""
        if self.dropped:
            return self._parts.goal
        return inspect.cleandoc(self.lean_statement) if self.lean_statement else self._parts.goal

    @property
    def hypotheses(self) -> dict[str, str]:
        """Name and text of each hypothesis that is in force, in the order of the statement: Lean's text where the
        Lean statement names it, else the Python expression."""
        return {
            name: _binder(self.lean_statement or "", name) or text
            for name, text in self._parts.hypotheses.items()
            if name not in self.dropped
        }

    @property
    def mathematics(self) -> str:
        """The goal in mathematical notation."""
        return self._parts.mathematics.get("", "")

    @property
    def hypotheses_in_mathematics(self) -> dict[str, str]:
        """The hypotheses in force in mathematical notation."""
        return {name: self._parts.mathematics.get(name, text) for name, text in self.hypotheses.items()}

    def state(self, values: dict[str, Any]) -> Claim:
        """The claim about these values, symbolic or concrete, without the dropped hypotheses."""
        if self._parts.slip:
            raise StatementError(f"{self._where}: {self._parts.slip}")
        made = self.function(**values)
        if not isinstance(made, Claim):
            raise StatementError(f"{self._where}: a lemma returns given(...).show(...), not {type(made).__name__}")
        if set(made.hypotheses) != set(self._parts.hypotheses):
            raise StatementError(f"{self._where}: the hypotheses stand in the return statement: given(...).show(...)")
        kept = {name: prop for name, prop in made.hypotheses.items() if name not in self.dropped}
        if self.conclusion:
            return Claim(kept, lambda: strengthened(made.goal(), self.conclusion))
        return Claim(kept, made.goal)

    def concluding(self, conclusion: str) -> Lemma:
        """The same hypotheses with a stronger conclusion, one of `symtape.stronger.CONCLUSIONS`."""
        name = f"{self.name} concluding {conclusion}"
        return replace(self, name=name, lean=None, proof=Script(), uses=(), conclusion=conclusion)

    def without(self, *hypotheses: str) -> Lemma:
        """The same claim with these hypotheses dropped. Raises `StatementError` for one that it does not have."""
        unknown = [name for name in hypotheses if name not in self.hypotheses]
        if unknown:
            raise StatementError(f"lemma {self.name} has no hypothesis {', '.join(unknown)}")
        dropped = self.dropped | set(hypotheses)
        on = f" on {self.mutant}" if self.mutant else ""
        base, *_ = self.name.removesuffix(on).split(" without ")
        name = f"{base} without {', '.join(sorted(dropped))}{on}"
        return replace(self, name=name, lean=None, dropped=dropped)

    def on(self, engine: Any) -> Lemma:
        """The same claim about another engine."""
        return replace(self, name=f"{self.name} on {type(engine).__name__}", lean=None, engine=engine)

    def on_mutant(self, mutant: Mutant) -> Lemma:
        """The same claim about a mutant. Raises `StatementError` if it is about another engine already."""
        if self.engine is not None:
            raise StatementError(f"lemma {self.name} is about another engine already")
        return replace(
            self,
            name=f"{self.name} on {mutant.name}",
            lean=None,
            engine=mutant.engine,
            mutant=mutant.name,
            found_in=tuple(dict.fromkeys((*self.found_in, *mutant.found_in))),
        )


def _said(code: CodeType) -> tuple[Any, ...]:
    """What a piece of code does, wherever it stands."""
    constants = [_said(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants


def _content(cell: Any) -> str:
    """What a function is closed over, as far as a text can tell."""
    try:
        value = cell.cell_contents
    except ValueError:
        return "empty"
    return repr(value) if isinstance(value, bool | int | str | tuple | None) else type(value).__qualname__


def _binder(statement: str, name: str) -> str | None:
    """The type of the binder `(name : type)` of a Lean statement, not of one inside another's type."""
    depth, start = 0, None
    for i, character in enumerate(statement):
        if character == "(":
            if depth == 0 and statement.startswith(f"({name} : ", i):
                start = i + len(f"({name} : ")
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0 and start is not None:
                return re.sub(r"\s+", " ", statement[start:i])
    return None


def lemma(
    *,
    name: str | None = None,
    group: str = "",
    lean: str | None = None,
    lean_statement: str | None = None,
    source: str = "",
    uses: Iterable[str] = (),
    proof: Script | None = None,
) -> Callable[[Callable[..., Claim]], Lemma]:
    """Turn a function into a lemma; its arguments are the parameters, its docstring says what it means.

    `name` when the Lean name is no Python identifier; `uses` names lemmas that it rests on; `proof` says how it is
    proved at every size, where one question to the solver is not enough.
    Raises `StatementError` when there is no docstring.
    """

    def make(function: Callable[..., Claim]) -> Lemma:
        if proof is not None and not isinstance(proof, Script):
            raise StatementError("a proof is by(...), induction(...) or admitted(...), not " + type(proof).__name__)
        made = Lemma(
            name=name or str(getattr(function, "__name__", "lemma")),
            function=function,
            group=group,
            lean=lean,
            lean_statement=lean_statement,
            source=source,
            uses=tuple(uses),
            proof=proof or Script(),
        )
        if not made.name.isprintable():
            raise StatementError(f"{made._where}: a lemma's name is one line of printable characters")
        if not made.doc:
            raise StatementError(f"{made._where}: a docstring is needed: one sentence on what the lemma says")
        return made

    return make


def relative(path: str) -> str:
    """A path as a reader of a report should see it: from the working directory, else the package, else bare."""
    here = Path(path)
    for root in (Path.cwd(), Path(__file__).resolve().parent.parent):
        if here.is_relative_to(root):
            return str(here.relative_to(root))
    return here.name
