"""Events for programs: ids and links of a notice's subject, but none of its content.

The program then reads what its user may see. An event may come twice (after a lost connection, or by both stream and
webhook) with the same id.
"""

import hashlib
import re
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.urls import reverse

from fm_site.notifications.models import Notice

BATTLE_STARTED, TURN_RESOLVED, ORDERS_NEEDED, BATTLE_OVER = (
    "battle_started",
    "turn_resolved",
    "orders_needed",
    "battle_over",
)
BATTLE_CHANGED, CHALLENGE_CHANGED, MESSAGE = "battle_changed", "challenge_changed", "message"
# The kinds of notices about a challenge.
CHALLENGE_KINDS = (
    "challenged",
    "challenge_accepted",
    "challenge_declined",
    "challenge_withdrawn",
    "challenge_excluded",
    "challenge_uninvited",
    "challenge_prodded",
    "challenge_closed",
    "change_proposed",
    "change_adopted",
    "change_rejected",
    "change_taken_back",
    "change_lapsed",
)
# The event for each kind of notice. Kinds that are not here, such as those about an account, are not for programs.
EVENT_OF = {
    "battle_started": BATTLE_STARTED,
    "turn_resolved": TURN_RESOLVED,
    **dict.fromkeys(("stage_asked", "deadline_reminder", "deadline_alarm", "deadline_final"), ORDERS_NEEDED),
    "battle_finished": BATTLE_OVER,
    **dict.fromkeys(
        (
            "opponent_late",
            "time_given",
            "pause_wanted",
            "battle_paused",
            "battle_resumed",
            "call_off_wanted",
            "mage_forfeited",
            "battle_intervened",
        ),
        BATTLE_CHANGED,
    ),
    **dict.fromkeys(CHALLENGE_KINDS, CHALLENGE_CHANGED),
    "message": MESSAGE,
    "announcement": MESSAGE,
}
ID = re.compile(r"(\d{10,17})-[0-9a-f]{16}")
# A transaction may store a notice this long after the time that the notice has.
LATENESS = timedelta(seconds=5)
MOST_AT_ONCE = 100


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
    """Return the name of the channel of the programs of a user."""
    return f"user.{user_id}"


def make_event(notice: Notice) -> SiteEvent:
    """Return the event of a notice whose kind is in EVENT_OF."""
    kind, facts = EVENT_OF[notice.kind], notice.facts
    challenge = facts.get("number") if kind == CHALLENGE_CHANGED else None
    battle = facts.get("battle") if kind != CHALLENGE_CHANGED else None
    url = reverse("api:challenge", args=[challenge]) if challenge else ""
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
    return f"{_count_micros(notice.created_at)}-{mark}"


def _count_micros(moment: datetime) -> int:
    return int(moment.timestamp()) * 10**6 + moment.microsecond


def is_event_id(text: str) -> bool:
    """Return whether this may be the id of an event."""
    return ID.fullmatch(text) is not None


def find_newest_event(*, user: AbstractBaseUser) -> str:
    """Return the id of the user's newest event, or "" if there is none."""
    newest = _list_notices(user).order_by("-created_at", "-pk").first()
    return _write_id(newest) if newest else ""


def list_events(
    *, user: AbstractBaseUser, after: str, known: Collection[str] = (), limit: int = MOST_AT_ONCE
) -> list[SiteEvent]:
    """Return the user's events after the one with the id `after` ("": from the oldest stored), oldest first.

    Events of the last seconds before it are among them, unless their ids are `known`: they may have been stored later.
    """
    notices = _list_notices(user).order_by("created_at", "pk")
    if after:
        seconds, micros = divmod(int(after.partition("-")[0]), 10**6)
        since = datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=micros)
        notices = notices.filter(created_at__gte=since - LATENESS)
    left_out = {after, *known}
    events = (make_event(notice) for notice in notices.iterator(chunk_size=limit))
    found: list[SiteEvent] = []
    for event in events:
        if event.id not in left_out:
            found.append(event)
            if len(found) == limit:
                break
    return found


def _list_notices(user: AbstractBaseUser) -> Any:
    return Notice.objects.filter(user=user.pk, kind__in=EVENT_OF)
