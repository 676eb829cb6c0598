"""The seed's eight theorems: proved as stated, and what each hypothesis is worth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symtape import Bound, Verdict
from tests.deciding import SEED, decide, lemmas
from tests.pasting import paste

BOUND = Bound(3, 2, 2)

NEEDLESS = {
    # `hvals` equates two arrays, and equal arrays have equal sizes
    ("addNode_prefix_node_spec", "hsize"),
    ("backwardDenseFromStep_addNode_lowerNode_last", "hsize"),
    # `hbp` says that the pass over `t` succeeds on every seed over `ss`: so sizes and shapes fit, and no node that
    # the pass visits emits an id outside the prefix
    ("backwardDenseFrom_addNode_lowerNode", "hsize"),
    ("backwardDenseFrom_addNode_lowerNode", "hvals"),
    ("backwardDenseFrom_addNode_lowerNode", "hpids"),
}
"""The hypotheses of the seed without which the claim is still true, as far as the bound goes."""

EVERY_HYPOTHESIS = [(name, hypothesis) for name in SEED for hypothesis in lemmas()[name].hypotheses]


def test_the_seed_is_stated() -> None:
    assert set(SEED) <= set(lemmas())
    assert [name for name in lemmas() if lemmas()[name].lean_statement] == [n for n in lemmas() if n in SEED]
    assert len(EVERY_HYPOTHESIS) == 1 + 2 + 2 + 3 + 3 + 4 + 3 + 5


@pytest.mark.parametrize("name", SEED)
def test_proved_as_stated(name: str) -> None:
    decided = decide(lemmas()[name], BOUND)
    assert decided.verdict is Verdict.PROVED, decided.conclusion.reason
    for finding in decided.findings:
        assert finding.verdict in (Verdict.PROVED, Verdict.VACUOUS)
        if finding.verdict is Verdict.PROVED and finding.kind == "claim":
            assert finding.satisfiable is True


@pytest.mark.parametrize("name", SEED)
@pytest.mark.parametrize("scalar", ["int", "real", "float32", "float64"])
def test_proved_over_every_scalar_theory(name: str, scalar: str) -> None:
    assert decide(lemmas()[name], Bound(1, 1, 1), scalar).verdict is Verdict.PROVED


@pytest.mark.parametrize(("name", "trivial"), [(name, name.startswith(("getNode", "addGradAll"))) for name in SEED])
def test_empty_tapes_are_called_trivial_where_an_id_is_asked_for(name: str, trivial: bool) -> None:
    empty = decide(lemmas()[name], Bound(1, 1, 1)).conclusion.by_size[0]
    wants_an_id = {"hid", "hpid", "hi"} & set(lemmas()[name].hypotheses) and name != "foldlM_addGradAll_addNode_push"
    assert empty.trivial == bool(wants_an_id)
    assert not trivial or empty.trivial


@pytest.mark.parametrize(("name", "hypothesis"), EVERY_HYPOTHESIS)
def test_each_hypothesis_dropped(name: str, hypothesis: str) -> None:
    decided = decide(lemmas()[name].without(hypothesis), Bound(2, 2, 2), until_refuted=True)
    if (name, hypothesis) in NEEDLESS:
        assert decided.verdict is Verdict.PROVED, decided.conclusion.reason
        return
    assert decided.verdict is Verdict.REFUTED, decided.conclusion.reason
    shown = decided.refutations[0].counterexample
    assert shown is not None
    said = paste(shown.call)
    assert "goal: FAILS" in said
    assert said.count("holds") == len(lemmas()[name].hypotheses) - 1


@pytest.mark.parametrize(("name", "hypothesis"), sorted(NEEDLESS))
def test_needless_hypotheses_are_in_no_core(name: str, hypothesis: str) -> None:
    claims = [f for f in decide(lemmas()[name], BOUND).findings if f.kind == "claim"]
    assert not any(hypothesis in finding.core for finding in claims)


@pytest.mark.parametrize(
    ("name", "hypothesis", "apart"),
    [
        ("addGradAll_addNode_push", "hacc", ("acc", "t")),
        ("backwardDenseFromStep_addNode_push", "hacc", ("acc", "t")),
        ("backwardDenseFromLoop_addNode_push", "hacc", ("acc", "t")),
        ("addNode_prefix_node_spec", "hsize", ("ss", "t")),
    ],
)
def test_sizes_come_apart_when_their_tie_is_dropped(name: str, hypothesis: str, apart: tuple[str, str]) -> None:
    lemma = lemmas()[name].without(hypothesis)
    if name == "addNode_prefix_node_spec":
        lemma = lemma.without("hvals")  # which ties the same two
    findings = decide(lemma, Bound(2, 1, 1)).findings
    differences = {f.sizes[apart[0]] - f.sizes[apart[1]] for f in findings if f.kind == "claim"}
    assert {-2, -1, 0, 1} <= differences


def _normal(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_the_lean_statements_are_the_seeds_own() -> None:
    """Our copy of each Lean statement stands, up to white space, in the golden copy of the seed's."""
    golden = _normal((Path(__file__).parent / "golden" / "seed_statements.txt").read_text("utf-8"))
    for name in SEED:
        lemma = lemmas()[name]
        assert lemma.lean == f"Proofs.Autograd.Algebra.Graph.{name}"
        assert f"theorem {lemma.lean} {_normal(lemma.statement)}" in golden


LEAN_HYPOTHESES = {
    "hid": "id < t.nodes.size",
    "hacc": "acc.size = t.nodes.size",
    "hpid": "pid < t.nodes.size",
    "hpids": "BackwardPidsLt t",
    "hi": "i < ss.length",
    "hsize": "t.nodes.size = ss.length",
    "hreq": "∀ (i : ℕ) (hi : i < t.nodes.size), t.nodes[i].requiresGrad = true",
    "hvals": "Array.map (fun (n : Runtime.Autograd.Node α) => n.value) t.nodes = ctx.toShapeErasedArray",
    "hbp": "∀ (s : TorchLean.TensorPack α ss), "
    "t.backwardDenseFrom s.toShapeErasedArray = Except.ok (bp s).toShapeErasedArray",
}


@pytest.mark.parametrize("name", SEED)
def test_hypotheses_that_the_seed_names_have_its_text(name: str) -> None:
    lemma = lemmas()[name]
    unnamed = {
        "foldlM_addGradAll_addNode_push": {"hacc", "hpid"},
        "backwardDenseFromLoop_addNode_push": {"hm", "hacc"},
    }
    for hypothesis, text in lemma.hypotheses.items():
        if hypothesis not in unnamed.get(name, set()):
            assert text == LEAN_HYPOTHESES[hypothesis]
            assert f"({hypothesis} : {text})" in _normal(lemma.statement)
