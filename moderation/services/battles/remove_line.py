"""Removing a line of the chat beside a battle."""

import datetime
from collections.abc import Iterable

from accounts.models import User
from duels.models import Battle, ChatLine
from duels.services.chat import remove_chat_line, wake_readers
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.journal import act_on_battle
from moderation.services.journal import Facts
from moderation.services.snapshots import Watched


def remove_line(*, line: ChatLine, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Remove a line; its place says that a janitor removed it. Raises ModerationRefused if it is already removed, and
    what act_on_battle raises."""

    with act_on_battle(
        kind=JournalEntry.Kind.REMOVED,
        battle=line.battle,
        by=by,
        reason=reason,
        now=now,
        watch=watch_line,
        facts={"name": line.user.username, "line": line.pk},
    ) as (_battle, entry):
        if not remove_chat_line(line=line, now=now):
            raise ModerationRefused("already_removed")
    return entry


def watch_line(battle: Battle, facts: Facts) -> Iterable[Watched]:
    yield Watched(ChatLine.objects.filter(battle=battle, pk=facts["line"]), ("removed_at",), "it is removed again")


def show_again(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Have the pages of those who read the line ask for the chat again."""
    wake_readers(line=ChatLine.objects.get(battle=battle, pk=entry.facts["line"]))
