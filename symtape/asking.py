"""The commands that ask the solver: `prove`, `audit` and `mutate`."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from symtape.bound import Bound
from symtape.choose import choose, choose_mutants, with_used
from symtape.choose import theory as theory_of
from symtape.discover import discover, discover_equivalence, discover_mutants
from symtape.places import (
    REPORT_FOLDER,
    UsageError,
    forget_questions,
    mutants_report_into,
    report_into,
    writable,
    write_text,
)
from symtape.screen import Screen, shows
from symtape.terminal import clear_progress, progress
from symtape.verdict import EXIT_INTERRUPTED, EXIT_PROVED, EXIT_UNDECIDED, Verdict
from symtape.world import ANY_ADDITION

if TYPE_CHECKING:
    from symtape.tasks import Options


def prove(options: argparse.Namespace, given: Sequence[str]) -> int:
    """`symtape prove`: decide lemmas, and give the worst verdict's exit code."""
    from symtape.terminal import summary

    results = _decide(options, given, summary)
    return Verdict(results["verdict"]).exit_code if _complete(results) else EXIT_INTERRUPTED


def audit(options: argparse.Namespace, given: Sequence[str]) -> int:
    """`symtape audit`: decide lemmas, and what their hypotheses are worth."""
    from symtape.audit_text import summary

    results = _decide(options, given, lambda results, screen: summary(results, screen, witness=options.witness))
    if not _complete(results):
        return EXIT_INTERRUPTED
    code = Verdict(results["verdict"]).exit_code
    undecided = any(not lemma["audit"]["complete"] for lemma in results["lemmas"])
    return EXIT_UNDECIDED if code == EXIT_PROVED and undecided else code


def mutate(options: argparse.Namespace, given: Sequence[str]) -> int:
    """`symtape mutate`: which lemmas notice which mutants."""
    from symtape import mutation
    from symtape.mutate import Matrix
    from symtape.mutation_text import summary
    from symtape.run import execute
    from symtape.tasks import Outcome

    results_to = _Destination.of(options)
    names, theory, additions = theory_of(discover(options.encodings), options.lemmas)
    mutants = choose_mutants(discover_mutants(options.encodings), options.mutant)
    plan = _plan(options)
    outcome = Outcome()
    matrix = Matrix(mutants, theory, additions, discover_equivalence())
    with _interruptible_once():
        execute(list(matrix.tasks()), plan, outcome, progress(sys.stderr))
    clear_progress(sys.stderr)
    results = mutation.assemble(matrix, names, plan, outcome, shlex.join(["symtape", *given]))
    results_to.deliver(results, summary, mutants_report_into)
    counts = results["counts"]["all"]
    if not _complete(results):
        return EXIT_INTERRUPTED
    said = [Verdict(each["on_runtime"]) for each in results["lemmas"]]
    said += [Verdict.REFUTED] * bool(counts[mutation.GAP]) + [Verdict.UNDECIDED] * bool(counts[mutation.UNDECIDED])
    return Verdict.worst([*said, Verdict.PROVED]).exit_code


def _decide(
    options: argparse.Namespace, given: Sequence[str], shown: Callable[[dict[str, Any], Screen], list[str]]
) -> dict[str, Any]:
    """Ask the solver what was asked for, write the report, and print what `shown` makes of the results."""
    from symtape.results import assemble, foresee
    from symtape.run import run

    results_to = _Destination.of(options)
    plan = replace(_plan(options), questions=results_to.questions)
    lemmas = choose(discover(options.encodings), options.lemmas)
    if options.all_sizes:
        lemmas = with_used(lemmas, discover(options.encodings))
    if results_to.folder is not None:
        forget_questions(results_to.folder)
    with _interruptible_once():
        outcome = run(lemmas, plan, progress(sys.stderr), meanwhile=lambda: foresee(lemmas))
    clear_progress(sys.stderr)
    results = assemble(lemmas, plan, outcome, shlex.join(["symtape", *given]))
    results_to.deliver(results, shown, report_into)
    return results


def _complete(results: dict[str, Any]) -> bool:
    return bool(results["run"]["state"] == "complete")


def _plan(options: argparse.Namespace) -> Options:
    """What the command line asks for. Raises `UsageError`."""
    from symtape.solver import Limits
    from symtape.tasks import Options

    # A lemma file may change the working directory when it is imported.
    options.encodings = [str(Path(path).resolve()) for path in options.encodings]
    return Options(
        _bound(options),
        options.scalar or ANY_ADDITION,
        Limits(timeout=options.timeout, rlimit=options.rlimit),
        jobs=options.jobs,
        encodings=tuple(options.encodings),
        every_size=options.all_sizes,
        audit=options.command == "audit",
    )


@dataclass(frozen=True)
class _Destination:
    """Where the results of a run go. Made before the run: nothing is worked out that cannot be written."""

    folder: Path | None
    shown: Path
    """The folder as the user named it."""
    json_file: Path | None
    only_json: bool
    questions: str | None = None
    """The folder again, where the questions go there too."""

    @staticmethod
    def of(options: argparse.Namespace) -> _Destination:
        """What the command line says. Raises `UsageError` for a place that cannot be written to."""
        shown = Path(options.report or REPORT_FOLDER)
        folder = None if options.no_report else writable(shown.absolute())
        json_file = Path(options.json).absolute() if options.json not in (None, "-") else None
        if json_file is not None:
            writable(json_file.parent)
        if options.smtlib and folder is None:
            raise UsageError("--smtlib writes into the report: it cannot stand beside --no-report")
        questions = str(folder) if options.smtlib else None
        return _Destination(folder, shown, json_file, options.json == "-", questions)

    def deliver(
        self,
        results: dict[str, Any],
        summary: Callable[[dict[str, Any], Screen], list[str]],
        report: Callable[[dict[str, Any], Path], str],
    ) -> None:
        """Write the results and the report, which gives its file's name, and print the result."""
        from symtape.results import dump

        if self.json_file is not None:
            write_text(self.json_file, dump(results))
        page = None if self.folder is None else report(results, self.folder)
        if self.only_json:
            text = dump(results)
            _print((text if shows(text) else dump(results, ascii_only=True)).rstrip("\n"))
        else:
            _print("\n".join(summary(results, Screen.of(sys.stdout))))
        if page is not None:
            print(f"report: {self.shown / page}", file=sys.stderr)
        if not _complete(results):
            print("symtape: interrupted; what was finished is kept", file=sys.stderr)


def _bound(options: argparse.Namespace) -> Bound | None:
    """The bound that was asked for; `None` for every size alone. Raises `UsageError`."""
    parts = {name: getattr(options, name) for name in ("bound", "contributions", "entries", "scalar")}
    given = [f"--{name}" for name, value in parts.items() if value is not None]
    if options.all_sizes and options.bound is None:
        if given:
            raise UsageError(f"{given[0]} is about known sizes: it needs --bound, which --all-sizes can stand beside")
        return None
    known = {"bound": options.default_bound, "contributions": 2, "entries": 2}
    return Bound(*(default if parts[name] is None else parts[name] for name, default in known.items()))


def _print(text: str) -> None:
    """Print the result. A reader that has seen enough does not change the verdict's exit code."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _interruptible_once() -> Iterator[None]:
    """The first Ctrl-C stops the run; more of them must not keep what was finished from being written."""

    def interrupt(*_: object) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    yield
    if signal.getsignal(signal.SIGINT) is interrupt:
        signal.signal(signal.SIGINT, before)
