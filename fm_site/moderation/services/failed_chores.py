"""Notifying janitors of failed daily jobs."""

from datetime import datetime

from accounts.selectors import list_janitors
from fm_site.notifications.services import write_notice
from fm_site.operations.models import Chore


def notify_of_failed_chore(*, chore: Chore, reason: str, now: datetime) -> None:
    """Notify the janitors, once a day, that a job fails; it is tried again once its hour is over."""
    Chore.objects.filter(pk=chore.pk).update(remark=reason[:200])
    for janitor in list_janitors():
        write_notice(
            key=f"chore_fails:{chore.name}:{chore.day}:{janitor.pk}",
            user=janitor,
            kind="chore_fails",
            facts={"chore": chore.name, "reason": reason[:200]},
            now=now,
        )
