"""How many mages a user can have, and how many new ones in a day."""

from datetime import timedelta

import pytest

from accounts.errors import InvalidName
from accounts.models import Mage, Name, User
from accounts.services.mages import kill_mage, register_mage
from operations.services.policy import set_policy
from tests.scenes import DAY, NOW, make_user

LETTERS = "abcdefghijklmnop"
pytestmark = pytest.mark.django_db


def register(user, *letters, now=NOW):
    return [register_mage(user=user, name=f"Twin{letter}", now=now) for letter in letters]


@pytest.fixture
def user():
    return make_user("Many")


def register_twelve(user):
    for day, letters in enumerate(("abcde", "fghij", "kl")):
        register(user, *letters, now=NOW + 2 * day * DAY)


def test_a_user_has_at_most_twelve_living_mages(user):
    register_twelve(user)
    with pytest.raises(InvalidName, match="as many living mages as a user can have: 12"):
        register(user, "m", now=NOW + 9 * DAY)
    assert not Name.objects.filter(key="twinm").exists(), "the name stays free"
    kill_mage(mage=Mage.objects.get(name="Twina"), now=NOW + 9 * DAY)
    register(user, "m", now=NOW + 9 * DAY)


def test_a_user_registers_at_most_five_within_a_day(user):
    for mage in register(user, *"abcde"):
        kill_mage(mage=mage, now=NOW)
    with pytest.raises(InvalidName, match="registered 5 mages within 24 hours"):
        register(user, "f", now=NOW + DAY - timedelta(minutes=1))
    register(user, "f", now=NOW + DAY)
    assert register_mage(user=make_user("Wilma"), name="Another", now=NOW)


def test_who_has_more_keeps_them_and_gets_no_new_one(user):
    register(user, *"abcde")
    set_policy(by=user, why="fewer", numbers={"living_mages": 3}, now=NOW)
    with pytest.raises(InvalidName, match="living mages as a user can have: 3"):
        register(user, "f", now=NOW + 2 * DAY)
    assert Mage.objects.filter(user=user, died_at=None).count() == 5


def test_the_bots_of_the_site_have_no_limit_but_those_of_users_do(user):
    User.objects.filter(pk=user.pk).update(is_bot=True)
    register(user, *"abcde")
    with pytest.raises(InvalidName, match="registered 5 mages within 24 hours"):
        register(user, "f")
    User.objects.filter(pk=user.pk).update(bot_strength="Archmage")
    register(user, *LETTERS[5:])


def test_the_page_says_the_limits_and_refuses_with_a_reason(client, user):
    client.force_login(user)
    page = client.get("/accounts/mages/new/").content.decode()
    assert "A user can have 12 living mages and register 5 within 24 hours." in page
    for letter in "abcde":
        assert client.post("/accounts/mages/new/", {"name": f"Twin{letter}"}).status_code == 302
    refused = client.post("/accounts/mages/new/", {"name": "Twinf"})
    assert refused.status_code == 422
    assert "You have registered 5 mages within 24 hours" in refused.content.decode()
    assert Mage.objects.count() == 5
