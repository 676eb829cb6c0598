"""Graphs with any number of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.encodings.free.packs import FreeNodeData, FreeReverseProgram, FreeShapeList, FreeTensorPack
from symtape.encodings.free.sorts import Fixed, function
from symtape.encodings.graph_data import GraphFunctions
from symtape.naturals import numeral
from symtape.smt import z3
from symtape.terms import select
from symtape.world import World


class FreeGraphData(Fixed, GraphFunctions):
    """`GraphData α Δ Γ ss`: a term. One over a list that is known to have a last shape is the `snoc` of its `prefix`
    and its `last` node; there is nothing else that it could be."""

    def __init__(self, world: World, term: Any, inputs: FreeShapeList, ss: FreeShapeList) -> None:
        self.world = world
        self.term = term
        self.inputs = inputs
        self.ss = ss

    @classmethod
    def declare(cls, world: World, name: str, inputs: FreeShapeList, ss: FreeShapeList) -> FreeGraphData:
        return cls(world, z3.Const(name, z3.DeclareSort("GraphData")), inputs, ss)

    @property
    def count(self) -> Any:
        """How many nodes it has."""
        return self.ss.length

    @property
    def shapes(self) -> Any:
        """`Γ ++ ss`."""
        return self.inputs.append(self.ss)

    @property
    def prefix(self) -> FreeGraphData:
        """The graph that the last node was put on."""
        sort = self.term.sort()
        return FreeGraphData(
            self.world, function(self.world, "prefix", sort, sort)(self.term), self.inputs, self.ss.prefix
        )

    @property
    def last(self) -> FreeNodeData:
        """The last node."""
        term = function(self.world, "last", self.term.sort(), z3.DeclareSort("NodeData"))(self.term)
        return FreeNodeData(self.world, term, self.inputs.append(self.ss.prefix), self.ss.last)

    def reverseProgram(self, x: FreeTensorPack, d: Any) -> FreeReverseProgram:
        """`fun seed => backpropAllCtx g x d seed`."""
        return FreeReverseProgram(self.world, self.shapes, lambda seed: self.backpropAllCtx(x, d, seed))

    def leaves(self) -> list[Any]:
        return [self.term]

    def like(self, leaves: Sequence[Any]) -> FreeGraphData:
        return FreeGraphData(self.world, leaves[0], self.inputs, self.ss)

    def sized(self, leaves: Sequence[Any], count: Any) -> FreeGraphData:
        shapes = FreeShapeList.declare(self.world, f"{leaves[0]}.ss", count)
        return FreeGraphData(self.world, leaves[0], self.inputs, shapes)

    def context(self, x: FreeTensorPack) -> FreeTensorPack:
        # only its sort and shapes are looked at: nothing says that these arrays belong to these shapes
        return FreeTensorPack(self.world, self.shapes, lambda i: select(x.array, numeral(i)), x.array)
