"""Recording that pages are served, and the gaps in which none were, while a live battle is open."""

from datetime import datetime, timedelta

from django.db import transaction

from operations.models import PageGap, PageStamp
from operations.selectors import LONGEST_PAGE_SILENCE

ONLY_ROW = 1


def stamp_served_page(*, served_at: datetime, open_since: datetime, now: datetime) -> PageGap | None:
    """Record that a page was served that a web process asked itself for at `served_at`; return the gap that this ends,
    if no process had done so for too long. Of several processes that notice one gap, exactly one records it.

    `open_since` is the start of the oldest live battle that is open: nobody served pages for live battles before it.
    """
    with transaction.atomic():
        row, is_new = PageStamp.objects.get_or_create(pk=ONLY_ROW, defaults={"stamped_at": served_at})
        last = row.stamped_at
        # One far in the future was written by a clock that has been set back since; any other is that of a process
        # that was a little faster.
        if is_new or timedelta(0) <= last - served_at <= LONGEST_PAGE_SILENCE:
            return None
        if not PageStamp.objects.filter(pk=row.pk, stamped_at=last).update(stamped_at=served_at):
            return None
        started_at = max(last, open_since)
        if served_at - started_at <= LONGEST_PAGE_SILENCE:
            return None
        return PageGap.objects.create(started_at=started_at, ended_at=max(served_at, now))


def mark_gap_made_good(*, gap: PageGap, now: datetime) -> bool:
    """Record that the clocks of every live battle have started again after a gap; return whether that is new."""
    return PageGap.objects.filter(pk=gap.pk, made_good_at=None).update(made_good_at=now) == 1
