"""A proof at every size as a tree: its parts, what each of them uses, and what had to be shown for that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from symtape.reports.standing import Lemma

Obligation = dict[str, Any]


@dataclass(frozen=True)
class Mention:
    """One thing that a core needed: a hypothesis or fact by its name, or something used, as in `words`."""

    words: str
    lemma: str
    """The lemma that is used, if it is one."""


@dataclass(frozen=True)
class Leaf:
    """One thing that was shown."""

    words: str
    """What of it; of a goal or a fact there is nothing more to say than what it is."""
    hypothesis: str
    """The name of the hypothesis in question, if it is one."""
    core: tuple[Mention, ...]
    asked: bool
    """Whether the solver was asked; what is plain from the definitions is not."""
    seconds: float
    rlimit: int
    needed: bool
    smtlib: str | None
    """Where its question is, if it was written."""
    name: str


@dataclass(frozen=True)
class Branch:
    """The goal, a fact of its own, or something that is used, with all that had to be shown for it."""

    kind: str
    """`goal`, `fact` or `use`."""
    of: Mention
    leaves: tuple[Leaf, ...]
    needed: bool


@dataclass(frozen=True)
class Part:
    """The claim, or the base or step of an induction."""

    words: str
    branches: tuple[Branch, ...]


_SHOWN = {
    "types": "the values have the types of its parameters",
    "size": "it is used at size k",
    "goal": "",
    "have": "",
}
_PARTS = {
    "claim": "Claim, at arbitrary sizes",
    "base": "Base, at size 0",
    "step": "Step, from size k to size k + 1",
}


def proof_tree(lemma: Lemma) -> list[Part]:
    """The parts of a lemma's proof at every size, in the order in which they were shown; none without a proof."""
    obligations = (lemma.get("every_size") or {"obligations": []})["obligations"]
    return [_part(name, list(of)) for name, of in groupby(obligations, key=lambda each: str(each["part"]))]


def _part(name: str, obligations: Sequence[Obligation]) -> Part:
    labels = _in_words([each["of"] for each in obligations] + [c for each in obligations for c in each["core"]])
    branches = []
    for label, each in groupby(obligations, key=lambda each: str(each["of"])):
        shown = list(each)
        leaves = tuple(_leaf(one, labels) for one in shown)
        kind = "goal" if label == "goal" else "use" if _is_use(label) else "fact"
        branches.append(Branch(kind, labels[label], leaves, any(one["needed"] for one in shown)))
    return Part(_PARTS[name], tuple(branches))


def _leaf(each: Obligation, labels: dict[str, Mention]) -> Leaf:
    words = _SHOWN.get(each["what"], "its hypothesis")
    hypothesis = "" if each["what"] in _SHOWN else each["what"]
    core = tuple(labels[name] for name in each["core"])
    asked, effort = each["rlimit"] > 0, (each["seconds"], each["rlimit"])
    return Leaf(words, hypothesis, core, asked, *effort, each["needed"], each.get("smtlib"), each.get("name", words))


def _is_use(label: str) -> bool:
    return " #" in label


def _in_words(labels: Iterable[str]) -> dict[str, Mention]:
    """Hypotheses and uses as they are named to the reader. Uses of one lemma are counted, where there are several."""
    named = {label: Mention(label, "") for label in labels}
    uses = list(filter(_is_use, named))
    for label in uses:
        name = label.rpartition(" #")[0]
        same = [each for each in uses if each.rpartition(" #")[0] == name]
        count = f" ({same.index(label) + 1})" if len(same) > 1 else ""
        named[label] = Mention(name + count, "" if name == "induction hypothesis" else name)
    return named
