"""Results files written by hand: small, valid against the schema, and free of the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.verdict import Verdict

EVERY = "tapes of every size"
KNOWN = "tapes of 0-1 nodes"


def obligation(part: str, of: str, what: str, *core: str, needed: bool = True, rlimit: int = 7) -> dict[str, Any]:
    """One thing that a proof at every size had to show."""
    return {
        "part": part,
        "of": of,
        "what": what,
        "seconds": 0.002 if rlimit else 0.0,
        "rlimit": rlimit,
        "core": list(core),
        "needed": needed,
    }


DIRECT = (obligation("claim", "goal", "goal", "h"),)


def every_size(
    uses: dict[str, str] | None = None,
    *,
    proof: str = "direct",
    reason: str = "",
    admitted: Sequence[str] = (),
    hypotheses: Sequence[str] = ("h",),
    obligations: Sequence[dict[str, Any]] = DIRECT,
) -> dict[str, Any]:
    """What is said at every size: proved, unless a reason is given and nothing is admitted. `uses` are by kind."""
    proved = not reason or bool(admitted)
    return {
        "verdict": "proved" if proved else "undecided",
        "reason": reason,
        "fully": proved and not admitted,
        "admitted": list(admitted),
        "scope": {"text": EVERY},
        "proof": proof,
        "uses": [
            {"name": name, "to_prove": "prove" in kind, "to_state": "state" in kind}
            for name, kind in (uses or {}).items()
        ],
        "hypotheses": list(hypotheses) if proved else [],
        "witness": {"t": 1} if proved else None,
        "seconds": 0.25,
        "obligations": list(obligations) if proved else [],
    }


def lemma(
    name: str,
    every: dict[str, Any] | None = None,
    *,
    known: Sequence[str] = (),
    uses: Sequence[str] = (),
    hypotheses: Sequence[str] = ("h",),
    core: Sequence[str] = ("h",),
) -> dict[str, Any]:
    """A lemma with what is said of it at every size, and with its verdicts at known sizes, from 0 on."""
    said = [Verdict(verdict) for verdict in known] + ([Verdict(every["verdict"])] if every else [])
    texts = [EVERY] * (every is not None) + [KNOWN] * bool(known)
    return {
        "name": name,
        "lean": None,
        "group": "by hand",
        "doc": f"What {name} says.",
        "statement": f"{name} = {name}",
        "hypotheses": [{"name": each, "statement": f"what {each} says"} for each in hypotheses],
        "uses": list(uses or [use["name"] for use in (every or {"uses": []})["uses"]]),
        "source": "",
        "location": {"file": "mine.py", "line": 1},
        "verdict": str(Verdict.worst(said)),
        "reason": (every or {"reason": ""})["reason"],
        "scope": {"text": "; and directly, ".join(texts)},
        "sizes": [
            {
                "size": size,
                "verdict": verdict,
                "trivial": False,
                "reason": "" if verdict == "proved" else "timeout",
                "seconds": 0.1,
                "obligations": 1,
            }
            for size, verdict in enumerate(known)
        ],
        "every_size": every,
        "obligations": [
            {
                "name": f"{name} at {size}",
                "kind": "claim",
                "size": size,
                "sizes": {"t": size},
                "verdict": verdict,
                "reason": "" if verdict == "proved" else "timeout",
                "seconds": 0.1,
                "rlimit": 10,
                "core": list(core),
                "satisfiable": True,
                "counterexample": None,
            }
            for size, verdict in enumerate(known)
        ],
    }


def results(*lemmas: dict[str, Any]) -> dict[str, Any]:
    """A results file of these lemmas."""
    verdicts = [Verdict(each["verdict"]) for each in lemmas]
    known = any(each["sizes"] for each in lemmas)
    return {
        "schema": 1,
        "symtape": "0",
        "solver": {"name": "z3", "version": "0"},
        "bound": {"tape": 1, "contributions": 1, "entries": 1} if known else None,
        "scope": {"text": lemmas[0]["scope"]["text"], "every_size": lemmas[0]["every_size"] is not None},
        "verdict": str(Verdict.worst(verdicts)),
        "counts": {str(verdict): verdicts.count(verdict) for verdict in Verdict},
        "lemmas": list(lemmas),
        "run": {
            "state": "complete",
            "command": "symtape prove",
            "started": "2000-01-01T00:00:00+00:00",
            "seconds": 1.0,
            "jobs": 1,
            "limits": {"timeout": None, "rlimit": None, "memory": 100},
            "python": "3",
            "machine": "none",
        },
    }
