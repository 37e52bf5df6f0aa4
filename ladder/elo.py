"""The duel rating that the classic server kept but never showed (firetop-server 5.5), in hundredths of a point."""

START = 100_000
FACTOR = 40
# A player with this many more points is expected to win twice as often as to lose.
DOUBLING = 100


def rate_duel(own: int, other: int, score: float) -> int:
    """Return the new `own` rating after a duel against `other`: `score` is 1 for a win, 0.5 for a draw, 0 for a loss.

    Each change is truncated to hundredths, towards zero.
    """
    expected = 1 / (1 + 2 ** ((other - own) / 100 / DOUBLING))
    return own + int(FACTOR * (score - expected) * 100)
