"""The rule of used time."""

from datetime import timedelta

import pytest

from league.rules.stalling import settle_by_time

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [(0, 0, "draw"), (5, 5, "draw"), (6, 4, "draw"), (4, 6, "draw"), (6.1, 3.9, "second"), (3, 7, "first")],
)
def test_who_used_more_than_three_fifths_of_the_time_loses(first, second, result):
    assert settle_by_time(first * MINUTE, second * MINUTE) == result
