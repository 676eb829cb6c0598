"""A real Chromium for the tests of the report's page; it notices all that a page from disk should not do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDE = {"width": 1280, "height": 900}


def executable() -> str | None:
    """The installed Chromium. Playwright's own download is not used: a run of the tests fetches no browser."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser. Its sandbox does not work for root, as in containers; only our own pages are opened."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox"] if root else [], timeout=60_000
        )
        yield browser
        browser.close()


class Visit:
    """One page, opened from disk in a fresh profile, and what went wrong in it."""

    def __init__(self, browser: Browser, file: Path, address: str = "", **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(**{"viewport": WIDE, **options})
        self.context.set_default_timeout(10_000)
        self.page: Page = self.context.new_page()
        self.file = file.as_uri()
        self.problems: list[str] = []
        self.page.on("console", lambda said: self.problems.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("request", lambda asked: self._asked(asked.url))
        self.page.goto(self.file + address)

    def _asked(self, url: str) -> None:
        if url.partition("#")[0].partition("?")[0] != self.file:
            self.problems.append(f"request: {url}")

    def close(self) -> None:
        """Raises if the page wrote to the console (a policy that was broken does), failed, or asked for a file."""
        self.context.close()
        assert not self.problems

    # --- what a reader sees ---

    def rows(self) -> list[str]:
        """The lemmas in the table, in their order."""
        names: list[str] = self.page.locator("tr[data-name]:visible th").all_inner_texts()
        return names

    def told(self) -> tuple[str, str]:
        """What is announced: of the search, and of what rests on what."""
        return self.page.locator(".matches").inner_text(), self.page.locator(".cone").inner_text()

    def lit(self, where: str) -> dict[str, set[str]]:
        """The names of the lit lemmas in the table (`.sizes`) or the graph (`.drawing`), by how."""
        lit = {}
        for how in ("here", "under", "over"):
            found = self.page.locator(f"{where} .{how}[data-name]")
            lit[how] = set(found.evaluate_all("all => all.map(each => each.dataset.name)"))
        return lit

    def focused(self) -> str:
        """The lemma whose node or name has the focus, or else the focused element's class or tag."""
        said: str = self.page.evaluate(
            "() => { const it = document.activeElement;"
            " return it.closest('[data-name]')?.dataset.name ?? (it.getAttribute('class') || it.localName) }"
        )
        return said

    def address(self) -> str:
        """What stands behind the file in the address."""
        return self.page.url.removeprefix(self.file)
