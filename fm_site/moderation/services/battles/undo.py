"""Undoing an intervention: the rows become what they were, or it is said why that is no longer possible."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from duels.errors import CannotUndo
from duels.models import Battle
from duels.services.clocks.running import align_clocks
from duels.services.locking import lock_battle
from duels.wakeups import wake_watchers_on_commit
from fm_site.moderation.intervention_words import describe_intervention
from fm_site.moderation.models import Intervention
from fm_site.moderation.services import log_janitor
from fm_site.moderation.services.battles.annul_battle import count_again, watch_annulling
from fm_site.moderation.services.battles.change_clocks import (
    give_back_since,
    run_by_stops,
    watch_deadline,
    watch_missed_turn,
    watch_pauses,
)
from fm_site.moderation.services.battles.enter_orders import say_if_played, watch_sheet
from fm_site.moderation.services.battles.journal import Facts, Watch, tell_of_entry
from fm_site.moderation.services.battles.permission import refuse_unless_may_act
from fm_site.moderation.services.battles.rewind_battle import end_again, watch_rewinding
from fm_site.moderation.services.battles.set_result import count_back, watch_deciding
from fm_site.moderation.services.battles.try_again import take_points_back, watch_trying
from fm_site.moderation.services.kept_rows import Watched, find_change, put_back

CHANGED_NOTHING = "There is nothing to undo: it changed no row of the battle."


@dataclass(frozen=True)
class Undoing:
    """How one kind of intervention is undone: the rows that are put back, and what puts back the rest.

    `bar` says why an entry could never be undone, from its facts; None when it can.
    """

    watch: Watch | None = None
    also: Sequence[Callable[[Battle, Intervention, datetime.datetime], None]] = ()
    bar: Callable[[Facts], str | None] = lambda facts: None


UNDOINGS: Mapping[str, Undoing] = {
    Intervention.Kind.ASKED: Undoing(),
    Intervention.Kind.REWOUND: Undoing(watch_rewinding, [end_again, give_back_since]),
    Intervention.Kind.ORDERED: Undoing(watch_sheet, [give_back_since], bar=say_if_played),
    Intervention.Kind.ANNULLED: Undoing(watch_annulling, [count_again, give_back_since]),
    Intervention.Kind.DECIDED: Undoing(watch_deciding, [count_back, give_back_since]),
    Intervention.Kind.EXCUSED: Undoing(watch_missed_turn),
    Intervention.Kind.EXTENDED: Undoing(watch_deadline, [give_back_since]),
    Intervention.Kind.PAUSED: Undoing(watch_pauses, [run_by_stops]),
    Intervention.Kind.RESUMED: Undoing(watch_pauses, [run_by_stops]),
    Intervention.Kind.TRIED: Undoing(watch_trying, [take_points_back]),
}


def undo_intervention(*, entry: Intervention, by: User, reason: str, now: datetime.datetime) -> Intervention:
    """Make every row that the intervention changed what it was, as long as none has changed since.

    The entry stays in the book, marked as undone; players and followers are told. Undoing twice is undoing once. Raises
    CannotUndo with what stands against it, and what carry_out raises.
    """
    with transaction.atomic():
        battle = lock_battle(entry.battle_id)
        refuse_unless_may_act(battle, by, reason)
        entry = Intervention.objects.select_for_update(of=("self",)).get(pk=entry.pk)
        if entry.is_undone:
            return entry
        undoing = UNDOINGS.get(entry.kind)
        if undoing is None:
            raise CannotUndo(CHANGED_NOTHING)
        _refuse_if_changed(battle, entry, undoing)
        entry.undone_by, entry.undone_at, entry.undone_reason = by, now, reason.strip()
        entry.save(update_fields=["undone_by", "undone_at", "undone_reason"])
        put_back(_list_watched(battle, entry, undoing), entry.before, entry.after)
        battle.refresh_from_db()
        for step in undoing.also:
            step(battle, entry, now)
        align_clocks(battle=battle, now=now)
        told = describe_intervention(entry.kind, entry.facts)
        log_janitor(by=by, about=battle, message=f"Undone: {told} Reason: {entry.undone_reason}", now=now)
        tell_of_entry(battle, entry, now=now, undone=True)
        wake_watchers_on_commit(battle.number)
    return entry


def may_be_undone(*, entry: Intervention) -> bool:
    """Say whether undo_intervention would find the rows as it needs them at this moment."""
    undoing = UNDOINGS.get(entry.kind)
    return undoing is not None and not entry.is_undone and _find_bar(entry.battle, entry, undoing) is None


def _refuse_if_changed(battle: Battle, entry: Intervention, undoing: Undoing) -> None:
    found = _find_bar(battle, entry, undoing)
    if found is not None:
        raise CannotUndo(f"It can no longer be undone: {found}.")


def _find_bar(battle: Battle, entry: Intervention, undoing: Undoing) -> str | None:
    return undoing.bar(entry.facts) or find_change(_list_watched(battle, entry, undoing), entry.after)


def _list_watched(battle: Battle, entry: Intervention, undoing: Undoing) -> tuple[Watched, ...]:
    return tuple(undoing.watch(battle, entry.facts)) if undoing.watch else ()
