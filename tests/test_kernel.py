"""What counts as a proof: nothing but `unsat` under hypotheses that have a witness."""

from __future__ import annotations

import pytest

from symtape import Bound, Claim, Verdict, equal, given, implies, lemma
from symtape import counterexample as counterexample_module
from symtape import kernel as kernel_module
from symtape.bound import Case
from symtape.conclude import conclude
from symtape.encodings.accumulator import Accumulator
from symtape.encodings.parameter import Nat
from symtape.encodings.tape import Node, Tape
from symtape.encodings.witness import PlainPython
from symtape.findings import Finding
from symtape.kernel import settle
from symtape.logic import formula
from symtape.smt import z3
from symtape.solver import Answer, Limits, ask
from symtape.statement import Replay
from tests.deciding import LIMITS, decide, lemmas

ONE = Case(1, (("t", 1), ("acc", 1)))


def test_every_z3_result_is_truthy_so_none_is_used_as_a_truth_value() -> None:
    assert bool(z3.unsat) and bool(z3.unknown)
    with pytest.raises(TypeError):
        formula(z3.unsat)


@pytest.mark.parametrize("reason", ["timeout", "resource limit", "memory", "incomplete"])
def test_unknown_is_undecided(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    real = kernel_module.ask

    def only_the_claim_is_unknown(constraints, assumptions, limits, keep=()):  # type: ignore[no-untyped-def]
        if kernel_module.GOAL in assumptions:
            return Answer("unknown", 0.0, 0, reason=reason)
        return real(constraints, assumptions, limits, keep)

    monkeypatch.setattr(kernel_module, "ask", only_the_claim_is_unknown)
    finding = settle(lemmas()["addGradAll_addNode_push"], ONE, Bound(1, 1, 1), "uninterpreted", LIMITS)
    assert (finding.verdict, finding.reason) == (Verdict.UNDECIDED, reason)


def test_a_model_that_does_not_replay_is_no_refutation(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Replay({"hpid": True}, goal=True, call="the call")
    monkeypatch.setattr(counterexample_module, "confirmed", lambda instance, model: said)
    lemma_ = lemmas()["addGradAll_addNode_push"].without("hacc")
    case = Case(1, (("t", 1), ("acc", 0)))
    finding = settle(lemma_, case, Bound(1, 1, 1), "uninterpreted", LIMITS)
    assert (finding.verdict, finding.reason) == (Verdict.UNDECIDED, "model did not replay")
    assert finding.counterexample is None
    assert finding.unreplayed is not None
    assert finding.unreplayed.call == "the call"
    assert "(check-sat)" in finding.unreplayed.smtlib
    assert Finding.from_json(finding.as_json()).unreplayed == finding.unreplayed


def test_what_a_refutation_is_simplified_to_counts_only_if_it_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlainPython, "simplest", lambda *_: Replay({"hpid": True}, goal=True, call="no refutation"))
    lemma_ = lemmas()["addGradAll_addNode_push"].without("hacc")
    finding = settle(lemma_, Case(1, (("t", 1), ("acc", 0))), Bound(1, 1, 1), "uninterpreted", LIMITS)
    assert finding.verdict is Verdict.REFUTED
    assert finding.counterexample is not None
    assert finding.counterexample.call.startswith("from symtape.encodings.replay import *")


def test_hypotheses_whose_witness_does_not_replay_are_not_shown_satisfiable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_module, "confirmed", lambda instance, model: Replay({"hacc": False}, True))
    finding = settle(lemmas()["addGradAll_addNode_push"], ONE, Bound(1, 1, 1), "uninterpreted", LIMITS)
    assert finding.verdict is Verdict.UNDECIDED
    assert "not shown satisfiable" in finding.reason


def test_no_evidence_is_no_proof() -> None:
    lemma_ = lemmas()["addGradAll_addNode_push"]
    assert conclude(lemma_, Bound(1, 1, 1), [], {}).verdict is Verdict.UNDECIDED
    only_one_size = [Finding("x", 1, Verdict.PROVED, satisfiable=True)]
    assert conclude(lemma_, Bound(1, 1, 1), only_one_size, {1: 1}).verdict is Verdict.UNDECIDED
    with pytest.raises(ValueError):
        Verdict.worst([])


def test_the_worst_verdict_wins() -> None:
    ordered = [Verdict.PROVED, Verdict.UNDECIDED, Verdict.ERROR, Verdict.VACUOUS, Verdict.REFUTED]
    for i, worse in enumerate(ordered):
        for better in ordered[: i + 1]:
            assert Verdict.worst([better, worse]) is worse


def test_limits_are_kept() -> None:
    x, y, z = z3.Ints("x y z")
    hard = [x * x * x + y * y * y + z * z * z == 42, x > 100]
    assert ask(hard, {}, Limits(timeout=None, rlimit=10_000)).reason == "resource limit"
    assert ask(hard, {}, Limits(timeout=0.05)).reason in ("timeout", "resource limit")


def test_the_core_is_minimal() -> None:
    x = z3.Int("x")
    answer = ask([], {"a": x > 0, "b": x > 1, "c": x < 5, "d": x < 1}, LIMITS)
    assert answer.status == "unsat"
    assert len(answer.core) == 2
    assert "d" in answer.core


def test_the_same_question_costs_the_same() -> None:
    lemma_ = lemmas()["backwardDenseFromStep_addNode_push"]
    costs = {settle(lemma_, ONE, Bound(1, 2, 1), "uninterpreted", LIMITS).rlimit for _ in range(3)}
    assert len(costs) == 1


# --- fidelity traps ---


@lemma()
def numbers_commute(t: Tape, acc: Accumulator, pid: Nat) -> Claim:
    """A slot added to another one: either order (false for a type of which only `+` is known)."""
    return given(h0=acc.size > 1).show(
        lambda: implies(equal(acc[0].shape, acc[1].shape), equal(acc[0].add(acc[1]), acc[1].add(acc[0])))
    )


@lemma()
def different_shapes_are_never_equal(t: Tape, acc: Accumulator) -> Claim:
    """Tensors that have equal entries but different shapes are equal (false)."""
    return given(h0=acc.size > 1).show(lambda: equal(acc[0], acc[1]))


@lemma()
def equal_functions_answer_alike(t: Tape, nd: Node, acc: Accumulator) -> Claim:
    """The same node asked the same twice answers the same."""
    return given(h0=acc.size > 0).show(lambda: equal(nd.backward(acc[0]), nd.backward(acc[0])))


def test_addition_is_nothing_but_an_addition() -> None:
    assert decide(numbers_commute, Bound(1, 0, 1), "int").verdict is Verdict.PROVED
    assert decide(numbers_commute, Bound(1, 0, 1), "float32").verdict is Verdict.PROVED
    assert decide(numbers_commute, Bound(1, 0, 1), "uninterpreted").verdict is not Verdict.PROVED


def test_shapes_decide_before_entries() -> None:
    decided = decide(different_shapes_are_never_equal, Bound(1, 0, 0), until_refuted=True)
    assert decided.verdict is Verdict.REFUTED


def test_functions_are_functions() -> None:
    assert decide(equal_functions_answer_alike, Bound(1, 2, 2)).verdict is Verdict.PROVED
