"""What a reader is shown of a refutation: the simplest one that it shrinks to, from all sides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symtape.encodings import replay as public
from symtape.encodings.drawing import tapes
from symtape.encodings.plain import using
from symtape.encodings.pytest_file import pytest_file
from symtape.encodings.replay import Arithmetic, replay_call, replay_values
from symtape.encodings.shrink import shrink
from symtape.encodings.trace import trace
from symtape.statement import Lemma, Replay


def shown(lemma: Lemma, values: dict[str, Any], arithmetic: Arithmetic) -> Replay:
    """The replay of the simplest refutation that values which refute a lemma shrink to, with its steps, its tapes and
    its test file."""
    simplest = shrink(lemma, values, arithmetic)
    ran = trace(lemma, simplest.values, simplest.arithmetic)
    call = replay_call(lemma, simplest.values, simplest.arithmetic)
    with using(simplest.arithmetic.runtime(lemma.engine)):
        # a lowered node answers as its engine says
        drawn = tapes(simplest.values, ran)
    return replace(
        replay_values(lemma, simplest.values, simplest.arithmetic),
        measure=tuple(simplest.measure),
        steps=ran.steps(),
        tapes=drawn,
        pytest=pytest_file(lemma, call, public.__all__),
    )
