"""What is known of one obligation after it was asked: data that goes into the results file."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
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
    measure: list[int] = field(default_factory=list)
    """How simple it is; the smaller, the simpler, the first numbers first."""
    steps: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {"left": [], "right": []})
    """What ran on each side of the goal: lines with a `depth` and a `text`."""
    tapes: list[dict[str, Any]] = field(default_factory=list)
    """The tapes that it ran on: nodes, and what each emits."""
    pytest: str = ""
    """A test file that fails on the engine."""

    @staticmethod
    def of(replay: Replay, sizes: dict[str, int]) -> Counterexample:
        return Counterexample(
            replay.call,
            replay.parameters,
            replay.left,
            replay.right,
            sizes,
            list(replay.measure),
            {side: list(replay.steps.get(side, [])) for side in ("left", "right")},
            replay.tapes,
            replay.pytest,
        )

    def as_json(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Counterexample:
        """Files of earlier versions say less."""
        return Counterexample(**data)


@dataclass(frozen=True)
class Unreplayed:
    """A model that the interpreter did not confirm: no refutation, but something for symtape's authors to look at."""

    call: str
    hypotheses: dict[str, bool]
    goal: bool
    left: list[str]
    right: list[str]
    smtlib: str
    """The question that had the model."""

    @staticmethod
    def of(replay: Replay, smtlib: str) -> Unreplayed:
        return Unreplayed(replay.call, replay.hypotheses, replay.goal, replay.left, replay.right, smtlib)

    def as_json(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}


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
    unreplayed: Unreplayed | None = None
    """The last model that did not replay, where that is why nothing is decided."""

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
            "unreplayed": None if self.unreplayed is None else self.unreplayed.as_json(),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> Finding:
        shown, left = data["counterexample"], data.get("unreplayed")
        return Finding(
            **{k: v for k, v in data.items() if k not in ("verdict", "core", "counterexample", "unreplayed")},
            verdict=Verdict(data["verdict"]),
            core=tuple(data["core"]),
            counterexample=None if shown is None else Counterexample.from_json(shown),
            unreplayed=None if left is None else Unreplayed(**left),
        )
