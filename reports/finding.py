"""What the table of lemmas can be searched, filtered and sorted by. The script only reads what stands here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from symtape.reports.status import FULLY, STATUSES

View = dict[str, Any]

OPEN = "not fully proved"
"""The choice of everything that a reviewer still has to look at."""
SCOPES = {"every": "every size", "known": "known sizes"}


def choices(lemmas: Sequence[View]) -> View:
    """The filters that make a difference for these lemmas: status, scope, group."""
    said = {each[f"standing_{scope}"] for each in lemmas for scope in SCOPES}
    statuses = [(word, json.dumps([word])) for word in STATUSES if word in said]
    still_open = [word for word, _ in statuses if word not in (FULLY, "proved")]
    if still_open:
        statuses.insert(0, (OPEN, json.dumps(still_open)))
    scopes = [(key, words) for key, words in SCOPES.items() if any(each[f"standing_{key}"] for each in lemmas)]
    return {
        "statuses": statuses if len(statuses) > 1 else [],
        "scopes": scopes if len(scopes) > 1 else [],
        "groups": sorted(groups) if len(groups := {each["group"] for each in lemmas}) > 1 else [],
    }


def uses(lemma: View, names: set[str]) -> str:
    """The lemmas of the page that a lemma uses, as JSON; the picture need not show all of them."""
    return json.dumps([name for name, _ in lemma["arrows"] if name in names], ensure_ascii=False)


def order(word: str, seconds: float = 0.0) -> str:
    """A number that sorts answers by status, in the order of the legend, and within one status by time."""
    return f"{list(STATUSES).index(word) + min(seconds, 999_999) / 1_000_000:.9f}"
