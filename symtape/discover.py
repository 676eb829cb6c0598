"""Which lemmas and mutants there are: those of the encodings that come with symtape, and of files the user names."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from symtape.mutant import Mutant
from symtape.statement import Lemma, StatementError

BUILT_IN = "symtape.encodings.lemmas"
EQUIVALENCE = "symtape.encodings.equivalence"
"""The lemmas that say of an engine that it is the runtime: trivial of the runtime, so the registry has them not."""
MUTANTS = "symtape.encodings.mutants"
THEORY = "symtape.encodings.theory"
"""Which groups a kill matrix judges, and what its mutants are changes of."""


class Named(Protocol):
    """What a lemma is chosen by, be it one of the registry or one of a results file."""

    @property
    def name(self) -> str: ...
    @property
    def lean(self) -> str | None: ...
    @property
    def group(self) -> str: ...


class EncodingsError(Exception):
    """An encodings file that cannot be used; the message has file, line and what is wrong."""


class UnknownLemmaError(Exception):
    """A pattern that matches no lemma; the message has the nearest names."""


class UnknownMutantError(UnknownLemmaError):
    """A name that no mutant has; the message has the nearest names."""


def discover(paths: Sequence[str | Path] = ()) -> dict[str, Lemma]:
    """All lemmas by name, symtape's own and those of `paths` (files or folders), each after those that it uses.

    Raises `EncodingsError`, also when a lemma uses one that is not stated, or itself.
    """
    lemmas: dict[str, Lemma] = {}
    for module in _built_in(BUILT_IN):
        _collect(module, lemmas)
    built_in = list(lemmas)
    for path in paths:
        for file in _files(Path(path)):
            _collect(_load(file), lemmas)
    own = set(built_in)
    found_in = tuple(str(Path(path).resolve()) for path in paths)
    return {
        name: lemma if name in own else replace(lemma, found_in=found_in) for name, lemma in _in_order(lemmas).items()
    }


def _in_order(lemmas: dict[str, Lemma]) -> dict[str, Lemma]:
    for lemma in lemmas.values():
        for used in lemma.uses:
            if used not in lemmas:
                raise EncodingsError(f"{_where(lemma)}: uses {used!r}: {unknown(used, lemmas)}")
    ordered: dict[str, Lemma] = {}
    waiting = dict(lemmas)
    while waiting:
        ready = next((n for n, each in waiting.items() if all(used in ordered for used in each.uses)), None)
        if ready is None:
            raise EncodingsError(
                f"{_where(next(iter(waiting.values())))}: uses itself, by way of {', '.join(waiting)}"
            )
        ordered[ready] = waiting.pop(ready)
    return ordered


def _where(lemma: Lemma) -> str:
    path, line = lemma.location
    return f"{path}:{line}: lemma {lemma.name}"


def find_lemma(name: str, paths: Sequence[str | Path] = ()) -> Lemma:
    """The lemma with this name, also one of `discover_equivalence`. Raises `UnknownLemmaError`, `EncodingsError`."""
    lemmas = discover(paths)
    if name not in lemmas:
        for lemma in discover_equivalence():
            if lemma.name == name:
                return lemma
        raise UnknownLemmaError(unknown(name, lemmas))
    return lemmas[name]


def discover_equivalence() -> list[Lemma]:
    """The lemmas that say of an engine that each of its functions is the runtime's."""
    module = importlib.import_module(EQUIVALENCE)
    return [value for value in vars(module).values() if isinstance(value, Lemma)]


def discover_mutants(paths: Sequence[str | Path] = ()) -> dict[str, Mutant]:
    """All mutants by name, symtape's own and those of `paths` (files or folders). Raises `EncodingsError`."""
    mutants: dict[str, Mutant] = {}
    for module in _built_in(MUTANTS):
        _collect_mutants(module, mutants)
    own = set(mutants)
    for path in paths:
        for file in _files(Path(path)):
            _collect_mutants(_load(file), mutants)
    found_in = tuple(str(Path(path).resolve()) for path in paths)
    return {name: each if name in own else replace(each, found_in=found_in) for name, each in mutants.items()}


def discover_runtime() -> Any:
    """The engine that mutants are changes of."""
    return importlib.import_module(THEORY).RUNTIME


def find_mutant(name: str, paths: Sequence[str | Path] = ()) -> Mutant:
    """The mutant with this name. Raises `UnknownMutantError` and `EncodingsError`."""
    mutants = discover_mutants(paths)
    if name not in mutants:
        raise UnknownMutantError(unknown_mutant(name, mutants))
    return mutants[name]


def unknown_mutant(name: str, mutants: dict[str, Mutant]) -> str:
    """What to say of a mutant that there is not, with the nearest names."""
    near = difflib.get_close_matches(name, mutants, n=3, cutoff=0.4)
    hint = f"; did you mean {', '.join(map(repr, near))}?" if near else ""
    return f"no mutant {name!r}{hint}"


def call_reference(lemma: Lemma) -> str:
    """The arguments of `replay` that lead back to this lemma."""
    name = lemma.name.removesuffix(f" on {lemma.mutant}") if lemma.mutant else lemma.name
    stated = name.removesuffix(f" concluding {lemma.conclusion}")
    base, _, _ = stated.partition(" without ")
    named_variant = lemma.dropped and f" without {', '.join(sorted(lemma.dropped))}" in stated
    reference = repr(base if named_variant else stated)
    if lemma.conclusion:
        reference += f", concluding={lemma.conclusion!r}"
    if named_variant:
        reference += f", without={sorted(lemma.dropped)!r}"
    if lemma.mutant:
        reference += f", engine={lemma.mutant!r}"
    if lemma.found_in:
        reference += f", encodings={list(lemma.found_in)!r}"
    return reference


def unknown(pattern: str, lemmas: Mapping[str, Named]) -> str:
    """What to say of a pattern that names no lemma, with the nearest names."""
    names = [*lemmas, *{lemma.group for lemma in lemmas.values() if lemma.group}]
    near = difflib.get_close_matches(pattern, names, n=3, cutoff=0.4)
    hint = f"; did you mean {', '.join(near)}?" if near else "; `symtape list` shows them all"
    return f"no lemma, group or pattern {pattern!r}{hint}"


def _built_in(package: str) -> list[ModuleType]:
    folder = Path(__file__).parent.joinpath(*package.split(".")[1:])
    return [importlib.import_module(f"{package}.{file.stem}") for file in sorted(folder.glob("[!_]*.py"))]


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(path.glob("[!_]*.py"))
        if not files:
            raise EncodingsError(f"{path}: no Python files in this folder")
        return files
    if not path.is_file():
        raise EncodingsError(f"{path}: no such file or folder")
    return [path]


def _load(file: Path) -> ModuleType:
    resolved = file.resolve()
    name = f"symtape_user_{resolved.stem}_{hashlib.sha256(str(resolved).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise EncodingsError(f"{file}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for the result
            spec.loader.exec_module(module)
    except SyntaxError as problem:
        del sys.modules[name]
        raise EncodingsError(f"{problem.filename or file}:{problem.lineno or 1}: {problem.msg}") from problem
    except StatementError as problem:
        del sys.modules[name]
        raise EncodingsError(str(problem)) from problem
    except (Exception, SystemExit) as problem:
        del sys.modules[name]
        frames = [f for f in traceback.extract_tb(problem.__traceback__) if Path(f.filename) == resolved]
        line = frames[-1].lineno if frames else 1
        raise EncodingsError(f"{file}:{line}: {type(problem).__name__}: {problem}") from problem
    return module


def _collect(module: ModuleType, lemmas: dict[str, Lemma]) -> None:
    for value in vars(module).values():
        if not isinstance(value, Lemma):
            continue
        known = lemmas.get(value.name)
        if known is value:
            continue  # imported from a module that was read before
        if known is not None:
            first, line = known.location
            raise EncodingsError(f"{_where(value)} is already stated at {first}:{line}")
        lemmas[value.name] = value


def _collect_mutants(module: ModuleType, mutants: dict[str, Mutant]) -> None:
    for value in vars(module).values():
        for mutant in value if isinstance(value, list | tuple) else [value]:
            if not isinstance(mutant, Mutant) or mutants.get(mutant.name) is mutant:
                continue  # the same one again is imported from a module that was read before
            if mutant.name in mutants:
                raise EncodingsError(f"{module.__file__}: there is another mutant called {mutant.name!r} already")
            mutants[mutant.name] = mutant
