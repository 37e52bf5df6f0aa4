"""What is done once a day, and what is kept no longer."""

from datetime import datetime, timedelta

from django.contrib.sessions.models import Session

from accounts.models import Chore, Delivery, Notice
from accounts.selectors import list_janitors, read_policy
from accounts.services.outbox import WAITING, write_notice

LEASE = timedelta(hours=1)


def claim_chore(*, name: str, now: datetime) -> Chore | None:
    """Return today's `name` if it is neither done nor in somebody's hands; then it is the caller's for an hour."""
    chore, made = Chore.objects.get_or_create(name=name, day=now.date(), defaults={"claimed_at": now})
    if made:
        return chore
    left = Chore.objects.filter(pk=chore.pk, done_at=None, claimed_at__lte=now - LEASE)
    return chore if left.update(claimed_at=now) else None


def finish_chore(*, chore: Chore, remark: str, now: datetime) -> None:
    """Note that the chore is done."""
    Chore.objects.filter(pk=chore.pk).update(done_at=now, remark=remark[:200])


def tell_of_failed_chore(*, chore: Chore, reason: str, now: datetime) -> None:
    """Tell the janitors, once a day, that a chore fails; it is tried again when its hour is over."""
    Chore.objects.filter(pk=chore.pk).update(remark=reason[:200])
    for janitor in list_janitors():
        write_notice(
            key=f"chore_fails:{chore.name}:{chore.day}:{janitor.pk}",
            user=janitor,
            kind="chore_fails",
            facts={"chore": chore.name, "reason": reason[:200]},
            now=now,
        )


def prune_notices(*, now: datetime, limit: int = 500) -> int:
    """Delete the oldest of what users were told, once it is older than the policy keeps it; return how many. What
    still waits to be mailed stays."""
    kept_from = now - timedelta(days=read_policy().notice_keep_days)
    oldest = list(Notice.objects.order_by("pk").values_list("pk", "created_at")[:limit])
    old = [pk for pk, created_at in oldest if created_at < kept_from]
    waiting = Delivery.objects.filter(notice__in=old, state__in=WAITING).values_list("notice_id", flat=True)
    gone = Notice.objects.filter(pk__in=set(old) - set(waiting))
    count = gone.count()
    gone.delete()
    return count


def prune_sessions(*, now: datetime) -> int:
    """Delete the sessions that have ended by themselves; return how many."""
    deleted, _ = Session.objects.filter(expire_date__lt=now).delete()
    return deleted
