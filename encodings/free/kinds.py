"""Which symbols of every size stand for a lemma's parameters, and which values are of a parameter's type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.encodings.free.accumulator import FreeAccumulator
from symtape.encodings.free.contributions import FreeContributions
from symtape.encodings.free.graph_data import FreeGraphData
from symtape.encodings.free.packs import FreeNodeData, FreeReverseProgram, FreeShapeList, FreeTensorPack
from symtape.encodings.free.sorts import Sorts
from symtape.encodings.free.tape import FreeNode, FreeTape
from symtape.encodings.free.tensor import FreeTensor
from symtape.instances import INDEX, Domain, natural
from symtape.logic import Formula, equal, formula, same
from symtape.smt import z3
from symtape.statement import EverySize, StatementError


def _size(value: Any) -> Any:
    return value.size


def _length(value: Any) -> Any:
    return value.length


def _is(kind: type) -> Callable[..., Formula]:
    return lambda value, *_: isinstance(value, kind)


def _natural(value: Any, *_: Any) -> Formula:
    whole = isinstance(value, int) or (isinstance(value, z3.ArithRef) and value.is_int())
    return whole and formula(value >= 0)


def _sized(kind: Any) -> Callable[..., Formula]:
    return lambda value, *_: isinstance(value, kind) and formula(value.size >= 0)


def _of_sort(name: str) -> Callable[..., Formula]:
    return lambda value, *_: isinstance(value, z3.ExprRef) and value.sort().eq(z3.DeclareSort(name))


def _over_shape(value: Any, shape: Any) -> Formula:
    return isinstance(value, FreeTensor) and same(value.typed, shape) and equal(value.shape, shape).holds()


def _over_list(kind: Any) -> Callable[..., Formula]:
    return lambda value, ss, *_: isinstance(value, kind) and value.ss.key == ss.key


def _graph(value: Any, inputs: FreeShapeList, ss: FreeShapeList) -> Formula:
    return isinstance(value, FreeGraphData) and value.inputs.key == inputs.key and value.ss.key == ss.key


def _packs(ss: FreeShapeList) -> tuple[Domain, Callable[..., Any]]:
    return ss.seeds(), lambda array: FreeTensorPack.of(ss.world, ss, array)


def _opaque(sort: str) -> EverySize:
    return EverySize(lambda world, name, size: z3.Const(name, z3.DeclareSort(sort)), _of_sort(sort))


KINDS: dict[str, EverySize] = {
    "Tape": EverySize(lambda w, name, size: FreeTape.declare(w, name, size), _sized(FreeTape), size=_size),
    "Node": EverySize(lambda w, name, size: FreeNode(w, z3.Const(name, w.share(Sorts).node)), _is(FreeNode)),
    "Accumulator": EverySize(
        lambda w, name, size: FreeAccumulator(w, z3.Const(name, w.share(Sorts).tensors), size),
        _sized(FreeAccumulator),
        size=_size,
    ),
    "Contributions": EverySize(
        lambda w, name, size: FreeContributions(w, z3.Const(name, w.share(Sorts).contributions), size),
        _is(FreeContributions),
        size=_length,
    ),
    "SomeTensor": EverySize(lambda w, name, size: FreeTensor.declare(w, name), _is(FreeTensor)),
    "Tensor": EverySize(lambda w, name, size, shape: FreeTensor.declare(w, name, shape), _over_shape),
    "Shape": _opaque("Shape"),
    "Opaque": _opaque("Δ"),
    "Name": _opaque("Name"),
    "Nat": EverySize(lambda w, name, size: natural(w, name), _natural, lambda: (INDEX, lambda i: i)),
    "Count": EverySize(lambda w, name, size: size, _natural, size=lambda count: count),
    "ShapeList": EverySize(
        lambda w, name, size: FreeShapeList.declare(w, name, size), _is(FreeShapeList), size=_length
    ),
    "TensorPack": EverySize(
        lambda w, name, size, ss: FreeTensorPack.declare(w, name, ss), _over_list(FreeTensorPack), _packs
    ),
    "NodeData": EverySize(
        lambda w, name, size, ss, shape: FreeNodeData.declare(w, name, ss, shape),
        lambda value, ss, shape: _over_list(FreeNodeData)(value, ss) and same(value.shape, shape),
    ),
    "GraphData": EverySize(lambda w, name, size, inputs, ss: FreeGraphData.declare(w, name, inputs, ss), _graph),
    "Graph": EverySize(lambda w, name, size, inputs, ss: FreeGraphData.declare(w, name, inputs, ss), _graph),
    "ReverseProgram": EverySize(
        lambda w, name, size, ss: FreeReverseProgram.declare(w, name, ss), _over_list(FreeReverseProgram)
    ),
}


def free(kind: type) -> EverySize:
    """What stands for a kind of parameter at every size. Raises `StatementError` if nothing does."""
    if kind.__name__ not in KINDS or not kind.__module__.startswith("symtape.encodings."):
        raise StatementError(f"{kind.__name__} can only be stated of at known sizes")
    return KINDS[kind.__name__]
