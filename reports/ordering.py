"""In which order the boxes of each layer stand, so that few arrows cross.

Sweeps down and up that order each layer by the mean of its neighbours (barycentres), each followed by exchanges of
members that stand side by side where that saves crossings. The best order that was seen is kept.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Key = TypeVar("Key", bound=tuple[str, str, int])
Neighbours = Mapping[Key, list[Key]]

SWEEPS = 16
LARGE = 1500
"""From how many members on one start and half of the sweeps have to do: nothing makes that readable."""
PATIENCE = 5
"""After how many sweeps without a better order the search ends."""


def ordered(layers: Sequence[Sequence[Key]], above: Neighbours[Key], below: Neighbours[Key]) -> list[list[Key]]:
    """The layers, each in an order of its own. Neighbours are those in the layer above and in the one below."""
    best: list[list[Key]] = []
    least = -1
    large = sum(map(len, layers)) > LARGE
    starts = [_walked(layers, below)] if large else [_walked(layers, below), _walked(layers[::-1], above)[::-1]]
    for start in starts:
        found, crossings = _search(start, above, below, SWEEPS // 2 if large else SWEEPS)
        if least < 0 or crossings < least:
            best, least = found, crossings
        if not least:
            break
    return best


def _walked(layers: Sequence[Sequence[Key]], towards: Neighbours[Key]) -> list[list[Key]]:
    """A first order: as a breadth-first walk along the arrows comes by, which keeps together what hangs together."""
    seen: dict[Key, None] = {}
    for layer in layers:
        for start in sorted(layer):
            waiting = deque([start])
            while waiting:
                key = waiting.popleft()
                if key not in seen:
                    seen[key] = None
                    waiting += sorted(towards.get(key, ()))
    rank = {key: number for number, key in enumerate(seen)}
    return [sorted(layer, key=rank.__getitem__) for layer in layers]


def _search(
    layers: list[list[Key]], above: Neighbours[Key], below: Neighbours[Key], sweeps: int
) -> tuple[list[list[Key]], int]:
    best, least, idle = [list(layer) for layer in layers], _crossings(layers, below), 0
    for sweep in range(sweeps):
        if not least or idle == PATIENCE:
            break
        downward = sweep % 2 == 0
        _sweep(layers, above if downward else below, downward)
        _exchange(layers, above, below)
        crossings = _crossings(layers, below)
        idle += 1
        if crossings < least:
            best, least, idle = [list(layer) for layer in layers], crossings, 0
    return best, least


def _sweep(layers: list[list[Key]], towards: Neighbours[Key], downward: bool) -> None:
    levels = range(1, len(layers)) if downward else range(len(layers) - 2, -1, -1)
    for level in levels:
        place = _places(layers[level - 1 if downward else level + 1])
        own = _places(layers[level])
        # What has no neighbour there keeps the place that it has, as a share of its layer.
        share = max(1, len(place)) / max(1, len(own))
        wish = {
            key: sum(place[n] for n in near) / len(near) if (near := towards.get(key, [])) else own[key] * share
            for key in layers[level]
        }
        layers[level].sort(key=lambda key: (wish[key], own[key]))


def _exchange(layers: list[list[Key]], above: Neighbours[Key], below: Neighbours[Key]) -> None:
    for level, layer in enumerate(layers):
        sides = []
        if level:
            sides.append((_places(layers[level - 1]), above))
        if level + 1 < len(layers):
            sides.append((_places(layers[level + 1]), below))
        near = {key: [sorted(place[n] for n in side.get(key, ())) for place, side in sides] for key in layer}
        better = True
        rounds = 0
        while better and rounds < 4:
            better, rounds = False, rounds + 1
            for i in range(len(layer) - 1):
                left, right = near[layer[i]], near[layer[i + 1]]
                gain = 0
                for ours, theirs in zip(left, right, strict=True):
                    if ours and theirs and ours[-1] > theirs[0]:
                        gain += _inverted(ours, theirs) - _inverted(theirs, ours)
                    elif ours and theirs and theirs[-1] > ours[0]:
                        gain -= _inverted(theirs, ours)
                if gain > 0:
                    layer[i], layer[i + 1] = layer[i + 1], layer[i]
                    better = True


def _inverted(left: Sequence[int], right: Sequence[int]) -> int:
    """How many arrows cross if those to these places start left of those to the others."""
    return sum(a > b for a in left for b in right)


def _crossings(layers: Sequence[Sequence[Key]], below: Neighbours[Key]) -> int:
    count = 0
    for upper, lower in pairwise(layers):
        place = _places(lower)
        ends: list[int] = []
        for key in upper:
            targets = sorted(place[n] for n in below.get(key, ()))
            count += sum(len(ends) - bisect_right(ends, target) for target in targets)
            for target in targets:
                insort(ends, target)
    return count


def _places(layer: Sequence[Key]) -> dict[Key, int]:
    return {key: number for number, key in enumerate(layer)}
