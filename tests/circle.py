"""Two lemmas that use each other, which `discover` would not take, and one that is admitted."""

from __future__ import annotations

from symtape import Claim, admitted, by, equal, given, lemma
from symtape.encodings.tape import Tape


@lemma(uses=["second"], proof=by(lambda: [second.at()]))
def first(t: Tape) -> Claim:
    """The size is 0."""
    return given().show(lambda: equal(t.size, 0))


@lemma(uses=["first"], proof=by(lambda: [first.at()]))
def second(t: Tape) -> Claim:
    """The size is 0."""
    return given().show(lambda: equal(t.size, 0))


@lemma(proof=admitted("it is only a test"))
def third(t: Tape) -> Claim:
    """The size is 0."""
    return given().show(lambda: equal(t.size, 0))
