"""Engines with one thing wrong, each written twice: for the model and for the interpreter that replays it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtape.encodings import plain
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.backward import INVALID_PARENT, Case, Engine, Loop
from symtape.encodings.interpreter import Runtime
from symtape.encodings.result import Result, failure, success
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import SomeTensor
from symtape.naturals import minus, plus
from symtape.recursion import recursive


class Changed(Engine):
    """An engine whose `Plain` replays it."""

    Plain: type[Runtime]

    def interpreter(self) -> type[Runtime]:
        return self.Plain


class Overwrite(Changed):
    """The contribution replaces the slot instead of being added."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return success(existing.world, contribution)

    class Plain(Runtime):
        def combine(self, existing: plain.Tensor, contribution: plain.Tensor) -> plain.Result:
            return plain.Ok(contribution)


class OperandsSwapped(Changed):
    """The contribution is the left operand."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return contribution.add(existing)

    class Plain(Runtime):
        def combine(self, existing: plain.Tensor, contribution: plain.Tensor) -> plain.Result:
            return super().combine(contribution, existing)


class AddedTwice(Changed):
    """Every contribution counts twice."""

    def combine(self, existing: SomeTensor, contribution: SomeTensor) -> Result[SomeTensor]:
        return existing.add(contribution).bind(lambda total: total.add(contribution))

    class Plain(Runtime):
        def combine(self, existing: plain.Tensor, contribution: plain.Tensor) -> plain.Result:
            return (
                super()
                .combine(existing, contribution)
                .bind(lambda total: super(type(self), self).combine(total, contribution))
            )


class LoopUpward(Changed):
    """The loop visits ids in ascending order."""

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Result[Accumulator]:
        return below(acc).bind(lambda after: self.backwardDenseFromStep(t, after, n))

    class Plain(Runtime):
        def visits(self, count: int) -> Iterable[int]:
            return range(count)


class LastNodeSkipped(Changed):
    """The loop starts one below the last node."""

    def backwardDenseFromLoop(self, t: Tape, count: Any, acc: Accumulator) -> Result[Accumulator]:
        whole = super().backwardDenseFromLoop
        shorter: Result[Accumulator] = recursive(
            t.world,
            "shorterLoop",
            count,
            [acc],
            lambda current: success(t.world, current),
            zero=lambda current: success(t.world, current),
            successor=lambda n, _, current: whole(t, n, current),
            given=[t],
        )
        return shorter

    class Plain(Runtime):
        def visits(self, count: int) -> Iterable[int]:
            return reversed(range(count - 1))


class LoopOneLong(Changed):
    """The loop starts one above the last id."""

    def backwardDenseFromLoop(self, t: Tape, count: Any, acc: Accumulator) -> Result[Accumulator]:
        return super().backwardDenseFromLoop(t, plus(count, 1), acc)

    class Plain(Runtime):
        def visits(self, count: int) -> Iterable[int]:
            return reversed(range(count + 1))


class VisitedTwice(Changed):
    """Every node runs twice."""

    def backwardDenseFromLoop_succ(self, t: Tape, n: Any, below: Loop, acc: Accumulator) -> Result[Accumulator]:
        again = super().backwardDenseFromLoop_succ
        return self.backwardDenseFromStep(t, acc, n).bind(lambda once: again(t, n, below, once))

    class Plain(Runtime):
        def visits(self, count: int) -> Iterable[int]:
            return [i for i in reversed(range(count)) for _ in range(2)]


class LastContributionLost(Changed):
    """The last contribution of every node is dropped."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return emitted.dropLast()

    class Plain(Runtime):
        def contributions(self, emitted: plain.Contributions) -> plain.Contributions:
            return plain.Contributions(emitted.items[:-1])


class OnlyFirstContribution(Changed):
    """All contributions but the first are dropped."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return emitted.take(1)

    class Plain(Runtime):
        def contributions(self, emitted: plain.Contributions) -> plain.Contributions:
            return plain.Contributions(emitted.items[:1])


class _LastCase(Changed):
    """A change of what `addGradAll` does once all its checks have passed."""

    def last(self, acc: Accumulator, i: int, g: SomeTensor) -> Result[Accumulator]:
        raise TypeError

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        *checks, _ = super().addGradAll_cases(t, acc, identifier, g)
        return [*checks, Case("changed", lambda: True, lambda: self.last(acc, identifier, g))]


class NextSlotWritten(_LastCase):
    """The sum goes into the slot after the right one."""

    def last(self, acc: Accumulator, i: int, g: SomeTensor) -> Result[Accumulator]:
        return self.combine(acc[i], g).map(lambda total: acc.set(plus(i, 1), total))

    class Plain(Runtime):
        def addGradAll(self, t: plain.Tape, acc: plain.Accumulator, i: int, g: plain.Tensor) -> plain.Result:
            right = super().addGradAll(t, acc, i, g)
            if isinstance(right, plain.Ok) and t.nodes[i].requiresGrad:
                return plain.Ok(acc.set(i + 1, right.value[i]))
            return right


class PushedSlotWritten(_LastCase):
    """The sum also goes into the last slot."""

    def last(self, acc: Accumulator, i: int, g: SomeTensor) -> Result[Accumulator]:
        return self.combine(acc[i], g).map(lambda total: acc.set(i, total).set(minus(acc.size, 1), total))

    class Plain(Runtime):
        def addGradAll(self, t: plain.Tape, acc: plain.Accumulator, i: int, g: plain.Tensor) -> plain.Result:
            right = super().addGradAll(t, acc, i, g)
            if isinstance(right, plain.Ok) and t.nodes[i].requiresGrad:
                return plain.Ok(right.value.set(acc.size - 1, right.value[i]))
            return right


class RangeOneShort(Changed):
    """`addGradAll` takes the last node of a tape for missing."""

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        short = Case("one short", lambda: identifier + 1 >= t.size, lambda: failure(t.world, INVALID_PARENT))
        return [short, *super().addGradAll_cases(t, acc, identifier, g)]

    class Plain(Runtime):
        def addGradAll(self, t: plain.Tape, acc: plain.Accumulator, i: int, g: plain.Tensor) -> plain.Result:
            if i + 1 >= t.size:
                return plain.Error("autograd: invalid parent id during backward")
            return super().addGradAll(t, acc, i, g)


class ArrayGrows(Changed):
    """Every contribution, whatever becomes of it, also makes the array one longer."""

    def addGradAll(self, t: Tape, acc: Accumulator, identifier: Any, g: SomeTensor) -> Result[Accumulator]:
        return super().addGradAll(t, acc, identifier, g).map(lambda after: after.push(g))

    class Plain(Runtime):
        def addGradAll(self, t: plain.Tape, acc: plain.Accumulator, i: int, g: plain.Tensor) -> plain.Result:
            return super().addGradAll(t, acc, i, g).map(lambda after: after.push(g))


class _Fold(Changed):
    """A change of how a step folds the contributions of a node, once all its checks have passed."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Result[Accumulator]:
        raise TypeError

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        *checks, _ = super().backwardDenseFromStep_cases(t, acc, identifier)
        return [*checks, Case("changed", lambda: True, lambda: self.fold(t, acc, identifier))]


class _PlainFold(Runtime):
    """The same change for the interpreter."""

    def fold(self, t: plain.Tape, acc: plain.Accumulator, i: int) -> plain.Result:
        raise TypeError

    def backwardDenseFromStep(self, t: plain.Tape, acc: plain.Accumulator, i: int) -> plain.Result:
        checked = 0 <= i < min(t.size, acc.size) and t.nodes[i].requiresGrad
        if checked and acc[i].shape == t.nodes[i].value.shape:
            return self.fold(t, acc, i)
        return super().backwardDenseFromStep(t, acc, i)


class StaleRead(_Fold):
    """Every contribution is added to the accumulator as it was before the step."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Result[Accumulator]:
        return (
            t.nodes[i]
            .backward(acc[i])
            .bind(lambda emitted: emitted.foldlM(lambda state, pid, pg: self.addGradAll(t, acc, pid, pg), acc))
        )

    class Plain(_PlainFold):
        def fold(self, t: plain.Tape, acc: plain.Accumulator, i: int) -> plain.Result:
            answer: Any = t.nodes[i].backward(acc[i])
            return answer.bind(lambda cs: cs.foldlM(lambda state, pid, pg: self.addGradAll(t, acc, pid, pg), acc))


class FirstSlotRead(_Fold):
    """A node's backward is run on the first slot instead of its own."""

    def fold(self, t: Tape, acc: Accumulator, i: int) -> Result[Accumulator]:
        return (
            t.nodes[i]
            .backward(acc[0])
            .bind(lambda emitted: emitted.foldlM(lambda state, pid, pg: self.addGradAll(t, state, pid, pg), acc))
        )

    class Plain(_PlainFold):
        def fold(self, t: plain.Tape, acc: plain.Accumulator, i: int) -> plain.Result:
            answer: Any = t.nodes[i].backward(acc[0])
            return answer.bind(lambda cs: cs.foldlM(lambda state, pid, pg: self.addGradAll(t, state, pid, pg), acc))


class OwnSlotDoubled(Changed):
    """After a step the node's own slot is added to itself."""

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        *checks, fold = super().backwardDenseFromStep_cases(t, acc, identifier)

        def doubled() -> Result[Accumulator]:
            return fold.then().map(lambda after: after.set(identifier, after[identifier].plus(after[identifier])))

        return [*checks, Case("doubled", lambda: True, doubled)]

    class Plain(Runtime):
        def backwardDenseFromStep(self, t: plain.Tape, acc: plain.Accumulator, i: int) -> plain.Result:
            right = super().backwardDenseFromStep(t, acc, i)
            if isinstance(right, plain.Ok) and t.nodes[i].requiresGrad:
                return plain.Ok(right.value.set(i, self.plus(right.value[i], right.value[i])))
            return right


class FlagsIgnored(Changed):
    """Both `requiresGrad` checks are gone: the eight do not see it, the nodes they speak of all have the flag."""

    def addGradAll_cases(self, t: Tape, acc: Accumulator, identifier: int, g: SomeTensor) -> list[Case]:
        return _without(super().addGradAll_cases(t, acc, identifier, g), "no gradient required")

    def backwardDenseFromStep_cases(self, t: Tape, acc: Accumulator, identifier: int) -> list[Case]:
        return _without(super().backwardDenseFromStep_cases(t, acc, identifier), "no gradient required")

    class Plain(Runtime):
        def addGradAll(self, t: plain.Tape, acc: plain.Accumulator, i: int, g: plain.Tensor) -> plain.Result:
            return super().addGradAll(_flagged(t), acc, i, g)

        def backwardDenseFromStep(self, t: plain.Tape, acc: plain.Accumulator, i: int) -> plain.Result:
            return super().backwardDenseFromStep(_flagged(t), acc, i)


class ContributionsReversed(Changed):
    """Contributions are added last first: the eight do not see it, the lowered node's go to different slots."""

    def contributions(self, emitted: Contributions) -> Contributions:
        return emitted.reverse()

    class Plain(Runtime):
        def contributions(self, emitted: plain.Contributions) -> plain.Contributions:
            return plain.Contributions(emitted.items[::-1])


def _flagged(t: plain.Tape) -> plain.Tape:
    """The tape with every node's flag set."""
    return plain.Tape(plain.Node(n.value, True, n.backward, n.name, n.parents) for n in t.nodes)


def _without(cases: list[Case], name: str) -> list[Case]:
    return [case for case in cases if case.name != name]
