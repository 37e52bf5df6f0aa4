"""Reading whether a janitor may act on a user at all."""

from accounts.models import User, UserMerge
from accounts.selectors.engagements import find_shared_battle
from moderation.errors import ModerationRefused


def find_conflict(*, user: User, by: User) -> ModerationRefused | None:
    """Return why `by` may not act as a janitor on `user`: they are the same, or in a battle together."""
    if user.pk == by.pk:
        return ModerationRefused("own_account")
    battle = find_shared_battle(user, by)
    return ModerationRefused("in_battle_together", name=user.username, battle=battle) if battle else None


def explain_closing(user: User) -> ModerationRefused | None:
    """Return that the account is closed, or who has merged it into which other one; None if it is open."""
    if user.is_active:
        return None
    merge = UserMerge.objects.filter(merged=user, undone_at=None).select_related("kept", "merged_by").first()
    if merge is None:
        return ModerationRefused("closed", name=user.username)
    return ModerationRefused("already_merged", by=merge.merged_by, name=user.username, kept=merge.kept)
