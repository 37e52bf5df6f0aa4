"""What restoring a backup loses: the rows that were written since."""

import re
from datetime import UTC, datetime
from pathlib import Path

from accounts.models import Mage, Message, User
from challenges.models import Challenge, RoomLine
from duels.models import Battle, ChatLine, OrderSheet, Turn
from email_gateway.models import InboundMail
from moderation.models import JournalEntry, Report

# What, and when a row of it was written.
WRITTEN = (
    ("battles begun", Battle, "started_at"),
    ("battles ended", Battle, "finished_at"),
    ("turns played", Turn, "resolved_at"),
    ("orders", OrderSheet, "submitted_at"),
    ("lines of talk in battles", ChatLine, "created_at"),
    ("challenges", Challenge, "created_at"),
    ("new users", User, "created_at"),
    ("new mages", Mage, "created_at"),
    ("messages between users", Message, "written_at"),
    ("lines in the lobby", RoomLine, "written_at"),
    ("emails received", InboundMail, "received_at"),
    ("reports", Report, "created_at"),
    ("decisions of janitors", JournalEntry, "made_at"),
)
NAME = re.compile(r"firetop-(\d{8}T\d{6})Z\.")


def read_moment(backup: Path) -> datetime | None:
    """Return when a backup was made, by its name; None if it has another."""
    found = NAME.match(backup.name)
    return datetime.strptime(found[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) if found else None


def count_losses(since: datetime) -> dict[str, int]:
    """Return how many rows of each kind were written since; only kinds with any. Changes of older rows don't count."""
    counts = {what: model._default_manager.filter(**{f"{field}__gt": since}).count() for what, model, field in WRITTEN}
    return {what: number for what, number in counts.items() if number}
