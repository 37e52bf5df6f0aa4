"""Undoing janitors' actions on battles."""

import datetime
from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from duels.models import Battle
from duels.services.clocks.battle_clocks import align_clocks
from duels.services.lock import lock_battle
from league.services.results import note_battle
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.annul_battle import count_again, watch_ending
from moderation.services.battles.change_clocks import (
    give_back_since,
    renew_wait,
    watch_deadline,
    watch_missed_turn,
    watch_pauses,
)
from moderation.services.battles.choose_battle import watch_choice
from moderation.services.battles.enter_orders import say_if_played, watch_sheet
from moderation.services.battles.journal import (
    find_mage_without_user,
    notify_of_entry,
    refuse_unless_may_act,
    renew_opened_seed,
)
from moderation.services.battles.remove_line import show_again, watch_line
from moderation.services.battles.retry_turn import take_points_back, watch_retry
from moderation.services.battles.rewind_battle import count_offers_again, end_again, watch_rewinding
from moderation.services.battles.set_result import count_back
from moderation.services.journal import Undoing, find_undo_obstacle, undo_entry

UNDOINGS: Mapping[str, Undoing] = {
    JournalEntry.Kind.ASKED: Undoing(),
    JournalEntry.Kind.REWOUND: Undoing(watch_rewinding, [end_again, count_offers_again, give_back_since]),
    JournalEntry.Kind.ORDERED: Undoing(watch_sheet, [give_back_since], obstacle=say_if_played),
    JournalEntry.Kind.ANNULLED: Undoing(watch_ending, [count_again, give_back_since]),
    JournalEntry.Kind.DECIDED: Undoing(watch_ending, [count_back, give_back_since]),
    JournalEntry.Kind.EXCUSED: Undoing(watch_missed_turn),
    JournalEntry.Kind.EXTENDED: Undoing(watch_deadline, [give_back_since]),
    JournalEntry.Kind.PAUSED: Undoing(watch_pauses, [renew_wait]),
    JournalEntry.Kind.RESUMED: Undoing(watch_pauses, [renew_wait]),
    JournalEntry.Kind.REMOVED: Undoing(watch_line, [show_again]),
    JournalEntry.Kind.CHOSEN: Undoing(watch_choice),
    JournalEntry.Kind.VOIDED: Undoing(watch_ending, [count_back, give_back_since]),
    JournalEntry.Kind.TRIED: Undoing(watch_retry, [take_points_back]),
}


def undo_battle_entry(*, entry: JournalEntry, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Undo an entry's changes to its battle, if nothing else has changed the same rows since.

    The entry stays, marked as undone; players and followers are notified. Undoing twice has no further effect. Raises
    ModerationRefused, with the reason.
    """
    with transaction.atomic():
        battle = lock_battle(_battle_of(entry).pk)
        refuse_unless_may_act(battle, by, reason)
        entry = JournalEntry.objects.select_for_update(of=("self",)).get(pk=entry.pk)
        if entry.is_undone:
            return entry
        undoing = UNDOINGS.get(entry.kind)
        if undoing is None:
            raise ModerationRefused("changed_nothing")
        obstacle = _find_obstacle(entry, battle, undoing, now)
        if obstacle is not None:
            raise ModerationRefused("changed_since", bar=obstacle)
        was_open = battle.status == Battle.Status.FINISHED
        undo_entry(entry=entry, about=battle, undoing=undoing, by=by, reason=reason, now=now)
        renew_opened_seed(battle, was_open)
        align_clocks(battle=battle, now=now)
        note_battle(battle=battle, now=now)
        notify_of_entry(battle, entry, now=now, undone=True)
    return entry


def may_be_undone(*, entry: JournalEntry, now: datetime.datetime) -> bool:
    """Return whether undo_battle_entry would work at `now`."""
    undoing = UNDOINGS.get(entry.kind)
    if undoing is None or entry.is_undone:
        return False
    return _find_obstacle(entry, _battle_of(entry), undoing, now) is None


def _find_obstacle(entry: JournalEntry, battle: Battle, undoing: Undoing, now: datetime.datetime) -> str | None:
    """Return why the entry can't be undone any more, or None."""
    was_running = entry.before.get(battle._meta.label_lower, {}).get(str(battle.pk), {}).get("finished_at", "") is None
    if was_running and battle.is_over and (left := find_mage_without_user(battle)) is not None:
        return _("the account behind %(mage)s is closed, so the battle could not continue") % {"mage": left}
    return find_undo_obstacle(entry=entry, about=battle, undoing=undoing, now=now)


def _battle_of(entry: JournalEntry) -> Battle:
    assert entry.battle is not None
    return entry.battle
