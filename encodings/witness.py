"""From a Z3 model to values of the plain-Python interpreter, and the replay of a lemma on them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, nan
from typing import Any

from symtape.encodings import plain, plain_graph, plain_packs
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.graph import NodeData, ReverseProgram, ShapeList, TensorPack
from symtape.encodings.graph_data import GraphData
from symtape.encodings.replay import Arithmetic, replay_values
from symtape.encodings.result import Messages, Result
from symtape.encodings.scalar import scalars
from symtape.encodings.shown import shown
from symtape.encodings.tape import Backward, Backwards, Node, Tape, comparisons
from symtape.encodings.tensor import Shapes, SomeTensor
from symtape.smt import z3
from symtape.statement import Lemma, Replay
from symtape.world import Evaluation


class Reader:
    """Reads plain values out of one model. Elements of uninterpreted sorts are named in the order in which they
    are met, so the same model reads the same."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluate = evaluation
        self.world = evaluation.world
        self._elements: dict[int, Any] = {}
        self._letters: dict[int, str] = {}
        self._shapes: dict[int, plain.Shape] = {}
        self._tokens: dict[tuple[str, int], str] = {}
        self._kept: dict[int, Any] = {}

    def _element(self, term: Any) -> int:
        """What tells the value of a term from others of its sort. An element's text takes far longer to make."""
        value = self.evaluate(term)
        # an element keeps its id while it is kept
        self._kept[value.get_id()] = value
        return int(value.get_id())

    # --- leaves ---

    def scalar(self, term: Any) -> Any:
        value = self.evaluate(term)
        return self._letter(value) if self.world.scalar == "uninterpreted" else number(value)

    def _letter(self, value: Any) -> str:
        """The name of an element of the uninterpreted type."""
        key = value.get_id()
        if key not in self._letters:
            # the id of a term stays its own while the term is kept in _elements
            self._elements[key] = value
            self._letters[key] = _letters(len(self._letters))
        return self._letters[key]

    def arithmetic(self) -> Arithmetic:
        """How the elements met so far, and all their sums, add up in this model."""
        if self.world.scalar != "uninterpreted":
            return Arithmetic(self.world.scalar)
        if not self._elements:
            return Arithmetic("table", {})
        total = self._sums()
        table: dict[tuple[str, str], str] = {}
        grown = True
        while grown:
            known = list(self._elements.items())
            for x in known:
                for y in known:
                    names = (self._letters[x[0]], self._letters[y[0]])
                    if names not in table:
                        table[names] = self._letter(total(x, y))
            grown = len(self._elements) > len(known)
        return Arithmetic("table", table)

    def _sums(self) -> Callable[[tuple[int, Any], tuple[int, Any]], Any]:
        """The sum of two elements, each given with its id. Read off the model's own table: a tape of 16 nodes has
        many thousand pairs, and evaluating each took longer than everything else."""
        add = self.world.share(scalars).add
        said = self.evaluate.model[add(self.world.share(scalars).filler, self.world.share(scalars).filler).decl()]
        if said is None or not z3.is_const(said.else_value()):
            return lambda x, y: self.evaluate(add(x[1], y[1]))
        entries = [said.entry(i) for i in range(said.num_entries())]
        values = {(e.arg_value(0).get_id(), e.arg_value(1).get_id()): self.evaluate(e.value()) for e in entries}
        otherwise = self.evaluate(said.else_value())
        return lambda x, y: values.get((x[0], y[0]), otherwise)

    def shape(self, term: Any) -> plain.Shape:
        """A concrete shape with as many entries as the model says, another one for each element of the sort."""
        key = self._element(term)
        if key not in self._shapes:
            if self.evaluate.truth(self.world.share(Shapes).nowhere(term)):
                return plain.NOWHERE
            entries = sum(self.evaluate.truth(has(term)) for has in self.world.share(Shapes).has_entry)
            self._shapes[key] = next(s for s in _shapes_of(entries) if s not in self._shapes.values())
        return self._shapes[key]

    def token(self, term: Any, sort: str) -> str:
        key = (sort, self._element(term))
        if key not in self._tokens:
            self._tokens[key] = f"{sort.lower()}{sum(s == sort for s, _ in self._tokens)}"
        return self._tokens[key]

    def message(self, term: Any) -> str:
        value = self._element(term)
        for text, constant in self.world.share(Messages).known.items():
            if self._element(constant) == value:
                return text
        return self.token(term, "Error")

    # --- structures ---

    def tensor(self, value: SomeTensor) -> plain.Tensor:
        shape = self.shape(value.shape)
        return plain.Tensor(shape, [self.scalar(term) for term in value.terms[: plain.entry_count(shape)]])

    def real(self, value: SomeTensor) -> bool:
        """Whether this is a tensor at all. What stands in an accumulator after an error need not be: it was added to
        a tensor of another shape, and has something outside its own."""
        theory = self.world.share(scalars)
        has = self.world.share(Shapes).has_entry
        return all(
            self.evaluate.truth(has_entry(value.shape)) or self.evaluate.truth(term == theory.filler)
            for has_entry, term in zip(has, value.terms, strict=True)
        )

    def accumulator(self, value: Accumulator) -> plain.Accumulator:
        return plain.Accumulator(self.tensor(slot) for slot in value.slots)

    def contributions(self, value: Contributions) -> plain.Contributions:
        return plain.Contributions(
            (pid if isinstance(pid, int) else self.evaluate(pid).as_long(), self.tensor(tensor))
            for present, pid, tensor in value.items
            if self.evaluate.truth(present)
        )

    def result(self, value: Result[Any], read: Callable[[Any], Any]) -> plain.Result:
        if self.evaluate.truth(value.ok):
            return plain.Ok(read(value.value))
        return plain.Error(self.message(value.message))

    def backward(self, value: Backward) -> plain.Backward:
        """What the function was asked, under any of its names, and `ok []` for everything else."""
        token = self._element(value.token)
        alike = [b for b in self.world.share(Backwards).arbitrary if self._element(b.token) == token]
        return plain.Backward(
            {
                self.tensor(gradient): self.result(answer, self.contributions)
                for function in alike
                for gradient, answer in function.applications
                if self.real(gradient)
            }
        )

    def node(self, value: Node) -> plain.Node:
        made = plain.Node(
            self.tensor(value.value), self.evaluate.truth(value.requiresGrad), self.backward(value.backward)
        )
        if self.world.share(comparisons):
            made.name, made.parents = self.token(value.name, "Name"), self.token(value.parents, "Parents")
            # functions that differ must differ somewhere; the model does not say where
            made.backward.otherwise = plain.Error(f"answer of {self.token(value.backward.token, 'Backward')}")
        return made

    def tape(self, value: Tape) -> plain.Tape:
        return plain.Tape(self.node(node) for node in value.nodes)

    def shape_list(self, value: ShapeList) -> plain_packs.ShapeList:
        return plain_packs.ShapeList(self.shape(shape) for shape in value.shapes)

    def pack(self, value: TensorPack) -> plain_packs.Pack:
        return plain_packs.Pack(self.tensor(tensor) for tensor in value.tensors)

    def node_data(self, value: NodeData) -> plain_packs.NodeData:
        table = {
            (self.pack(ctx), self.token(d, "Δ"), self.tensor(seed)): self.pack(answer)
            for ctx, d, seed, answer in value.vjps
            if self.real(seed)
        }
        values = {(self.pack(ctx), self.token(d, "Δ")): self.tensor(answer) for ctx, d, answer in value.forwards}
        anything = SomeTensor.declare(self.world, f"{value.name}.forward", 0, value.shape)
        forward = next(iter(values.values())) if values else self.tensor(anything)
        differing = {at: answer for at, answer in values.items() if answer != forward}
        otherwise = next(iter(table.values()), None)
        if otherwise is None:
            otherwise = self.pack(TensorPack.declare(self.world, f"{value.name}.vjp", 0, value.ss))
        return plain_packs.NodeData(self.shape(value.shape), forward, table, otherwise, differing)

    def graph_data(self, value: GraphData) -> plain_graph.GraphData:
        return plain_graph.GraphData(self.node_data(node) for node in value.nodes)

    def graph(self, value: GraphData) -> plain_graph.Graph:
        return plain_graph.Graph(self.node_data(node) for node in value.nodes)

    def reverse_program(self, value: ReverseProgram) -> plain_packs.ReverseProgram:
        table = {self.pack(seeds): self.pack(answer) for seeds, answer in value.applications}
        completed = None if value.completed_by is None else self.tape(value.completed_by)
        return plain_packs.ReverseProgram(self.shape_list(value.ss), table, completed)


class PlainPython:
    """The interpretation of this theory's parameters: `symtape.encodings.interpreter`."""

    def replay(self, lemma: Lemma, values: dict[str, Any], evaluation: Evaluation) -> Replay:
        return replay_values(lemma, *_read(lemma, values, evaluation))

    def simplest(self, lemma: Lemma, values: dict[str, Any], evaluation: Evaluation) -> Replay:
        return shown(lemma, *_read(lemma, values, evaluation))


def _read(lemma: Lemma, values: dict[str, Any], evaluation: Evaluation) -> tuple[dict[str, Any], Arithmetic]:
    kinds = {argument.name: argument.kind for argument in lemma.arguments}
    read = {name: kinds[name].read(value, evaluation) for name, value in values.items()}
    return read, evaluation.share(Reader).arithmetic()


def number(value: Any) -> Any:
    """A Z3 numeral as the Python number that is exactly it."""
    if z3.is_int_value(value):
        return value.as_long()
    if z3.is_rational_value(value):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    if z3.is_fp_value(value):
        return _float(value)
    raise ValueError(f"the solver gave {value}, which is no exact number")


def _float(value: Any) -> float:
    if value.isNaN():
        return nan
    if value.isInf():
        return -inf if value.isNegative() else inf
    if value.isZero():
        return -0.0 if value.isNegative() else 0.0
    exact = z3.simplify(z3.fpToReal(value))
    return float(Fraction(exact.numerator_as_long(), exact.denominator_as_long()))


def _letters(index: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[index] if index < len(letters) else f"a{index}"


def _shapes_of(entries: int) -> Any:
    """All shapes with so many entries that are short to write: scalar, vector, matrices, then higher ranks."""
    if entries == 1:
        yield ()
    yield (entries,)
    rank = 1
    while True:
        yield (*(1,) * rank, entries)
        if entries > 1:
            yield (entries, *(1,) * rank)
        rank += 1
