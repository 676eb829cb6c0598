"""What axe-core finds in the report's pages, in both themes. It (MPL-2.0) comes with `axe-playwright-python`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("axe_playwright_python", reason="no axe-core: pip install -e '.[browser]'")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser import Visit
from tests.written_pages import page

PLACES = [
    pytest.param("one refuted", "#lemma-step_last"),
    *(
        pytest.param(name, address, marks=pytest.mark.slow)
        for name, address in (
            ("all proved", ""),
            ("undecided", "?q=push#lemma-loop_push"),
            ("empty selection", ""),
            ("audit", ""),
            ("mutants", ""),
            ("200 lemmas", ""),
        )
    ),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("name", "address"), PLACES)
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, name: str, address: str, theme: str) -> None:
    file = tmp_path / "index.html"
    file.write_text(page(name), "utf-8")
    it = Visit(browser, file, address, color_scheme=theme)
    # What is closed is not shown, but what is wrong in it would be wrong all the same.
    it.page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true })")
    # Two hundred blocks take axe minutes, and are made as those of the other pages are.
    some = {"exclude": [["main article:nth-of-type(n+3)"]]} if name == "200 lemmas" else None
    found = Axe().run(it.page, context=some).response["violations"]
    assert [(each["id"], each["impact"], each["nodes"][0]["html"]) for each in found] == []
    it.close()
