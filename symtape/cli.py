"""The command line: `symtape prove | audit | mutate | list | show | report | graph`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from symtape import __version__, asking, reading
from symtape.bound import DEFAULT_TIMEOUT, LARGEST, BoundError
from symtape.conclude import ELEMENT_TYPES
from symtape.discover import EncodingsError, UnknownLemmaError, UnknownMutantError
from symtape.places import REPORT_FOLDER, UsageError
from symtape.screen import never_fail
from symtape.statement import StatementError
from symtape.verdict import (
    EXIT_CODES,
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_PROVED,
    EXIT_USAGE,
    REPORT_EXIT_CODES,
)

GRAPH_FORMATS = ("dot", "graphml", "svg", "json")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    root = _Parser(
        prog="symtape",
        allow_abbrev=False,
        description="Prove lemmas about a reverse-mode autograd tape, or refute them by a case that runs.",
        epilog=_exit_codes(EXIT_CODES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="version", version=f"symtape {__version__}")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(
        name: str, text: str, *, lemmas: bool = True, meaning: Mapping[int, str] = EXIT_CODES
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            allow_abbrev=False,
            help=text,
            description=text,
            epilog=_exit_codes(meaning),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if lemmas:
            made.add_argument(
                "--encodings",
                action="append",
                default=[],
                metavar="PATH",
                help="a Python file, or a folder of them, that states further lemmas (repeatable)",
            )
        return made

    names = "a name, a full Lean name, a group, or a glob; all lemmas if none is given"

    prove = command("prove", "decide lemmas for all tapes up to a bound, and write a report")
    prove.add_argument("lemmas", nargs="*", metavar="LEMMA", help=names)
    prove.add_argument(
        "--all-sizes",
        action="store_true",
        help="prove them for every size, by their proofs, and the lemmas that they use too; with --bound, both",
    )
    _run_options(prove, bound=4)
    prove.add_argument(
        "--smtlib",
        action="store_true",
        help="also write every question into the report, as SMT-LIB files",
    )
    prove.set_defaults(run=asking.prove)

    audit = command(
        "audit", "find the hypotheses that lemmas need, those they do not, and all minimal sets that suffice"
    )
    audit.add_argument("lemmas", nargs="*", metavar="LEMMA", help=names)
    audit.add_argument(
        "--witness",
        action="store_true",
        help="also show, for each lemma, the smallest case that satisfies its hypotheses",
    )
    _run_options(audit, bound=3)
    audit.set_defaults(run=asking.audit, all_sizes=False, smtlib=False)

    mutate = command("mutate", "tell which lemmas notice which mutants of the runtime, and which mutants none does")
    mutate.add_argument(
        "lemmas", nargs="*", metavar="LEMMA", help=names.replace("all lemmas", "the seed and symtape's additions")
    )
    mutate.add_argument(
        "--mutant",
        action="append",
        default=[],
        metavar="MUTANT",
        help="only these mutants: a name, an operator, a function of the runtime, or a glob (repeatable)",
    )
    _run_options(mutate, bound=3)
    mutate.set_defaults(run=asking.mutate, all_sizes=False, smtlib=False)

    listing = command("list", "show the lemmas, by group, and what they use")
    listing.add_argument("lemmas", nargs="*", metavar="LEMMA", help=names)
    listing.set_defaults(run=reading.list_lemmas)

    show = command("show", "show the statement, hypotheses and source of a lemma")
    show.add_argument("lemmas", nargs="+", metavar="LEMMA", help=names)
    show.set_defaults(run=reading.show)

    report = command(
        "report",
        "write the report again from a results file, also with what changed since another",
        lemmas=False,
        meaning=REPORT_EXIT_CODES,
    )
    report.add_argument("results", metavar="RESULTS.json", type=Path)
    report.add_argument("--report", metavar="DIR", default=REPORT_FOLDER, help=f"default {REPORT_FOLDER}")
    report.add_argument(
        "--against",
        metavar="OLD.json",
        type=Path,
        help="mark what changed since the run of this results file, and say it on stdout",
    )
    report.add_argument(
        "--markdown",
        metavar="FILE",
        help="with --against: also write what changed there as Markdown, for a comment on a pull request; - is "
        "stdout, and then nothing else",
    )
    report.set_defaults(run=reading.report)

    graph = command("graph", "write the dependency graph of the lemmas to stdout or a file")
    graph.add_argument("lemmas", nargs="*", metavar="LEMMA", help=names)
    graph.add_argument("--format", choices=GRAPH_FORMATS, default="dot", help="default dot")
    graph.add_argument("--results", type=Path, metavar="RESULTS.json", help="take lemmas and verdicts from there")
    graph.add_argument(
        "--depth", type=_depth, metavar="D", help="also what LEMMA uses and what uses it, over at most D arrows"
    )
    graph.add_argument(
        "--direction",
        choices=("both", "uses", "used-by"),
        default="both",
        help="with --depth, only what LEMMA uses, or only what uses it",
    )
    graph.add_argument(
        "--every-arrow", action="store_true", help="in the svg, also the arrows that follow from others"
    )
    graph.add_argument("--output", metavar="FILE", help="default stdout")
    graph.set_defaults(run=reading.graph)
    return root


def _exit_codes(meaning: Mapping[int, str]) -> str:
    return "exit codes:\n" + "\n".join(f"  {code:3}  {said}" for code, said in meaning.items())


def _run_options(made: argparse.ArgumentParser, bound: int) -> None:
    """How large, how long and where to: what every command that asks the solver takes."""
    made.add_argument("--bound", type=_count, metavar="N", help=f"tapes of 0..N nodes (default {bound})")
    made.add_argument(
        "--contributions",
        type=_count,
        metavar="K",
        help="at most K contributions for each node (default 2)",
    )
    made.add_argument("--entries", type=_count, metavar="E", help="tensors of at most E entries (default 2)")
    made.add_argument(
        "--scalar",
        choices=list(ELEMENT_TYPES),
        help="the element type (default uninterpreted: any type with an addition)",
    )
    made.add_argument("--jobs", type=_jobs, default=os.cpu_count() or 1, metavar="J", help="worker processes")
    made.add_argument(
        "--timeout",
        type=_seconds,
        default=DEFAULT_TIMEOUT,
        metavar="SECONDS",
        help=f"wall-clock seconds for each obligation (default {DEFAULT_TIMEOUT:g})",
    )
    made.add_argument(
        "--rlimit",
        type=_positive,
        metavar="R",
        help="Z3 resource units for each question; the same on every machine (default: no limit)",
    )
    shown = made.add_mutually_exclusive_group()
    shown.add_argument("--report", metavar="DIR", help=f"where the report goes (default {REPORT_FOLDER})")
    shown.add_argument("--no-report", action="store_true", help="write no report")
    made.add_argument(
        "--json", metavar="FILE", help="also write the results there; - is stdout, and then nothing else"
    )
    made.set_defaults(default_bound=bound)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. User errors are one line on stderr, never a traceback."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    never_fail(sys.stdout)
    try:
        options = parser().parse_args(given)
        code: int = options.run(options, given)
        sys.stdout.flush()
        return code
    except (UsageError, BoundError, EncodingsError, UnknownLemmaError, UnknownMutantError, StatementError) as problem:
        print(f"symtape: {' '.join(str(problem).split())}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("symtape: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PROVED
    except Exception as problem:
        print(f"symtape: internal error: {type(problem).__name__}: {problem}", file=sys.stderr)
        return EXIT_INTERNAL


def _count(text: str) -> int:
    return _integer(text, 0, LARGEST)


def _depth(text: str) -> int:
    return _integer(text, 0, 10_000)


def _jobs(text: str) -> int:
    return _integer(text, 1, 256)


def _positive(text: str) -> int:
    return _integer(text, 1, 2**31 - 1)


def _integer(text: str, least: int, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"must be between {least} and {most}, not {value}")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not 0 < value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"must be more than 0 and at most 1000000 seconds, not {text}")
    return value
