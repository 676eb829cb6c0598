"""Two earlier versions of our own encoding, on one question at one size: is the negated goal unsatisfiable?

- `tracked`: each hypothesis is tracked by a literal, which is how Z3 gives a core. That keeps the preprocessing from
  rewriting both sides of the goal to one term.
- `named`: every step of the loop ends in a state of fresh constants that are said to be equal to its terms.

Both are asked for less than symtape answers: no witness, no smaller core, no replay.
"""

from __future__ import annotations

from typing import Any

import sympy  # noqa: F401  as in single_case.py
import z3
from command import LEMMAS, every_size, lemma_options, report

from symtape.bound import Bound
from symtape.discover import find_lemma
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.backward import Engine
from symtape.encodings.result import Result
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import Entries, SomeTensor
from symtape.logic import negate, term
from symtape.obligation import Instance
from symtape.world import World


class NamedStates(Engine):
    """The runtime, whose every step has an outcome made of fresh constants."""

    def backwardDenseFromStep(self, t: Tape, acc: Accumulator, identifier: Any) -> Result[Accumulator]:
        after = super().backwardDenseFromStep(t, acc, identifier)
        slots = [named_tensor(t.world, slot) for slot in after.value.slots]
        ok, message = named(t.world, term(after.ok)), named(t.world, after.message)
        return Result(t.world, ok, message, Accumulator(t.world, slots))


def named(world: World, value: Any) -> Any:
    """A fresh constant that is this term."""
    constant = z3.FreshConst(value.sort(), "state")
    world.require(constant == value)
    return constant


def named_tensor(world: World, tensor: SomeTensor) -> SomeTensor:
    entries = world.share(Entries).array([named(world, entry) for entry in tensor.terms])
    return SomeTensor(world, named(world, tensor.shape), entries)


def main() -> None:
    parser = lemma_options("An earlier version of symtape's encoding on one lemma at one size.")
    parser.add_argument("--version", choices=("tracked", "named"), default="tracked", help="which (default tracked)")
    asked = parser.parse_args()
    lemma = find_lemma(LEMMAS[asked.lemma])
    if asked.version == "named":
        lemma = lemma.on(NamedStates())
    bound = Bound(asked.nodes, asked.contributions, asked.entries)

    def answer() -> str:
        instance = Instance.of(lemma, every_size(lemma, asked.nodes), bound, "uninterpreted")
        goal = term(negate(instance.goal()))
        hypotheses = {name: term(hypothesis) for name, hypothesis in instance.for_proving().items()}
        solver = z3.Solver()
        solver.set("timeout", int(asked.timeout * 1000))
        solver.add(*instance.world.constraints, goal)
        for name, hypothesis in hypotheses.items():
            if asked.version == "tracked":
                solver.assert_and_track(hypothesis, name)
            else:
                solver.add(hypothesis)
        return str(solver.check())

    report(asked.version, asked, answer)


if __name__ == "__main__":
    main()
