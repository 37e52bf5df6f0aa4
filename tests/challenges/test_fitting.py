"""Open duels that fit a user: on the home page of someone with nothing to do, and on their page of news."""

import pytest

from accounts.services.ties import block_user
from challenges.models import Seat
from challenges.selectors.fitting import RATING_BAND, list_fitting_duels
from duels.terms import Terms
from ladder.models import UserRating
from moderation.services.reports import suspend_user
from notifications.services.preferences import set_preference
from tests.challenges.conftest import make_challenge
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    """A user with a free mage, whose first duel is over and seen."""
    user = make_user("Anna")
    fight = start_fight(make_mage("Emberlin", user), make_mage("Ottokar"))
    fight.turn("P/P", "-/-")
    log_in(user).get(f"/battles/{fight.number}/")
    return user


def rate(user, rating):
    UserRating.objects.update_or_create(
        user=user,
        kind="duel",
        defaults={"rating": rating, "deviation": 60, "volatility": 0.06, "battles": 20, "day": NOW.date()},
    )


def names(user):
    return [each.duel.challenger for each in list_fitting_duels(user, today=NOW.date())]


def test_the_nearest_in_rating_is_first_and_those_too_far_away_are_left_out(anna):
    rate(anna, 1530)
    for name, rating in (("Kestrel", 1490), ("Sorrel", 1530 + RATING_BAND + 1), ("Crom", 1600)):
        mage = make_mage(name)
        rate(mage.user, rating)
        make_challenge(mage, limit=2)
    assert names(anna) == ["Kestrel", "Crom"]


def test_only_duels_that_they_may_join_fit(anna):
    make_challenge(make_mage("Kestrel"), make_mage("Wanda"))  # by invitation
    make_challenge(make_mage("Sorrel"), limit=4)  # a melee
    make_challenge(make_mage("Tamsin", anna), limit=2)  # their own
    assert names(anna) == []
    assert names(make_user("Mageless")) == []


@pytest.mark.parametrize("by_reader", [True, False], ids=["the reader blocks them", "they block the reader"])
def test_a_duel_of_a_blocked_user_does_not_fit(anna, by_reader):
    kestrel = make_mage("Kestrel")
    make_challenge(kestrel, limit=2)
    assert names(anna) == ["Kestrel"]
    pair = (anna, kestrel.user) if by_reader else (kestrel.user, anna)
    block_user(user=pair[0], blocked=pair[1], now=NOW)
    assert names(anna) == []
    assert "Kestrel" not in log_in(anna).get("/").text


def test_a_duel_of_a_suspended_user_does_not_fit(anna):
    kestrel = make_mage("Kestrel")
    make_challenge(kestrel, limit=2)
    suspend_user(user=kestrel.user, by=make_janitor(), reason="Rude.", ends_at=None, now=NOW)
    assert names(anna) == []


def test_home_offers_the_best_one_and_one_press_joins(anna):
    kestrel = make_mage("Kestrel")
    challenge = make_challenge(kestrel, limit=2, terms=Terms(stakes="friendly"))
    client = log_in(anna)
    page = flat(client.get("/"))
    assert "Kestrel looks for a duel" in page
    (row,) = list_fitting_duels(anna, today=NOW.date())
    data = {"terms": row.duel.terms_key, "mage": "Emberlin"}
    assert client.post(f"/challenges/{challenge.number}/accept/", data).status_code == 302
    assert Seat.objects.filter(mage__name="Emberlin", state=Seat.State.JOINED).exists()
    assert "looks for a duel" not in client.get("/").text


def test_those_who_want_to_hear_of_none_see_none(anna):
    make_challenge(make_mage("Kestrel"), limit=2)
    client = log_in(anna)
    assert "Kestrel looks for a duel" in client.get("/news/").text
    assert "Kestrel looks for a duel" not in client.get("/news/?news=you").text
    set_preference(user=anna, key="page_seeks", value="no")
    for page in ("/", "/news/"):
        assert "Kestrel looks for a duel" not in client.get(page).text
