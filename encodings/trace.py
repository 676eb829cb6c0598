"""What a lemma's two sides ran, step by step, in words.

A runtime is watched from outside: what each of its functions was given and what it returned. So the words are as true
of a changed engine as of the runtime itself; why something happened is only said where that can be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from symtape.encodings.interpreter import Runtime
from symtape.encodings.plain import Accumulator, Error, Ok, Result, Tape, Tensor, after, using
from symtape.encodings.replay import Arithmetic
from symtape.logic import Equation
from symtape.statement import Lemma


@dataclass(frozen=True, eq=False)
class Event:
    """Something that ran. Two events are two even if they say the same."""

    text: str
    depth: int = 0
    before: Accumulator | None = None
    """What a function of the pass was given."""
    result: Result | None = None
    """What it returned."""
    tape: Tape | None = None
    asked: tuple[Any, Tensor, Result] | None = None
    """A `backward` function, its argument and its answer."""
    total: Tensor | None = None
    """The sum, where two tensors were added."""


@dataclass(frozen=True)
class Trace:
    """The events of both sides of a goal."""

    left: tuple[Event, ...]
    right: tuple[Event, ...]
    sides: tuple[Any, ...]
    """The values of both sides; none of a goal that is no equation."""

    def steps(self) -> dict[str, list[dict[str, Any]]]:
        """A line for each event, and what came out; nothing where nothing ran."""
        if not (self.left or self.right):
            return {"left": [], "right": []}
        values = self.sides or (None, None)
        return {
            name: [{"depth": event.depth, "text": event.text} for event in (*events, *_outcome(value))]
            for name, events, value in zip(("left", "right"), (self.left, self.right), values, strict=True)
        }


def trace(lemma: Lemma, values: dict[str, Any], arithmetic: Arithmetic) -> Trace:
    """Run the goal of a lemma on plain values, and watch."""
    runtime = arithmetic.runtime(lemma.engine)
    with using(runtime):
        claim = lemma.state(values)
    watcher = Watcher(runtime)
    with using(runtime):
        goal = claim.goal()
    return _by_side(watcher.log, goal)


def _by_side(log: Sequence[Event], goal: Any) -> Trace:
    """A result carries its events. What no result carries, such as a sum of two packs, was run for the left side if
    it ran before all that the right side carries and no later than the last that the left side does."""
    sides = (goal.lhs, goal.rhs) if isinstance(goal, Equation) else ()
    carried = [getattr(side, "events", ()) for side in sides] or [tuple(log), ()]
    place = {id(event): i for i, event in enumerate(log)}
    ends = [place[id(event)] for event in carried[0] if id(event) in place]
    border = max(ends, default=-1)
    told = {id(event) for events in carried for event in events}
    loose = [event for event in log if id(event) not in told]

    def woven(events: Sequence[Event], others: Iterable[Event]) -> tuple[Event, ...]:
        # an event inside another has the place of the one that it is in
        order: dict[int, int] = {}
        last = -1
        for event in events:
            last = place.get(id(event), last)
            order[id(event)] = last
        both = [*events, *others]
        return tuple(sorted(both, key=lambda event: order.get(id(event), place.get(id(event), -1))))

    left = [event for event in loose if place[id(event)] < border]
    right = [event for event in loose if place[id(event)] >= border]
    return Trace(woven(carried[0], left), woven(carried[1], right), sides)


class Watcher:
    """Watches a runtime, which it changes: its functions also tell what they do."""

    def __init__(self, runtime: Runtime) -> None:
        self.log: list[Event] = []
        """What happened so far in the function that is running, or in none."""
        self._tape: Tape | None = None
        self._plus, self._answered = runtime.plus, runtime.answered
        told: dict[str, Callable[..., Any]] = {
            "plus": self._sum,
            "answered": self._answer,
            "addGradAll": self._watched(runtime.addGradAll, _added),
            "backwardDenseFromStep": self._watched(runtime.backwardDenseFromStep, _stepped),
            "backwardDenseFromLoop": self._watched(runtime.backwardDenseFromLoop, _looped),
            "backwardDenseFrom": self._watched(runtime.backwardDenseFrom, _passed),
        }
        # The object's own attributes: the engine's class, and what it says of `super()`, stay as they are.
        for name, function in told.items():
            setattr(runtime, name, function)

    def _watched(self, function: Callable[..., Any], describe: Callable[..., Iterable[Event]]) -> Callable[..., Any]:
        def watched(t: Tape, *arguments: Any, **named: Any) -> Any:
            around, self.log = (self.log, self._tape), []
            self._tape = t
            result = function(t, *arguments, **named)
            inside = self.log
            self.log, self._tape = around
            nested = self._tape is not None
            events = tuple(describe(t, *arguments, **named, result=result, inside=inside, nested=nested))
            self.log.extend(events)
            if not isinstance(result, Ok | Error):
                return result
            result = Ok(result.value) if isinstance(result, Ok) else Error(result.message)
            return after(events, result)

        return watched

    def _sum(self, a: Tensor, b: Tensor) -> Tensor:
        total = self._plus(a, b)
        self.log.append(Event(f"{_short(a)} + {_short(b)} = {_short(total)}", total=total))
        return total

    def _answer(self, function: Any, gradient: Tensor, answer: Result) -> Result:
        nodes = [] if self._tape is None else self._tape.nodes
        which = next((f" of node {i}" for i, node in enumerate(nodes) if node.backward is function), "")
        said = f"fails, {_error(answer)}" if isinstance(answer, Error) else f"emits {_emitted(answer)}"
        self.log.append(Event(f"backward{which} on {_short(gradient)} {said}", asked=(function, gradient, answer)))
        return self._answered(function, gradient, answer)


# --- the functions of the pass, in words ---


def _added(
    t: Tape, acc: Accumulator, i: int, g: Tensor, result: Result, inside: list[Event], nested: bool
) -> Iterator[Event]:
    if isinstance(result, Error):
        said = _error(result)
    else:
        changes = _changes(acc, result.value, [event for event in inside if event.total is not None], i)
        ignored = 0 <= i < t.size and not t.nodes[i].requiresGrad
        said = "; ".join(changes) or ("requires no gradient, nothing is added" if ignored else "nothing changes")
    yield Event(f"node {i} gets {_short(g)}: {said}", before=acc, result=result, tape=t)


def _stepped(t: Tape, acc: Accumulator, i: int, result: Result, inside: list[Event], nested: bool) -> Iterator[Event]:
    on_tape, has_slot = 0 <= i < t.size, 0 <= i < acc.size
    holds = f"slot [{i}] holds {_short(acc[i])}" if has_slot else f"there is no slot [{i}]"
    told = list(_woven(acc, result, inside))
    if not on_tape:
        holds = f"it is not on the tape of {t.size}"
    elif not told and not t.nodes[i].requiresGrad:
        holds = "it requires no gradient and is passed over"
    yield Event(f"step at node {i}: {holds}", before=acc, result=result, tape=t)
    yield from told


def _looped(
    t: Tape, count: int, acc: Accumulator, result: Result, inside: list[Event], nested: bool
) -> Iterator[Event]:
    told = list(_woven(acc, result, inside, 0 if nested else 1))
    if not nested:
        yield Event(f"loop over {count} {_nodes(count)}", before=acc, result=result, tape=t)
    elif not told:
        yield Event("no node is visited", before=acc, result=result, tape=t)
    yield from told


def _passed(t: Tape, acc: Accumulator, result: Result, inside: list[Event], nested: bool) -> Iterator[Event]:
    yield Event(f"dense pass over {t.size} {_nodes(t.size)}", before=acc, result=result, tape=t)
    yield from _woven(acc, result, inside)


def _woven(acc: Accumulator, result: Result, inside: Sequence[Event], deeper: int = 1) -> Iterator[Event]:
    """What happened inside of a function, and what it changed between that, without saying so."""
    state, sums, outcome = acc, list[Event](), None
    for event in inside:
        if event.total is not None:
            sums.append(event)
            continue
        if event.depth == 0 and event.before is not None:
            for change in _changes(state, event.before, sums):
                yield Event(change, deeper)
            state, sums, outcome = event.before, [], event.result
            if isinstance(event.result, Ok):
                state = event.result.value
        elif event.asked is not None and isinstance(event.asked[2], Error):
            outcome = event.asked[2]
        yield replace(event, depth=event.depth + deeper)
    if isinstance(result, Error):
        if outcome != result:
            yield Event(_error(result), deeper)
    else:
        for change in _changes(state, result.value, sums):
            yield Event(change, deeper)


def _changes(before: Any, now: Any, sums: Sequence[Event], expected: int | None = None) -> list[str]:
    """How one accumulator became another: by the last sums, where these explain it."""
    if not (isinstance(before, Accumulator) and isinstance(now, Accumulator)):
        return [] if before == now else ["the accumulator is replaced"]
    said = []
    for i, (old, new) in enumerate(zip_longest(before.slots, now.slots)):
        if new is None:
            said.append(f"slot [{i}] is gone")
        elif sums and sums[-1].total == new and (old != new or i == expected):
            said.append(f"slot [{i}]: {', '.join(event.text for event in sums)}")
        elif old is None:
            said.append(f"new slot [{i}]: {_short(new)}")
        elif old != new:
            said.append(f"slot [{i}]: {_short(old)} becomes {_short(new)}")
    return said


def _outcome(value: Any) -> list[Event]:
    if isinstance(value, Ok) and isinstance(value.value, Accumulator):
        slots = value.value.slots
        return [Event(f"result: ok, {', '.join(f'[{i}] {_short(s)}' for i, s in enumerate(slots)) or 'no slots'}")]
    if isinstance(value, Ok | Error) or value is not None:
        lines = value.lines() if hasattr(value, "lines") else [str(value)]
        return [Event(f"result: {'; '.join(line.strip() for line in lines)}")]
    return []


def _nodes(count: int) -> str:
    return "node" if count == 1 else "nodes"


def _error(error: Error) -> str:
    return f'error "{error.message}"'


def _emitted(answer: Ok) -> str:
    return ", ".join(f"{_short(g)} → node {pid}" for pid, g in answer.value.items) or "nothing"


def _short(tensor: Tensor) -> str:
    return str(tensor.entries[0]) if tensor.shape == () else f"({tensor})"
