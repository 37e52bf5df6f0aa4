"""Daily jobs: which machine may do them, claiming and finishing one. Old sessions, and the counts of the site."""

import socket
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session

from operations.models import Chore, SiteSum

LEASE = timedelta(hours=1)


def keeps_files() -> bool:
    """Return whether this machine writes the site's files: backups, and the dump. Each machine has folders of its own
    unless they share them, so of several, one is named."""
    return settings.FM_BACKUP_HOST in ("", socket.gethostname())


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
