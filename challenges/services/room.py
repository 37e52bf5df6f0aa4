"""Writing and removing lines in the lobby's room."""

from datetime import datetime, timedelta
from hashlib import blake2b

from django.db import IntegrityError, transaction

from accounts.models import User
from challenges.errors import RoomRefused
from challenges.models import ROOM_LINE_LENGTH, RoomLine, RoomMute
from challenges.selectors.room import explain_no_line
from challenges.wakeups import wake_lobby_on_commit
from operations.errors import TooManyAttempts
from operations.text.invisible_characters import mark_line
from operations.web.throttle import Throttle

PER_MINUTE = Throttle("room", limit=10, seconds=60)
PER_DAY = Throttle("room.day", limit=300, seconds=24 * 3600)
# How long lines are kept.
KEPT = timedelta(days=180)


def write_line(*, writer: User, text: str, via: RoomLine.Via, once: str, now: datetime) -> RoomLine:
    """Write one line, and tell the lobby's pages. `once` is chosen by what sends it: a second call with the same one
    and the same text returns the existing line. Raises RoomRefused."""
    text = mark_line(text)
    # A form whose response was lost may be sent again with other words.
    once = blake2b(f"{once} {text}".encode(), digest_size=8).hexdigest()
    known = RoomLine.objects.filter(writer=writer, once=once).first()
    if known is not None:
        return known
    if not text:
        raise RoomRefused("no_text")
    if len(text) > ROOM_LINE_LENGTH:
        raise RoomRefused("line_too_long", most=ROOM_LINE_LENGTH)
    try:
        # Counted before anything else is read: however fast they come, the rest stops here.
        PER_MINUTE.check_and_count(str(writer.pk))
        PER_DAY.check_and_count(str(writer.pk))
    except TooManyAttempts as error:
        raise RoomRefused("too_fast") from error
    refusal = explain_no_line(writer, now)
    if refusal is not None:
        raise refusal
    try:
        with transaction.atomic():
            line = RoomLine.objects.create(writer=writer, text=text, via=via, once=once, written_at=now)
            wake_lobby_on_commit()
    except IntegrityError:  # the same click, from another worker
        return RoomLine.objects.get(writer=writer, once=once)
    return line


def take_down_line(*, line: RoomLine, by: User, now: datetime) -> bool:
    """Remove a line from every page; return whether it was still there. Raises RoomRefused for anyone but its writer
    and janitors, whose service adds the entry in their journal."""
    if by.pk != line.writer_id and not by.is_staff:
        raise RoomRefused("not_your_line")
    with transaction.atomic():
        removed = RoomLine.objects.filter(pk=line.pk, removed_at=None).update(removed_at=now, removed_by=by)
        wake_lobby_on_commit()
    return removed > 0


def mute_in_room(*, user: User, reason: str, ends_at: datetime, now: datetime) -> RoomMute:
    """Keep `user` from writing in the room until `ends_at`. The caller adds the entry in the janitors' journal."""
    return RoomMute.objects.create(user=user, reason=reason.strip(), muted_at=now, ends_at=ends_at)


def delete_old_lines(*, now: datetime, limit: int) -> int:
    """Delete lines that are older than KEPT, at most `limit`; return how many."""
    old = RoomLine.objects.filter(written_at__lt=now - KEPT).order_by("written_at").values("pk")[:limit]
    return RoomLine.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]
