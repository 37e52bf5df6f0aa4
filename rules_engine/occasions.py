"""What a turn has in it, and the steps that need it: a step whose occasion does not come is left out.

Half of all turns have no spell in them, and fewer still have something that lasts. What a turn has in it is known once
all orders are taken; what a spell brings with it in mid-turn (a creature, a mark) is part of its occasion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

Step: TypeAlias = Callable[[Any], object]
"""One step of a turn. The turn is above this module: `turn.TurnStep` has its type."""

S = TypeVar("S", bound=Callable[..., object])

NONE: Final = 0
SPELLS: Final = 1
"""A hand, or the bank, has a spell to cast."""
STABS: Final = 2
"""A hand shows the knife."""
WORDS: Final = 4
"""Somebody speaks, uses a power of his own or over another, or orders a creature."""
PALMS: Final = 8
"""A mage shows two palms at once."""
LASTING: Final = 16
"""Something lies on somebody, a creature is there, or the turn is none that everybody plays from its beginning."""
EVERYTHING: Final = SPELLS | STABS | WORDS | PALMS | LASTING

_needs: Final[dict[Callable[..., object], int]] = {}
_untold: Final[dict[Callable[..., object], Step]] = {}


def needs(occasions: int) -> Callable[[S], S]:
    """Mark a step that finds nothing to do in a turn that has none of these in it; in one with LASTING all are done."""

    def mark(step: S) -> S:
        _needs[step] = occasions | LASTING
        return step

    return mark


def untold(instead: Step) -> Callable[[S], S]:
    """Mark a step that mostly tells; `instead` is what is left of it in a turn of which nothing is told."""

    def mark(step: S) -> S:
        _untold[step] = instead
        return step

    return mark


def plan_steps(steps: Sequence[Step], *, told: bool = True) -> tuple[tuple[Step, ...], ...]:
    """For every sum of occasions, from NONE to EVERYTHING, which of the steps are to be done, in their order."""
    plans = []
    for found in range(EVERYTHING + 1):
        needed = [step for step in steps if step not in _needs or _needs[step] & found]
        plans.append(tuple(needed if told else [_untold.get(step, step) for step in needed]))
    return tuple(plans)
