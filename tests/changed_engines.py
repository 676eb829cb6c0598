"""Wrong engines that the tests have things to say about: mutants under short names, and what no mutant is."""

from __future__ import annotations

from typing import Any

from symtape.discover import discover_mutants
from symtape.encodings import plain
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.backward import Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.result import Result
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import SomeTensor

MUTANTS = discover_mutants()


def _engine(name: str) -> type[Engine]:
    made: type[Engine] = type(MUTANTS[name].engine)
    return made


Overwrite = _engine("addGradAll: overwriting")
OperandsSwapped = _engine("addGradAll: operands swapped")
AddedTwice = _engine("addGradAll: contribution added twice")
NextSlotWritten = _engine("addGradAll: next slot written")
PushedSlotWritten = _engine("addGradAll: last slot written too")
RangeOneShort = _engine("addGradAll: 'node missing' one short")
FlagsIgnored = _engine("addGradAll, backwardDenseFromStep: flags ignored")
LastContributionLost = _engine("backwardDenseFromStep: last contribution lost")
OnlyFirstContribution = _engine("backwardDenseFromStep: only the first contribution")
ContributionsReversed = _engine("backwardDenseFromStep: contributions reversed")
StaleRead = _engine("backwardDenseFromStep: stale array")
FirstSlotRead = _engine("backwardDenseFromStep: first slot read")
OwnSlotDoubled = _engine("backwardDenseFromStep: own slot doubled")
LoopUpward = _engine("backwardDenseFromLoop: upward")
LastNodeSkipped = _engine("backwardDenseFromLoop: last node skipped")
LoopOneLong = _engine("backwardDenseFromLoop: one too far")
VisitedTwice = _engine("backwardDenseFromLoop: each node twice")


class ArrayGrows(Engine):
    """Every contribution, whatever becomes of it, also makes the array one longer."""

    def addGradAll(self, t: Tape, acc: Accumulator, identifier: Any, g: SomeTensor) -> Result[Accumulator]:
        return super().addGradAll(t, acc, identifier, g).map(lambda after: after.push(g))

    def interpreter(self) -> type[Runtime]:
        return ArrayGrowsInPlainPython


class ArrayGrowsInPlainPython(Runtime):
    """The same change for the interpreter."""

    def addGradAll(self, t: plain.Tape, acc: plain.Accumulator, i: int, g: plain.Tensor) -> plain.Result:
        return super().addGradAll(t, acc, i, g).map(lambda after: after.push(g))
