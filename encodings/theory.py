"""What a kill matrix judges when it is not told: the seed, and what symtape adds to it, on mutants of the runtime."""

from __future__ import annotations

from symtape.encodings.backward import Engine
from symtape.encodings.lemmas import inductive_step, last_node, lowered_node, push_commutation, runtime_equations

RUNTIME = Engine()
"""What mutants are changes of."""

THEORY = ("the seed", (push_commutation.GROUP, last_node.GROUP, inductive_step.GROUP))
"""The name of the theory, and its groups."""

ADDITIONS = ("the runtime's equations", (runtime_equations.GROUP, lowered_node.GROUP))
"""The same of the lemmas that were added because some mutants are not noticed: symtape's own, and the two theorems of
TorchLean's about what a lowered node answers."""
