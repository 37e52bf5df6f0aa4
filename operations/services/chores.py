"""Daily jobs: claiming and finishing one, deleting old sessions, storing the counts of the site."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session

from operations.models import Chore, SiteSum

LEASE = timedelta(hours=1)


def claim_chore(*, name: str, now: datetime) -> Chore | None:
    """Claim today's job `name` for an hour and return it; None if it is done or claimed by another worker."""
    chore, made = Chore.objects.get_or_create(name=name, day=now.date(), defaults={"claimed_at": now})
    if made:
        return chore
    left = Chore.objects.filter(pk=chore.pk, done_at=None, claimed_at__lte=now - LEASE)
    return chore if left.update(claimed_at=now) else None


def finish_chore(*, chore: Chore, remark: str, now: datetime) -> None:
    Chore.objects.filter(pk=chore.pk).update(done_at=now, remark=remark[:200])


def prune_sessions(*, now: datetime) -> int:
    """Delete expired sessions; return how many."""
    deleted, _ = Session.objects.filter(expire_date__lt=now).delete()
    return deleted


def store_sums(*, sums: Mapping[str, int]) -> None:
    """Store the count for each name. If two tasks run at once, the counts of one of them are stored."""
    SiteSum.objects.bulk_create(
        [SiteSum(name=name, amount=sums[name]) for name in sorted(sums)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["amount"],
    )
