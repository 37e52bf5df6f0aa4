"""Follow a challenge: be notified when its battle starts, and of every turn."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from challenges.errors import ChallengeNotFound, ChallengeOver
from challenges.models import Challenge, Follower


def follow_challenge(*, number: int, user: User, now: datetime) -> None:
    """Let `user` follow the battle that this challenge becomes. Calling it twice changes nothing.

    Raises ChallengeNotFound, ChallengeOver.
    """
    with transaction.atomic():
        challenge = Challenge.objects.select_for_update().filter(number=number).first()
        if challenge is None:
            raise ChallengeNotFound(number)
        if challenge.status != Challenge.Status.OPEN:
            raise ChallengeOver("over", number=number)
        Follower.objects.get_or_create(challenge=challenge, user=user, defaults={"created_at": now})


def unfollow_challenge(*, number: int, user: User) -> bool:
    """Stop following; return whether the user followed the challenge."""
    return Follower.objects.filter(challenge__number=number, user=user).delete()[0] > 0


def list_followers(challenge: Challenge) -> list[User]:
    """Return the users who follow this challenge, by id."""
    return list(User.objects.filter(pk__in=Follower.objects.filter(challenge=challenge).values("user")).order_by("pk"))
