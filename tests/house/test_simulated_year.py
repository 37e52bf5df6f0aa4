"""A simulated time of a whole house, from one due moment to the next, against a plain book of who is owed what."""

import pytest

from duels.models import Battle, MissedTurn
from ladder.selectors import find_disagreements
from tests.house.simulated_year import BY_CALL, BY_CLOCK, House


def live(house: House) -> House:
    house.run()
    house.check_at_the_end()
    assert not list(find_disagreements())
    assert MissedTurn.objects.count() == house.happened["deadline_final"]
    assert house.started == Battle.objects.count() == house.happened["battle_started"] // 2
    return house


@pytest.mark.once
@pytest.mark.django_db
def test_two_months_of_a_small_house_are_as_the_book_says():
    """FM-SLOW-2 to FM-SLOW-7, FM-ORDUSR-6, FM-ORDUSR-7, FM-ORDUSR-12 to FM-ORDUSR-15."""
    house = live(House(users=8, battles=12, days=60, seed=7))
    assert house.happened.keys() >= BY_CLOCK | BY_CALL | {"left", "mage_was_retired", "mage_was_removed", "user_closed"}


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_a_year_of_three_hundred_users_and_two_thousand_battles_is_as_the_book_says():
    """The same, and every sweep's work committed, so that what follows a commit follows here too."""
    house = live(House(users=300, battles=2000, days=365, seed=3))
    assert house.started >= 2000
