"""Merged accounts, as far as the ladder has counted them."""

from accounts.models import UserMerge


def mark_merge_counted(*, merge: UserMerge) -> bool:
    """Note that the ladder has counted the battles of both accounts by whose they are now; say whether it had not.
    Call it in the transaction that asks for that."""
    return UserMerge.objects.filter(pk=merge.pk, is_counted=False).update(is_counted=True) == 1
