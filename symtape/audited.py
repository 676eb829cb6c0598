"""What an audit came to, as JSON data for the results file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symtape.audit import ONE_QUESTION, OWN_PROOF, Audit, named
from symtape.choose import with_used
from symtape.discover import discover
from symtape.every_size import conclusions
from symtape.marco import Names, jointly_minimal
from symtape.probe import Probed
from symtape.statement import Lemma
from symtape.stronger import CONCLUSIONS
from symtape.tasks import Options, Outcome
from symtape.theorem import Refused, Theorem, conclude
from symtape.verdict import Verdict

UNEXPLORED = "not asked, or not all"
FALSE = "the claim is false with all of its hypotheses"


def audited(lemmas: Sequence[Lemma], options: Options, outcome: Outcome) -> dict[str, dict[str, Any]]:
    """The audit of each lemma that has one."""
    if not outcome.audits:
        return {}
    others = [other for audit in outcome.audits.values() for other in audit.others]
    used = with_used([*lemmas, *others], discover(options.encodings))
    for lemma in used:
        found = outcome.every_size[lemma.name]
        audit = outcome.audits.get(lemma.name)
        if found.witness is None and audit is not None and audit.witness is not None:
            found.witness = audit.witness["sizes"]
    theorems = {name: each.theorem for name, each in conclusions(used, outcome.every_size).items()}
    return {name: _audit(audit, theorems) for name, audit in outcome.audits.items()}


def _audit(audit: Audit, theorems: Mapping[str, Theorem]) -> dict[str, Any]:
    complete = audit.fully_explored
    standing = {name: audit.standing(name) if complete else Verdict.UNDECIDED for name in audit.hypotheses}
    sufficient = audit.sufficient if complete else []
    redundant = [name for name, said in standing.items() if said is Verdict.PROVED]
    satisfiable = {size: _satisfiable(audit, size) for size in audit.sizes}
    return {
        "satisfiable": any(satisfiable.values()),
        "witness": audit.witness,
        "needed": [name for name, said in standing.items() if said is Verdict.REFUTED],
        "redundant": redundant,
        "minimal_sets": [list(named(audit.lemma, kept)) for kept in sufficient if audit.proved(kept)],
        "undecided": [list(named(audit.lemma, kept)) for kept in audit.undecided],
        "without": [_without(audit, name, said) for name, said in standing.items()],
        "sets": [_set(audit, kept, theorems) for kept in sufficient],
        "proof_needs": [name for name in redundant if _wanted_by_proof(audit, name)],
        "by_size": [
            {"size": size, "satisfiable": satisfiable[size], **_at(audit, size)}
            for size in audit.sizes
            if size in audit.explored
        ],
        "sharp": [_sharp(each, *audit.sharp[each]) for each in CONCLUSIONS if each in audit.sharp],
        "complete": complete and all(said is not Verdict.UNDECIDED for said in standing.values()),
        "seconds": round(sum(each.seconds for each in audit.probes.values()), 3),
    }


def _satisfiable(audit: Audit, size: int) -> bool:
    probed = audit.probes.get((size, audit.everything))
    return probed is not None and probed.satisfiable


def _without(audit: Audit, name: str, said: Verdict) -> dict[str, Any]:
    """What becomes of the claim without one hypothesis."""
    rest = audit.everything - {name}
    size = audit.refuting_size(rest)
    shown = None if size is None else audit.probes[size, rest]
    reason = shown.reason if shown is not None else ""
    if said is Verdict.UNDECIDED:
        false = audit.refuting_size(audit.everything) is not None
        reason = FALSE if false else next(_reasons(audit, rest), UNEXPLORED)
    asked = (audit.probes[size, rest] for size in audit.sizes if (size, rest) in audit.probes)
    return {
        "hypothesis": name,
        "verdict": str(said),
        "size": size,
        "reason": reason,
        "counterexample": None if shown is None else shown.counterexample,
        "unreplayed": next((each.unreplayed for each in asked if each.unreplayed is not None), None),
    }


def _reasons(audit: Audit, kept: Names) -> Any:
    return (
        each.reason
        for (_, names), each in audit.in_order()
        if names >= kept and each.verdict is Verdict.UNDECIDED and each.reason
    )


def _set(audit: Audit, kept: Names, theorems: Mapping[str, Theorem]) -> dict[str, Any]:
    """A minimal set that suffices, with what showed it."""
    answers = [probed for (_, names), probed in audit.probes.items() if names == kept]
    proved = audit.proved(kept)
    return {
        "hypotheses": list(named(audit.lemma, kept)),
        "verdict": str(Verdict.PROVED if proved else Verdict.UNDECIDED),
        "reason": "" if proved else next(_reasons(audit, kept), UNEXPLORED),
        "obligations": sum(each.obligations for each in answers),
        "seconds": round(sum(each.seconds for each in answers), 3),
        "every_size": _at_every_size(audit, kept, theorems),
    }


def _at_every_size(audit: Audit, kept: Names, theorems: Mapping[str, Theorem]) -> dict[str, Any] | None:
    """What was shown of a set at every size; `None` where it was not tried."""
    reasons: list[str] = []
    route = ""
    for route in audit.routes(kept):
        tried = audit.tried.get((kept, route))
        if tried is None:
            continue
        if tried.checked is None:
            reasons.append(tried.reason)
            continue
        try:
            theorem = conclude(audit.variant(kept, route), tried.checked, theorems)
        except Refused as problem:
            reasons.append(str(problem))
            continue
        if theorem.admitted and route not in (OWN_PROOF, ONE_QUESTION):
            # it is no part of what was asked about: its own verdict says nothing there
            reasons.append(f"{route} is not proved")
            continue
        return {"verdict": str(Verdict.PROVED), "fully": not theorem.admitted, "route": route, "reason": ""}
    if not reasons:
        return None
    return {"verdict": str(Verdict.UNDECIDED), "fully": False, "route": "", "reason": reasons[0]}


def _wanted_by_proof(audit: Audit, name: str) -> bool:
    """Whether the proof at every size that the lemma comes with does not go without this hypothesis."""
    tried = audit.tried.get((audit.everything - {name}, OWN_PROOF))
    return tried is not None and tried.checked is None


def _at(audit: Audit, size: int) -> dict[str, Any]:
    """The same at one tape size."""
    minimal = jointly_minimal([audit.explored[size].minimal], audit.hypotheses)
    needed = [h for h in audit.hypotheses if _refuted(audit.probes.get((size, audit.everything - {h})))]
    redundant = [h for h in audit.hypotheses if h not in needed and any(h not in kept for kept in minimal)]
    return {
        "needed": needed,
        "redundant": redundant,
        "minimal_sets": [list(named(audit.lemma, kept)) for kept in minimal],
    }


def _refuted(probed: Probed | None) -> bool:
    return probed is not None and probed.verdict is Verdict.REFUTED


def _sharp(conclusion: str, size: int | None, probed: Probed) -> dict[str, Any]:
    asked = CONCLUSIONS[conclusion]
    answers = {Verdict.PROVED: asked.proved, Verdict.REFUTED: asked.refuted}
    return {
        "question": asked.question,
        "verdict": str(probed.verdict),
        "answer": answers.get(probed.verdict, probed.reason),
        "size": size,
        "counterexample": probed.counterexample,
    }
