"""What the tests read of a report's page."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from symtape.reports.boxes import anchor


class Page(HTMLParser):
    """The text that a page shows, its links and ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag in ("br", "dt", "dd", "td", "th"):
            self.words.append(" ")
        for name, value in attrs:
            if name == "href" and value is not None:
                self.links.append(value)
            if name == "id" and value is not None:
                self.ids.append(value)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None:  # neither style nor script
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def section(page: str, title: str) -> str:
    """The text of the section with this heading; empty if the page has none."""
    found = re.search(rf"<section [^>]*>\s*<h2[^>]*>{title}</h2>(.*?)</section>", page, re.DOTALL)
    return Page(found[1]).text if found else ""


def block(page: str, lemma: str) -> str:
    """The source of a lemma's block, without the picture in it."""
    found = re.search(rf'<article id="{re.escape(anchor(lemma))}">(.*?)</article>', page, re.DOTALL)
    assert found is not None
    return re.sub(r'<details class="around">.*?</details>', "", found[1], flags=re.DOTALL)


def around(page: str, lemma: str) -> str:
    """The source of the picture around a lemma; empty if there is none."""
    found = re.search(rf'<article id="{re.escape(anchor(lemma))}">(.*?)</article>', page, re.DOTALL)
    pictures = re.findall(r'<details class="around">.*?</details>', found[1] if found else "", re.DOTALL)
    return "".join(pictures)


def node(page: str, lemma: str) -> str:
    """The text of a lemma's box in the graph, with spaces between its lines."""
    found = re.search(rf'<a href="#{re.escape(anchor(lemma))}"[^>]*><title>.*?</title><rect.*?</a>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.findall(r'<text class="[^"]*(?:group|name|word)"[^>]*>([^<]*)</text>', found[0]))


def row(page: str, lemma: str) -> list[str]:
    """The cells of a lemma's row in the table by size."""
    found = re.search(rf'<tr[^>]*><th scope="row"><a href="#{re.escape(anchor(lemma))}">.*?</tr>', page, re.DOTALL)
    assert found is not None
    return [Page(cell).text for cell in re.findall(r"<td.*?</td>", found[0], re.DOTALL)]
