"""Janitors' actions on users: each has a reason, a journal entry and a notice, and can be undone as long as nothing
else has changed the same rows."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from accounts.janitors import is_janitor
from accounts.languages import in_language_of
from accounts.models import AccountWarning, Host, Mage, Name, ObituaryLine, Sanction, User, Vacation
from accounts.services.hold import mark_held
from accounts.services.mages import keep_names_of_mages
from accounts.services.vacations import request_clock_update
from challenges.models import RoomLine, RoomMute
from challenges.wakeups import wake_lobby_on_commit
from moderation.errors import ModerationRefused
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry, Report
from moderation.selectors.conflicts import explain_closing, find_conflict
from moderation.services.journal import Facts, Undoing, find_undo_obstacle, undo_entry, write_entry
from moderation.services.snapshots import Watched, find_change, take_snapshot
from notifications.selectors.notices import zone_of
from notifications.services.outbox import write_notice
from studies.models import Branch, Collection, CollectionEntry, Study

# What a janitor can still do to an account that is closed: read and remove what it has left, and end what lasts.
ALSO_WHEN_CLOSED = frozenset(
    {
        JournalEntry.Kind.LOOKED,
        JournalEntry.Kind.VACATION_ENDED,
        JournalEntry.Kind.LIFTED,
        JournalEntry.Kind.WITHDRAWN,
        JournalEntry.Kind.TAKEN_DOWN,
        JournalEntry.Kind.ERASED,
    }
)


@contextmanager
def act_on_user(
    *,
    kind: JournalEntry.Kind,
    user: User,
    by: User,
    reason: str,
    now: datetime,
    facts: Facts | None = None,
    notify: bool = True,
    report: Report | None = None,
) -> Iterator[JournalEntry]:
    """Run the `with` block as one action on the user: in a transaction, with a journal entry and a notice to the user.

    The block may complete the facts of the entry. With `notify` False, it sends its own notice. `report` is the report
    that led to it. Raises ModerationRefused before the block, also if the account has been closed or merged, except for
    what is ALSO_WHEN_CLOSED.
    """
    with transaction.atomic():
        fresh = User.objects.select_for_update().get(pk=user.pk)
        refuse_unless_may_act_on(user, by, reason)
        if kind not in ALSO_WHEN_CLOSED and (closing := explain_closing(fresh)):
            raise closing
        watch = UNDOINGS[kind].watch if kind in UNDOINGS else None
        with write_entry(
            kind=kind, about=user, by=by, reason=reason, now=now, facts=dict(facts or {}), watch=watch, report=report
        ) as entry:
            yield entry
        if notify:
            with in_language_of(user):
                text = describe_entry(kind, entry.facts, zone=zone_of(user))
            _notify_user(entry, user, by, text, entry.reason, now)


def undo_user_entry(*, entry: JournalEntry, by: User, reason: str, now: datetime) -> JournalEntry:
    """Restore the rows, if none has changed since; undoing twice has no further effect. A name given by the action
    is free again, unless a mage of the user has it. Raises ModerationRefused."""
    with transaction.atomic():
        assert entry.user is not None
        user = User.objects.select_for_update().get(pk=entry.user.pk)
        refuse_unless_may_act_on(user, by, reason)
        entry = JournalEntry.objects.select_for_update(of=("self",)).get(pk=entry.pk)
        if entry.is_undone:
            return entry
        undoing = UNDOINGS.get(entry.kind)
        if undoing is None:
            raise ModerationRefused("closed_for_good" if entry.kind == JournalEntry.Kind.CLOSED else "never_undone")
        obstacle = find_undo_obstacle(entry=entry, about=user, undoing=undoing, now=now)
        if obstacle is not None:
            raise ModerationRefused("changed_since", bar=obstacle)
        undo_entry(entry=entry, about=user, undoing=undoing, by=by, reason=reason, now=now)
        if Vacation._meta.label_lower in entry.before:
            request_clock_update(user=user, now=now)
        with in_language_of(user):
            message = gettext("Undone: %(action)s") % {
                "action": describe_entry(entry.kind, entry.facts, zone=zone_of(user))
            }
        _notify_user(entry, user, by, message, entry.undone_reason, now)
    return entry


def list_undoable_entries(*, user: User, entries: Iterable[JournalEntry], now: datetime) -> list[JournalEntry]:
    """Return those of the user's `entries` that undo_user_entry would undo now, with one query for each kind of row."""
    active = [
        entry
        for entry in entries
        if not entry.is_undone and entry.kind in UNDOINGS and UNDOINGS[entry.kind].obstacle(entry.facts, now) is None
    ]
    watched = {entry.pk: UNDOINGS[entry.kind].list_watched(user, entry.facts) for entry in active}
    # One query for all rows of a model, whichever of them each entry watches.
    whole_models = {
        each.rows.model: replace(each, only=None)
        for of_entry in watched.values()
        for each in of_entry
        if not each.by_themselves
    }
    current = take_snapshot(whole_models.values())
    return [entry for entry in active if find_change(watched[entry.pk], entry.after, current) is None]


def lock_users(*users: User) -> None:
    """Lock the mages of these users and then the users, each ordered by id, like all code that changes a mage and then
    its user."""
    keys = [user.pk for user in users]
    list(Mage.objects.select_for_update(of=("self",)).filter(user__in=keys).order_by("pk"))
    list(User.objects.select_for_update().filter(pk__in=keys).order_by("pk"))


def refuse_unless_may_act_on(user: User, by: User, reason: str) -> None:
    """Raise ModerationRefused with every problem: not a janitor, the same user, a shared battle, or no reason."""
    problems = [] if is_janitor(by) else [ModerationRefused("no_permission", name=by.username)]
    conflict = find_conflict(user=user, by=by)
    problems += [conflict] if conflict else []
    problems += [] if reason.strip() else [ModerationRefused("no_reason_for_user")]
    if problems:
        raise ModerationRefused.together(problems)


def _notify_user(entry: JournalEntry, user: User, by: User, text: str, reason: str, now: datetime) -> None:
    write_notice(
        key=f"user_act:{entry.pk}{':undone' if entry.is_undone else ''}",
        user=user,
        kind="user_act",
        facts={"text": text, "reason": reason, "by": by.username},
        now=now,
    )


def _watch_names(user: User, facts: Facts) -> Iterable[Watched]:
    yield Watched(
        User.objects.filter(pk=user.pk), ("username", "renamed_at", "is_active"), _("the user's name has changed again")
    )
    yield Watched(Name.objects.filter(owner=user), words=_("the user has been renamed again since"))


def _keep_names_of_mages(user: User, entry: JournalEntry, now: datetime) -> None:
    keep_names_of_mages(user=user)


def _watch_vacations(user: User, facts: Facts) -> Iterable[Watched]:
    yield Watched(Vacation.objects.filter(user=user), words=_("another vacation has started or ended since"))
    # The next check for inactivity depends on vacations.
    yield Watched(User.objects.filter(pk=user.pk), ("idle_check_at",), by_themselves=True)
    yield Watched(Mage.objects.filter(user=user), ("idle_check_at",), by_themselves=True)


def _list_named(facts: Facts, what: str) -> tuple[int, ...]:
    """Return the row that the action created or changed, once it has."""
    return (facts[what],) if what in facts else ()


def _watch_sanction(user: User, facts: Facts) -> Iterable[Watched]:
    mine = Sanction.objects.filter(user=user)
    yield Watched(mine, words=_("the suspension has been lifted or has ended"), only=_list_named(facts, "sanction"))


def _watch_lifting(user: User, facts: Facts) -> Iterable[Watched]:
    """Return all of the user's suspensions, since only one can be active."""
    yield Watched(Sanction.objects.filter(user=user), words=_("the user has been suspended again since"))


def _say_if_over(facts: Facts, now: datetime) -> str | None:
    """Return that the suspension, which was lifted, would have ended by now."""
    end = facts.get("ends_at")
    return gettext("the suspension would have ended by now") if end and datetime.fromisoformat(end) <= now else None


def _watch_warning(user: User, facts: Facts) -> Iterable[Watched]:
    mine = AccountWarning.objects.filter(user=user)
    changed = _("the warning has been acknowledged or withdrawn since")
    yield Watched(mine, words=changed, only=_list_named(facts, "warning"))


def _watch_words(user: User, facts: Facts) -> Iterable[Watched]:
    """Return what holds the words that were taken down: a study, a collection, a line or the user."""
    changed = _("its owner has changed it since")
    if "study" in facts:
        studies, branches = Study.objects.filter(owner=user), Branch.objects.filter(study__owner=user)
        yield Watched(studies, ("title", "access"), changed, only=_list_named(facts, "study"))
        yield Watched(branches, ("name", "comment"), changed, only=tuple(facts["branches"]))
    elif "about" in facts:
        yield Watched(User.objects.filter(pk=user.pk), ("about",), _("the user has written something else since"))
    elif "room_line" in facts:
        lines = RoomLine.objects.filter(writer=user)
        yield Watched(lines, ("removed_at", "removed_by"), changed, only=_list_named(facts, "room_line"))
    elif "line" in facts:
        yield Watched(
            ObituaryLine.objects.filter(writer=user), ("removed_at",), changed, only=_list_named(facts, "line")
        )
    else:
        collections, entries = Collection.objects.filter(owner=user), CollectionEntry.objects
        yield Watched(collections, ("name", "words", "access"), changed, only=_list_named(facts, "collection"))
        mine = entries.filter(collection__owner=user)
        yield Watched(mine, ("words",), changed, only=tuple(facts["entries"]))


def _watch_mute(user: User, facts: Facts) -> Iterable[Watched]:
    yield Watched(RoomMute.objects.filter(user=user), words=_("it has changed since"), only=_list_named(facts, "mute"))


def _show_line_again(user: User, entry: JournalEntry, now: datetime) -> None:
    """Have open pages of the lobby show a line again that a janitor had removed."""
    if "room_line" in entry.facts:
        wake_lobby_on_commit()


def _watch_hosting(user: User, facts: Facts) -> Iterable[Watched]:
    changed = _("the mark of the host has changed since")
    yield Watched(Host.objects.filter(user=user), ("marked_at",), changed)


def _mark_held(user: User, entry: JournalEntry, now: datetime) -> None:
    mark_held(user=user)


UNDOINGS: Mapping[str, Undoing] = {
    JournalEntry.Kind.RENAMED: Undoing(_watch_names, [_keep_names_of_mages]),
    JournalEntry.Kind.VACATION_STARTED: Undoing(_watch_vacations),
    JournalEntry.Kind.VACATION_ENDED: Undoing(_watch_vacations),
    JournalEntry.Kind.SUSPENDED: Undoing(_watch_sanction, [_mark_held]),
    JournalEntry.Kind.LIFTED: Undoing(_watch_lifting, [_mark_held], obstacle=_say_if_over),
    JournalEntry.Kind.WARNED: Undoing(_watch_warning, [_mark_held]),
    JournalEntry.Kind.WITHDRAWN: Undoing(_watch_warning, [_mark_held]),
    JournalEntry.Kind.TAKEN_DOWN: Undoing(_watch_words, [_show_line_again]),
    JournalEntry.Kind.MUTED: Undoing(_watch_mute),
    JournalEntry.Kind.HOST_MARKED: Undoing(_watch_hosting),
    JournalEntry.Kind.HOST_UNMARKED: Undoing(_watch_hosting),
}
