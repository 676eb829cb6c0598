"""The command line: `symtape prove | audit | list | show | report | graph`."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any, NoReturn

from symtape import __version__
from symtape.bound import LARGEST, Bound, BoundError
from symtape.conclude import ELEMENT_TYPES
from symtape.discover import EncodingsError, UnknownLemmaError, choose, discover, with_used
from symtape.statement import Lemma, StatementError, relative
from symtape.verdict import (
    EXIT_CODES,
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_PROVED,
    EXIT_UNDECIDED,
    EXIT_USAGE,
    Verdict,
)
from symtape.world import ANY_ADDITION

if TYPE_CHECKING:
    from symtape.tasks import Outcome

REPORT_FOLDER = "symtape-report"
GRAPH_FORMATS = ("dot", "graphml", "svg", "json")


class UsageError(Exception):
    """Something the user can mend; the message is the one line that is shown."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    codes = "\n".join(f"  {code:3}  {meaning}" for code, meaning in EXIT_CODES.items())
    root = _Parser(
        prog="symtape",
        allow_abbrev=False,
        description="Prove lemmas about a reverse-mode autograd tape, or refute them by a case that runs.",
        epilog=f"exit codes:\n{codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="version", version=f"symtape {__version__}")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, text: str, *, lemmas: bool = True) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            allow_abbrev=False,
            help=text,
            description=text,
            epilog=f"exit codes:\n{codes}",
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
    prove.set_defaults(run=_prove)

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
    audit.set_defaults(run=_audit, all_sizes=False)

    listing = command("list", "show the lemmas, by group, and what they use")
    listing.add_argument("lemmas", nargs="*", metavar="LEMMA", help=names)
    listing.set_defaults(run=_list)

    show = command("show", "show the statement, hypotheses and source of a lemma")
    show.add_argument("lemmas", nargs="+", metavar="LEMMA", help=names)
    show.set_defaults(run=_show)

    report = command("report", "write the report again from a results file", lemmas=False)
    report.add_argument("results", metavar="RESULTS.json", type=Path)
    report.add_argument("--report", metavar="DIR", default=REPORT_FOLDER, help=f"default {REPORT_FOLDER}")
    report.set_defaults(run=_report)

    graph = command("graph", "write the dependency graph of the lemmas to stdout or a file")
    graph.add_argument("lemmas", nargs="*", metavar="LEMMA", help=names)
    graph.add_argument("--format", choices=GRAPH_FORMATS, default="dot", help="default dot")
    graph.add_argument("--results", type=Path, metavar="RESULTS.json", help="take lemmas and verdicts from there")
    graph.add_argument("--output", metavar="FILE", help="default stdout")
    graph.set_defaults(run=_graph)
    return root


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
        default=60.0,
        metavar="SECONDS",
        help="wall-clock seconds for each obligation (default 60)",
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
    try:
        options = parser().parse_args(given)
        code: int = options.run(options, given)
        sys.stdout.flush()
        return code
    except (UsageError, BoundError, EncodingsError, UnknownLemmaError, StatementError) as problem:
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


def _prove(options: argparse.Namespace, given: Sequence[str]) -> int:
    from symtape.terminal import summary

    results, outcome = _decided(options, given, summary)
    return EXIT_INTERRUPTED if outcome.interrupted else Verdict(results["verdict"]).exit_code


def _audit(options: argparse.Namespace, given: Sequence[str]) -> int:
    from symtape.audit_text import summary

    results, outcome = _decided(options, given, lambda results: summary(results, witness=options.witness))
    if outcome.interrupted:
        return EXIT_INTERRUPTED
    code = Verdict(results["verdict"]).exit_code
    incomplete = any(not lemma["audit"]["complete"] for lemma in results["lemmas"])
    return EXIT_UNDECIDED if code == EXIT_PROVED and incomplete else code


def _decided(
    options: argparse.Namespace, given: Sequence[str], shown: Callable[[dict[str, Any]], list[str]]
) -> tuple[dict[str, Any], Outcome]:
    """Ask the solver what was asked for, write the report, and print what `shown` makes of the results."""
    from symtape.results import assemble, dump, foresee
    from symtape.run import run
    from symtape.solver import Limits
    from symtape.tasks import Options
    from symtape.terminal import clear_progress, progress

    bound = _bound(options)
    # A lemma file may change the working directory when it is imported.
    options.encodings = [str(Path(path).resolve()) for path in options.encodings]
    place = Path(options.report or REPORT_FOLDER)
    folder = None if options.no_report else _writable(place.absolute())
    json_file = Path(options.json).absolute() if options.json not in (None, "-") else None
    if json_file is not None:
        _writable(json_file.parent)
    lemmas = _chosen(options)
    if options.all_sizes:
        lemmas = with_used(lemmas, discover(options.encodings))
    plan = Options(
        bound,
        options.scalar or ANY_ADDITION,
        Limits(timeout=options.timeout, rlimit=options.rlimit),
        jobs=options.jobs,
        encodings=tuple(options.encodings),
        every_size=options.all_sizes,
        audit=options.command == "audit",
    )
    with _interruptible_once():
        outcome = run(lemmas, plan, progress(sys.stderr), meanwhile=lambda: foresee(lemmas))
    clear_progress(sys.stderr)
    results = assemble(lemmas, plan, outcome, shlex.join(["symtape", *given]))
    if json_file is not None:
        _write(json_file, dump(results))
    if folder is not None:
        _report_into(results, folder)
    _print(dump(results).rstrip("\n") if options.json == "-" else "\n".join(shown(results)))
    if folder is not None:
        print(f"report: {place / 'index.html'}", file=sys.stderr)
    if outcome.interrupted:
        print("symtape: interrupted; what was finished is kept", file=sys.stderr)
    return results, outcome


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


def _list(options: argparse.Namespace, given: Sequence[str]) -> int:
    by_group: dict[str, list[Lemma]] = {}
    for lemma in _chosen(options):
        by_group.setdefault(lemma.group or "(no group)", []).append(lemma)
    for group, lemmas in by_group.items():
        print(group)
        for each in lemmas:
            print(f"  {each.name}")
            print(fill(each.summary, 78, initial_indent=" " * 6, subsequent_indent=" " * 6))
            if each.uses:
                uses = f"uses {', '.join(each.uses)}"
                print(fill(uses, 78, initial_indent=" " * 6, subsequent_indent=" " * 11, break_long_words=False))
    return EXIT_PROVED


def _show(options: argparse.Namespace, given: Sequence[str]) -> int:
    for number, lemma in enumerate(_chosen(options)):
        if number:
            print()
        path, line = lemma.location
        print(lemma.lean or lemma.name)
        print(lemma.doc)
        print("\nstatement")
        print(indent(lemma.statement, "  "))
        if lemma.hypotheses:
            print("hypotheses")
            for name, text in lemma.hypotheses.items():
                print(f"  {name} : {text}")
        if lemma.uses:
            print(f"uses {', '.join(lemma.uses)}")
        print(f"proof at every size: {lemma.proof}")
        print(f"source {f'{lemma.source}; ' if lemma.source else ''}{relative(path)}:{line}")
    return EXIT_PROVED


def _report(options: argparse.Namespace, given: Sequence[str]) -> int:
    folder = _writable(Path(options.report))
    _report_into(_loaded(options.results), folder)
    print(f"report: {folder / 'index.html'}", file=sys.stderr)
    return EXIT_PROVED


def _graph(options: argparse.Namespace, given: Sequence[str]) -> int:
    from symtape.reports.graph import export

    if options.results is not None:
        lemmas = _loaded(options.results)["lemmas"]
    else:
        lemmas = [
            {"name": each.name, "group": each.group, "uses": list(each.uses), "verdict": None}
            for each in _chosen(options)
        ]
    text = export(lemmas, options.format)
    if options.output:
        _write(Path(options.output), text)
    else:
        print(text, end="")
    return EXIT_PROVED


def _chosen(options: argparse.Namespace) -> list[Lemma]:
    return choose(discover(options.encodings), options.lemmas)


def _loaded(path: Path) -> dict[str, Any]:
    from symtape.results import ResultsError, load

    try:
        return load(path)
    except ResultsError as problem:
        raise UsageError(str(problem)) from problem


def _report_into(results: dict[str, Any], folder: Path) -> None:
    from symtape.reports.page import write_report

    try:
        write_report(results, folder)
    except OSError as problem:
        raise UsageError(f"cannot write the report: {problem}") from problem


def _writable(folder: Path) -> Path:
    """The folder, made if it is missing. Raises `UsageError` before any work is done for nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".symtape-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise UsageError(f"cannot write to {folder}: {problem.strerror or problem}") from problem
    return folder


def _write(path: Path, text: str) -> None:
    from symtape.results import write

    try:
        write(path, text)
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror or problem}") from problem


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


def _count(text: str) -> int:
    return _integer(text, 0, LARGEST)


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
