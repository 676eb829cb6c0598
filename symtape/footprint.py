"""What a lemma runs, and what a mutant changes: a lemma that runs nothing of that says the same of the mutant.

An engine is changed by attributes of its class that stand in the place of the runtime's. Up to the first of these
that is read, a mutant does what the runtime does; so where none is read while a lemma is stated of the runtime, the
lemma says of the mutant, term for term, what it says of the runtime.
"""

from __future__ import annotations

from typing import Any

from symtape.bound import Bound
from symtape.obligation import Instance, cases, tape_sizes
from symtape.statement import Lemma
from symtape.world import ANY_ADDITION

Attributes = frozenset[str]

PLAIN = {"interpreter"}
"""What only a replay reads."""
HARMLESS = {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__firstlineno__"}


def read(lemma: Lemma, bound: Bound, runtime: Any) -> Attributes:
    """The attributes of the runtime that are read while a lemma is stated of it at every case up to the bound."""
    recorder, attributes = _recording(runtime)
    stated = lemma.on(recorder)
    every = [case for size in tape_sizes(lemma, bound) for case in cases(lemma, bound, size)]
    for instance in Instance.of_each(stated, every, bound, ANY_ADDITION):
        instance.goal()
        instance.for_proving()
    return frozenset(attributes)


def _recording(runtime: Any) -> tuple[Any, set[str]]:
    attributes: set[str] = set()

    def record(self: Any, name: str) -> Any:
        attributes.add(name)
        return object.__getattribute__(self, name)

    made = type(f"Recorded{type(runtime).__name__}", (type(runtime),), {"__getattribute__": record})
    recorder: Any = object.__new__(made)
    recorder.__dict__.update(vars(runtime))
    attributes.clear()
    return recorder, attributes


def changed(engine: Any, runtime: Any) -> Attributes | None:
    """The attributes of the runtime that an engine has others of; `None` where that cannot be told."""
    inherited = _changed(type(engine), type(runtime))
    names = None if inherited is None else inherited | (frozenset(vars(engine)) - PLAIN)
    return None if names is None or any(map(_magic, names)) else names


def only_replayed(engine: Any, runtime: Any) -> bool:
    """Whether an engine is the runtime as far as the solver goes, and another one where it is replayed."""
    if changed(engine, runtime) != frozenset():
        return False
    return _changed(engine.interpreter(), runtime.interpreter()) != frozenset()


def _changed(made: type, original: type) -> Attributes | None:
    if original not in made.__mro__:
        return None
    above = made.__mro__[: made.__mro__.index(original)]
    names = frozenset(name for each in above for name in vars(each)) - HARMLESS - PLAIN
    return None if any(map(_magic, names)) else names


def _magic(name: str) -> bool:
    return name.startswith("__") and name != "__init__"
