"""The command line: what goes where, exit codes, and one clear line for every mistake of a user's."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from symtape.cli import main
from symtape.results import schema
from tests.deciding import lemmas
from tests.pasting import paste
from tests.test_false_lemmas import FILE as FALSE_LEMMAS
from tests.test_report import FILES

GOLDEN = Path(__file__).parent / "golden"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def symtape(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def unwrapped(text: str) -> str:
    """A text as it was before it was wrapped."""
    return " ".join(text.split())


def lemma_file(folder: Path, body: str, hypotheses: str = "") -> Path:
    """A file with one lemma `mine(t, acc, pid)`."""
    path = folder / "mine.py"
    path.write_text(
        "import os\n"
        "from symtape import Claim, equal, given, lemma\n"
        "from symtape.encodings.accumulator import Accumulator\n"
        "from symtape.encodings.parameter import Nat\n"
        "from symtape.encodings.tape import Tape\n\n\n"
        "@lemma()\n"
        "def mine(t: Tape, acc: Accumulator, pid: Nat) -> Claim:\n"
        "    '''Says something.'''\n"
        f"    return given({hypotheses}).show(lambda: {body})\n",
        "utf-8",
    )
    return path


# --- what is shown ---


@pytest.mark.parametrize(
    ("golden", "arguments"),
    [
        ("list.txt", ["list"]),
        ("show.txt", ["show", "addGradAll_addNode_push"]),
        ("graph.dot", ["graph"]),
        ("graph.json", ["graph", "--format", "json"]),
    ],
)
def test_golden(symtape: Run, golden: str, arguments: list[str]) -> None:
    code, out, err = symtape(*arguments)
    assert (code, err) == (0, "")
    assert out == (GOLDEN / golden).read_text("utf-8")


@pytest.mark.parametrize("form", ["svg", "graphml"])
def test_graph_formats_are_xml(symtape: Run, form: str) -> None:
    from xml.etree import ElementTree

    code, out, _ = symtape("graph", "--format", form)
    assert code == 0
    assert "backwardDenseFrom_addNode_lowerNode" in "".join(ElementTree.fromstring(out).itertext()) + out


@pytest.mark.parametrize(
    ("direction", "around"),
    [
        ("both", {"addGradAll_ok_size", "backwardDenseFromStep_ok_size"}),
        ("uses", {"addGradAll_ok_size"}),
        ("used-by", {"backwardDenseFromStep_ok_size"}),
    ],
)
def test_the_graph_around_a_lemma(symtape: Run, direction: str, around: set[str]) -> None:
    lemma = "foldlM_addGradAll_ok_size"
    code, out, _ = symtape("graph", lemma, "--depth", "1", "--direction", direction, "--format", "json")
    assert code == 0
    shown = {node["name"] for node in json.loads(out)["nodes"]}
    assert lemma in shown
    assert shown & {"addGradAll_ok_size", "backwardDenseFromStep_ok_size"} == around
    code, out, _ = symtape("graph", lemma, "--depth", "0", "--format", "json")
    assert [node["name"] for node in json.loads(out)["nodes"]] == [lemma]


def test_prove_writes_a_report_and_a_table(symtape: Run, tmp_path: Path) -> None:
    code, out, err = symtape("prove", "--bound", "1", "--jobs", "2")
    assert code == 0
    every = len(lemmas())
    assert out.count("✓ proved") == every
    assert (
        f"{every} of {every} proved: tapes of 0-1 nodes (other sizes up to one more), ≤ 2 contributions a node"
        in unwrapped(out)
    )
    assert err == f"report: {Path('symtape-report/index.html')}\n"
    results = json.loads((tmp_path / "symtape-report" / "results.json").read_text("utf-8"))
    jsonschema.validate(results, schema())
    assert results["bound"] == {"tape": 1, "contributions": 2, "entries": 2}
    assert all("tapes of 0-1 nodes" in each["scope"]["text"] for each in results["lemmas"])
    loop = next(each for each in results["lemmas"] if each["name"] == "backwardDenseFromLoop_addNode_push")
    assert {"hpids", "hm", "hacc"} == {name for o in loop["obligations"] for name in o["core"]}
    assert all(o["rlimit"] > 0 and o["seconds"] > 0 for o in loop["obligations"])


def test_json_on_stdout_is_only_json(symtape: Run, tmp_path: Path) -> None:
    code, out, err = symtape("prove", "getNode?_addNode_of_lt", "--bound", "1", "--json", "-", "--no-report")
    assert (code, err) == (0, "")
    jsonschema.validate(json.loads(out), schema())
    assert list(tmp_path.iterdir()) == []


def test_a_refutation_starts_with_a_line_that_can_be_pasted(symtape: Run) -> None:
    code, out, _ = symtape(
        "prove", "loop_one_longer", "--bound", "2", "--encodings", str(FALSE_LEMMAS), "--no-report"
    )
    assert code == 1
    assert "✗ refuted  loop_one_longer" in out
    call, *_ = out.splitlines()
    assert call.startswith("from symtape")
    sides, _, steps = out.partition("  step by step:\n")
    differing = [line for line in sides.splitlines() if line.startswith("≠")]
    assert len(differing) >= 2
    assert all(line in paste(call).splitlines() for line in differing)
    assert [line.split()[1] for line in steps.splitlines() if line.startswith("≠")] == ["left", "right"]


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("addGradAll_addNode_push", "addGradAll_addNode_push"),
        ("Proofs.Autograd.Algebra.Graph.addGradAll_addNode_push", "addGradAll_addNode_push"),
        ("getNode?_addN", "getNode?_addNode_of_lt"),
        ("*.addGradAll_addNode_push", "addGradAll_addNode_push"),
        ("addGradAll_*_push", "addGradAll_addNode_push"),
    ],
)
def test_ways_to_name_a_lemma(symtape: Run, pattern: str, name: str) -> None:
    code, out, _ = symtape("show", pattern)
    assert code == 0
    assert out.startswith(f"Proofs.Autograd.Algebra.Graph.{name}\n")
    assert out.count("Proofs.Autograd.Algebra.Graph.") == 1


def test_a_group_is_a_name(symtape: Run) -> None:
    _, out, _ = symtape("list", "Last-node step")
    assert "addNode_prefix_node_spec" in out
    assert "addGradAll_addNode_push" not in out


@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["--version"], ["show", "addGradAll_addNode_push"]])
def test_quick_commands_load_none_of_the_heavy_libraries(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom symtape.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "names = 'sympy networkx jinja2 jsonschema pebble z3.z3core'\n"
        "heavy = [name for name in names.split() if name in sys.modules]\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


# --- verdicts and exit codes ---


def test_contradictory_hypotheses_are_vacuous(symtape: Run, tmp_path: Path) -> None:
    mine = lemma_file(tmp_path, "equal(t.addGradAll(acc, pid, acc[0]), acc.pure())", "h=pid < 3, k=pid > 5")
    code, out, _ = symtape("prove", "mine", "--bound", "1", "--encodings", str(mine), "--no-report")
    assert code == 1
    assert "mine: vacuous: the hypotheses contradict each other within the bound: h, k" in out


def test_a_lemma_that_is_empty_at_larger_sizes_only_is_vacuous(symtape: Run, tmp_path: Path) -> None:
    mine = lemma_file(tmp_path, "equal(t.getNode(pid), t.getNode(pid))", "few=pid < 2, all=pid >= t.size")
    code, out, _ = symtape("prove", "mine", "--bound", "2", "--encodings", str(mine), "--no-report")
    assert code == 1
    assert "vacuous: nothing satisfies the hypotheses at tape size 2" in out


def test_sizes_that_were_not_looked_at_make_nothing_vacuous(symtape: Run, tmp_path: Path) -> None:
    mine = lemma_file(tmp_path, "equal(t.getNode(pid), t.getNode(pid))", "longer=acc.size == t.size + 2")
    code, out, _ = symtape("prove", "mine", "--bound", "2", "--encodings", str(mine), "--no-report")
    assert code == 3
    assert "undecided: nothing within the scope satisfies the hypotheses" in out


def test_no_answer_is_no_pass(symtape: Run) -> None:
    code, out, _ = symtape(
        "prove", "backwardDenseFrom_addNode_lowerNode", "--bound", "2", "--rlimit", "1", "--no-report"
    )
    assert code == 3
    assert "? undecided" in out
    assert "resource limit" in out


def test_a_fault_in_a_lemma_is_an_error(symtape: Run, tmp_path: Path) -> None:
    mine = lemma_file(tmp_path, "equal(t.nodes[99], t)")
    code, out, _ = symtape("prove", "mine", "--bound", "1", "--encodings", str(mine), "--no-report")
    assert code == 4
    assert "IndexError" in out
    assert "Traceback" not in out


def test_a_killed_process_is_an_error_and_the_others_go_on(symtape: Run, tmp_path: Path) -> None:
    mine = lemma_file(tmp_path, "os.kill(os.getpid(), 9)")
    code, out, _ = symtape(
        "prove", "mine", "getNode?_addNode_of_lt", "--bound", "1", "--encodings", str(mine), "--no-report"
    )
    assert code == 4
    assert "✓ proved  getNode?_addNode_of_lt" in out
    assert "the worker process died" in out


# --- mistakes ---


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["prove", "addGradAll_addNode_psuh"], "did you mean addGradAll_addNode_push"),
        (["prove", "nothing_like_it_zzz"], "no lemma, group or pattern 'nothing_like_it_zzz'"),
        (["prove", "--bound", "-1"], "must be between 0 and 64, not -1"),
        (["prove", "--bound", "1000000"], "must be between 0 and 64, not 1000000"),
        (["prove", "--bound", "two"], "'two' is not a whole number"),
        (["prove", "--timeout", "0"], "must be more than 0"),
        (["prove", "--timeout", "nan"], "must be more than 0"),
        (["prove", "--jobs", "0"], "must be between 1"),
        (["prove", "--scalar", "quaternion"], "invalid choice"),
        (["prove", "--report", "/dev/null/report"], "cannot write to /dev/null/report"),
        (["prove", "--encodings", "missing.py"], "missing.py: no such file or folder"),
        (["prove", "--json", "/dev/null/x.json"], "cannot write to /dev/null"),
        (["report", "missing.json"], "missing.json: No such file"),
        (["graph", "--output", "/dev/null/x.dot"], "cannot write /dev/null/x.dot"),
        (["graph", "--depth", "1"], "--depth needs a LEMMA"),
        (["graph", "addGradAll_ok_size", "--depth", "-1"], "must be between 0 and 10000, not -1"),
        (["frobnicate"], "invalid choice"),
        ([], "required"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(symtape: Run, arguments: list[str], says: str) -> None:
    code, out, err = symtape(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("symtape: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def broken(:\n", ":1: "),
        ("import symtape\n\nsymtape.nothing\n", ":3: AttributeError"),
        ("from nowhere_at_all import x\n", ":1: ModuleNotFoundError"),
        (
            "from symtape import lemma, given\n\n@lemma()\ndef f():\n    return given().show(lambda: True)\n",
            "docstring",
        ),
        (
            "from symtape import lemma, given\n\n@lemma(uses=['nope'])\ndef f():\n    'Doc.'\n"
            "    return given().show(lambda: True)\n",
            "lemma f: uses 'nope'",
        ),
        (
            "from symtape import lemma, given\n\n@lemma(uses=['f'])\ndef f():\n    'Doc.'\n"
            "    return given().show(lambda: True)\n",
            "uses itself",
        ),
        (
            "from symtape import lemma, given\n\n@lemma(name='addGradAll_addNode_push')\ndef f():\n    'Doc.'\n"
            "    return given().show(lambda: True)\n",
            "is already stated at",
        ),
        ("raise SystemExit(0)\n", ":1: SystemExit"),
    ],
)
def test_bad_encodings_files(symtape: Run, tmp_path: Path, source: str, says: str) -> None:
    (tmp_path / "mine.py").write_text(source, "utf-8")
    code, out, err = symtape("list", "--encodings", "mine.py")
    assert (code, out) == (2, "")
    assert says in err
    assert "mine.py" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text[: len(text) // 2], "not JSON, or cut off"),
        (lambda text: text.replace('"schema": 1', '"schema": 2', 1), "schema 2; this symtape reads schema 1"),
        (lambda text: "[]", "schema None"),
        (lambda text: text.replace('"verdict": "proved"', '"verdict": "splendid"', 1), "not a results file"),
        (lambda text: text.replace('"satisfiable": true', '"satisfiable": null', 1), "not a results file"),
    ],
)
def test_bad_results_files(symtape: Run, tmp_path: Path, change: Callable[[str], str], says: str) -> None:
    symtape("prove", "getNode?_addNode_of_lt", "--bound", "1")
    path = tmp_path / "symtape-report" / "results.json"
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    code, _, err = symtape("report", str(path))
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


def test_the_report_again_is_the_same_report(symtape: Run, tmp_path: Path) -> None:
    symtape("prove", "Push commutation", "--bound", "1")
    symtape("report", "symtape-report/results.json", "--report", "again")
    for name in FILES:
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "symtape-report" / name).read_bytes()


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m symtape list | head -1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.stdout.count("\n") == 1


def test_counts_and_json_types(symtape: Run) -> None:
    code, out, _ = symtape(
        "prove", "false", "--bound", "2", "--encodings", str(FALSE_LEMMAS), "--json", "-", "--no-report"
    )
    data: dict[str, Any] = json.loads(out)
    jsonschema.validate(data, schema())
    assert code == 1
    assert data["counts"]["refuted"] == len(data["lemmas"])
    assert all(each["verdict"] == "refuted" for each in data["lemmas"])
