"""`symtape mutate` on mutants and lemmas written for it, one for each way to go wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symtape import Bound, Verdict
from symtape.discover import discover, discover_mutants, discover_runtime
from symtape.footprint import changed, only_replayed
from symtape.kernel import satisfiable
from symtape.mutation import check, load
from symtape.results import ResultsError
from symtape.solver import Limits
from tests.test_cli import Run, symtape  # noqa: F401

FILE = '''
from symtape import Claim, equal, given, lemma
from symtape.encodings.accumulator import Accumulator, Contributions
from symtape.encodings.backward import Engine
from symtape.encodings.interpreter import Runtime
from symtape.encodings.parameter import Nat
from symtape.encodings.tape import Tape
from symtape.encodings.tensor import SomeTensor
from symtape.mutant import Mutant


class Turned(Runtime):
    def combine(self, existing, contribution):
        return self.add_tensors(contribution, existing)


class Whole(Engine):
    def combine(self, existing, contribution):
        return contribution.add(existing)

    def interpreter(self):
        return Turned


class OtherName(Engine):
    def interpreter(self):
        return type("Mine", (Runtime,), {})


class OnlyReplayed(Engine):
    def interpreter(self):
        return Turned


class OnlyModelled(Whole):
    def interpreter(self):
        return type("Mine", (Runtime,), {})


class Unreplayable(Engine):
    def combine(self, existing, contribution):
        return contribution.add(existing)


class Intercepting(Whole):
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


class OfItsOwn(OnlyReplayed):
    def __init__(self):
        self.combine = lambda existing, contribution: contribution.add(existing)


class Mixin:
    @property
    def combine(self):
        return lambda existing, contribution: contribution.add(existing)


class Mixed(Mixin, OnlyReplayed):
    pass


class NoEngine:
    pass


MINE = [Mutant(each.__name__, "by hand", "addGradAll", "A test's.", each()) for each in (
    Whole, OtherName, OnlyReplayed, OnlyModelled, Unreplayable, Intercepting, OfItsOwn, Mixed, NoEngine)]


def same(t, acc, pid, g):
    return equal(t.addGradAll(acc, pid, g), t.as_runtime().addGradAll(acc, pid, g))


@lemma()
def tells(t: Tape, acc: Accumulator, pid: Nat, g: SomeTensor) -> Claim:
    """Notices whatever `addGradAll` does."""
    return given().show(lambda: same(t, acc, pid, g))


@lemma()
def about_three(t: Tape, acc: Accumulator, pid: Nat, g: SomeTensor) -> Claim:
    """The same, of tapes that have three nodes."""
    return given(h=t.size >= 3).show(lambda: same(t, acc, pid, g))


@lemma()
def about_nothing(t: Tape, acc: Accumulator, pid: Nat, g: SomeTensor) -> Claim:
    """The same, of no tapes."""
    return given(h=pid < t.size, k=pid >= t.size).show(lambda: same(t, acc, pid, g))


@lemma()
def broken(t: Tape, acc: Accumulator) -> Claim:
    """A lemma that cannot be stated."""
    return given().show(lambda: 1 / 0)
'''
SMALL = ("--bound", "1", "--contributions", "1", "--entries", "1", "--encodings", "mine.py")


@pytest.fixture
def mutate(symtape: Run, tmp_path: Path) -> Callable[..., tuple[int, dict[str, Any], str]]:  # noqa: F811
    """Run the command: exit code, what is in `mutants.json`, and the text."""
    (tmp_path / "mine.py").write_text(FILE)

    def run(*arguments: str, mutants: tuple[str, ...] = ("Whole",)) -> tuple[int, dict[str, Any], str]:
        chosen = [part for name in mutants for part in ("--mutant", name)]
        code, out, _ = symtape("mutate", *SMALL, *arguments, *chosen)
        data: dict[str, Any] = load(tmp_path / "symtape-report" / "mutants.json")
        return code, data, out

    return run


def by_name(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in data["mutants"]}


def test_what_a_change_is_made_of_does_not_hide_it(mutate: Any) -> None:
    names = ("Whole", "Intercepting", "OfItsOwn", "Mixed")
    code, data, _ = mutate("tells", mutants=names)
    assert code == 0
    assert {name: each["status"] for name, each in by_name(data).items()} == dict.fromkeys(names, "killed")


def test_a_model_that_does_not_replay_is_no_kill_and_is_kept(mutate: Any, tmp_path: Path) -> None:
    code, data, _ = mutate("tells", mutants=("OnlyModelled",))
    told = by_name(data)["OnlyModelled"]
    assert (code, told["status"], told["killed_by"]) == (3, "undecided", [])
    assert told["reason"] == "model did not replay"
    kept = tmp_path / "symtape-report" / "unreplayed" / "tells_on_OnlyModelled.json"
    assert json.loads(kept.read_text()) == told["cells"]["tells"]["unreplayed"]
    mutate("tells")
    assert not kept.exists()


def test_what_only_the_interpreter_does_is_not_called_equivalent(mutate: Any) -> None:
    code, data, _ = mutate("tells", mutants=("OnlyReplayed",))
    told = by_name(data)["OnlyReplayed"]
    assert (code, told["status"], told["equivalence"]["verdict"]) == (3, "undecided", "undecided")
    assert "its interpreter is changed" in told["reason"]


def test_an_engine_without_an_interpreter_is_undecided(mutate: Any) -> None:
    code, data, _ = mutate("tells", mutants=("Unreplayable", "NoEngine"))
    assert code == 3
    assert {each["status"] for each in data["mutants"]} == {"undecided"}


def test_a_mutant_that_changes_nothing_is_equivalent_for_any_number_of_lemmas(mutate: Any) -> None:
    code, data, _ = mutate("tells", "about_three", "about_nothing", mutants=("OtherName",))
    assert by_name(data)["OtherName"]["status"] == "equivalent"
    assert code == 1, "one of the lemmas is vacuous"


def test_a_lemma_about_large_tapes_notices_too(mutate: Any) -> None:
    code, data, _ = mutate("about_three", "--bound", "3")
    assert (code, by_name(data)["Whole"]["killed_by"]) == (0, ["about_three"])


def test_what_no_size_within_the_bound_satisfies_is_undecided(mutate: Any) -> None:
    code, data, out = mutate("about_three", "tells")
    assert code == 3
    assert {each["name"]: each["on_runtime"] for each in data["lemmas"]} == {
        "tells": "proved",
        "about_three": "undecided",
    }
    assert "not proved on the runtime" in out
    assert "about_three: undecided" in out


def test_a_limit_makes_no_lemma_vacuous(mutate: Any) -> None:
    code, data, _ = mutate("tells", "about_nothing", "--rlimit", "1")
    assert code == 3
    assert {each["on_runtime"] for each in data["lemmas"]} == {"undecided"}


def test_a_lemma_that_cannot_be_stated_is_no_pass(mutate: Any) -> None:
    code, data, out = mutate("tells", "broken")
    assert (code, by_name(data)["Whole"]["status"]) == (4, "killed")
    assert "broken: error" in out


def test_satisfiable_up_to_the_bound(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    lemmas, limits = discover([tmp_path / "mine.py"]), Limits(timeout=60.0)
    said = {
        (name, size): satisfiable(lemmas[name], Bound(size, 1, 1), limits)[0]
        for name in ("tells", "about_three", "about_nothing")
        for size in (2, 3)
    }
    assert said == {
        ("tells", 2): Verdict.PROVED,
        ("tells", 3): Verdict.PROVED,
        ("about_three", 2): Verdict.UNDECIDED,
        ("about_three", 3): Verdict.PROVED,
        ("about_nothing", 2): Verdict.VACUOUS,
        ("about_nothing", 3): Verdict.VACUOUS,
    }


def test_what_an_engine_changes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    runtime = discover_runtime()
    engines = {name: each.engine for name, each in discover_mutants([tmp_path / "mine.py"]).items()}
    assert changed(engines["OtherName"], runtime) == frozenset()
    for name in ("Whole", "OnlyModelled", "Mixed"):
        assert changed(engines[name], runtime) == {"combine"}
    assert changed(engines["OfItsOwn"], runtime) == {"__init__", "combine"}
    assert changed(engines["Intercepting"], runtime) is None
    assert changed(engines["NoEngine"], runtime) is None
    assert [name for name, each in engines.items() if only_replayed(each, runtime)] == ["OnlyReplayed"]


def _killed(data: dict[str, Any]) -> None:
    data["mutants"][1] |= {"status": "killed", "killed_by": ["tells"]}


def _sound(data: dict[str, Any]) -> None:
    data["lemmas"][0]["on_runtime"] = "refuted"


def _no_runtime(data: dict[str, Any]) -> None:
    del data["lemmas"][0]["on_runtime"]


def _counts(data: dict[str, Any]) -> None:
    data["counts"]["theory"]["undecided"] = 0
    data["counts"]["theory"]["equivalent"] = 1


def _twice(data: dict[str, Any]) -> None:
    data["mutants"].append(data["mutants"][0])
    data["counts"] = {name: {**said, "killed": 2} for name, said in data["counts"].items()}


def _no_cells(data: dict[str, Any]) -> None:
    data["mutants"][1]["cells"] = {}


def _other_lemmas(data: dict[str, Any]) -> None:
    data["theory"]["lemmas"] = []


@pytest.mark.parametrize("spoil", [_killed, _sound, _no_runtime, _counts, _twice, _no_cells, _other_lemmas])
def test_a_file_that_is_greener_than_its_evidence_is_refused(
    mutate: Any, spoil: Callable[[dict[str, Any]], None]
) -> None:
    _, data, _ = mutate("tells", mutants=("Whole", "OnlyReplayed", "OtherName"))
    check(data, "as it was written")
    spoil(data)
    with pytest.raises(ResultsError):
        check(data, "spoiled")
