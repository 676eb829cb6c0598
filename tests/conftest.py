"""Fixtures of more than one module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium; the test is skipped, with the reason, where there is none."""
    pytest.importorskip("playwright", reason="no playwright: pip install -e '.[browser]'")
    from tests.browser import NAMES, chromium, executable

    if executable() is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} on the PATH (Debian: apt-get install chromium)")
    with chromium() as found:
        yield found
