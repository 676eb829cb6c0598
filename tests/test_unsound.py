"""Nothing false is proved at every size, whatever way an author tries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from symtape import Bound, StatementError, Verdict
from symtape.theorem import Refused
from tests.deciding import decide
from tests.proving import checked
from tests.unsound import DIRECT_FAULTS, FALSE, FAULTS, HELPERS, NOT_DIRECT


def test_there_are_many() -> None:
    assert len(FALSE) >= 40
    assert set(FAULTS) <= set(FALSE)
    assert set(NOT_DIRECT) <= set(FALSE)


def those(names: Iterable[str], faults: dict[str, str], raises: Any = None) -> list[Any]:
    """Names as parameters of a test that the faulty ones must fail, until the fault is mended."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(strict=True, raises=raises, reason=faults[name]))
        if name in faults
        else name
        for name in names
    ]


@pytest.mark.parametrize("name", those(FALSE, FAULTS, pytest.fail.Exception))
def test_refused_at_every_size(name: str) -> None:
    with pytest.raises((Refused, StatementError)) as refused:
        checked(FALSE[name], *(lemma for other, lemma in HELPERS.items() if other not in FALSE or other in FAULTS))
    assert str(refused.value)


@pytest.mark.parametrize("name", those((name for name in FALSE if name not in NOT_DIRECT), DIRECT_FAULTS))
def test_false_at_a_small_size(name: str) -> None:
    assert decide(FALSE[name], Bound(2, 1, 1), until_refuted=True).verdict is Verdict.REFUTED


TRUE = [name for name in HELPERS if name not in FALSE]


@pytest.mark.parametrize("name", TRUE)
def test_what_they_use_is_proved(name: str) -> None:
    assert checked(HELPERS[name]).obligations


@pytest.mark.parametrize("name", those(TRUE, DIRECT_FAULTS))
def test_what_they_use_is_true(name: str) -> None:
    assert decide(HELPERS[name], Bound(2, 1, 1)).verdict is Verdict.PROVED
