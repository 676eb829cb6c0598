"""Deliberate changes of the symbolic model, each of which the comparison with the interpreter must notice.

`ENGINES` are changed backward passes. `PATCHES` change what an engine cannot: the parts that a pass is made of.
Where a check is gone that the rest relies on, the model does nothing (a missing node) or meets the tensor of a
shape of its own that `Accumulator` reads outside an array (a missing slot).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeVar

from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.backward import (
    INVALID_PARENT,
    NODE_MISSING,
    OUT_OF_BOUNDS,
    WRONG_CONTRIBUTION,
    WRONG_LENGTH,
    WRONG_SLOT,
    Case,
    Engine,
    Loop,
)
from symtape.encodings.graph import NodeData, TensorPack
from symtape.encodings.result import Messages, Result, failure, success
from symtape.encodings.tape import Added, Node, Option, Tape
from symtape.encodings.tensor import Shapes, SomeTensor
from symtape.logic import all_of, equal, negate, same, select_leaf
from symtape.naturals import plus, predecessor
from symtape.smt import z3

Acc = Result[Accumulator]
E = TypeVar("E", bound=type[Engine])

ENGINES: dict[str, type[Engine]] = {}
"""All changed engines by name."""


def changed(engine: E) -> E:
    """List an engine among the changes."""
    ENGINES[engine.__name__] = engine
    return engine


# --- editing a table ---


def without(cases: list[Case], name: str) -> list[Case]:
    """The table without a row."""
    rest = [case for case in cases if case.name != name]
    assert len(rest) == len(cases) - 1, f"no single row is called {name!r}"
    return rest


def edit(
    cases: list[Case], name: str, *, when: Callable[[], Any] | None = None, then: Callable[[], Acc] | None = None
) -> list[Case]:
    """The table with one side of a row changed, or both."""
    without(cases, name)
    return [
        replace(case, when=when or case.when, then=then or case.then) if case.name == name else case for case in cases
    ]


def move(cases: list[Case], name: str, *, before: str) -> list[Case]:
    """The table with a row moved up or down to just before another."""
    row = next(case for case in cases if case.name == name)
    rest = without(cases, name)
    position = next(k for k, case in enumerate(rest) if case.name == before)
    return [*rest[:position], row, *rest[position:]]


class EditedAdd(Engine):
    """An engine whose `addGradAll` has another table."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        raise NotImplementedError

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        return self.rows(super().addGradAll_cases(t, acc, identifier, g), t, acc, identifier, g)


class EditedStep(Engine):
    """An engine whose `backwardDenseFromStep` has another table."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        raise NotImplementedError

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        return self.rows(super().backwardDenseFromStep_cases(t, acc, identifier), t, acc, identifier)


class EditedFold(EditedStep):
    """An engine that does something else once all checks of a step have passed."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        raise NotImplementedError

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return edit(cases, "fold", then=lambda: self.fold(t, acc, i))

    def run(self, t: Tape, i: int, gradient: SomeTensor) -> Result[Contributions]:
        return t.nodes[i].backward(gradient)

    def add_all(self, t: Tape, acc: Accumulator, emitted: Contributions) -> Acc:
        folded: Acc = emitted.foldlM(lambda state, pid, pg: self.addGradAll(t, state, pid, pg), acc)
        return folded


# --- checks of addGradAll ---


@changed
class AddIgnoresMissingNode(EditedAdd):
    """A contribution to a node that does not exist is no error."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "node missing", then=lambda: success(t.world, acc))


@changed
class AddWithoutFlagCheck(EditedAdd):
    """Nodes that require no gradient get one."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return without(cases, "no gradient required")


@changed
class AddWithoutContributionShapeCheck(EditedAdd):
    """A contribution of the wrong shape is only found by the addition itself."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return without(cases, "contribution shape")


@changed
class AddWithoutBoundsCheck(EditedAdd):
    """The slot of a node beyond the array is looked at all the same."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return without(cases, "out of bounds")


@changed
class AddWithoutSlotShapeCheck(EditedAdd):
    """A slot of the wrong shape is only found by the addition itself."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return without(cases, "slot shape")


@changed
class AddBoundsShifted(EditedAdd):
    """The first id beyond the array passes for one inside."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "out of bounds", when=lambda: i > acc.size)


@changed
class AddBoundsOneShort(EditedAdd):
    """The last slot of the array passes for one outside."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "out of bounds", when=lambda: i + 1 >= acc.size)


@changed
class AddRangeOneShort(EditedAdd):
    """The last node of the tape passes for missing."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "node missing", when=lambda: i + 1 >= t.size)


@changed
class AddChecksShapeBeforeFlag(EditedAdd):
    """A contribution of the wrong shape is an error even where no gradient is required."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return move(cases, "contribution shape", before="no gradient required")


@changed
class AddChecksBoundsBeforeFlag(EditedAdd):
    """A missing slot is an error even where no gradient is required."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return move(cases, "out of bounds", before="no gradient required")


@changed
class AddChecksBoundsBeforeNode(EditedAdd):
    """A missing slot is reported before a missing node."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return move(cases, "out of bounds", before="node missing")


@changed
class AddChecksBoundsBeforeShape(EditedAdd):
    """A missing slot is reported before a contribution's wrong shape."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return move(cases, "out of bounds", before="contribution shape")


@changed
class AddChecksSlotBeforeContribution(EditedAdd):
    """A slot's wrong shape is reported before a contribution's."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return move(cases, "contribution shape", before="add")


@changed
class AddComparesContributionWithSlot(EditedAdd):
    """A contribution must have the shape of the slot, not of the node."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "contribution shape", when=lambda: negate(equal(g.shape, acc[i].shape)))


@changed
class AddFlagInverted(EditedAdd):
    """Only nodes that require no gradient get one."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "no gradient required", when=lambda: t.nodes[i].requiresGrad)


# --- checks of backwardDenseFromStep ---


@changed
class StepIgnoresMissingNode(EditedStep):
    """A step at a node that does not exist is no error."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return edit(cases, "node missing", then=lambda: success(t.world, acc))


@changed
class StepWithoutFlagCheck(EditedStep):
    """Nodes that require no gradient run as well."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return without(cases, "no gradient required")


@changed
class StepWithoutBoundsCheck(EditedStep):
    """The slot of a node beyond the array is looked at all the same."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return without(cases, "out of bounds")


@changed
class StepWithoutSlotShapeCheck(EditedStep):
    """A node runs on a slot of the wrong shape."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return without(cases, "slot shape")


@changed
class StepBoundsShifted(EditedStep):
    """The first id beyond the array passes for one inside."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return edit(cases, "out of bounds", when=lambda: i > acc.size)


@changed
class StepRangeOneShort(EditedStep):
    """The last node of the tape passes for missing."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return edit(cases, "node missing", when=lambda: i + 1 >= t.size)


@changed
class StepChecksBoundsBeforeFlag(EditedStep):
    """A missing slot is an error even where no gradient is required."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return move(cases, "out of bounds", before="no gradient required")


@changed
class StepChecksBoundsBeforeNode(EditedStep):
    """A missing slot is reported before a missing node."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return move(cases, "out of bounds", before="node missing")


@changed
class StepChecksFlagLast(EditedStep):
    """A slot of the wrong shape is an error even where no gradient is required."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return move(cases, "no gradient required", before="fold")


@changed
class StepFlagInverted(EditedStep):
    """Only nodes that require no gradient run."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int) -> list[Case]:
        return edit(cases, "no gradient required", when=lambda: t.nodes[i].requiresGrad)


# --- flags in both functions ---


@changed
class FlagsIgnored(Engine):
    """`requiresGrad` is never asked."""

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        return without(super().addGradAll_cases(t, acc, identifier, g), "no gradient required")

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        return without(super().backwardDenseFromStep_cases(t, acc, identifier), "no gradient required")


@changed
class FlagsInverted(Engine):
    """`requiresGrad` is taken for its opposite."""

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        cases = super().addGradAll_cases(t, acc, identifier, g)
        return edit(cases, "no gradient required", when=lambda: t.nodes[identifier].requiresGrad)

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        cases = super().backwardDenseFromStep_cases(t, acc, identifier)
        return edit(cases, "no gradient required", when=lambda: t.nodes[identifier].requiresGrad)


# --- the length check of backwardDenseFrom ---


@changed
class WithoutLengthCheck(Engine):
    """An array of any length is taken."""

    def backwardDenseFrom_cases(self, t: Tape, grads0: Accumulator) -> list[Case]:
        return without(super().backwardDenseFrom_cases(t, grads0), "wrong length")


@changed
class LongerArrayTaken(Engine):
    """Only an array that is too short is an error."""

    def backwardDenseFrom_cases(self, t: Tape, grads0: Accumulator) -> list[Case]:
        return edit(super().backwardDenseFrom_cases(t, grads0), "wrong length", when=lambda: grads0.size < t.size)


@changed
class ShorterArrayTaken(Engine):
    """Only an array that is too long is an error."""

    def backwardDenseFrom_cases(self, t: Tape, grads0: Accumulator) -> list[Case]:
        return edit(super().backwardDenseFrom_cases(t, grads0), "wrong length", when=lambda: grads0.size > t.size)


@changed
class LoopAsLongAsArray(Engine):
    """The loop starts at the array's size, without a check."""

    def backwardDenseFrom(self, t: Tape, grads0: Accumulator) -> Acc:
        return self.backwardDenseFromLoop(t, grads0.size, grads0)


# --- messages ---


class MessagesExchanged(Engine):
    """Two of the runtime's messages stand for each other, wherever the runtime itself fails."""

    first: str
    second: str

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        return self._exchanged(super().addGradAll_cases(t, acc, identifier, g), t)

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        return self._exchanged(super().backwardDenseFromStep_cases(t, acc, identifier), t)

    def backwardDenseFrom_cases(self, t: Tape, grads0: Accumulator) -> list[Case]:
        return self._exchanged(super().backwardDenseFrom_cases(t, grads0), t)

    def _exchanged(self, cases: list[Case], t: Tape) -> list[Case]:
        """The last row is no error of the runtime's own, and what it leads to has had its messages exchanged."""
        *checks, last = cases
        return [*(self._row(check, t) for check in checks), last]

    def _row(self, check: Case, t: Tape) -> Case:
        return replace(check, then=lambda: self._other(check.then(), t))

    def _other(self, result: Acc, t: Tape) -> Acc:
        of = t.world.share(Messages).of
        for text, other in ((self.first, self.second), (self.second, self.first)):
            if result.ok is False and same(result.message, of(text)):
                return failure(t.world, other)
        return result


CHECKED = {
    "InvalidParent": INVALID_PARENT,
    "WrongContribution": WRONG_CONTRIBUTION,
    "OutOfBounds": OUT_OF_BOUNDS,
    "WrongSlot": WRONG_SLOT,
    "NodeMissing": NODE_MISSING,
    "WrongLength": WRONG_LENGTH,
}
"""The messages of the pass's own checks."""

for (_a, _first), (_b, _second) in combinations(CHECKED.items(), 2):
    _doc = f"`{_first}` and `{_second}` exchanged."
    _body = {"first": _first, "second": _second, "__doc__": _doc}
    changed(type(f"{_a}ExchangedWith{_b}", (MessagesExchanged,), _body))


# --- contributions ---


@changed
class ContributionsReversed(Engine):
    """Contributions are added last first."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return Contributions(emitted.world, emitted.items[::-1])


@changed
class FirstContributionSkipped(Engine):
    """The first contribution of every node is lost."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return Contributions(emitted.world, emitted.items[1:])


@changed
class LastContributionSkipped(Engine):
    """The last contribution of every node is lost."""

    def contributions(self, emitted: Contributions) -> Contributions:
        # an item is not the last one where the next is there as well
        followed = [present for present, _, _ in emitted.items[1:]]
        items = zip(followed, emitted.items[:-1], strict=True)
        return Contributions(emitted.world, [(after, pid, g) for after, (_, pid, g) in items])


@changed
class SecondContributionSkipped(Engine):
    """All contributions but the first are lost."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return Contributions(emitted.world, emitted.items[:1])


@changed
class EachContributionTwice(Engine):
    """Every contribution is in the list twice."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return Contributions(emitted.world, [item for item in emitted.items for _ in range(2)])


@changed
class NextNodeAddressed(Engine):
    """Contributions go to the node after the right one."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return Contributions(emitted.world, [(present, pid + 1, g) for present, pid, g in emitted.items])


@changed
class PresenceIgnored(Engine):
    """The list is taken to be as long as the bound allows."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return Contributions(emitted.world, [(True, pid, g) for _, pid, g in emitted.items])


# --- addition ---


@changed
class OperandsSwapped(Engine):
    """The contribution is the left operand."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return contribution.add(existing)


@changed
class Overwritten(Engine):
    """The contribution replaces what is in the slot."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return success(existing.world, contribution)


@changed
class ContributionLost(Engine):
    """What is in the slot stays."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return success(existing.world, existing)


@changed
class AddedTwice(Engine):
    """Every contribution is added twice."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return existing.add(contribution).bind(lambda total: total.add(contribution))


@changed
class SlotDoubled(Engine):
    """The slot is added to itself."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return existing.add(existing)


@changed
class OnlyFirstEntryAdded(Engine):
    """All entries but the first stay as they were."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return existing.add(contribution).map(
            lambda total: SomeTensor(total.world, total.shape, [*total.entries[:1], *existing.entries[1:]])
        )


@changed
class EntriesReversed(Engine):
    """The contribution's first entry is added to the slot's last."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        back_to_front = SomeTensor(contribution.world, contribution.shape, contribution.entries[::-1])
        return existing.add(back_to_front)


# --- where the sum goes ---


@changed
class NextSlotWritten(EditedAdd):
    """The sum goes into the slot after the right one."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "add", then=lambda: self.combine(acc[i], g).map(lambda total: acc.set(i + 1, total)))


@changed
class PreviousSlotWritten(EditedAdd):
    """The sum goes into the slot before the right one."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        return edit(cases, "add", then=lambda: self.combine(acc[i], g).map(lambda total: acc.set(i - 1, total)))


@changed
class LastSlotWrittenToo(EditedAdd):
    """The sum also goes into the last slot."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        def both() -> Acc:
            return self.combine(acc[i], g).map(lambda total: acc.set(i, total).set(acc.size - 1, total))

        return edit(cases, "add", then=both)


@changed
class NodeValueAdded(EditedAdd):
    """The contribution is added to the node's value instead of its slot."""

    def rows(self, cases: list[Case], t: Tape, acc: Accumulator, i: int, g: SomeTensor) -> list[Case]:
        def added() -> Acc:
            return self.combine(t.nodes[i].value, g).map(lambda total: acc.set(i, total))

        return edit(cases, "add", then=added)


# --- the loop ---


@changed
class LoopUpward(Engine):
    """The loop visits ids in ascending order."""

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Acc:
        return below(acc).bind(lambda after: self.backwardDenseFromStep(t, after, n))


@changed
class LastNodeSkipped(Engine):
    """The loop starts one below the last id."""

    def backwardDenseFromLoop(self, t: Tape, count: Any, acc: Accumulator) -> Acc:
        shorter = predecessor(count)
        return super().backwardDenseFromLoop(t, count if shorter is None else shorter, acc)


@changed
class FirstNodeSkipped(Engine):
    """The loop stops before id 0."""

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Acc:
        return success(t.world, acc) if n == 0 else super().backwardDenseFromLoop_succ(t, n, below, acc)


@changed
class LoopOneLong(Engine):
    """The loop starts one above the last id."""

    def backwardDenseFromLoop(self, t: Tape, count: Any, acc: Accumulator) -> Acc:
        return super().backwardDenseFromLoop(t, plus(count, 1), acc)


@changed
class EachNodeTwice(Engine):
    """The loop visits every id twice."""

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Acc:
        again = super().backwardDenseFromLoop_succ
        return self.backwardDenseFromStep(t, acc, n).bind(lambda once: again(t, n, below, once))


@changed
class LoopTwice(Engine):
    """The whole loop runs twice."""

    def backwardDenseFromLoop(self, t: Tape, count: Any, acc: Accumulator) -> Acc:
        once = super().backwardDenseFromLoop
        return once(t, count, acc).bind(lambda after: once(t, count, after))


@changed
class LoopForgets(Engine):
    """Every step of the loop starts at the initial accumulator."""

    def backwardDenseFromLoop(self, t: Tape, count: int, acc: Accumulator) -> Acc:
        state = success(t.world, acc)
        for i in reversed(range(count)):
            state = state.bind(lambda _, i=i: self.backwardDenseFromStep(t, acc, i))  # type: ignore[misc]
        return state


@changed
class LoopGoesOn(Engine):
    """A step that fails is skipped."""

    def backwardDenseFromLoop(self, t: Tape, count: int, acc: Accumulator) -> Acc:
        state = acc
        for i in reversed(range(count)):
            step = self.backwardDenseFromStep(t, state, i)
            state = Result.select(t.world, [(step.ok, step)], success(t.world, state)).value
        return success(t.world, state)


# --- a step after its checks ---


@changed
class StaleFold(EditedFold):
    """Every contribution is added to the accumulator as it was before the step."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        return self.run(t, i, acc[i]).bind(
            lambda emitted: emitted.foldlM(lambda _, pid, pg: self.addGradAll(t, acc, pid, pg), acc)
        )


@changed
class FoldGoesOn(EditedFold):
    """A contribution that cannot be added is skipped."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        def added(state: Accumulator, pid: Any, pg: SomeTensor) -> Acc:
            after = self.addGradAll(t, state, pid, pg)
            return Result.select(t.world, [(after.ok, after)], success(t.world, state))

        return self.run(t, i, acc[i]).bind(lambda emitted: emitted.foldlM(added, acc))


@changed
class FoldedTwice(EditedFold):
    """The contributions of one run are added twice."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        return self.run(t, i, acc[i]).bind(
            lambda emitted: self.add_all(t, acc, emitted).bind(lambda after: self.add_all(t, after, emitted))
        )


@changed
class RunTwice(EditedFold):
    """A node's backward function runs a second time, on what its slot holds after the first."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        def once(state: Accumulator) -> Acc:
            return self.run(t, i, state[i]).bind(lambda emitted: self.add_all(t, state, emitted))

        return once(acc).bind(once)


@changed
class FirstSlotRead(EditedFold):
    """A node runs on the first slot instead of its own."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        return self.run(t, i, acc[0]).bind(lambda emitted: self.add_all(t, acc, emitted))


@changed
class NodeValueRead(EditedFold):
    """A node runs on its value instead of its slot."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        return self.run(t, i, t.nodes[i].value).bind(lambda emitted: self.add_all(t, acc, emitted))


@changed
class FailureIgnored(EditedFold):
    """A backward function that fails emits nothing."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        answer = self.run(t, i, acc[i])
        added = self.add_all(t, acc, answer.value)
        return Result.select(t.world, [(answer.ok, added)], success(t.world, acc))


@changed
class FailureRenamed(EditedFold):
    """A backward function that fails gives a message of the runtime's."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        answer = self.run(t, i, acc[i])
        added = self.add_all(t, acc, answer.value)
        return Result.select(t.world, [(answer.ok, added)], failure(t.world, INVALID_PARENT))


@changed
class OnlyLowerIds(EditedFold):
    """Contributions to the node itself and to later ones are an error."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        def added(state: Accumulator, pid: Any, pg: SomeTensor) -> Acc:
            invalid = failure(t.world, INVALID_PARENT)
            return Result.select(t.world, [(pid < i, self.addGradAll(t, state, pid, pg))], invalid)

        return self.run(t, i, acc[i]).bind(lambda emitted: emitted.foldlM(added, acc))


@changed
class OwnContributionsLost(EditedFold):
    """Contributions of a node to itself are lost."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Acc:
        def others(emitted: Contributions) -> Contributions:
            items = [(all_of(present, negate(equal(pid, i))), pid, g) for present, pid, g in emitted.items]
            return Contributions(t.world, items)

        return self.run(t, i, acc[i]).bind(lambda emitted: self.add_all(t, acc, others(emitted)))


# --- changes of the parts ---


@dataclass(frozen=True)
class Patch:
    """A method of the model that is replaced: `make(original)` is what stands in its place."""

    doc: str
    owner: Any
    name: str
    make: Callable[[Any], Any]


def _one_short(getNode: Any) -> Any:
    return lambda self, identifier: getNode(Tape(self.world, self.nodes[:-1]), identifier)


def _clipped(getNode: Any) -> Any:
    def clipped(self: Tape, identifier: Any) -> Option:
        found: Option = getNode(self, identifier)
        last = Option(True, self.nodes[-1]) if self.nodes else found
        return Option.select([(found.some, found)], last) if found.some is not False else last

    return clipped


def _unordered(bind: Any) -> Any:
    """Message selection the wrong way round: the second error is the one that is reported."""

    def last_error(self: Result[Any], then: Callable[[Any], Result[Any]]) -> Result[Any]:
        if self.ok is False:
            return self
        right: Result[Any] = bind(self, then)
        after = then(self.value)
        return replace(right, message=select_leaf([(negate(after.ok), after.message)], self.message))

    return last_error


def _field(**changes: Callable[[Node], Any]) -> Callable[[Any], Any]:
    """`lowered` with other fields."""

    def patch(lowered: Any) -> Any:
        def other(self: NodeData, name: Any, ctx: TensorPack, d: Any) -> Node:
            node: Node = lowered(self, name, ctx, d)
            for field, value in changes.items():
                setattr(node, field, value(node))
            return node

        return other

    return patch


def _unchecked(lowered: Any) -> Any:
    def other(self: NodeData, name: Any, ctx: TensorPack, d: Any) -> Node:
        node: Node = lowered(self, name, ctx, d)
        emit = node.backward.function
        node.backward.function = lambda g: replace(emit(g), ok=True)
        return node

    return other


def _skipping_absent(foldlM: Any) -> Any:
    return lambda self, step, start: foldlM(
        Contributions(self.world, [item for item in self.items if item[0] is not True]), step, start
    )


PATCHES: dict[str, Patch] = {
    "GetNodeOneShort": Patch("The last node is not found.", Tape, "getNode", _one_short),
    "GetNodeClipped": Patch("An id out of range finds the last node.", Tape, "getNode", _clipped),
    "AddNodeInFront": Patch(
        "A new node gets the lowest id.",
        Tape,
        "addNode",
        lambda _: lambda self, node: Added(Tape(self.world, [node, *self.nodes]), 0),
    ),
    "PlusSwapped": Patch(
        "The elementwise sum has its operands exchanged.",
        SomeTensor,
        "sum",
        lambda plus: lambda self, other: plus(other, self),
    ),
    "SetAppliesEverywhere": Patch(
        "Writing one slot writes all.",
        Accumulator,
        "set",
        lambda _: lambda self, identifier, tensor: Accumulator(self.world, [tensor] * self.size),
    ),
    "FoldFromTheRight": Patch(
        "A list is folded from its end.",
        Contributions,
        "foldlM",
        lambda foldlM: lambda self, step, start: foldlM(Contributions(self.world, self.items[::-1]), step, start),
    ),
    "FoldSkipsCertain": Patch(
        "Contributions that are surely there are not folded.", Contributions, "foldlM", _skipping_absent
    ),
    "LastErrorReported": Patch("Of several errors the last is reported.", Result, "bind", _unordered),
    "LoweredWithoutFlag": Patch(
        "A lowered node requires no gradient.", NodeData, "lowered", _field(requiresGrad=lambda node: False)
    ),
    "LoweredValue": Patch(
        "A lowered node's value has another shape.",
        NodeData,
        "lowered",
        _field(
            value=lambda node: SomeTensor(
                node.world, z3.Const("another shape", node.world.share(Shapes).sort), node.value.entries
            )
        ),
    ),
    "LoweredUnchecked": Patch("A lowered node runs on a gradient of any shape.", NodeData, "lowered", _unchecked),
    "IndexedFromOne": Patch(
        "The entries of a pack are numbered one further.",
        TensorPack,
        "toIndexedShapeErasedArray",
        lambda indexed: lambda self, start: indexed(self, start + 1),
    ),
    "IndexedBackwards": Patch(
        "The first entry of a pack is emitted last.",
        TensorPack,
        "toIndexedShapeErasedArray",
        lambda indexed: lambda self, start: Contributions(self.world, indexed(self, start).items[::-1]),
    ),
}
"""Changes of the parts by name."""
