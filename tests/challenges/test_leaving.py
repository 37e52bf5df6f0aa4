"""Mages who retire or leave, and users who follow a challenge."""

import pytest

from accounts.errors import MageBusy
from accounts.models import Mage
from challenges.errors import ChallengeNotFound, ChallengeOver
from challenges.models import Follower, Seat
from challenges.services.answers import accept_challenge, decline_elsewhere, withdraw_challenge
from challenges.services.followers import follow_challenge, unfollow_challenge
from challenges.services.retire_mages import quit_mage, retire_mage
from duels.models import Battle, Subscription
from ladder.models import ScoreEntry
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, make_user


def score(mage: Mage, points: int = 1) -> None:
    ScoreEntry.objects.create(
        mage=mage,
        kind="duel",
        battle=99,
        due=points,
        before=0,
        change=points,
        after=points,
        reason="won",
        created_at=NOW,
    )


def test_a_mage_with_a_score_retires_and_one_without_leaves(froodal, bung):
    """FM-ORDUSR-8, FM-ORDUSR-9, FM-ORDUSR-11."""
    score(froodal)
    assert retire_mage(mage=froodal, now=NOW) == "retired"
    assert retire_mage(mage=bung, now=NOW) == "removed"
    froodal.refresh_from_db()
    bung.refresh_from_db()
    assert froodal.is_retired and froodal.is_alive and not bung.is_alive


def test_a_mage_that_retires_or_leaves_declines_its_invitations(
    froodal, bung, ayla, django_capture_on_commit_callbacks
):
    challenge = make_challenge(ayla, froodal, bung)
    score(froodal)
    with django_capture_on_commit_callbacks(execute=True):
        retire_mage(mage=froodal, now=NOW)
        quit_mage(mage=bung, now=NOW)
    assert not Seat.objects.filter(challenge=challenge, state=Seat.State.INVITED).exists()
    assert decline_elsewhere(now=NOW) == 0


@pytest.mark.parametrize("leave", [retire_mage, quit_mage])
def test_a_mage_in_a_challenge_can_neither_retire_nor_leave(froodal, leave):
    make_challenge(froodal)
    with pytest.raises(MageBusy):
        leave(mage=froodal, now=NOW)
    froodal.refresh_from_db()
    assert froodal.is_alive and not froodal.is_retired


def test_followers_of_a_challenge_follow_its_battle_unless_they_fight(froodal, bung):
    """FM-ORDINF-19."""
    challenge, harry = make_challenge(froodal, bung), make_user("Harry")
    for user in (harry, harry, bung.user):
        follow_challenge(number=challenge.number, user=user, now=NOW)
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    assert [each.user for each in Subscription.objects.all()] == [harry]
    assert Battle.objects.get().number == challenge.number
    assert [each.kind for each in Notice.objects.filter(user=harry)] == ["battle_started"]


def test_a_user_who_stopped_following_does_not_follow_the_battle(froodal, bung):
    challenge, harry = make_challenge(froodal, bung), make_user("Harry")
    follow_challenge(number=challenge.number, user=harry, now=NOW)
    assert unfollow_challenge(number=challenge.number, user=harry) is True
    assert unfollow_challenge(number=challenge.number, user=harry) is False
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    assert not Subscription.objects.exists()


def test_unknown_and_finished_challenges_cannot_be_followed(froodal):
    challenge, harry = make_challenge(froodal), make_user("Harry")
    withdraw_challenge(number=challenge.number, mage=froodal, now=NOW)
    with pytest.raises(ChallengeOver):
        follow_challenge(number=challenge.number, user=harry, now=NOW)
    with pytest.raises(ChallengeNotFound):
        follow_challenge(number=999, user=harry, now=NOW)
    assert not Follower.objects.exists()
