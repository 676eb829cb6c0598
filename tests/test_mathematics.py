"""Statements in mathematical notation: what binds, what is put in parentheses, what stays as it was written."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symtape import Claim, equal, lemma, negate
from symtape import given as under
from symtape.encodings.parameter import Nat
from symtape.encodings.tape import Tape
from symtape.mathematics import mathematics
from tests.deciding import lemmas


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("equal(acc.size, t.size)", "acc.size = t.size"),
        ("negate(equal(a, b))", "a ≠ b"),
        ("negate(node.requiresGrad)", "¬node.requiresGrad"),
        ("negate(all_of(a, b))", "¬(a ∧ b)"),
        ("all_of(a, any_of(b, c), d)", "a ∧ (b ∨ c) ∧ d"),
        ("any_of(all_of(a, b), c)", "a ∧ b ∨ c"),
        ("implies(implies(a, b), c)", "(a → b) → c"),
        ("implies(a, implies(b, c))", "a → b → c"),
        ("iff(a, implies(b, c))", "a ↔ b → c"),
        ("i + 1 <= t.size", "i + 1 ≤ t.size"),
        ("a + (b + c)", "a + (b + c)"),
        ("a + b + c", "a + b + c"),
        (
            "for_all(below(t.size + 1), lambda i: t.nodes[i].requiresGrad)",
            "∀ i < t.size + 1, t.nodes[i].requiresGrad",
        ),
        ("cs.forall(lambda pid, pg: pid < t.size)", "∀ (pid, pg) ∈ cs, pid < t.size"),
        ("all_of(cs.forall(lambda p, _: p < n), a)", "(∀ (p, _) ∈ cs, p < n) ∧ a"),
        ("t.getNode(i).exists(lambda node: node.requiresGrad)", "∃ node ∈ t.getNode i, node.requiresGrad"),
        ("t.addNode(nd).tape.getNode(id)", "(t.addNode nd).tape.getNode id"),
        ("r.map(lambda a: a.push(v))", "r.map (fun a ↦ a.push v)"),
        ("t.BackwardPidsLt()", "t.BackwardPidsLt"),
        ("error(MESSAGE, like=g)", "error MESSAGE (like := g)"),
        ("equal(x.flag, True)", "x.flag = true"),
        ("t.addGradAll(acc, *cs.head)", "t.addGradAll acc cs.head"),
        ("[i for i in xs]", "[i for i in xs]"),
        ("equal([i for i in xs], y)", "([i for i in xs]) = y"),
        ("a < b < c", "a < b < c"),
        ("all_of(*parts)", "all_of parts"),
        ("implies(*parts, a)", "implies parts a"),
        ("for_all(xs, lambda i, j=i: p)", "for_all xs (lambda i, j=i: p)"),
        ("cs.forall(lambda *c: p)", "cs.forall (lambda *c: p)"),
        ("f(lambda i, *, j: p)", "f (lambda i, *, j: p)"),
        ("equal(f(**kw), a)", "(f(**kw)) = a"),
    ],
)
def test_notation(written: str, said: str) -> None:
    assert mathematics(ast.parse(written, mode="eval").body) == said


def test_every_lemma_has_it() -> None:
    for each in lemmas().values():
        for text in (each.mathematics, *each.hypotheses_in_mathematics.values()):
            assert text
            assert "lambda" not in text
            assert "equal(" not in text
            assert "\n" not in text


names = st.sampled_from(["a", "b", "f(x)", "t.size", "v[i]"])
props = st.recursive(
    names,
    lambda inner: st.one_of(
        st.builds("all_of({}, {})".format, inner, inner),
        st.builds("any_of({}, {})".format, inner, inner),
        st.builds("implies({}, {})".format, inner, inner),
        st.builds("negate({})".format, inner),
        st.builds("iff({}, {})".format, inner, inner),
    ),
    max_leaves=6,
)


@given(props, props)
def test_statements_that_differ_are_written_differently(one: str, other: str) -> None:
    trees = [ast.parse(each, mode="eval").body for each in (one, other)]
    assert (mathematics(trees[0]) == mathematics(trees[1])) == (ast.dump(trees[0]) == ast.dump(trees[1]))


def implies(a: Any, b: Any) -> Any:
    """Not what symtape means by it."""
    return equal(a, b)


@lemma()
def in_other_words(t: Tape, i: Nat) -> Claim:
    """Says less than it seems to."""
    n = t.size + 1
    return under(h=i < n).show(lambda: implies(i, negate(i)))


def test_a_word_that_means_something_else_has_no_notation() -> None:
    assert in_other_words.mathematics == "implies′ i (¬i), where n := t.size + 1"


def test_what_has_a_name_of_its_own_is_part_of_the_statement() -> None:
    assert in_other_words.statement == "implies(i, negate(i)), where n := t.size + 1"
    assert in_other_words.hypotheses_in_mathematics == {"h": "i < n"}
