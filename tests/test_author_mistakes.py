"""No slip of an author's is called proved: it is refuted, or undecided, or said to be a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtape import Bound, StatementError, Verdict
from symtape.discover import EncodingsError, discover
from tests.deciding import decide

FILE = Path(__file__).parent / "author_mistakes.py"
MISTAKES = {
    name: lemma for name, lemma in discover([FILE]).items() if lemma.group == "mistake" or name.endswith("on Failing")
}

REFUTED = {
    "tapes_compared_by_python",
    "second_tape_is_no_longer",
    "a_parameter_called_nowhere",
}


def test_there_are_a_dozen() -> None:
    assert len(MISTAKES) >= 12


@pytest.mark.parametrize("name", sorted(MISTAKES))
def test_no_mistake_is_proved(name: str) -> None:
    bound = Bound(2, 1, 1)
    if name in REFUTED:
        assert decide(MISTAKES[name], bound, until_refuted=True).verdict is Verdict.REFUTED
        return
    try:
        decided = decide(MISTAKES[name], bound)
    except (StatementError, TypeError) as problem:
        assert str(problem)
    else:
        assert decided.verdict not in (Verdict.PROVED, Verdict.REFUTED), decided.verdict


HEADER = (
    "from typing import Annotated\nfrom symtape import given, lemma, over, equal\n"
    "from symtape.encodings.tape import Tape\nfrom symtape.encodings.graph import TensorPack, ShapeList\n\n@lemma()\n"
)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def f():\n    'Doc.'\n    return given().show(lambda: True)\n", "needs a parameter"),
        ("def f(t: int):\n    'Doc.'\n    return given().show(lambda: True)\n", "needs a type"),
        ("def f(p: TensorPack):\n    'Doc.'\n    return given().show(lambda: True)\n", r"needs Annotated\[..., over"),
        (
            "def f(p: Annotated[TensorPack, over('zz')]):\n    'Doc.'\n    return given().show(lambda: True)\n",
            "over zz, no earlier one",
        ),
        (
            "def f(t: Tape):\n    'Doc.'\n    g = given(h=t.size > 0)\n    return g.show(lambda: True)\n",
            "stand in the return statement",
        ),
        ("def f(t: Tape):\n    'Doc.'\n    return True\n", r"returns given\(...\).show\(...\), not bool"),
    ],
)
def test_what_is_no_lemma_is_said_in_one_line(tmp_path: Path, source: str, says: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEADER + source, "utf-8")
    with pytest.raises((StatementError, EncodingsError), match=says) as raised:
        decide(discover([file])["f"], Bound(1, 1, 1))
    assert "\n" not in str(raised.value)


def test_a_variant_on_an_engine_is_replayed_from_its_own_file() -> None:
    """The line of a counterexample names the file in which the variant stands, not that of the lemma it varies."""
    assert MISTAKES["backwardDenseFrom_addNode_lowerNode on Failing"].found_in == (str(FILE.resolve()),)
