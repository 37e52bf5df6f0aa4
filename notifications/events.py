"""Events for programs: ids and links of a notice's subject, but none of its content.

The program then reads what its user may see. An event may come twice (after a lost connection, or by both stream and
webhook) with the same id.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.urls import reverse

from notifications.kinds import KINDS, LEAGUE_CHANGED, OF_CHALLENGES
from notifications.models import Notice

# The kinds of notices that are events; others, such as those about an account, are not for programs.
EVENT_KINDS = [kind.name for kind in KINDS.values() if kind.event]
# The id of an event; for a program that polls, followed by the time at which it was the newest.
ID = re.compile(r"(\d{10,17})-[0-9a-f]{16}(@\d{10,17})?")
# A transaction may last this long after it has stored a notice.
LATENESS = timedelta(seconds=5)
MOST_AT_ONCE = 100
# What stands for the id of the newest event where there is none.
BEFORE_ALL = f"{0:010}-{0:016x}"


@dataclass(frozen=True)
class SiteEvent:
    """An event of one user. `at` is a time in UTC; `url` is the API's call that reads what it is about, or ""."""

    id: str
    type: str
    at: str
    battle: int | None
    challenge: int | None
    url: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def channel_of(user_id: int) -> str:
    return f"user.{user_id}"


def make_event(notice: Notice) -> SiteEvent:
    """Return the event of a notice whose kind has one, for programs or only for hooks."""
    kind, facts = KINDS[notice.kind].event or KINDS[notice.kind].posts, notice.facts
    challenge = facts.get("number") if kind in OF_CHALLENGES else None
    battle = facts.get("battle") if kind not in OF_CHALLENGES else None
    url = reverse("api:challenge", args=[challenge]) if challenge else ""
    if kind == LEAGUE_CHANGED:
        url = reverse("api:cup", args=[facts["cup"]]) if "cup" in facts else reverse("api:leagues")
    return SiteEvent(
        id=_write_id(notice),
        type=kind,
        at=notice.created_at.astimezone(UTC).isoformat(),
        battle=battle,
        challenge=challenge,
        url=reverse("api:battle", args=[battle]) if battle else url,
    )


def _write_id(notice: Notice) -> str:
    # Not the row's number or key: those reveal things about other users.
    mark = hashlib.sha256(f"event:{notice.key}".encode()).hexdigest()[:16]
    return f"{_count_micros(notice.stored_at)}-{mark}"


def _count_micros(moment: datetime) -> int:
    return int(moment.timestamp()) * 10**6 + moment.microsecond


def _read_micros(text: str) -> datetime:
    seconds, micros = divmod(int(text), 10**6)
    return datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=micros)


def is_event_id(text: str) -> bool:
    """Return whether this may be the id of an event, or what `write_place` returns."""
    return ID.fullmatch(text) is not None


def write_place(*, after: str, events: Sequence[SiteEvent], now: datetime) -> str:
    """Return the next `after` of a program that asked at `now` for the events after `after` and got these.

    It then gets events of the last few seconds again only if they may have been stored since.
    """
    newest = find_newest(after, events)
    return f"{newest}@{_count_micros(now)}" if newest else ""


def find_newest(after: str, events: Iterable[SiteEvent]) -> str:
    """Return the newest of these ids. Late events are older than `after`, which then stays the newest."""
    known = after.partition("@")[0]
    ids = [*([known] if known else []), *(event.id for event in events)]
    return max(ids, key=lambda id: int(id.partition("-")[0]), default="")


def write_place_now(*, user: AbstractBaseUser, now: datetime) -> str:
    """Return the `after` with which a program gets what happens to the user from `now` on."""
    newest = _list_notices(user).order_by("-stored_at", "-pk").first()
    return f"{_write_id(newest) if newest else BEFORE_ALL}@{_count_micros(now)}"


def list_events(
    *, user: AbstractBaseUser, after: str, known: Collection[str] = (), limit: int = MOST_AT_ONCE
) -> tuple[list[SiteEvent], bool]:
    """Return the user's events after the one with the id `after` ("": from the oldest stored), oldest first, and
    whether there are more than `limit`.

    Events of the last seconds before it are among them, unless their ids are `known`: their transactions may have ended
    later. They don't count for the limit, so that a program always makes progress.
    """
    notices = _list_notices(user).order_by("stored_at", "pk")
    since = None
    newest, _at, polled_at = after.partition("@")
    if after:
        since = _read_micros(newest.partition("-")[0])
        late_since = (_read_micros(polled_at) if polled_at else since) - LATENESS
        notices = notices.filter(**({"stored_at__gt": since} if late_since > since else {"stored_at__gte": late_since}))
    already_read = {newest, *known}
    events: list[SiteEvent] = []
    count, last = 0, since
    for notice in notices.iterator(chunk_size=limit):
        if since is None or notice.stored_at > since:
            # Two that were stored in the same microsecond stay together.
            if count >= limit and notice.stored_at != last:
                return events, True
            count, last = count + 1, notice.stored_at
        event = make_event(notice)
        if event.id not in already_read:
            events.append(event)
    return events, False


def _list_notices(user: AbstractBaseUser) -> Any:
    return Notice.objects.filter(user=user.pk, kind__in=EVENT_KINDS)
