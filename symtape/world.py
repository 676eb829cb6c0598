"""The surroundings of one question: bound, element type, engine, and the facts true of every value in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from symtape.bound import Bound
from symtape.logic import formula

T = TypeVar("T")

ANY_ADDITION = "uninterpreted"
"""The element type of which only an addition is known: what is proved of it holds of every other."""


@dataclass(eq=False)
class World:
    """One question's symbols. Values of different worlds must not be mixed."""

    bound: Bound
    scalar: str = ANY_ADDITION
    engine: Any = None
    """The runtime semantics under test; `None` is the encodings' own."""
    constraints: list[Any] = field(default_factory=list)
    """Typing facts (a `Nat` is not negative, ...): assumed in every query, tracked in none."""
    every_size: bool = False
    """Whether sizes are arbitrary naturals instead of known numbers; the bound then says nothing."""
    _wishes: list[Callable[[], Iterable[Any]]] = field(default_factory=list)
    _signs_of_life: list[Callable[[], Iterable[Any]]] = field(default_factory=list)
    _shared: dict[Any, Any] = field(default_factory=dict)

    def require(self, *props: Any) -> None:
        """Add typing facts."""
        for prop in props:
            folded = formula(prop)
            if folded is not True:
                self.constraints.append(prop)

    def prefer(self, wishes: Callable[[], Iterable[Any]]) -> None:
        """Say what would make a counterexample easier to read. It is only worked out when one is looked for."""
        self._wishes.append(wishes)

    def enliven(self, signs: Callable[[], Iterable[Any]]) -> None:
        """Say what would make a witness of hypotheses one in which something happens."""
        self._signs_of_life.append(signs)

    @property
    def signs_of_life(self) -> list[Any]:
        """What makes a witness say more than that nothing is there; given up if nothing satisfies it."""
        return [sign for signs in self._signs_of_life for sign in signs()]

    @property
    def preferences(self) -> list[Any]:
        """What would make a counterexample easier to read; tried first, given up if nothing satisfies it."""
        return [wish for wishes in self._wishes for wish in wishes()]

    def share(self, make: Callable[[World], T]) -> T:
        """The one object of its kind in this world, made by `make` when first asked for."""
        if make not in self._shared:
            self._shared[make] = make(self)
        shared: T = self._shared[make]
        return shared


_current: ContextVar[World] = ContextVar("world")


def current_world() -> World:
    """The world that a lemma is being stated in. Raises `LookupError` outside `in_world`."""
    return _current.get()


@contextmanager
def in_world(world: World) -> Iterator[None]:
    """Make a world the one that a lemma is being stated in."""
    token = _current.set(world)
    try:
        yield
    finally:
        _current.reset(token)


@dataclass(eq=False)
class Evaluation:
    """A world together with a Z3 model of it: what a counterexample is read from."""

    world: World
    model: Any
    _shared: dict[Any, Any] = field(default_factory=dict)

    def __call__(self, term: Any) -> Any:
        """The value of a Z3 term in the model, unconstrained symbols completed."""
        return self.model.eval(term, model_completion=True)

    def truth(self, prop: Any) -> bool:
        folded = formula(prop)
        return folded if isinstance(folded, bool) else formula(self(folded)) is True

    def share(self, make: Callable[[Evaluation], T]) -> T:
        """As `World.share`, for what is read from the model."""
        if make not in self._shared:
            self._shared[make] = make(self)
        shared: T = self._shared[make]
        return shared
