"""Reading whether a janitor may act on a user at all."""

from accounts.models import User
from accounts.selectors.engagements import find_shared_battle
from moderation.errors import ModerationRefused


def find_conflict(*, user: User, by: User) -> ModerationRefused | None:
    """Return why `by` may not act as a janitor on `user`: they are the same, or in a battle together."""
    if user.pk == by.pk:
        return ModerationRefused("own_account")
    battle = find_shared_battle(user, by)
    return ModerationRefused("in_battle_together", name=user.username, battle=battle) if battle else None
