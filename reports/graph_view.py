"""The pictures that a page shows: of the graph, with every arrow too, or one for each group; and around a lemma."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from symtape.reports import pictures
from symtape.reports.boxes import group_anchor
from symtape.reports.standing import Lemma, in_all
from symtape.reports.status import STATUSES, status
from symtape.reports.svg import draw, markers

View = dict[str, Any]

AROUND = 5
"""The most boxes that a picture around one lemma may have: the list of its uses says the rest."""


def of_graph(lemmas: Sequence[Lemma]) -> View:
    """The pictures for the section on the graph."""
    if pictures.folds(lemmas):
        shown = pictures.of_each_group(lemmas)
        folds = [_fold(name, of, shown[name]) for name, of in pictures.groups(lemmas).items()]
        return {"markers": markers(), "groups": draw(pictures.of_groups(lemmas)), "folds": folds}
    few = pictures.whole(lemmas)
    every = draw(pictures.whole(lemmas, every_arrow=True)) if few.left_out and len(lemmas) <= pictures.FOLDED else ""
    return {"markers": markers(), "folds": [], "few": draw(few), "every": every, "left_out": few.left_out}


def _fold(name: str, lemmas: Sequence[Lemma], picture: pictures.Picture) -> View:
    counted = Counter(status(in_all(lemma)).word for lemma in lemmas)
    return {
        "name": name,
        "anchor": group_anchor(name),
        "counts": [(counted[word], word) for word in STATUSES if counted[word]],
        "left_out": picture.left_out,
        "svg": draw(picture),
    }


def around(lemmas: Sequence[Lemma]) -> dict[str, str]:
    """By lemma, the picture of it and its neighbours, where there are some, but not too many; for a report that is
    not folded, since it would otherwise grow too large."""
    if len(lemmas) > pictures.FOLDED:
        return {}
    by_name = {lemma["name"]: lemma for lemma in lemmas}
    found: dict[str, str] = {}
    for name, names in pictures.neighbours(lemmas).items():
        if 1 < len(names) <= AROUND:
            shown = [by_name[each] for each in by_name if each in names]
            found[name] = draw(pictures.without_strips(pictures.whole(shown)))
    return found
