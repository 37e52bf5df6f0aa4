"""The rating of duels that the classic server kept and never showed (firetop-server 5.5), in hundredths of a point."""

START = 100_000
FACTOR = 40
# So many points more mean that one is expected to win twice as often as to lose.
DOUBLING = 100


def rate_duel(own: int, other: int, score: float) -> int:
    """Return what `own` becomes against `other`: 1 for a victory, 0.5 for a draw, 0 for a defeat.

    Each change is cut, towards nothing, to hundredths.
    """
    expected = 1 / (1 + 2 ** ((other - own) / 100 / DOUBLING))
    return own + int(FACTOR * (score - expected) * 100)
