"""symtape: lemmas about a reverse-mode autograd tape, discharged by an SMT solver, shown as a proof report.

This module is what an author of lemmas imports; `symtape.encodings` has the tapes that lemmas are about.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symtape.bound import Bound
    from symtape.logic import Equation, all_of, any_of, below, equal, for_all, iff, implies, negate
    from symtape.mutant import Mutant
    from symtape.notebook import load_results
    from symtape.script import admitted, by, have, induction
    from symtape.statement import Claim, Lemma, Parameter, StatementError, Universal, given, lemma, over
    from symtape.verdict import Verdict

__version__ = "0.1.0"

__all__ = [
    "Bound",
    "Claim",
    "Equation",
    "Lemma",
    "Mutant",
    "Parameter",
    "StatementError",
    "Universal",
    "Verdict",
    "admitted",
    "all_of",
    "any_of",
    "below",
    "by",
    "equal",
    "for_all",
    "given",
    "have",
    "iff",
    "implies",
    "induction",
    "lemma",
    "load_results",
    "negate",
    "over",
]

_MODULES = ("bound", "logic", "mutant", "script", "statement", "verdict", "notebook")


def __getattr__(name: str) -> Any:
    """What stands in `__all__` is looked for when it is first asked for: the command line starts its workers before
    it loads anything, and so does not wait for them."""
    if name in __all__:
        for module in map(import_module, (f"{__name__}.{each}" for each in _MODULES)):
            if name in vars(module):
                globals()[name] = vars(module)[name]
                return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
