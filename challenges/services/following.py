"""Users who want to be told once a challenge has become a battle, and of every turn of it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from challenges.errors import ChallengeNotFound, ChallengeOver
from challenges.models import Challenge, Follower
from duels.models import Battle
from duels.services import follow_battle


def follow_challenge(*, number: int, user: User, now: datetime) -> None:
    """Tell `user` of the battle that this challenge becomes. Following twice is following once.

    Raises ChallengeNotFound, ChallengeOver.
    """
    with transaction.atomic():
        challenge = Challenge.objects.select_for_update().filter(number=number).first()
        if challenge is None:
            raise ChallengeNotFound(number)
        if challenge.status != Challenge.Status.OPEN:
            raise ChallengeOver(challenge.status, f"Challenge {number} is over.")
        Follower.objects.get_or_create(challenge=challenge, user=user, defaults={"created_at": now})


def unfollow_challenge(*, number: int, user: User) -> bool:
    """Take that back; say whether there was anything to take back."""
    return Follower.objects.filter(challenge__number=number, user=user).delete()[0] > 0


def follow_on(challenge: Challenge, battle: Battle, now: datetime) -> None:
    """Let the followers of a challenge follow its battle, those excepted who fight in it."""
    fighting = battle.combatants.values("mage__user")
    followers = Follower.objects.filter(challenge=challenge).exclude(user__in=fighting).select_related("user")
    for follower in followers:
        follow_battle(battle=battle, user=follower.user, now=now)
