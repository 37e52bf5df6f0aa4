"""Handing the lines of the lobby's room over to those who get them by email."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from accounts.selectors.hold import is_suspended
from challenges.models import RoomLine
from challenges.selectors.room import list_pairs_apart
from notifications.selectors.notices import list_users_who_want
from notifications.services.outbox import write_notices

# How long a line waits, so that its writer or a janitor can remove it before anyone has it by email. What is written
# meanwhile goes out together, so that a lively evening is not an email a line.
DELAY = timedelta(minutes=2)
PREFERENCE = "mail_talk"
MOST_AT_ONCE = 500


def tell_of_talk(*, now: datetime) -> int:
    """Notify everyone who gets the room by email of the lines that have waited long enough; return how many lines.

    The lines are claimed in the transaction that writes the notices: two workers, or one that dies, tell nobody twice.
    """
    waiting = RoomLine.objects.filter(told_at=None, written_at__lte=now - DELAY)
    if not waiting.exists() or RoomLine.objects.filter(told_at__gt=now - DELAY).exists():
        return 0
    with transaction.atomic():
        lines = list(waiting.select_related("writer").order_by("pk")[:MOST_AT_ONCE])
        keys = [line.pk for line in lines]
        if RoomLine.objects.filter(pk__in=keys, told_at=None).update(told_at=now) != len(keys):
            transaction.set_rollback(True)  # another worker has some of them
            return 0
        told = [line for line in lines if line.removed_at is None and not is_suspended(line.writer, now)]
        _write_notices(told, now)
    return len(lines)


def _write_notices(lines: Collection[RoomLine], now: datetime) -> None:
    """Write one notice for each reader, of the lines that they may get; none if those are only their own."""
    if not lines:
        return
    readers = User.objects.filter(pk__in=list_users_who_want(PREFERENCE), is_active=True).order_by("pk")
    apart = list_pairs_apart({line.writer_id for line in lines})
    entries = []
    for reader in readers:
        mine = [line for line in lines if frozenset((reader.pk, line.writer_id)) not in apart]
        if any(line.writer_id != reader.pk for line in mine):
            facts = {"lines": [line.pk for line in mine]}
            entries.append((f"room_talk:{mine[0].pk}-{mine[-1].pk}:{reader.pk}", reader, facts))
    write_notices(kind="room_talk", entries=entries, now=now)
