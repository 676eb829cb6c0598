"""What is known of one obligation after it was asked: data that goes into the results file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from symtape.statement import Replay
from symtape.verdict import Verdict


@dataclass(frozen=True)
class Counterexample:
    """A refutation that the interpreter confirmed."""

    call: str
    """One line of Python that replays it."""
    parameters: dict[str, list[str]]
    left: list[str]
    right: list[str]
    sizes: dict[str, int]

    @staticmethod
    def of(replay: Replay, sizes: dict[str, int]) -> Counterexample:
        return Counterexample(replay.call, replay.parameters, replay.left, replay.right, sizes)

    def as_json(self) -> dict[str, Any]:
        return {
            "call": self.call,
            "parameters": self.parameters,
            "left": self.left,
            "right": self.right,
            "sizes": self.sizes,
        }


@dataclass(frozen=True)
class Finding:
    """The verdict on one obligation, with its evidence."""

    name: str
    size: int
    verdict: Verdict
    sizes: dict[str, int] = field(default_factory=dict)
    kind: str = "claim"
    """`claim`: hypotheses ∧ ¬goal at these sizes. `sizes`: the other sizes, which the hypotheses rule out."""
    reason: str = ""
    seconds: float = 0.0
    rlimit: int = 0
    core: tuple[str, ...] = ()
    satisfiable: bool | None = None
    """Whether the hypotheses have a witness that the interpreter confirmed; `None`: not known."""
    counterexample: Counterexample | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "size": self.size,
            "sizes": self.sizes,
            "verdict": str(self.verdict),
            "reason": self.reason,
            "seconds": round(self.seconds, 6),
            "rlimit": self.rlimit,
            "core": list(self.core),
            "satisfiable": self.satisfiable,
            "counterexample": None if self.counterexample is None else self.counterexample.as_json(),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> Finding:
        shown = data["counterexample"]
        return Finding(
            **{k: v for k, v in data.items() if k not in ("verdict", "core", "counterexample")},
            verdict=Verdict(data["verdict"]),
            core=tuple(data["core"]),
            counterexample=None if shown is None else Counterexample(**shown),
        )
