"""From a refutation to a simpler one, without the solver.

Something is left out or made plainer, and what still refutes the lemma is kept if its measure is smaller, until
nothing more can be done. The order is fixed, so the same values shrink to the same. The sizes of tapes, arrays and
lists stay: they are those of the obligation, and whether smaller ones are refuted is another obligation's matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from symtape.encodings.measure import Measure, measure, measured, size_of_scalar, size_of_shape
from symtape.encodings.plain import (
    NOWHERE,
    Backward,
    Contributions,
    Error,
    Node,
    Ok,
    Scalar,
    Shape,
    Tape,
    Tensor,
    entry_count,
)
from symtape.encodings.plain_packs import NodeData, ReverseProgram
from symtape.encodings.replay import Arithmetic, Said, Sums, evaluate
from symtape.encodings.rewriting import Renaming, Replacing, Rewriting, Site
from symtape.statement import Lemma

MOST_REPLAYS = 400
MOST_PLACES = 8
PLAIN_SHAPES: tuple[Shape, ...] = ((), (1,), (1, 1), (2,))
NOTHING = Ok(Contributions([]))

Values = dict[str, Any]
Candidate = tuple[Values, Arithmetic]


@dataclass(frozen=True)
class Shrunk:
    """The simplest refutation that was found."""

    values: Values
    arithmetic: Arithmetic
    measure: Measure
    replays: int
    """How many candidates were replayed on the way."""


def shrink(lemma: Lemma, values: Values, arithmetic: Arithmetic, most: int = MOST_REPLAYS) -> Shrunk:
    """Simplify values that refute a lemma, with at most so many replays. What comes back refutes it too."""
    search = _Search(lemma, values, arithmetic, most)
    found = True
    while found:
        found = False
        for candidates in PASSES:
            while search.first_of(candidates):
                found = True
    return Shrunk(search.values, search.arithmetic, search.measure, search.replays)


class _Search:
    """The best refutation so far."""

    def __init__(self, lemma: Lemma, values: Values, arithmetic: Arithmetic, most: int) -> None:
        self.lemma = lemma
        self.values, self.arithmetic = values, arithmetic
        self.sites = self.look(values)
        self.measure = measure(lemma, values, arithmetic)
        self.replays = 0
        self._most = most

    def look(self, values: Values) -> list[Site]:
        looking = Rewriting()
        looking.values(self.lemma, values)
        return looking.sites

    def first_of(self, candidates: Callable[[_Search], Iterator[Candidate]]) -> bool:
        """Take the first candidate that is simpler and still refutes the lemma; whether there was one."""
        for values, arithmetic in candidates(self):
            sites = self.look(values)
            # at best neither side is an error
            if measured(sites, arithmetic) >= self.measure:
                continue
            if self.replays >= self._most:
                return False
            self.replays += 1
            said = _replayed(self.lemma, values, arithmetic)
            if said is None or not said.refutes:
                continue
            simplicity = measured(sites, arithmetic, said.failures)
            if simplicity < self.measure:
                self.values, self.arithmetic, self.sites, self.measure = values, arithmetic, sites, simplicity
                return True
        return False

    def replaced(self, put: Mapping[int, Any]) -> Values:
        return Replacing(put).values(self.lemma, self.values)

    def renamed(self, renaming: Renaming) -> Values:
        return renaming.values(self.lemma, self.values)

    def scalars(self) -> list[Scalar]:
        """Those that occur, largest first."""
        met = dict.fromkeys(site.value for site in self.sites if site.kind == "scalar")
        return sorted(met, key=size_of_scalar, reverse=True)


class _Trusted(ReverseProgram):
    def agreesWith(self, t: Tape) -> bool:
        return True


def _replayed(lemma: Lemma, values: Values, arithmetic: Arithmetic) -> Said | None:
    """What a lemma says of a candidate; `None` if it is known to be no refutation."""
    try:
        # On a changed engine a reverse program is tried on thousands of seeds: not if anything else speaks against
        # the candidate.
        trusted = {
            name: _Trusted(value.shapes, value.table, value.tape)
            for name, value in values.items()
            if lemma.engine is not None and isinstance(value, ReverseProgram)
        }
        if trusted and not evaluate(lemma, {**values, **trusted}, arithmetic).refutes:
            return None
        return evaluate(lemma, values, arithmetic)
    except Exception:
        # an author's lemma may be unable to run on values that it was never meant for: these are no refutation
        return None


# --- what may be tried: each gives candidates, those that save most first ---


def _whole_numbers(search: _Search) -> Iterator[Candidate]:
    """Whole numbers in the place of the elements of a finite type: an element type like any other."""
    if search.arithmetic.name == "table":
        for first in (0, 1):
            named = {letter: i for i, letter in enumerate(_carrier(search.arithmetic), first)}
            yield search.renamed(Renaming(scalars=named.__getitem__)), Arithmetic("int")


def _fewer_elements(search: _Search) -> Iterator[Candidate]:
    """Two elements of a finite type taken for one."""
    carrier = _carrier(search.arithmetic)
    for gone, kept in ((x, y) for x in reversed(carrier) for y in carrier if x != y):
        named = {letter: kept if letter == gone else letter for letter in carrier}
        rest = [letter for letter in carrier if letter != gone]
        table = {(a, b): named[search.arithmetic.table[a, b]] for a, b in product(rest, rest)}
        yield search.renamed(Renaming(scalars=named.__getitem__)), Arithmetic("table", table)


def _fewer_sums(search: _Search) -> Iterator[Candidate]:
    """A sum that is what most sums are."""
    table = search.arithmetic.table
    usual = Sums.of(table).otherwise
    for pair, total in table.items():
        if total != usual:
            yield search.values, Arithmetic("table", {**table, pair: usual})


def _first_letters(search: _Search) -> Iterator[Candidate]:
    """The elements of a finite type called a, b, c …, those that occur most often first."""
    if search.arithmetic.name != "table":
        return
    carrier = _carrier(search.arithmetic)
    often = [site.value for site in search.sites if site.kind == "scalar"]
    order = sorted(carrier, key=lambda letter: (-often.count(letter), carrier.index(letter)))
    named = dict(zip(order, sorted(_letters(len(carrier))), strict=True))
    sums = {(named[a], named[b]): named[total] for (a, b), total in search.arithmetic.table.items()}
    table = {pair: sums[pair] for pair in sorted(sums)}
    yield search.renamed(Renaming(scalars=named.__getitem__)), Arithmetic("table", table)


def _plainer_shapes(search: _Search) -> Iterator[Candidate]:
    """One shape for another, everywhere: types that agree go on to agree."""
    kinds = ("tensor", "typed tensor")
    met = [site.value.shape for site in search.sites if site.kind in kinds]
    met += [site.value for site in search.sites if site.kind == "shape"]
    zero = _zero(search.arithmetic)
    for shape in sorted(set(met), key=lambda shape: (-size_of_shape(shape), shape)):
        for plain in _plainer(shape):
            if zero is not None or entry_count(plain) <= entry_count(shape):
                yield search.renamed(Renaming({shape: plain}, fill=zero)), search.arithmetic


def _smaller_numbers(search: _Search) -> Iterator[Candidate]:
    """One number for another, everywhere, with the sums that it occurs in, or alone."""
    if search.arithmetic.name == "table":
        return
    met = search.scalars()
    for number in met:
        for smaller in _smaller(number):
            for named in (_with_sums(number, smaller, met), {number: smaller}):
                everywhere = {other: named.get(other, other) for other in met}
                yield search.renamed(Renaming(scalars=everywhere.__getitem__)), search.arithmetic


def _with_sums(number: Scalar, smaller: Scalar, met: list[Scalar]) -> dict[Scalar, Scalar]:
    named = {number: smaller}
    for total in met:
        for a, b in product(met, met):
            if total not in named and a + b == total and (a in named or b in named):
                named[total] = named.get(a, a) + named.get(b, b)
    return named


def _simpler_parts(search: _Search) -> Iterator[Candidate]:
    """Something simpler in one place."""
    zero = _zero(search.arithmetic)
    for i, site in enumerate(search.sites):
        for simpler in _simpler(site, zero):
            yield search.replaced({i: simpler}), search.arithmetic


def _smaller_together(search: _Search) -> Iterator[Candidate]:
    """One number for another in two or three places, which hypotheses may keep equal: a node's value, the context's,
    and the context's in a table."""
    for number in search.scalars():
        places = [i for i, site in enumerate(search.sites) if (site.kind, site.value) == ("scalar", number)]
        for smaller in _smaller(number):
            for together in (*combinations(places, 2), *combinations(places, 3)):
                if len(places) <= MOST_PLACES:
                    yield search.replaced(dict.fromkeys(together, smaller)), search.arithmetic


def _fewer_together(search: _Search) -> Iterator[Candidate]:
    """Two or three functions that emit nothing instead of something, where a claim is about all of them at once."""
    places = [i for i, site in enumerate(search.sites) if site.kind == "contributions" and site.value.items]
    for together in (*combinations(places, 2), *combinations(places, 3)):
        if len(places) <= MOST_PLACES:
            values = search.values
            # last first: what stands in a list that is emptied is no place any more, and those behind it move up
            for place in reversed(together):
                values = Replacing({place: Contributions([])}).values(search.lemma, values)
            yield values, search.arithmetic


PASSES: tuple[Callable[[_Search], Iterator[Candidate]], ...] = (
    _whole_numbers,
    _plainer_shapes,
    _fewer_elements,
    _simpler_parts,
    _fewer_together,
    _smaller_numbers,
    _smaller_together,
    _fewer_sums,
    _first_letters,
)


# --- simpler values ---


def _simpler(site: Site, zero: Scalar) -> Iterator[Any]:
    value = site.value
    match site.kind:
        case "scalar":
            yield from _smaller(value)
        case "id":
            yield from range(min(value, 4))
        case "tensor":
            yield from _in_plainer_shapes(value, zero)
        case "answer" if isinstance(value, Error):
            yield NOTHING
        case "contributions":
            yield from map(Contributions, _fewer(value.items))
        case "backward":
            yield from (Backward(table, value.otherwise) for table in _smaller_tables(value.table))
        case "node":
            yield Node(value.value, True, value.backward)
            yield Node(value.value, True, value.backward, value.name, value.parents)
            yield Node(value.value, value.requiresGrad, value.backward)
        case "node data":
            yield from _simpler_node_data(value)
        case "reverse program":
            yield from (ReverseProgram(value.shapes, table, value.tape) for table in _smaller_tables(value.table))


def _simpler_node_data(node: NodeData) -> Iterator[NodeData]:
    for answer in dict.fromkeys(node.table.values()):
        yield NodeData(node.shape, node.value, {}, answer, node.values)
    for table in _smaller_tables(node.table):
        yield NodeData(node.shape, node.value, table, node.otherwise, node.values)
    for values in _smaller_tables(node.values):
        yield NodeData(node.shape, node.value, node.table, node.otherwise, values)


def _fewer(items: list[Any]) -> Iterator[list[Any]]:
    """Nothing, then each one left out."""
    if len(items) > 1:
        yield []
    for i in range(len(items)):
        yield [*items[:i], *items[i + 1 :]]


def _smaller_tables(table: Mapping[Any, Any]) -> Iterator[dict[Any, Any]]:
    return map(dict, _fewer(list(table.items())))


def _in_plainer_shapes(tensor: Tensor, zero: Scalar) -> Iterator[Tensor]:
    for shape in _plainer(tensor.shape):
        grown = entry_count(shape) - len(tensor.entries)
        if grown <= 0 or zero is not None:
            yield Tensor(shape, [*tensor.entries[: entry_count(shape)], *[zero] * grown])


def _plainer(shape: Shape) -> Iterator[Shape]:
    if shape != NOWHERE:
        yield from (plain for plain in PLAIN_SHAPES if size_of_shape(plain) < size_of_shape(shape))


def _smaller(scalar: Scalar) -> Iterator[Scalar]:
    if isinstance(scalar, str):
        numbers: list[Scalar] = []
    elif isinstance(scalar, float):
        numbers = [0.0, 1.0, 2.0, 3.0, 4.0]
    else:
        numbers = [0, 1, 2, 3, 4, *([int(scalar)] if isinstance(scalar, Fraction) else [])]
    yield from (number for number in numbers if size_of_scalar(number) < size_of_scalar(scalar))


def _zero(arithmetic: Arithmetic) -> Scalar:
    """A plain element; `None` of a type that has none."""
    if arithmetic.name == "table":
        return next(iter(_carrier(arithmetic)), None)
    return 0.0 if arithmetic.name.startswith("float") else 0


def _carrier(arithmetic: Arithmetic) -> list[str]:
    return sorted({x for pair in arithmetic.table for x in pair}, key=size_of_scalar)


def _letters(count: int) -> list[str]:
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return [alphabet[i % 26] + (str(i // 26) if i >= 26 else "") for i in range(count)]
