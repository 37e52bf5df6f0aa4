"""The occasions of a turn, and the steps that need them: a step is skipped if the turn has none of its occasions.

Half of all turns have no spell, and fewer have an enchantment or a creature. The occasions are known once all orders
are taken: what a spell adds in mid-turn (a creature, a mark) belongs to the occasion of the spell.
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
_silent_variants: Final[dict[Callable[..., object], Step]] = {}


def needs(occasions: int) -> Callable[[S], S]:
    """Mark a step that has nothing to do in a turn without these occasions; a turn with LASTING does every step."""

    def mark(step: S) -> S:
        _needs[step] = occasions | LASTING
        return step

    return mark


def silent_variant(instead: Step) -> Callable[[S], S]:
    """Mark a step that mostly creates events; a silent turn does `instead`, which is the rest of the step."""

    def mark(step: S) -> S:
        _silent_variants[step] = instead
        return step

    return mark


def plan_steps(steps: Sequence[Step], *, silent: bool = False) -> tuple[tuple[Step, ...], ...]:
    """Return the steps to do, in order, for every sum of occasions from NONE to EVERYTHING; with `silent`, those of a
    silent turn."""
    plans = []
    for occasions in range(EVERYTHING + 1):
        needed = [step for step in steps if step not in _needs or _needs[step] & occasions]
        plans.append(tuple([_silent_variants.get(step, step) for step in needed] if silent else needed))
    return tuple(plans)
