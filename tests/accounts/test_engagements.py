"""A mage is in at most one challenge or battle."""

import pytest
from django.db import IntegrityError, transaction

from accounts.errors import MageBusy
from accounts.models import Engagement, Mage
from accounts.services.mages import engage_mage, kill_mage, move_engagement, register_mage, release_mage
from tests.refusals import refused
from tests.scenes import NOW


@pytest.fixture
def mage(anna) -> Mage:
    return register_mage(user=anna, name="Froodal", now=NOW)


def test_a_busy_mage_says_what_they_are_in(mage):
    engage_mage(mage=mage, kind="challenge", number=3)
    with pytest.raises(MageBusy, match="Froodal is in challenge 3"):
        engage_mage(mage=mage, kind="battle", number=4)


def test_engaging_twice_for_the_same_thing_is_one_engagement(mage):
    first = engage_mage(mage=mage, kind="challenge", number=3)
    assert engage_mage(mage=mage, kind="challenge", number=3) == first


def test_only_the_current_engagement_can_release_a_mage(mage):
    engage_mage(mage=mage, kind="battle", number=3)
    assert not release_mage(mage=mage, kind="challenge", number=3)
    assert not release_mage(mage=mage, kind="battle", number=4)
    assert release_mage(mage=mage, kind="battle", number=3)
    assert not release_mage(mage=mage, kind="battle", number=3)


def test_a_challenge_becomes_a_battle_in_one_step(mage):
    engage_mage(mage=mage, kind="challenge", number=3)
    move_engagement(mage=mage, number=3)
    move_engagement(mage=mage, number=3)
    assert list(Engagement.objects.values_list("mage", "kind", "number")) == [(mage.pk, "battle", 3)]


def test_a_mage_who_left_for_something_else_is_not_moved(mage):
    engage_mage(mage=mage, kind="battle", number=9)
    with pytest.raises(MageBusy):
        move_engagement(mage=mage, number=3)


def test_a_dead_mage_joins_nothing(mage):
    kill_mage(mage=mage, now=NOW)
    with refused("dead"):
        engage_mage(mage=mage, kind="challenge", number=3)


def test_the_database_itself_allows_one_engagement(mage):
    engage_mage(mage=mage, kind="battle", number=3)
    with pytest.raises(IntegrityError), transaction.atomic():
        Engagement.objects.create(mage=mage, kind="challenge", number=4)
