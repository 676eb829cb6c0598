"""What every parameter of this theory has in common: it is replayed by the plain-Python interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtape.encodings.sorts import named_sort
from symtape.logic import Symbolic
from symtape.smt import z3
from symtape.statement import EverySize, Interpretation, Parameter
from symtape.world import Evaluation, World


class ModelParameter(Symbolic, Parameter):
    """A parameter whose counterexamples are read and replayed by `symtape.encodings.witness`."""

    @classmethod
    def interpretation(cls) -> Interpretation:
        from symtape.encodings.witness import PlainPython

        return PlainPython()

    @classmethod
    def at_every_size(cls) -> EverySize:
        from symtape.encodings.free.kinds import free

        return free(cls)


class Nat(ModelParameter):
    """An arbitrary natural number, such as a node id. It is not bounded: ids out of every range are included.

    In a lemma it is a Z3 integer, or a plain one when a counterexample is replayed.
    """

    if TYPE_CHECKING:

        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        def __add__(self, other: Any) -> Any: ...

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Any:
        number = z3.Int(name)
        world.require(number >= 0)
        return number

    @classmethod
    def read(cls, value: Any, evaluation: Evaluation) -> int:
        return int(evaluation(value).as_long())


class Count(Nat):
    """A natural number that a loop runs over, so a size of the question: every value up to one more than the
    tape's size is asked on its own."""

    sized = "tape"

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> int:
        return size

    @classmethod
    def read(cls, value: int, evaluation: Evaluation) -> int:
        return value


class Opaque(ModelParameter):
    """A value of a type that nothing is known of, such as the context type Δ or a node's debug name."""

    sort = "Δ"

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Any:
        return z3.Const(name, named_sort(cls.sort))

    @classmethod
    def read(cls, value: Any, evaluation: Evaluation) -> str:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).token(value, cls.sort)


class Name(Opaque):
    """`Option String`: a node's debug name. The backward pass never reads it."""

    sort = "Name"
