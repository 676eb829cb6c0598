"""How simple plain values are: the order in which counterexamples are preferred, defined here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isinf, isnan
from typing import Any, NamedTuple

from symtape.encodings.plain import Error, Scalar, Shape
from symtape.encodings.replay import Arithmetic, Sums, evaluate
from symtape.encodings.rewriting import Rewriting, Site
from symtape.statement import Lemma


class Measure(NamedTuple):
    """The smaller the simpler, the first numbers first: nodes, contributions, entries, then plainness."""

    nodes: int
    contributions: int
    entries: int
    """Of all tensors. One without entries counts as a scalar does: nothing is easier to read than a scalar."""
    failures: int
    """Sides of the goal that are errors."""
    errors: int
    """Answers of `backward` functions that are errors."""
    answers: int
    """The entries of all tables of functions."""
    sums: int
    """What has to be said of an addition that is not the usual one: its elements, and its sums."""
    remarks: int
    """Flags that are off, names and parents."""
    shapes: int
    """How long it takes to write all shapes."""
    numbers: int
    """How large the entries and ids are."""


def measure(lemma: Lemma, values: Mapping[str, Any], arithmetic: Arithmetic) -> Measure:
    """How simple the values of a lemma's parameters are."""
    looking = Rewriting()
    looking.values(lemma, values)
    return measured(looking.sites, arithmetic, evaluate(lemma, dict(values), arithmetic).failures)


def measured(sites: Sequence[Site], arithmetic: Arithmetic, failures: int = 0) -> Measure:
    """As `measure`, of the sites of the values."""
    nodes = contributions = entries = errors = answers = remarks = shapes = numbers = 0
    for site in sites:
        value = site.value
        match site.kind:
            case "scalar":
                numbers += size_of_scalar(value)
            case "id":
                numbers += value
            case "tensor" | "typed tensor":
                entries += max(1, len(value.entries))
                shapes += size_of_shape(value.shape)
            case "shape":
                shapes += size_of_shape(value)
            case "contributions" | "list":
                contributions += len(value.items)
            case "answer":
                errors += isinstance(value, Error)
            case "backward" | "reverse program":
                answers += len(value.table)
            case "node data":
                nodes += 1
                answers += len(value.table) + len(value.values)
            case "node":
                nodes += 1
                remarks += (not value.requiresGrad) + (value.name is not None) + (value.parents is not None)
    said = _said_of(arithmetic)
    return Measure(nodes, contributions, entries, failures, errors, answers, said, remarks, shapes, numbers)


def _said_of(arithmetic: Arithmetic) -> int:
    sums = Sums.of(arithmetic.table)
    return len(sums.elements.split()) + len(sums.sums) + (arithmetic.name == "table")


def size_of_shape(shape: Shape) -> int:
    """A scalar's shape is the shortest; what has no entries, or none in any array, reads worst."""
    return len(shape) + sum(extent if extent > 0 else 2 for extent in shape)


def size_of_scalar(scalar: Scalar) -> int:
    """Small natural numbers come first, then negative ones, fractions, and what is no number."""
    if isinstance(scalar, str):
        return ord(scalar[0]) - ord("a") + 26 * int(scalar[1:] or 0)
    if isinstance(scalar, float) and (isnan(scalar) or isinf(scalar)):
        return 2_000_000 if isnan(scalar) else 1_000_000 + (scalar < 0)
    exact = Fraction(scalar)
    written = isinstance(scalar, Fraction) + (str(scalar).startswith("-"))
    whole = abs(exact.numerator) if exact.denominator == 1 else 10 * (abs(exact.numerator) + exact.denominator)
    return int(min(2 * whole, 900_000)) + written
