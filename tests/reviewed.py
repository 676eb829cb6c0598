"""Lemmas by which a reviewer once got something false proved at every size, or a run to end without a word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from symtape import Claim, by, equal, given, implies, lemma, negate, over
from symtape.encodings import plain
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.backward import INVALID_PARENT, Engine
from symtape.encodings.graph_data import error
from symtape.encodings.interpreter import Runtime
from symtape.encodings.parameter import Nat
from symtape.encodings.result import Result
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import Shape, SomeTensor, Tensor

ONE_LESS = -1


class Shifted(Engine):
    """Contributions go to the id before theirs."""

    class Plain(Runtime):
        def addGradAll(self, t: plain.Tape, acc: plain.Accumulator, i: int, g: plain.Tensor) -> plain.Result:
            return super().addGradAll(t, acc, i + ONE_LESS, g)

    def interpreter(self) -> type[Runtime]:
        return self.Plain

    def addGradAll(self, t: Tape, acc: Accumulator, identifier: Any, g: SomeTensor) -> Result[Accumulator]:
        return super().addGradAll(t, acc, identifier + ONE_LESS, g)


@lemma()
def in_range_is_valid(t: Tape, acc: Accumulator, pid: Nat, g: SomeTensor) -> Claim:
    """A node that exists is never an invalid parent."""
    return given(h=pid < t.size).show(lambda: negate(equal(t.addGradAll(acc, pid, g), error(INVALID_PARENT, g))))


shifted = in_range_is_valid.on(Shifted())


@lemma()
def before_the_first(t: Tape, i: Nat) -> Claim:
    """There is a node before every one, the first included."""
    return given(h=i <= t.size).show(
        lambda: implies(i + ONE_LESS < t.size, t.getNode(i + ONE_LESS).exists(lambda node: equal(node, node)))
    )


def assigning(t: Any, acc: Any) -> Iterable[Any]:
    """A proof that changes what it is about."""
    acc.size = t.size
    return []


def assigning_by_name(t: Any, acc: Any) -> Iterable[Any]:
    """The same, where the text does not show it."""
    setattr(acc, "size", t.size)  # noqa: B010
    return []


@lemma(proof=by(assigning))
def same_size(t: Tape, acc: Accumulator) -> Claim:
    """Every accumulator is as long as every tape."""
    return given().show(lambda: equal(acc.size, t.size))


@lemma(proof=by(assigning_by_name))
def same_size_again(t: Tape, acc: Accumulator) -> Claim:
    """Every accumulator is as long as every tape."""
    return given().show(lambda: equal(acc.size, t.size))


def leave() -> Any:
    """What no lemma and no proof should do."""
    raise SystemExit(0)


@lemma(proof=by(lambda t: [leave()]))
def leaving(t: Tape) -> Claim:
    """Every tape is empty."""
    return given().show(lambda: t.size < 1)


@lemma()
def typed(s: Shape, v: Annotated[Tensor, over("s")]) -> Claim:
    """A tensor has the shape that its type says."""
    return given().show(lambda: equal(v.erase().shape, s))


@lemma(uses=["typed"], proof=by(lambda w, s: [typed.at(v=w.cast(s))]))
def every_cast_fits(w: SomeTensor, s: Shape) -> Claim:
    """Every tensor can be cast to every shape."""
    return given().show(lambda: equal(w.cast(s).erase().shape, s))


def limited(n: int) -> Any:
    """A claim that holds for small n only."""

    def below_five(i: Nat) -> Claim:
        """What is less than n is less than five."""
        return given(h=i < n).show(lambda: i < 5)

    return lemma(name="limited")(below_five)
