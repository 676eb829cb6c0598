"""The results file, `results.json`, version 1: everything that a report shows, and nothing else is needed for it."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from pathlib import Path
from typing import Any

from symtape.audit_sense import contradictions
from symtape.audited import audited
from symtape.conclude import Conclusion, conclude, scope
from symtape.every_size import SCOPE, conclusions, contradicted
from symtape.every_size import Conclusion as AtEverySize
from symtape.questions import place
from symtape.statement import Lemma, relative
from symtape.tasks import Options, Outcome
from symtape.verdict import Verdict

SCHEMA_VERSION = 1


class ResultsError(Exception):
    """A results file that cannot be read; the message says what is wrong with it."""


def schema() -> dict[str, Any]:
    """The JSON Schema of the results file, as shipped."""
    loaded: dict[str, Any] = json.loads(files("symtape").joinpath("results.schema.json").read_text("utf-8"))
    return loaded


def foresee(lemmas: Sequence[Lemma]) -> None:
    """Work out what `assemble` will need and need not wait for: the solver's version and the lemmas' texts."""
    from symtape.solver import version

    version()
    for lemma in lemmas:
        _ = lemma.hypotheses, lemma.statement, lemma.mathematics


def assemble(lemmas: Sequence[Lemma], options: Options, outcome: Outcome, command: str) -> dict[str, Any]:
    """The results of a run as JSON data."""
    at_sizes = _at_known_sizes(lemmas, options, outcome)
    at_every_size = _at_every_size(lemmas, outcome, at_sizes) if options.every_size else {}
    audits = audited(lemmas, options, outcome)
    described = [
        {
            **_lemma(each, at_sizes.get(each.name), at_every_size.get(each.name), options, outcome),
            "audit": audits.get(each.name),
        }
        for each in lemmas
    ]
    verdicts = [Verdict(each["verdict"]) for each in described]
    return {
        "schema": SCHEMA_VERSION,
        "bound": None if options.bound is None else options.bound.as_json(),
        "scope": _scope(options),
        "verdict": str(Verdict.worst(verdicts)) if verdicts else None,
        "counts": {str(v): verdicts.count(v) for v in Verdict},
        "lemmas": described,
        **provenance(options, outcome, command),
    }


def provenance(options: Options, outcome: Outcome, command: str) -> dict[str, Any]:
    """What made a results file, and how."""
    from symtape import __version__
    from symtape.solver import version

    return {
        "symtape": __version__,
        "solver": {"name": "z3", "version": version()},
        "run": {
            "state": "interrupted" if outcome.interrupted else "complete",
            "command": command,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(outcome.seconds, 3),
            "jobs": options.jobs,
            "limits": options.limits.as_json(),
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        },
    }


def _at_known_sizes(lemmas: Sequence[Lemma], options: Options, outcome: Outcome) -> dict[str, Conclusion]:
    if options.bound is None:
        return {}
    return {
        lemma.name: conclude(lemma, options.bound, outcome.findings[lemma.name], outcome.expected[lemma.name])
        for lemma in lemmas
    }


def _at_every_size(
    lemmas: Sequence[Lemma], outcome: Outcome, at_sizes: Mapping[str, Conclusion]
) -> dict[str, AtEverySize]:
    """What is said of the lemmas at every size, when what was found at known sizes is known too."""
    for lemma in lemmas:
        found = outcome.every_size[lemma.name]
        shown = [each for each in outcome.findings[lemma.name] if each.satisfiable and each.kind == "claim"]
        if found.witness is None and shown:
            found.witness = dict(shown[0].sizes)
    said = conclusions(lemmas, outcome.every_size)
    wrong: set[str] = set()
    for lemma in lemmas:
        each = said[lemma.name]
        if each.verdict is not Verdict.PROVED:
            continue
        known, on = at_sizes.get(lemma.name), {theorem.lemma.name for theorem in each.theorem.rests_on} & wrong
        if (known is not None and known.verdict is Verdict.REFUTED) or on:
            wrong.add(lemma.name)
            said[lemma.name] = contradicted(each, sorted(on))
    return said


def _scope(options: Options) -> dict[str, Any]:
    """What the verdicts of a run cover."""
    every = {"every_size": options.every_size}
    if options.bound is None:
        return {**every, "text": SCOPE}
    known = scope(options.bound, options.scalar)
    return {**known, **every, "text": f"{SCOPE}; and directly, {known['text']}"} if options.every_size else known


def _lemma(
    lemma: Lemma, known: Conclusion | None, every: AtEverySize | None, options: Options, outcome: Outcome
) -> dict[str, Any]:
    path, line = lemma.location
    findings = outcome.findings[lemma.name] if known is not None else []
    said = [(each.verdict, each.reason) for each in (known, every) if each is not None]
    verdict = Verdict.worst(verdict for verdict, _ in said)
    reason = next((reason for each, reason in said if each is verdict and reason), "")
    return {
        "name": lemma.name,
        "lean": lemma.lean,
        "group": lemma.group,
        "doc": lemma.doc,
        "statement": lemma.statement,
        "mathematics": lemma.mathematics,
        "hypotheses": [
            {"name": name, "statement": text, "mathematics": lemma.hypotheses_in_mathematics[name]}
            for name, text in lemma.hypotheses.items()
        ],
        "uses": list(lemma.uses),
        "source": lemma.source,
        "location": {"file": relative(path), "line": line},
        "verdict": str(verdict),
        "reason": reason,
        "scope": _scope(options),
        "sizes": [] if known is None else [each.as_json() for each in known.by_size],
        "every_size": None if every is None else _with_questions(every.as_json(), options),
        "obligations": [
            _with_question(finding.as_json(), options, asked=finding.kind == "claim") for finding in findings
        ],
    }


def _with_question(obligation: dict[str, Any], options: Options, *, asked: bool) -> dict[str, Any]:
    """An obligation with the place of its question, where the run has written that into the report."""
    written = options.questions is not None and asked
    return {**obligation, "smtlib": place(obligation["name"]) if written else None}


def _with_questions(every: dict[str, Any], options: Options) -> dict[str, Any]:
    shown = [_with_question(each, options, asked=each["rlimit"] > 0) for each in every["obligations"]]
    return {**every, "obligations": shown}


def counterexample(lemma: dict[str, Any]) -> dict[str, Any] | None:
    """The simplest counterexample of a lemma in a results file, by the measure that was taken of it."""
    return simplest(lemma["obligations"])


def simplest(obligations: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """The simplest counterexample of some obligations of one lemma."""
    return min((o["counterexample"] for o in obligations if o["counterexample"]), key=_simplicity, default=None)


def _simplicity(shown: dict[str, Any]) -> tuple[list[int], int, int]:
    return shown.get("measure", []), sum(shown["sizes"].values()), len(shown["call"])


def used_hypotheses(lemma: dict[str, Any]) -> list[str]:
    """The hypotheses that some core of the lemma needed, in the order of the statement."""
    needed = {name for obligation in lemma["obligations"] for name in obligation["core"]}
    needed |= set((lemma.get("every_size") or {"hypotheses": []})["hypotheses"])
    return [h["name"] for h in lemma["hypotheses"] if h["name"] in needed]


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises `OSError`."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def dump(results: dict[str, Any], *, ascii_only: bool = False) -> str:
    return json.dumps(results, indent=1, ensure_ascii=ascii_only) + "\n"


def load(path: Path) -> dict[str, Any]:
    """Read a results file and check it against the schema. Raises `ResultsError`."""
    data = read(path)
    check(data, str(path))
    _check_sense(data, str(path))
    return data


def read(path: Path) -> dict[str, Any]:
    """Read a file of this schema version as JSON data, whatever it holds. Raises `ResultsError`."""
    try:
        data = json.loads(path.read_text("utf-8"), parse_constant=_no_number)
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except OSError as problem:
        raise ResultsError(f"{path}: {problem.strerror or problem}") from problem
    except UnicodeError as problem:
        raise ResultsError(f"{path}: not a text file") from problem
    except (json.JSONDecodeError, RecursionError) as problem:
        where = f"line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else "nested too deeply"
        raise ResultsError(f"{path}: not JSON, or cut off ({where})") from problem
    version = data.get("schema") if isinstance(data, dict) else None
    if version != SCHEMA_VERSION:
        raise ResultsError(f"{path}: schema {version!r}; this symtape reads schema {SCHEMA_VERSION}")
    return dict(data)


def _no_number(text: str) -> None:
    raise json.JSONDecodeError(f"{text} is no JSON number", text, 0)


def _check_sense(data: dict[str, Any], what: str) -> None:
    """Raise `ResultsError` where the parts of a results file contradict each other: a report must not be greener, or
    drawn otherwise, than the evidence in it."""
    lemmas = data["lemmas"]
    names = [lemma["name"] for lemma in lemmas]
    uses = {lemma["name"]: lemma["uses"] for lemma in lemmas}
    try:
        list(TopologicalSorter(uses).static_order())
    except CycleError as problem:
        raise ResultsError(f"{what}: lemmas use each other in a circle: {', '.join(problem.args[1])}") from problem
    if len(set(names)) != len(names):
        raise ResultsError(f"{what}: two lemmas have one name")
    for name in names:
        if "\0" in name or "\r" in name:
            # a page would hold another name than the one that its script looks for
            raise ResultsError(f"{what}: {name!r}: no name of a lemma")
    for lemma in lemmas:
        said = [Verdict(size["verdict"]) for size in lemma["sizes"]]
        every = lemma.get("every_size")
        if every is not None:
            said.append(Verdict(every["verdict"]))
            _check_every_size(every, f"{what}: {lemma['name']}")
        if not said or lemma["verdict"] != Verdict.worst(said):
            raise ResultsError(f"{what}: the verdict on {lemma['name']} is not the worst of its sizes")
        refuted = any(obligation["verdict"] == Verdict.REFUTED for obligation in lemma["obligations"])
        if refuted != (lemma["verdict"] == Verdict.REFUTED):
            raise ResultsError(f"{what}: the verdict on {lemma['name']} is not that of its obligations")
        for size in lemma["sizes"]:
            _check_size(size, lemma["obligations"], f"{what}: {lemma['name']}")
        if lemma.get("audit"):
            for wrong in contradictions(lemma):
                raise ResultsError(f"{what}: the audit of {lemma['name']}: {wrong}")
    _check_rests_on(lemmas, what)
    verdicts = [Verdict(lemma["verdict"]) for lemma in lemmas]
    if data["verdict"] != (Verdict.worst(verdicts) if verdicts else None):
        raise ResultsError(f"{what}: the verdict is not the worst of the lemmas'")
    if data["counts"] != {str(verdict): verdicts.count(verdict) for verdict in Verdict}:
        raise ResultsError(f"{what}: the counts are not those of the lemmas")


def _check_size(size: dict[str, Any], obligations: Sequence[dict[str, Any]], where: str) -> None:
    """Raise `ResultsError` where a known size is called proved against what was asked there."""
    if size["verdict"] != Verdict.PROVED:
        if size["trivial"]:
            raise ResultsError(f"{where} is called trivial at tape size {size['size']}, but not proved")
        return
    said = [each["verdict"] for each in obligations if each["size"] == size["size"]]
    shown = size["trivial"] or Verdict.PROVED in said
    if not shown or not set(said) <= {Verdict.PROVED, Verdict.VACUOUS}:
        raise ResultsError(f"{where} is called proved at tape size {size['size']} against its obligations")


def _check_rests_on(lemmas: Sequence[dict[str, Any]], what: str) -> None:
    """Raise `ResultsError` where a proof at every size conceals that what it needed is not proved."""
    every = {lemma["name"]: lemma.get("every_size") for lemma in lemmas}
    for name, said in every.items():
        if said is None or said["verdict"] != Verdict.PROVED:
            continue
        for use in said["uses"]:
            used = every.get(use["name"])
            if used is None or not (use["to_prove"] or use["to_state"]):
                continue
            taken = set(used["admitted"]) if used["verdict"] == Verdict.PROVED else {use["name"]}
            if not taken <= set(said["admitted"]):
                raise ResultsError(f"{what}: {name} does not say that it rests on {', '.join(sorted(taken))}")


def _check_every_size(every: dict[str, Any], where: str) -> None:
    """Raise `ResultsError` where a proof at every size is called more than its parts show."""
    proved = every["verdict"] == Verdict.PROVED
    shown = any(each["of"] == "goal" for each in every["obligations"])
    if proved and (not shown or every["witness"] is None):
        raise ResultsError(f"{where} is called proved at every size, without a proof or a witness")
    if every["fully"] != (proved and not every["admitted"]):
        raise ResultsError(f"{where} is called fully proved, or not, against what it rests on")


def check(data: Any, what: str) -> None:
    """Raise `ResultsError` if the data is not as the schema says."""
    check_against(schema(), data, what)


def check_against(expected: dict[str, Any], data: Any, what: str) -> None:
    """Raise `ResultsError` if the data is not as this schema says."""
    import jsonschema

    problem = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(expected).iter_errors(data))
    if problem is not None:
        where = "/".join(str(part) for part in problem.absolute_path) or "the top"
        raise ResultsError(f"{what}: not a results file, at {where}: {problem.message[:200]}")
