"""A simulated year of a whole site, from one due moment to the next, compared with a simple model."""

import pytest

from duels.models import Battle, MissedTurn
from ladder.selectors.scores import find_disagreements
from tests.site.simulated_year import BY_CALL, BY_CLOCK, SimulatedSite


def live(site: SimulatedSite) -> SimulatedSite:
    site.run()
    site.check_at_the_end()
    assert not list(find_disagreements())
    assert MissedTurn.objects.count() == site.happened["deadline_final"]
    assert site.started == Battle.objects.count() == site.happened["battle_started"] // 2
    return site


@pytest.mark.once
@pytest.mark.django_db
def test_two_months_of_a_small_site_match_the_plan():
    """FM-SLOW-2 to FM-SLOW-7, FM-ORDUSR-6, FM-ORDUSR-7, FM-ORDUSR-12 to FM-ORDUSR-15."""
    site = live(SimulatedSite(users=8, battles=14, days=60, seed=13))
    assert site.happened.keys() >= BY_CLOCK | BY_CALL | {"left", "mage_was_retired", "mage_was_removed", "user_closed"}


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_a_year_of_three_hundred_users_and_two_thousand_battles_matches_the_plan():
    """The same with every sweep committed, so that what follows a commit happens here too."""
    site = live(SimulatedSite(users=300, battles=2000, days=365, seed=3))
    assert site.started >= 2000
