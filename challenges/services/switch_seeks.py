"""Turn on and off, by one press, that a user is told when someone looks for a duel."""

from accounts.models import User
from accounts.selectors.users import has_confirmed_address
from challenges.seek_choices import CHANNELS, SUBJECT
from notifications.matrix import EMAIL, PUSH
from notifications.preferences import AT_ONCE, NEVER
from notifications.services.preferences import choose_notices


def turn_on(*, user: User) -> bool:
    """Tell the user on their devices or, without one, by email; return whether that reaches them."""
    choose_notices(user=user, wanted={SUBJECT.key(PUSH if user.has_push else EMAIL): AT_ONCE})
    return user.has_push or has_confirmed_address(user)


def turn_off(*, user: User) -> None:
    choose_notices(user=user, wanted=dict.fromkeys(CHANNELS, NEVER))
