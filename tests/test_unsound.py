"""Nothing false is proved at every size, whatever way an author tries."""

from __future__ import annotations

import pytest

from symtape import Bound, Verdict
from symtape.theorem import Refused
from tests.deciding import decide
from tests.proving import checked
from tests.unsound import FALSE, HELPERS, NOT_DIRECT


def test_there_are_many() -> None:
    assert len(FALSE) >= 40
    assert set(NOT_DIRECT) <= set(FALSE)


@pytest.mark.parametrize("name", FALSE)
def test_refused_at_every_size(name: str) -> None:
    with pytest.raises(Refused) as refused:
        checked(FALSE[name], *HELPERS.values())
    assert ": " in str(refused.value)


@pytest.mark.parametrize("name", [name for name in FALSE if name not in NOT_DIRECT])
def test_false_at_a_small_size(name: str) -> None:
    assert decide(FALSE[name], Bound(2, 1, 1), until_refuted=True).verdict is Verdict.REFUTED


TRUE = [name for name in HELPERS if name not in FALSE]


@pytest.mark.parametrize("name", TRUE)
def test_what_they_use_is_proved(name: str) -> None:
    assert checked(HELPERS[name]).obligations


@pytest.mark.parametrize("name", TRUE)
def test_what_they_use_is_true(name: str) -> None:
    assert decide(HELPERS[name], Bound(2, 1, 1)).verdict is Verdict.PROVED
