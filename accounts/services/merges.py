"""Merged accounts, as far as the ladder has counted them."""

from accounts.models import UserMerge


def mark_merge_counted(*, merge: UserMerge) -> bool:
    """Record that the ladder has processed this merge; return whether it had not before. Call it in the transaction
    that asks for the recount."""
    return UserMerge.objects.filter(pk=merge.pk, is_counted=False).update(is_counted=True) == 1
