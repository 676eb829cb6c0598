"""Tensors: a shape, and the entries as a sympy array that is lowered to Z3.

`Spec.SomeTensor α` is a shape together with a tensor of that shape; `Tensor α τ` is the same with the shape
known beforehand. A shape is only ever compared, so it is a value of an uninterpreted sort that says how many
entries a tensor of it has: that covers scalars, vectors, matrices and every other shape within the bound at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from symtape.encodings.parameter import ModelParameter
from symtape.encodings.result import Result, failure, success
from symtape.encodings.scalar import ScalarTheory, scalars
from symtape.encodings.sorts import named_sort
from symtape.logic import Formula, all_of, any_of, equal, implies, negate, same, select_leaf
from symtape.smt import z3
from symtape.statement import StatementError
from symtape.terms import Function
from symtape.world import Evaluation, World

if TYPE_CHECKING:
    import sympy

MISMATCH = "autograd: gradient shape mismatch during accumulation"


class LoweringError(TypeError):
    """A sympy expression with no exact counterpart over the scalar theory."""


@lru_cache(maxsize=1)
def plus() -> Any:
    """α's addition inside sympy expressions: a function symbol, since sympy's own `+` flattens, sorts and
    cancels, which would assume a commutative ring."""
    import sympy

    return type("plus", (sympy.Function,), {"nargs": (2,)})


class Entries:
    """The dictionary between sympy symbols and the Z3 terms that they name, one per world."""

    def __init__(self, world: World) -> None:
        self.theory: ScalarTheory = world.share(scalars)
        self.width = world.bound.entries
        self._terms: dict[sympy.Expr, Any] = {}
        self._symbols: dict[int, sympy.Symbol] = {}
        self._names: dict[int, tuple[str, Any]] = {}

    def call(self, terms: Sequence[Any], name: str) -> None:
        """Name the symbols of these terms `name[0]`, `name[1]`, …, for whoever reads a sympy expression."""
        # the id of a term stays its own while the term is kept beside the name
        self._names.update({term.get_id(): (f"{name}[{j}]", term) for j, term in enumerate(terms)})

    def symbol(self, term: Any) -> sympy.Symbol:
        """The sympy symbol that stands for a Z3 term; the same term has the same symbol."""
        import sympy

        key = term.get_id()
        if key not in self._symbols:
            name, _ = self._names.get(key, (f"x{key}", term))
            symbol = sympy.Symbol(name)
            self._symbols[key] = symbol
            self._terms[symbol] = term
        return self._symbols[key]

    def array(self, terms: Sequence[Any]) -> sympy.ImmutableDenseNDimArray:
        import sympy

        return sympy.ImmutableDenseNDimArray([self.symbol(term) for term in terms])

    def lower(self, expr: sympy.Expr) -> Any:
        """The Z3 term of a sympy expression over symbols and `plus`, operand order kept.

        Raises `LoweringError` for anything else: sympy's `+` and `*` have already reordered their operands.
        """
        if expr in self._terms:
            return self._terms[expr]
        if isinstance(expr, plus()):
            left, right = expr.args
            lowered = self.theory.add(self.lower(left), self.lower(right))
            self._terms[expr] = lowered
            return lowered
        raise LoweringError(f"{expr} is no entry of a tensor of this lemma, nor a sum made with plus")


class Shapes:
    """The sort of shapes: uninterpreted, with `has_entry[j](s)` = a tensor of shape s has an entry j, and with
    shapes that no tensor has, for what stands outside of an array."""

    def __init__(self, world: World) -> None:
        self.sort = named_sort("Shape")
        self.has_entry = [Function(f"has_entry_{j}", self.sort, z3.BoolSort()) for j in range(world.bound.entries)]

        self.nowhere = Function("nowhere", self.sort, z3.BoolSort())

    def typing(self, shape: Any) -> Formula:
        """Entries are numbered without gaps, and it is the shape of something."""
        has = [f(shape) for f in self.has_entry]
        return all_of(negate(self.nowhere(shape)), *(implies(later, earlier) for earlier, later in pairwise(has)))


class SomeTensor(ModelParameter):
    """A shape-erased tensor: `shape` is a Z3 term, `entries` are E sympy expressions, those that the shape does
    not have filled with the theory's filler. `terms` are the entries as Z3 terms.

    Either is worked out from the other when it is first asked for: a run of the backward pass makes many tensors of
    whose entries sympy never hears.
    """

    world: World
    shape: Any
    _summands: tuple[SomeTensor, SomeTensor] | None = None
    """The two tensors that this one is the sum of, if it was made so."""

    def __init__(self, world: World, shape: Any, entries: Iterable[sympy.Expr]) -> None:
        self.world = world
        self.shape = shape
        self.entries = tuple(entries)

    @classmethod
    def of(cls, world: World, shape: Any, terms: Sequence[Any], name: str | None = None) -> SomeTensor:
        """The tensor with this shape and these Z3 entries, which are typed: filler outside the shape."""
        if name is not None:
            world.share(Entries).call(terms, name)
        tensor = cls._holding(world, shape, terms)
        shapes, theory = world.share(Shapes), world.share(scalars)
        world.require(shapes.typing(shape))
        typed = list(zip(shapes.has_entry, terms, strict=True))
        world.require(*(any_of(has(shape), equal(term, theory.filler)) for has, term in typed))
        world.prefer(
            lambda: [
                *(has(shape) for has, _ in typed[:1]),
                *(implies(has(shape), theory.readable(term)) for has, term in typed),
            ]
        )
        return tensor

    @classmethod
    def _holding(cls, world: World, shape: Any, terms: Iterable[Any]) -> SomeTensor:
        """The tensor with this shape and these Z3 entries."""
        tensor = cls.__new__(cls)
        tensor.world = world
        tensor.shape = shape
        tensor.terms = tuple(terms)
        return tensor

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> SomeTensor:
        """An arbitrary tensor; `over` may fix its shape."""
        shape = over[0] if over else z3.Const(f"{name}.shape", world.share(Shapes).sort)
        sort = world.share(scalars).sort
        return cls.of(world, shape, [z3.Const(f"{name}[{j}]", sort) for j in range(world.bound.entries)], name)

    @classmethod
    def read(cls, value: SomeTensor, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).tensor(value)

    @cached_property
    def terms(self) -> tuple[Any, ...]:
        """The entries as Z3 terms."""
        if self._summands is not None:
            a, b = self._summands
            add = self.world.share(scalars).add
            return tuple(add(x, y) for x, y in zip(a.terms, b.terms, strict=True))
        lower = self.world.share(Entries).lower
        return tuple(lower(entry) for entry in self.entries)

    @cached_property
    def entries(self) -> tuple[sympy.Expr, ...]:
        """The entries as sympy expressions."""
        if self._summands is not None:
            a, b = self._summands
            return tuple(plus()(x, y) for x, y in zip(a.entries, b.entries, strict=True))
        return tuple(self.world.share(Entries).array(self.terms))

    def erase(self) -> SomeTensor:
        """`Spec.SomeTensor.ofTensor`."""
        return self

    def error(self, message: str) -> Result[Any]:
        """`Except.error message`."""
        return failure(self.world, message)

    def cast(self, shape: Any) -> SomeTensor:
        """`v.cast h` where `h : v.shape = shape`: this tensor, known to be of that shape. Without the
        hypothesis the statement has no meaning in Lean."""
        return SomeTensor(self.world, shape, self.entries)

    def plus(self, other: SomeTensor) -> SomeTensor:
        """The elementwise sum of two tensors of one shape, entries of `self` as left operands.

        Raises `StatementError` unless the shapes are known to be one; `add` is for any two tensors.
        """
        if not same(self.shape, other.shape):
            raise StatementError("plus needs two tensors of one shape; add is for any two")
        return self.sum(other)

    def sum(self, other: SomeTensor) -> SomeTensor:
        """The tensor of this one's shape whose entries are the sums of both's."""
        tensor = SomeTensor.__new__(SomeTensor)
        tensor.world = self.world
        tensor.shape = self.shape
        tensor._summands = self, other
        return tensor

    def with_first_of(self, other: SomeTensor) -> SomeTensor:
        """This tensor with the first entry of another one of its shape."""
        return SomeTensor._holding(self.world, self.shape, [*other.terms[:1], *self.terms[1:]])

    def add(self, other: SomeTensor) -> Result[SomeTensor]:
        """`SomeTensor.add`: the elementwise sum if the shapes are equal, else an error."""
        agree = equal(self.shape, other.shape).holds()
        added = success(self.world, self.sum(other))
        return Result.select(self.world, [(agree, added)], failure(self.world, MISMATCH))

    def equals(self, other: SomeTensor) -> Formula:
        """Same shape and same entries. Fillers are canonical, so comparing all E entries compares those in range."""
        return all_of(equal(self.shape, other.shape), *map(equal, self.terms, other.terms))

    @classmethod
    def select(
        cls, options: Sequence[tuple[Formula, SomeTensor]], otherwise: SomeTensor, *, anything_else: bool
    ) -> SomeTensor:
        """The tensor whose guard holds."""
        if anything_else:
            tensors = {id(tensor): tensor for _, tensor in options}
            otherwise = tensors[Counter(id(tensor) for _, tensor in options).most_common(1)[0][0]]
        others = [(guard, tensor) for guard, tensor in options if tensor is not otherwise]
        if not others:
            return otherwise
        shape = select_leaf([(guard, tensor.shape) for guard, tensor in others], otherwise.shape)
        terms = [
            select_leaf([(guard, tensor.terms[j]) for guard, tensor in others], last)
            for j, last in enumerate(otherwise.terms)
        ]
        if all(map(same, [shape, *terms], [otherwise.shape, *otherwise.terms])):
            return otherwise
        return SomeTensor._holding(otherwise.world, shape, terms)


class Tensor(SomeTensor):
    """`Tensor α τ`: a tensor whose shape is given by an earlier argument, `Annotated[Tensor, over("τ")]`."""

    depends = 1


class Shape(ModelParameter):
    """An arbitrary shape τ. Symbolically it is a bare Z3 term: shapes are only ever compared."""

    @classmethod
    def declare(cls, world: World, name: str, size: int, *over: Any) -> Any:
        shapes = world.share(Shapes)
        shape = z3.Const(name, shapes.sort)
        world.require(shapes.typing(shape))
        return shape

    @classmethod
    def read(cls, value: Any, evaluation: Evaluation) -> Any:
        from symtape.encodings.witness import Reader

        return evaluation.share(Reader).shape(value)
