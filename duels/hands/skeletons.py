"""The eight signs as skeletons: a right hand seen by its owner, thumb to the left, wrist at the bottom.

Every joint is ``(x, y, half width)`` in the 32 × 32 box. ``lines`` are strokes drawn as they are (folds, sparks,
the sleeve); ``open_below`` leaves the outline open there, so that a hand grows out of its wrist.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from duels.hands.outline import Bone, Point

SLEEVE: tuple[Point, ...] = ((9.6, 29.6), (12.6, 30.3), (16, 30.5), (19.4, 30.3), (22.4, 29.6))


def everywhere(x: float, y: float) -> bool:
    """Keep every point of the outline."""
    return True


@dataclass(frozen=True)
class Sign:
    """One drawing: flesh whose outline is drawn, and strokes added to it."""

    letter: str
    word: str
    bones: tuple[Bone, ...] = ()
    softness: float = 1.2
    slack: float = 0.11
    open_below: float = 28.0
    keep: Callable[[float, float], bool] = everywhere
    lines: tuple[tuple[Point, ...], ...] = ()
    curves: tuple[tuple[Point, ...], ...] = ()
    sleeve: bool = True
    mirrored_twin: bool = False


def bone(*joints: tuple[float, float, float]) -> Bone:
    return Bone(joints)


WRIST = bone((16, 24.5, 3.6), (16, 31, 3.2))


def palm_thumb() -> tuple[Bone, ...]:
    """Return a palm with the thumb pointing left."""
    return (
        bone((15, 20.5, 5.0), (17.4, 20.2, 5.0)),
        WRIST,
        bone((13, 22.5, 2.6), (9.4, 17.6, 1.7), (7.6, 14.6, 1.5)),
    )


FINGERS = Sign(
    "F",
    "fingers",
    bones=palm_thumb(),
    keep=lambda x, y: not (y < 18.2 and 10.6 < x < 21.8),
    curves=(
        ((11.2, 17.4), (9.9, 15.0), (11.5, 12.4), (10.0, 9.8), (11.2, 7.4)),
        ((14.7, 15.6), (13.6, 12.6), (15.4, 9.6), (14.0, 6.6), (15.2, 3.8)),
        ((18.4, 15.8), (17.5, 12.8), (19.4, 9.9), (18.4, 6.9), (19.9, 4.2)),
        ((21.8, 18.2), (21.5, 15.4), (23.5, 12.9), (22.8, 10.2), (24.5, 7.6)),
    ),
)

PALM = Sign(
    "P",
    "palm",
    bones=(
        *palm_thumb(),
        bone((12.0, 20, 1.75), (12.0, 7.6, 1.6)),
        bone((15.3, 20, 1.75), (15.3, 5.2, 1.65)),
        bone((18.6, 20, 1.75), (18.6, 6.0, 1.65)),
        bone((21.8, 20, 1.7), (21.8, 9.8, 1.6)),
    ),
    softness=0.9,
    lines=(
        ((13.65, 8.6), (13.65, 16.2)),
        ((16.95, 7.4), (16.95, 16.2)),
        ((20.15, 10), (20.15, 16.4)),
    ),
)

SNAP = Sign(
    "S",
    "snap",
    bones=(
        bone((16.4, 22, 4.4), (18.4, 20.4, 4.6)),
        WRIST,
        bone((13.8, 23.4, 2.4), (10.4, 18.6, 1.7), (10.0, 14.2, 1.5), (11.6, 10.4, 1.4)),
        bone((19.4, 18, 2.0), (19.6, 12.6, 1.7), (16.4, 9.4, 1.6), (12.2, 8.6, 1.5), (8.8, 11.2, 1.4)),
        bone((21.4, 18, 1.6), (22.4, 12.6, 1.5)),
        bone((23.2, 19.6, 1.4), (24.6, 15.4, 1.35)),
    ),
    softness=0.5,
    lines=(((8.2, 6.0), (6.7, 3.6)), ((5.9, 8.8), (3.0, 7.6)), ((11.8, 5.0), (11.4, 2.0))),
)

WAVE = Sign(
    "W",
    "wave",
    bones=(
        bone((15.2, 20.5, 4.6), (17.2, 20.2, 4.6)),
        bone((16.2, 24.5, 3.5), (16.2, 31, 3.2)),
        bone((13, 22.5, 2.4), (8.4, 18.8, 1.55), (6.2, 17.0, 1.4)),
        bone((13.4, 18, 1.6), (9.6, 9.2, 1.4)),
        bone((15.4, 17, 1.6), (14.2, 6.2, 1.45)),
        bone((17.6, 17, 1.6), (19.0, 6.8, 1.45)),
        bone((19.4, 18, 1.5), (23.6, 10.6, 1.35)),
    ),
    softness=1.0,
    curves=(((3.0, 12.4), (4.2, 8.0), (7.2, 4.4)), ((25.4, 3.8), (28.2, 7.0), (29.4, 11.4))),
)

DIGIT = Sign(
    "D",
    "digit",
    bones=(
        bone((15.6, 21.5, 4.2), (18.2, 21.5, 4.6)),
        WRIST,
        bone((12.9, 21, 1.8), (12.9, 4.6, 1.7)),
        bone((16.4, 18, 1.6), (16.4, 15.6, 1.55)),
        bone((19.4, 18, 1.6), (19.4, 16.0, 1.5)),
        bone((22.1, 19, 1.4), (22.1, 17.4, 1.35)),
    ),
    softness=0.7,
    curves=(((11.1, 22.0), (14.0, 20.1), (17.2, 20.2), (18.1, 21.6), (16.6, 22.6), (15.0, 22.8)),),
    lines=(((14.75, 15.6), (14.75, 18.6)), ((17.9, 16.4), (17.9, 18.4)), ((20.7, 17.8), (20.7, 19.6))),
)

CLAP = Sign(
    "C",
    "clap",
    bones=(bone((13.6, 8.4, 1.5), (12.4, 14.4, 2.2), (11.0, 20.4, 3.0), (8.8, 26, 2.6), (7.6, 32, 2.4)),),
    softness=0.4,
    open_below=27.4,
    curves=(
        ((11.9, 15.2), (10.6, 19.0), (10.6, 22.2)),
        ((4.6, 29.0), (7.4, 30.0), (10.8, 30.2)),
    ),
    lines=(((10.0, 6.6), (7.8, 3.8)), ((8.0, 11.6), (4.6, 10.6))),
    mirrored_twin=True,
)

STAB = Sign(
    "&gt;",
    "stab",
    sleeve=False,
    lines=(
        ((13.2, 17.0), (25.0, 5.2), (28.2, 3.8), (26.8, 7.0), (15.0, 18.8)),
        ((10.0, 15.4), (16.6, 22.0)),
        ((11.7, 18.3), (6.0, 24.0), (5.6, 26.4), (8.0, 26.0), (13.7, 20.3)),
    ),
)

NOTHING = Sign(
    "-",
    "nothing",
    bones=(
        bone((14.6, 21.8, 4.2), (17.4, 21.8, 4.2)),
        WRIST,
        bone((11.4, 19.4, 1.6), (11.4, 16.8, 1.5)),
        bone((14.5, 19, 1.6), (14.5, 15.9, 1.6)),
        bone((17.7, 19, 1.6), (17.7, 16.1, 1.6)),
        bone((20.6, 19.6, 1.5), (20.6, 17.4, 1.4)),
    ),
    softness=0.7,
    curves=(((9.9, 22.2), (12.6, 20.9), (16.0, 20.8), (17.0, 22.2), (15.6, 23.4), (13.6, 23.6)),),
    lines=(((12.95, 16.6), (12.95, 18.6)), ((16.1, 16.2), (16.1, 18.4)), ((19.2, 17.0), (19.2, 18.8))),
)

SIGNS = (FINGERS, PALM, SNAP, WAVE, DIGIT, CLAP, STAB, NOTHING)
