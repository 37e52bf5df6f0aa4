"""Users who want to be told once a challenge has become a battle, and of every turn of it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from challenges.errors import ChallengeNotFound, ChallengeOver
from challenges.models import Challenge, Follower


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


def list_followers(challenge: Challenge) -> list[User]:
    """Return who is to be told of the battle of this challenge, by id."""
    return list(User.objects.filter(pk__in=Follower.objects.filter(challenge=challenge).values("user")).order_by("pk"))
