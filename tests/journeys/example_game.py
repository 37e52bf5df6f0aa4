"""The example game of document 000 (EXAMPLE GAME): what both mages did in each turn, and the hit points printed for it.

Turn 6 is the only one with more than gestures: Froodal says which of Bung's hands the Paralysis holds. The table of the
document then shows what became of that hand (C, stuck, becomes F), not what Bung ordered.
"""

from typing import NamedTuple


class Turn(NamedTuple):
    """One turn: `froodal` and `bung` are (left, right); `hit_points` (Froodal's, Bung's) stand after it."""

    number: int
    froodal: tuple[str, str]
    bung: tuple[str, str]
    hit_points: tuple[int, int]
    paralyzed: str = ""


GAME = (
    Turn(1, ("W", "D"), ("W", "P"), (15, 15)),
    Turn(2, ("W", "S"), ("W", "S"), (15, 15)),
    Turn(3, ("W", "F"), ("S", "D"), (14, 15)),
    Turn(4, ("S", "F"), ("S", ">"), (14, 15)),
    Turn(5, (">", "F"), ("C", "C"), (9, 9)),
    Turn(6, ("C", "C"), ("D", "C"), (9, 9), paralyzed="RH"),
    Turn(7, ("P", "W"), ("P", ">"), (9, 9)),
    Turn(8, ("P", "D"), ("W", ">"), (8, 9)),
    Turn(9, (">", "D"), ("D", "S"), (8, 8)),
    Turn(10, ("C", "C"), ("D", "D"), (7, 3)),
    Turn(11, ("W", "W"), ("C", "C"), (7, -2)),
)
# The strings of both hands in the end, as the document's table has them, turn 0 (the bow) first.
STRINGS = {
    "Froodal": ("BWWWS>CPP>CW", "BDSFFFCWDDCW"),
    "Bung": ("BWWSSCDPWDDC", "BPSD>CF>>SDC"),
}
