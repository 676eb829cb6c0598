"""How large the tapes are that a run looks at, and how the sizes of one question are named."""

from __future__ import annotations

from dataclasses import dataclass, replace

LARGEST = 64
"""No field of a bound may be larger: a query grows with the square of it, and 64 nodes already take minutes."""

DEFAULT_TIMEOUT = 60.0
"""How many seconds one obligation may take unless something else is asked for."""


class BoundError(ValueError):
    """A bound that is negative or absurdly large."""


@dataclass(frozen=True)
class Bound:
    """Tapes of 0..`tape` nodes, at most `contributions` per node, tensors of at most `entries` entries."""

    tape: int = 4
    contributions: int = 2
    entries: int = 2

    def __post_init__(self) -> None:
        for name in ("tape", "contributions", "entries"):
            value = getattr(self, name)
            if not 0 <= value <= LARGEST:
                raise BoundError(f"the bound on {name} must be between 0 and {LARGEST}, not {value}")

    def shrink(self, *, contributions: int, entries: int) -> Bound:
        return replace(self, contributions=contributions, entries=entries)

    def as_json(self) -> dict[str, int]:
        return {"tape": self.tape, "contributions": self.contributions, "entries": self.entries}


@dataclass(frozen=True)
class Case:
    """One choice of every size that a lemma speaks about: `{"t": 3, "acc": 3}`."""

    size: int
    """The tape size under which the case is filed."""
    sizes: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return ",".join(f"{name}={size}" for name, size in self.sizes)

    def of(self, name: str) -> int | None:
        return dict(self.sizes).get(name)
