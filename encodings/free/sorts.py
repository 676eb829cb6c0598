"""What is known of the things that an every-size question speaks about: their sorts, and nothing of their content.

A tensor is an element of an uninterpreted sort that has a shape, with an addition that keeps the shape of the left
operand: every element type, every shape and every number of entries is an instance of that. Nodes, lists of
contributions and the nodes of a graph are elements of uninterpreted sorts too; what they can be asked are functions.
"""

from __future__ import annotations

from typing import Any

from symtape.encodings.result import Messages
from symtape.instances import Domain, natural
from symtape.logic import Symbolic
from symtape.naturals import less
from symtape.smt import z3
from symtape.terms import Function
from symtape.world import World


class Sorts:
    """The sorts of one world and the functions between them; use as `world.share(Sorts)`."""

    def __init__(self, world: World) -> None:
        integer, truth = z3.IntSort(), z3.BoolSort()
        message = world.share(Messages).sort
        self.shape = z3.DeclareSort("Shape")
        self.tensor = z3.DeclareSort("SomeTensor")
        self.node = z3.DeclareSort("Node")
        self.contributions = z3.DeclareSort("Contributions")
        self.tensors = z3.ArraySort(integer, self.tensor)
        self.nodes = z3.ArraySort(integer, self.node)
        self.shapes = z3.ArraySort(integer, self.shape)
        self.shape_of = Function("shape", self.tensor, self.shape)
        self.sum = Function("add", self.tensor, self.tensor, self.tensor)
        self.value = Function("value", self.node, self.tensor)
        self.requires_grad = Function("requiresGrad", self.node, truth)
        self.backward_ok = Function("backward.ok", self.node, self.tensor, truth)
        self.backward_message = Function("backward.message", self.node, self.tensor, message)
        self.backward_list = Function("backward.contributions", self.node, self.tensor, self.contributions)
        self.length = Function("length", self.contributions, integer)
        self.head_pid = Function("head.pid", self.contributions, integer)
        self.head_gradient = Function("head.gradient", self.contributions, self.tensor)
        self.tail = Function("tail", self.contributions, self.contributions)
        self.member = Function("∈", self.contributions, integer, self.tensor, truth)
        self.indexed = Function("toIndexed", self.tensors, integer, integer, self.contributions)


class Fixed(Symbolic):
    """A value of every size. It does not change: a proof that could assign to it would speak of another one."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name in vars(self):
            raise TypeError(f"a value does not change: {name} is what it was made with")
        super().__setattr__(name, value)


def function(world: World, name: str, *sorts: Any) -> Function:
    """The uninterpreted function of this name and these sorts, the last of them that of its values."""
    made: dict[Any, Function] = world.share(_functions)
    key = (name, *(sort.get_id() for sort in sorts))
    if key not in made:
        made[key] = Function(name, *sorts)
    return made[key]


def _functions(_: World) -> dict[Any, Function]:
    return {}


def _tensor(world: World, name: str) -> Any:
    return z3.Const(name, world.share(Sorts).tensor)


MEMBER = Domain("member", lambda world, name: (natural(world, f"{name}.pid"), _tensor(world, f"{name}.pg")))
"""Contributions: pairs of an id and a gradient that may be in a list."""
GRADIENT = Domain("gradient", lambda world, name: (_tensor(world, name),))
"""Gradients that the backward function of some node was asked about."""
VISIT = Domain(
    "visit",
    lambda world, name: (natural(world, f"{name}.id"), _tensor(world, f"{name}.gradient")),
    lambda id, _: less(-1, id),
)
"""Visits: an id, and a gradient that the backward function of the node there was asked about."""
