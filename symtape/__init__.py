"""symtape: lemmas about a reverse-mode autograd tape, discharged by an SMT solver, shown as a proof report.

This module is what an author of lemmas imports; `symtape.encodings` has the tapes that lemmas are about.
"""

from symtape.bound import Bound
from symtape.logic import Equation, all_of, any_of, below, equal, for_all, iff, implies, negate
from symtape.script import admitted, by, have, induction
from symtape.statement import Claim, Lemma, Parameter, StatementError, Universal, given, lemma, over
from symtape.verdict import Verdict

__version__ = "0.1.0"

__all__ = [
    "Bound",
    "Claim",
    "Equation",
    "Lemma",
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
    "negate",
    "over",
]
