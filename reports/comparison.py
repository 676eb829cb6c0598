"""What changed between two results files.

`compare(old, new)` says the reverse of `compare(new, old)`: every kind of change has an opposite, and before and
after change places. That the same text means the same claim is taken for granted: what the definitions behind it say
is in no results file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from symtape.reports.audit import standing
from symtape.reports.standing import Lemma, at_every_size, in_all
from symtape.reports.status import FULLY, NOT_FULLY

RLIMIT_TIMES, RLIMIT_MORE = 1.5, 10_000
"""Z3's resource units are the same in every run on every machine: what is left out is what nobody need look at."""
SECONDS_TIMES, SECONDS_MORE = 3.0, 5.0
"""Two runs on one busy machine were seen to differ by up to 11 times, but by no more than two seconds."""

EMPTY = "trivial"
"""What stands at a size where nothing satisfies the hypotheses: less than a proof, more than no answer."""
UNMATCHED = "where only one of the two runs asked"


@dataclass(frozen=True)
class Kind:
    """A kind of change, and what it is in the other direction."""

    word: str
    glyph: str
    meaning: str
    opposite: str


LOST, VERDICT, RESTATED, GONE, SHRUNK = "proof lost", "other verdict", "stated otherwise", "gone", "scope shrunk"
OTHERWISE, SLOWER, AUDIT, GAINED = "asked otherwise", "slower", "audit changed", "proof gained"
GROWN, NEW, FASTER = "scope grown", "new", "faster"

KINDS = {
    each.word: each
    for each in (
        Kind(LOST, "▼", "it was proved, and the same claim no longer is", GAINED),
        Kind(VERDICT, "≠", "it was not proved and is not, but for another reason", VERDICT),
        Kind(RESTATED, "≠", "the name stands for another claim, of which the old verdict says nothing", RESTATED),
        Kind(GONE, "−", "it was asked about, and is not any more", NEW),
        Kind(SHRUNK, "◁", "less was asked about", GROWN),
        Kind(OTHERWISE, "≠", "the two runs were made in different ways", OTHERWISE),
        Kind(SLOWER, "◷", "proved both times, now with more effort", FASTER),
        Kind(AUDIT, "≠", "what a hypothesis is worth was said to be something else", AUDIT),
        Kind(GAINED, "▲", "it was not proved, and the same claim now is", LOST),
        Kind(GROWN, "▷", "more was asked about", SHRUNK),
        Kind(NEW, "+", "it was not asked about before", GONE),
        Kind(FASTER, "◷", "proved both times, now with less effort", SLOWER),
    )
}
"""What a reader should see first comes first."""


@dataclass(frozen=True)
class Change:
    """One thing that changed."""

    kind: str
    lemma: str
    """Empty for what is said of the run as a whole."""
    what: str
    before: str
    after: str

    @property
    def text(self) -> str:
        """What changed, in words."""
        said = " → ".join(filter(None, (self.before, self.after)))
        return ": ".join(filter(None, (self.what, said)))


@dataclass(frozen=True)
class Comparison:
    """What changed, in the order of the kinds, and in each in the order of the lemmas."""

    since: str
    """When the older run was started."""
    changes: tuple[Change, ...]
    no_longer_proved: tuple[str, ...]
    """The lemmas that were proved, or fully proved, and are not, whatever they now say; also those that are gone."""
    unchanged: int
    """How many lemmas nothing is said of."""

    def of(self, lemma: str) -> list[Change]:
        """What changed of a lemma."""
        return [each for each in self.changes if each.lemma == lemma]

    def by_kind(self) -> list[tuple[Kind, list[Change]]]:
        """The changes of each kind that there are any of."""
        return [(KINDS[word], list(each)) for word, each in groupby(self.changes, key=lambda change: change.kind)]


def compare(new: dict[str, Any], old: dict[str, Any]) -> Comparison:
    """What is in the newer results and was not in the older ones, or the other way round."""
    before, after = ({lemma["name"]: lemma for lemma in results["lemmas"]} for results in (old, new))
    names = [*after, *(name for name in before if name not in after)]
    same_questions = _questions(old) == _questions(new)
    found = [*_of_runs(new, old)]
    for name in names:
        if name in before and name in after:
            found += _of_lemma(before[name], after[name], same_questions)
        elif name in after:
            found.append(Change(NEW, name, "", "", str(in_all(after[name]))))
        else:
            found.append(Change(GONE, name, "", str(in_all(before[name])), ""))
    order = list(KINDS)
    changed = {change.lemma for change in found}
    return Comparison(
        since=str(old["run"]["started"]),
        changes=tuple(sorted(found, key=lambda change: order.index(change.kind))),
        no_longer_proved=tuple(
            name
            for name, lemma in before.items()
            if (_lost(lemma, after[name], same_questions) if name in after else lemma["verdict"] == "proved")
        ),
        unchanged=sum(name not in changed for name in after),
    )


# --- what was asked ---


def _questions(results: dict[str, Any]) -> list[Any]:
    """What the questions at one known tape size were about: only then can two answers be set side by side."""
    bound = results["bound"] or {}
    return [bound.get("contributions"), bound.get("entries"), results["scope"].get("scalar")]


def _of_runs(new: dict[str, Any], old: dict[str, Any]) -> Iterator[Change]:
    asked = {True: "asked", False: "not asked"}
    every = [any(lemma.get("every_size") for lemma in results["lemmas"]) for results in (old, new)]
    if every[0] != every[1]:
        yield Change(GROWN if every[1] else SHRUNK, "", "every size", asked[every[0]], asked[every[1]])
    bounds = [results["bound"] for results in (old, new)]
    if None not in bounds:
        for part, what in (
            ("tape", "nodes of a tape, at most"),
            ("contributions", "contributions of a node, at most"),
            ("entries", "entries of a tensor, at most"),
        ):
            was, now = (bound[part] for bound in bounds)
            if was != now:
                yield Change(GROWN if now > was else SHRUNK, "", what, str(was), str(now))
    elif bounds[0] != bounds[1]:
        was, now = (bound is not None for bound in bounds)
        yield Change(GROWN if now else SHRUNK, "", "known sizes", asked[was], asked[now])
    for what, was, now in (
        ("element type", old["scope"].get("scalar"), new["scope"].get("scalar")),
        ("symtape", old["symtape"], new["symtape"]),
        ("solver", *(f"{each['solver']['name']} {each['solver']['version']}" for each in (old, new))),
        ("run", old["run"]["state"], new["run"]["state"]),
    ):
        if was and now and was != now:
            yield Change(OTHERWISE, "", what, was, now)


# --- what was said ---


def _of_lemma(old: Lemma, new: Lemma, same_questions: bool) -> Iterator[Change]:
    name = new["name"]
    restated = list(_restated(old, new))
    if restated:
        yield from restated
        yield Change(RESTATED, name, "the old verdict does not carry over", str(in_all(old)), str(in_all(new)))
        return
    verdicts = list(_verdicts(old, new, same_questions))
    yield from verdicts
    in_all_kind = _kind(_rank(old["verdict"]), _rank(new["verdict"]))
    told = {change.kind for change in verdicts}
    if old["verdict"] != new["verdict"] and in_all_kind not in told and not (told and in_all_kind == VERDICT):
        yield Change(in_all_kind, name, UNMATCHED, *map(_said, (old, new)))
    yield from _effort(old, new, same_questions)
    yield from _audits(old, new)


def _restated(old: Lemma, new: Lemma) -> Iterator[Change]:
    was, now = ({"statement": lemma["statement"], **_hypotheses(lemma)} for lemma in (old, new))
    for what in dict.fromkeys([*now, *was]):
        before, after = (" ".join(texts.get(what, "").split()) for texts in (was, now))
        if before != after:
            yield Change(RESTATED, new["name"], what, before or "not there", after or "not there")


def _hypotheses(lemma: Lemma) -> dict[str, str]:
    return {f"hypothesis {each['name']}": each["statement"] for each in lemma["hypotheses"]}


def _verdicts(old: Lemma, new: Lemma, same_questions: bool) -> Iterator[Change]:
    """Where both runs asked, and what they said differs."""
    parts = _both_asked(old, new, same_questions)
    differing = {
        size: (_kind(_rank(was), _rank(now)), *(_with_reason(lemma, size) for lemma in (old, new)))
        for size, (was, now) in parts.items()
        if was != now
    }
    for kind, before, after in dict.fromkeys(differing.values()):
        sizes = [size for size, said in differing.items() if said == (kind, before, after)]
        yield Change(kind, new["name"], _in_words(sizes), before, after)


def _both_asked(old: Lemma, new: Lemma, same_questions: bool) -> dict[int | None, tuple[str, str]]:
    """What both say of every size (`None`) and of each known size, if both were asked about it."""
    was, now = _standings(old), _standings(new)
    return {size: (was[size], now[size]) for size in was if size in now and (size is None or same_questions)}


def _standings(lemma: Lemma) -> dict[int | None, str]:
    every = at_every_size(lemma)
    known = {each["size"]: EMPTY if each["trivial"] else each["verdict"] for each in lemma["sizes"]}
    return {**({} if every is None else {None: every}), **known}


def _rank(word: str) -> int:
    return {FULLY: 2, "proved": 2, NOT_FULLY: 1, EMPTY: 1}.get(word, 0)


def _kind(was: int, now: int) -> str:
    return VERDICT if was == now else GAINED if now > was else LOST


def _lost(old: Lemma, new: Lemma, same_questions: bool) -> bool:
    """Whether something was proved of the lemma, and is not now."""
    said = [*_both_asked(old, new, same_questions).values(), (old["verdict"], new["verdict"])]
    return any(_rank(now) < _rank(was) for was, now in said)


def _with_reason(lemma: Lemma, size: int | None) -> str:
    said = next((each for each in lemma["sizes"] if each["size"] == size), None) or lemma["every_size"]
    word = _standings(lemma)[size]
    reason = said["reason"].removeprefix(f"{EMPTY}: ")
    return f"{word} ({reason})" if reason and word != "proved" else word


def _said(lemma: Lemma) -> str:
    """The verdict, and where it is not proved, at which sizes that is."""
    where = [size for size, word in _standings(lemma).items() if word == lemma["verdict"]]
    return f"{lemma['verdict']} {_in_words(where)}" if lemma["verdict"] != "proved" else str(in_all(lemma))


def _in_words(sizes: Sequence[int | None]) -> str:
    known = [size for size in sizes if size is not None]
    words = ["at every size"] if None in sizes else []
    if known:
        words.append(f"at tape size {', '.join(map(str, known))}")
    return " and ".join(words)


# --- what it took, and what it needs ---


def _effort(old: Lemma, new: Lemma, same_questions: bool) -> Iterator[Change]:
    """How much more or less the solver did for what both runs proved."""
    parts = [size for size, said in _both_asked(old, new, same_questions).items() if all(map(_rank, said))]
    was, now = (_sum(lemma, parts, "rlimit") for lemma in (old, new))
    times, more, form = RLIMIT_TIMES, float(RLIMIT_MORE), "{:,.0f} Z3 resource units"
    if not (was and now):
        was, now = (_sum(lemma, parts, "seconds") for lemma in (old, new))
        times, more, form = SECONDS_TIMES, SECONDS_MORE, "{:.1f} s"
    less, most = sorted((was, now))
    if less > 0 and most >= times * less and most - less >= more:
        kind = SLOWER if now > was else FASTER
        yield Change(kind, new["name"], f"{most / less:.1f} times", form.format(was), form.format(now))


def _sum(lemma: Lemma, parts: Sequence[int | None], effort: str) -> float:
    every: Mapping[str, Any] = lemma.get("every_size") or {"obligations": []}
    asked = [each for each in lemma["obligations"] if each["size"] in parts]
    return float(sum(each[effort] for each in [*asked, *(every["obligations"] if None in parts else [])]))


def _audits(old: Lemma, new: Lemma) -> Iterator[Change]:
    audits = [lemma.get("audit") for lemma in (old, new)]
    if audits[0] is None or audits[1] is None:
        return
    for each in new["hypotheses"]:
        was, now = (standing(each["name"], audit) for audit in audits if audit is not None)
        if was != now:
            yield Change(AUDIT, new["name"], f"hypothesis {each['name']}", was, now)
