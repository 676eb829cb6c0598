"""What can be said of a lemma in the end, and what the exit code then is."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """Ordered from best to worst; merged evidence has the worst verdict of its parts."""

    PROVED = "proved"
    """The solver answered `unsat` for hypotheses ∧ ¬goal, and the hypotheses have a confirmed witness."""
    UNDECIDED = "undecided"
    """No answer: timeout, resource limit, memory, or incomplete; never a pass."""
    ERROR = "error"
    """The question could not be put: a fault of the lemma, of symtape or of the solver."""
    VACUOUS = "vacuous"
    """The hypotheses contradict each other, so nothing was shown."""
    REFUTED = "refuted"
    """There is a counterexample, and the independent interpreter confirmed it."""

    @property
    def severity(self) -> int:
        return list(Verdict).index(self)

    @property
    def exit_code(self) -> int:
        return _EXIT_CODES[self]

    @staticmethod
    def worst(verdicts: Iterable[Verdict]) -> Verdict:
        """The worst of them. Raises `ValueError` for none: no evidence is no verdict."""
        return max(verdicts, key=lambda verdict: verdict.severity)


EXIT_PROVED = 0
EXIT_REFUTED = 1
EXIT_USAGE = 2
EXIT_UNDECIDED = 3
EXIT_INTERNAL = 4
EXIT_INTERRUPTED = 130

EXIT_CODES = {
    EXIT_PROVED: "every lemma that was asked for is proved",
    EXIT_REFUTED: "something is refuted or vacuous",
    EXIT_USAGE: "wrong usage or bad input",
    EXIT_UNDECIDED: "nothing is refuted, but something is undecided",
    EXIT_INTERNAL: "internal error",
    EXIT_INTERRUPTED: "interrupted; what was finished is kept",
}

REPORT_EXIT_CODES = {
    EXIT_PROVED: "the report is written, whatever the verdicts in it",
    EXIT_REFUTED: "with --against: a lemma that was proved is gone, or no longer (or no longer fully) proved",
    EXIT_USAGE: EXIT_CODES[EXIT_USAGE],
    EXIT_INTERNAL: EXIT_CODES[EXIT_INTERNAL],
}
"""Of a command that asks nothing: it only says what changed."""

_EXIT_CODES = {
    Verdict.PROVED: EXIT_PROVED,
    Verdict.UNDECIDED: EXIT_UNDECIDED,
    Verdict.ERROR: EXIT_INTERNAL,
    Verdict.VACUOUS: EXIT_REFUTED,
    Verdict.REFUTED: EXIT_REFUTED,
}
