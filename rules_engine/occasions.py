"""The occasions of a turn, and the steps that need them: a step without its occasion is skipped.

Half of all turns have no spell, and fewer still have anything that lasts. The occasions are known once all orders are
taken; anything a spell adds in mid-turn (a creature, a mark) belongs to its occasion.
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
"""A mage speaks, uses a power of their own or over another, or gives a creature orders."""
PALMS: Final = 8
"""A mage plays two palms at once."""
LASTING: Final = 16
"""There is an enchantment or a creature, or not everybody plays the turn from its start."""
EVERYTHING: Final = SPELLS | STABS | WORDS | PALMS | LASTING

_needs: Final[dict[Callable[..., object], int]] = {}
_untold: Final[dict[Callable[..., object], Step]] = {}


def needs(occasions: int) -> Callable[[S], S]:
    """Mark a step that has nothing to do in a turn without these occasions; a turn with LASTING does every step."""

    def mark(step: S) -> S:
        _needs[step] = occasions | LASTING
        return step

    return mark


def untold(instead: Step) -> Callable[[S], S]:
    """Mark a step that mostly makes events; `instead` is the rest of it, for a silent turn."""

    def mark(step: S) -> S:
        _untold[step] = instead
        return step

    return mark


def plan_steps(steps: Sequence[Step], *, told: bool = True) -> tuple[tuple[Step, ...], ...]:
    """Return the steps to do, in order, for every sum of occasions from NONE to EVERYTHING."""
    plans = []
    for found in range(EVERYTHING + 1):
        needed = [step for step in steps if step not in _needs or _needs[step] & found]
        plans.append(tuple(needed if told else [_untold.get(step, step) for step in needed]))
    return tuple(plans)
