"""Which groups of lemmas a kill matrix judges when it is not told: the seed, and what symtape adds to it."""

from __future__ import annotations

from symtape.encodings.lemmas import inductive_step, last_node, push_commutation, runtime_equations

THEORY = ("the seed", (push_commutation.GROUP, last_node.GROUP, inductive_step.GROUP))
"""The name of the theory, and its groups."""

ADDITIONS = (f"symtape's {runtime_equations.GROUP.lower()}", (runtime_equations.GROUP,))
"""The same of the lemmas that were added to it because some mutants are not noticed."""
