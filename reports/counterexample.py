"""What a counterexample shows: its values, pictures of its tapes, both sides and their steps beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from symtape.reports.tape import draw_tape

Counterexample = dict[str, Any]
View = dict[str, Any]

CAPTIONS = {"left": "The tape of the left side", "right": "The tape of the right side", "both": "The tape"}
"""What stands above the pictures, where the title only says which side's tape it is."""

BEFORE, AFTER = 3, 8
"""How many steps are shown around the first difference."""


def of_counterexample(shown: Counterexample) -> View:
    """A counterexample with what the page derives from it. Those of old files have neither steps nor tapes."""
    return {
        **shown,
        "sides": [(left != right, left, right) for left, right in zip_longest(shown["left"], shown["right"])],
        "tapes": [_drawn(tape) for tape in shown.get("tapes") or ()],
        "steps": _steps(shown["steps"]) if shown.get("steps") else None,
        "pytest": shown.get("pytest", ""),
    }


def _drawn(tape: dict[str, Any]) -> tuple[str, str]:
    caption = CAPTIONS.get(tape["title"], tape["title"])
    return caption, draw_tape({**tape, "title": caption})


def _steps(steps: dict[str, list[Any]]) -> View | None:
    """Both sides' steps in rows, those around the first difference; the rest of a long run is in the data file."""
    rows = list(zip_longest(steps["left"], steps["right"]))
    if not rows:
        return None
    first = next((i for i, (left, right) in enumerate(rows) if left != right), None)
    low, high = _window(rows, first)
    return {
        "rows": [(i + 1, i == first, left, right) for i, (left, right) in enumerate(rows) if low <= i < high],
        "left_out": (low, len(rows) - high),
        "first": None if first is None else first + 1,
        "counts": (len(steps["left"]), len(steps["right"])),
    }


def _window(rows: Sequence[Any], first: int | None) -> tuple[int, int]:
    """The rows that are shown. To leave out one row would save nothing, since that has to be said in a row."""
    low = 0 if first is None else max(0, first - BEFORE)
    high = min(len(rows), (first or 0) + AFTER)
    return low if low > 1 else 0, high if high < len(rows) - 1 else len(rows)
