"""Plain Python values of everything that a lemma speaks about: tensors, tapes, packs, and functions as tables.

They print as the Python that makes them. Their methods have the names of the symbolic model's, so that one lemma
runs on both; what needs the runtime or an addition uses the one that `using` makes current.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from math import isnan, prod
from typing import TYPE_CHECKING, Any

from symtape.logic import formula

if TYPE_CHECKING:
    from symtape.encodings.interpreter import Runtime

Scalar = Any
Shape = tuple[int, ...]
NOWHERE: Shape = (-1,)


def entry_count(shape: Shape) -> int:
    """How many entries a tensor of this shape has."""
    return 0 if shape == NOWHERE else prod(shape)


def _key(scalar: Scalar) -> Any:
    """Lean's equality on an element: for floats identity, so NaN = NaN and +0 ≠ -0."""
    if isinstance(scalar, float):
        return "nan" if isnan(scalar) else struct.pack(">d", scalar)
    return scalar


_current: ContextVar[Runtime] = ContextVar("runtime")


def running() -> Runtime:
    """The runtime that is current. Raises `LookupError` outside `using`."""
    return _current.get()


@contextmanager
def using(runtime: Runtime) -> Iterator[None]:
    """Make a runtime the one that values add and run with."""
    token = _current.set(runtime)
    try:
        yield
    finally:
        _current.reset(token)


class RunBy:
    """What the runtime makes something of: it is the current one, until the runtime itself is asked for."""

    _by_runtime = False

    def as_runtime(self) -> Any:
        """The same, run by the unchanged runtime where a changed engine is current."""
        same = copy(self)
        same._by_runtime = True
        return same

    @property
    def runtime(self) -> Runtime:
        return running().original() if self._by_runtime else running()


def answered(function: Any, gradient: Tensor, answer: Result) -> Result:
    """A `backward` function's answer, which the current runtime, if there is one, is told of."""
    runtime = _current.get(None)
    return answer if runtime is None else runtime.answered(function, gradient, answer)


class Value:
    """Equality and hash by `parts`, a repr that rebuilds the value."""

    def parts(self) -> tuple[Any, ...]:
        raise TypeError(f"{type(self).__name__} has no parts")

    def equals(self, other: object) -> bool:
        return self == other

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Value) and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash((type(self), self.parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.parts()))})"


class Tensor(Value):
    """`Spec.SomeTensor`: a shape and its entries in row-major order."""

    def __init__(self, shape: Sequence[int], entries: Sequence[Scalar]) -> None:
        self.shape = tuple(shape)
        self.entries = tuple(entries)

    def parts(self) -> tuple[Any, ...]:
        return self.shape, tuple(map(_key, self.entries))

    def __repr__(self) -> str:
        return f"Tensor({self.shape!r}, {list(self.entries)!r})"

    def __str__(self) -> str:
        shape = f"shape {list(self.shape)}" if self.shape else "scalar"
        return f"{shape}: {', '.join(map(str, self.entries)) or 'no entries'}"

    def erase(self) -> Tensor:
        return self

    def cast(self, shape: Shape) -> Tensor:
        return self

    def leaf(self) -> Node:
        return Node(self)

    def error(self, message: str) -> Error:
        return Error(message)

    def plus(self, other: Tensor) -> Tensor:
        return running().plus(self, other)

    def with_first_of(self, other: Tensor) -> Tensor:
        return Tensor(self.shape, [*other.entries[:1], *self.entries[1:]])

    def add(self, other: Tensor) -> Result:
        return running().add_tensors(self, other)

    def lines(self) -> list[str]:
        return [str(self)]


class Ok(Value):
    events: tuple[Any, ...] = ()
    """What led to this result, where that is traced; it is no part of the value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def parts(self) -> tuple[Any, ...]:
        return (self.value,)

    def bind(self, then: Callable[[Any], Any]) -> Any:
        return after(self.events, then(self.value))

    def map(self, function: Callable[[Any], Any]) -> Ok:
        made: Ok = after(self.events, Ok(function(self.value)))
        return made

    def isOk(self) -> bool:
        return True

    def lines(self) -> list[str]:
        first, *rest = self.value.lines() if hasattr(self.value, "lines") else [str(self.value)]
        return [f"ok {first}", *rest]


class Error(Value):
    events: tuple[Any, ...] = ()

    def __init__(self, message: str) -> None:
        self.message = message

    def parts(self) -> tuple[Any, ...]:
        return (self.message,)

    def bind(self, then: Callable[[Any], Any]) -> Error:
        return self

    def map(self, function: Callable[[Any], Any]) -> Error:
        return self

    def isOk(self) -> bool:
        return False

    def lines(self) -> list[str]:
        return [f'error "{self.message}"']


Result = Ok | Error


def after(events: tuple[Any, ...], result: Any) -> Any:
    """A result that these events led to, before its own."""
    if not events or not isinstance(result, Ok | Error):
        return result
    made = copy(result)
    made.events = (*events, *result.events)
    return made


class Accumulator(Value):
    """An array of tensors."""

    def __init__(self, slots: Iterable[Tensor]) -> None:
        self.slots = list(slots)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.slots),)

    def __repr__(self) -> str:
        return f"Accumulator({self.slots!r})"

    @property
    def size(self) -> int:
        return len(self.slots)

    def push(self, tensor: Tensor) -> Accumulator:
        return Accumulator([*self.slots, tensor])

    def append(self, other: Accumulator) -> Accumulator:
        return Accumulator(self.slots + other.slots)

    def __getitem__(self, i: int) -> Tensor:
        return self.slots[i] if 0 <= i < len(self.slots) else Tensor(NOWHERE, [])

    def set(self, i: int, tensor: Tensor) -> Accumulator:
        copy = list(self.slots)
        if 0 <= i < len(copy):
            copy[i] = tensor
        return Accumulator(copy)

    def filled(self, tensor: Tensor) -> Accumulator:
        return Accumulator([tensor] * self.size)

    def pure(self) -> Ok:
        return Ok(self)

    def error(self, message: str) -> Error:
        return Error(message)

    def lines(self) -> list[str]:
        plural = "slot" if self.size == 1 else "slots"
        return [
            f"accumulator of {self.size} {plural}",
            *(f"[{i}] {slot}" for i, slot in enumerate(self.slots)),
        ]


class Contributions(Value):
    """A list of pairs of an id and a gradient."""

    def __init__(self, items: Iterable[tuple[int, Tensor]]) -> None:
        self.items = list(items)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.items),)

    def __repr__(self) -> str:
        return f"Contributions({self.items!r})"

    def __str__(self) -> str:
        return ", ".join(f"{g} → node {pid}" for pid, g in self.items) or "nothing"

    def pure(self) -> Ok:
        return Ok(self)

    def forall(self, body: Callable[[int, Tensor], Any]) -> bool:
        return all(formula(body(pid, g)) is True for pid, g in self.items)

    def foldlM(self, step: Callable[[Any, int, Tensor], Result], start: Any) -> Result:
        state: Result = Ok(start)
        for pid, g in self.items:
            match state:
                case Ok():
                    state = after(state.events, step(state.value, pid, g))
                case Error():
                    return state
        return state

    def lines(self) -> list[str]:
        return [f"{len(self.items)} contributions", *(f"{g} → node {pid}" for pid, g in self.items)]


class Backward(Value):
    """A total function from gradients: a finite table, and one answer for everything else."""

    def __init__(self, table: dict[Tensor, Result], otherwise: Result | None = None) -> None:
        self.table = table
        self.otherwise: Result = Ok(Contributions([])) if otherwise is None else otherwise

    def parts(self) -> tuple[Any, ...]:
        informative = {g: answer for g, answer in self.table.items() if answer != self.otherwise}
        return frozenset(informative.items()), self.otherwise

    def __repr__(self) -> str:
        if self.otherwise == Ok(Contributions([])):
            return f"Backward({self.table!r})"
        return f"Backward({self.table!r}, {self.otherwise!r})"

    def __call__(self, gradient: Tensor) -> Result:
        return answered(self, gradient, self.table.get(gradient, self.otherwise))

    def answers(self) -> list[Result]:
        """Every answer that the function has for some gradient."""
        return [*self.table.values(), self.otherwise]

    def lines(self) -> list[str]:
        shown = [(f"on {g}", answer) for g, answer in self.table.items()]
        if self.otherwise != Ok(Contributions([])):
            shown.append(("on anything else", self.otherwise))
        return [
            f"{what} emits {answer.value}" if isinstance(answer, Ok) else f'{what} fails with "{answer.message}"'
            for what, answer in shown
        ]


class Node(Value):
    def __init__(
        self,
        value: Tensor,
        requiresGrad: bool = True,
        backward: Any = None,
        name: str | None = None,
        parents: str | None = None,
    ) -> None:
        self.value = value
        self.requiresGrad = requiresGrad
        self.backward = Backward({}) if backward is None else backward
        self.name = name
        self.parents = parents

    def found(self) -> Some:
        return Some(self)

    def parts(self) -> tuple[Any, ...]:
        return self.value, self.requiresGrad, self.backward, self.name, self.parents

    def __repr__(self) -> str:
        extras = "".join(f", {k}={v!r}" for k, v in (("name", self.name), ("parents", self.parents)) if v)
        function = f", {self.backward!r}" if self.backward != Backward({}) else ""
        return f"Node({self.value!r}, {self.requiresGrad!r}{function}{extras})"

    def lines(self) -> list[str]:
        flag = "requires grad" if self.requiresGrad else "requires no grad"
        emits = self.backward.lines() if hasattr(self.backward, "lines") else []
        return [f"node with value {self.value}, {flag}", *(f"    {line}" for line in emits)]


class Some(Value):
    def __init__(self, node: Node) -> None:
        self.node = node

    def parts(self) -> tuple[Any, ...]:
        return (self.node,)

    def exists(self, body: Callable[[Node], Any]) -> Any:
        return body(self.node)

    def lines(self) -> list[str]:
        return ["some " + line if i == 0 else line for i, line in enumerate(self.node.lines())]


class Nothing(Value):
    def parts(self) -> tuple[Any, ...]:
        return ()

    def exists(self, body: Callable[[Node], Any]) -> bool:
        return False

    def lines(self) -> list[str]:
        return ["none"]


class Added(Value):
    def __init__(self, tape: Tape, id: int) -> None:
        self.tape = tape
        self.id = id

    def parts(self) -> tuple[Any, ...]:
        return self.tape, self.id


class Tape(RunBy, Value):
    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = list(nodes)

    def parts(self) -> tuple[Any, ...]:
        return (tuple(self.nodes),)

    def __repr__(self) -> str:
        return f"Tape({self.nodes!r})"

    @property
    def size(self) -> int:
        return len(self.nodes)

    def values(self) -> Accumulator:
        return Accumulator(node.value for node in self.nodes)

    def addNode(self, node: Node) -> Added:
        return Added(Tape([*self.nodes, node]), self.size)

    def getNode(self, i: int) -> Some | Nothing:
        return Some(self.nodes[i]) if 0 <= i < self.size else Nothing()

    def addGradAll(self, acc: Accumulator, i: int, g: Tensor) -> Result:
        return self.runtime.addGradAll(self, acc, i, g)

    def backwardDenseFromStep(self, acc: Accumulator, i: int) -> Result:
        return self.runtime.backwardDenseFromStep(self, acc, i)

    def backwardDenseFromLoop(self, count: int, acc: Accumulator) -> Result:
        return self.runtime.backwardDenseFromLoop(self, count, acc)

    def backwardDenseFrom(self, acc: Accumulator) -> Result:
        return self.runtime.backwardDenseFrom(self, acc)

    def BackwardPidsLt(self) -> bool:
        """Checked of every answer of every node: the functions are total and have finitely many answers."""
        return all(
            pid < i
            for i, node in enumerate(self.nodes)
            for answer in node.backward.answers()
            if isinstance(answer, Ok)
            for pid, _ in answer.value.items
        )

    def lines(self) -> list[str]:
        plural = "node" if self.size == 1 else "nodes"
        shown = [f"tape of {self.size} {plural}"]
        for i, node in enumerate(self.nodes):
            first, *rest = node.lines()
            shown += [f"[{i}] {first}", *rest]
        return shown
