"""Janitors' actions on clocks: extra time, pauses, excuses; and how undoing affects clocks."""

import datetime
from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from duels.models import Battle, ClockStop, Combatant, Deadline, MissedTurn, OrderSheet, Stage
from duels.selectors.absences import PAUSES
from duels.services.clocks.battle_clocks import (
    give_back,
    pace_of,
    renew_wait_for_players,
    write_moments,
)
from duels.services.clocks.deadlines import excuse_missed_turn
from duels.services.clocks.extra_time import extend_deadline
from duels.services.clocks.pauses import pause_battle, resume_battle
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.journal import act_on_battle
from moderation.services.journal import Facts
from moderation.services.snapshots import Watched

MOST_HOURS = 24 * 90
ORDERED = _("the mage has sent orders since")
PAUSED = "another pause has started or ended since"


def give_more_time(*, combatant: Combatant, hours: int, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Extend the deadline of a mage who owes orders by 1 to 2,160 hours of counted time. Raises ModerationRefused,
    duels' DuelRefused if they owe none, and what act_on_battle raises."""
    if not 1 <= hours <= MOST_HOURS:
        raise ModerationRefused("wrong_hours", most=MOST_HOURS)

    open_stage = Stage.objects.filter(battle=combatant.battle_id, closed_at=None).values_list("pk", flat=True).first()
    with act_on_battle(
        kind=JournalEntry.Kind.EXTENDED,
        battle=combatant.battle,
        by=by,
        reason=reason,
        now=now,
        watch=watch_deadline,
        facts={"mage": combatant.mage.name, "stage": open_stage},
    ) as (locked, entry):
        entry.facts |= {"turn": locked.label, "hours": hours}
        extend_deadline(combatant=combatant, length=datetime.timedelta(hours=hours), now=now)
    return entry


def watch_deadline(battle: Battle, facts: Facts) -> Iterable[Watched]:
    """Return the mage's clock, while they owe the orders for which it was extended."""
    stage = Stage.objects.filter(battle=battle, pk=facts["stage"])
    combatants = Combatant.objects.filter(battle=battle, mage__name=facts["mage"])
    yield Watched(stage, ("closed_at",), ORDERED)
    yield Watched(OrderSheet.objects.filter(stage__in=stage, combatant__in=combatants), ("ready",), ORDERED)
    yield Watched(Deadline.objects.filter(combatant__in=combatants), by_themselves=True)


def pause_for_janitor(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Stop all clocks of the battle until it is resumed, 30 days at most. Raises ModerationRefused, also if it is
    already paused, and duels' DuelRefused if it is over."""
    with act_on_battle(
        kind=JournalEntry.Kind.PAUSED, battle=battle, by=by, reason=reason, now=now, watch=watch_pauses
    ) as (locked, entry):
        if not pause_battle(battle=locked, now=now, notify=False):
            raise ModerationRefused("already_paused", battle=locked)
    return entry


def resume_for_janitor(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """End all pauses of the battle, including the players'. Raises ModerationRefused if there is none, and what
    act_on_battle raises."""
    with act_on_battle(
        kind=JournalEntry.Kind.RESUMED, battle=battle, by=by, reason=reason, now=now, watch=watch_pauses
    ) as (locked, entry):
        if not resume_battle(battle=locked, now=now, notify=False):
            raise ModerationRefused("not_paused", battle=locked)
    return entry


def watch_pauses(battle: Battle, facts: Facts) -> Iterable[Watched]:
    yield Watched(ClockStop.objects.filter(battle=battle, reason__in=PAUSES), words=PAUSED)
    yield Watched(Combatant.objects.filter(battle=battle), ("pause_minutes", "pause_asked_at"), PAUSED)


def excuse_turn(*, missed: MissedTurn, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Stop counting a missed turn against its user. Raises ModerationRefused if it is already excused, and what
    act_on_battle raises."""
    with act_on_battle(
        kind=JournalEntry.Kind.EXCUSED,
        battle=missed.combatant.battle,
        by=by,
        reason=reason,
        now=now,
        watch=watch_missed_turn,
        facts={"mage": missed.combatant.mage.name, "turn": missed.stage.turn.label, "missed": missed.pk},
    ) as (_battle, entry):
        if not excuse_missed_turn(missed=missed, reason=entry.reason, now=now):
            raise ModerationRefused("already_excused", mage=missed.combatant.mage, turn=entry.facts["turn"])
    return entry


def watch_missed_turn(battle: Battle, facts: Facts) -> Iterable[Watched]:
    missed = MissedTurn.objects.filter(combatant__battle=battle, pk=facts["missed"])
    yield Watched(missed, ("excused_at", "excuse"), "another excuse has been given since")


def give_back_since(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Give the restored clocks back the time between an action and its undoing. Those that were stopped don't run
    before now either: what stopped them may have ended in between."""
    pace = pace_of(battle)
    for row in Deadline.objects.filter(battle=battle):
        give_back(row, [(entry.made_at, now)], now)
        row.settled_at = max(row.settled_at, now)
        write_moments(row, pace)
        row.save()
    renew_wait(battle, entry, now)


def renew_wait(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Give the players of a live battle that waits for them the whole time to come."""
    renew_wait_for_players(battle, now)
