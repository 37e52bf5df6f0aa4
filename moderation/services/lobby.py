"""Janitors' actions in the lobby's room: removing a line, and muting a user there for a time."""

from datetime import datetime

from accounts.models import User
from challenges.models import RoomLine
from challenges.selectors.room import find_room_mute
from challenges.services.room import mute_in_room, take_down_line
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.journal import Facts
from moderation.services.user_journal import act_on_user


def remove_room_line(*, line: RoomLine, by: User, reason: str, now: datetime) -> JournalEntry:
    """Remove a line from the room; its place says that a janitor removed it, and no email has it any more. Raises
    ModerationRefused, also if it is removed already."""
    user = line.writer
    facts: Facts = {"name": user.username, "room_line": line.pk}
    with act_on_user(kind=JournalEntry.Kind.TAKEN_DOWN, user=user, by=by, reason=reason, now=now, facts=facts) as entry:
        if not take_down_line(line=line, by=by, now=now):
            raise ModerationRefused("already_removed")
    return entry


def mute_user(*, user: User, by: User, reason: str, ends_at: datetime, now: datetime) -> JournalEntry:
    """Keep `user` from writing in the room until `ends_at`, by page, API and email; all else stays as it is. Raises
    ModerationRefused, also if they are muted already or the end is past."""
    if ends_at <= now:
        raise ModerationRefused("past_end")
    facts: Facts = {"name": user.username, "ends_at": ends_at.isoformat()}
    with act_on_user(kind=JournalEntry.Kind.MUTED, user=user, by=by, reason=reason, now=now, facts=facts) as entry:
        if find_room_mute(user, now=now) is not None:
            raise ModerationRefused("already_muted", name=user.username)
        entry.facts["mute"] = mute_in_room(user=user, reason=reason, ends_at=ends_at, now=now).pk
    return entry
