"""The journal: a janitor's action on a battle or user is recorded with its reason, logged, and can be undone if nothing
else has changed the same rows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max

from accounts.languages import in_language_of
from accounts.models import User
from duels.models import Battle
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry, Report
from moderation.services.audit import log_janitor
from moderation.services.snapshots import Watched, find_change, restore, take_snapshot

Facts = dict[str, Any]
Watch = Callable[[Any, Facts], Iterable[Watched]]
"""Maps the entry's subject (a Battle or a User) and its facts to the rows that undoing restores."""


@dataclass(frozen=True)
class Undoing:
    """How one kind of entry is undone: the rows to restore, and further steps.

    `obstacle` returns, from the entry's facts and the time, why it can no longer be undone, or None.
    """

    watch: Watch | None = None
    also: Sequence[Callable[[Any, JournalEntry, datetime], None]] = ()
    obstacle: Callable[[Facts, datetime], str | None] = lambda facts, now: None

    def list_watched(self, about: Battle | User, facts: Facts) -> tuple[Watched, ...]:
        return tuple(self.watch(about, facts)) if self.watch else ()


@contextmanager
def write_entry(
    *,
    kind: JournalEntry.Kind,
    about: Battle | User,
    by: User,
    reason: str,
    now: datetime,
    facts: Facts,
    watch: Watch | None = None,
    report: Report | None = None,
) -> Iterator[JournalEntry]:
    """Write a journal entry of what the `with` block does, with the watched rows before and after it.

    The block may complete the entry's facts. Use it in a transaction that has locked the row of `about`.
    """
    before = take_snapshot(watch(about, facts)) if watch else {}
    entry = JournalEntry.objects.create(
        kind=kind, by=by, reason=reason.strip(), facts=facts, made_at=now, report=report, **_find_place(about)
    )
    yield entry
    entry.before, entry.after = before, take_snapshot(watch(about, entry.facts)) if watch else {}
    entry.save(update_fields=["facts", "before", "after"])
    with in_language_of(None):
        log_janitor(by=by, about=about, message=describe_entry(kind, entry.facts, entry.reason), now=now)


def write_site_entry(*, kind: JournalEntry.Kind, about: Battle, reference: str, now: datetime, facts: Facts) -> None:
    """Write a journal entry of what the site itself has noticed; `reference` names it in the site's log."""
    place = _find_place(about)
    JournalEntry.objects.create(kind=kind, reason=reference, facts=facts, made_at=now, **place)


def find_undo_obstacle(*, entry: JournalEntry, about: Battle | User, undoing: Undoing, now: datetime) -> str | None:
    """Return why the entry can't be undone any more, or None."""
    return undoing.obstacle(entry.facts, now) or find_change(undoing.list_watched(about, entry.facts), entry.after)


def undo_entry(
    *, entry: JournalEntry, about: Battle | User, undoing: Undoing, by: User, reason: str, now: datetime
) -> None:
    """Restore the rows and mark the entry as undone. The caller has locked both and found no obstacle."""
    entry.undone_by, entry.undone_at, entry.undone_reason = by, now, reason.strip()
    entry.save(update_fields=["undone_by", "undone_at", "undone_reason"])
    restore(undoing.list_watched(about, entry.facts), entry.before, entry.after)
    about.refresh_from_db()
    for step in undoing.also:
        step(about, entry, now)
    with in_language_of(None):
        message = describe_entry(entry.kind, entry.facts, entry.undone_reason)
        log_janitor(by=by, about=about, message=f"Undone: {message}", now=now)


def _find_place(about: Battle | User) -> dict[str, Any]:
    if isinstance(about, User):
        return {"user": about}
    last = JournalEntry.objects.filter(battle=about).aggregate(last=Max("number"))["last"] or 0
    place = {"number": last + 1, "seq": about.seq, "attempt": about.attempt, "label": about.label}
    return {"battle": about, **place}
