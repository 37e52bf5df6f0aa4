"""Extra time for one mage: taken by their player, given by another player, or added by a janitor."""

import datetime

from django.db import transaction

from accounts.selectors.absence import find_vacation
from duels.errors import DuelRefused, OverLimit
from duels.models import Battle, Combatant, Deadline
from duels.paces import MOST_EXTENSIONS
from duels.selectors.clocks import name_deadline
from duels.selectors.stage_keys import describe_current_stage, key_of
from duels.services.clocks.battle_clocks import (
    choose_step,
    halt_clock,
    pace_of,
    refuse_if_too_late,
    resume_clock,
    update_clocks,
    waking_the_sweep_if_late,
    write_moments,
)
from duels.services.lock import lock_battle
from duels.services.notify import notify_users
from duels.wakeups import wake_watchers_on_commit

MOST_DAYS_GIVEN = 14
MOST_ADDED = datetime.timedelta(days=MOST_DAYS_GIVEN)


def extend_deadline(*, combatant: Combatant, length: datetime.timedelta, now: datetime.datetime) -> Deadline:
    """Extend the deadline of a mage who needs to send orders by `length` of counting time.

    Raises DuelRefused if they have nothing to order now or their orders are ready; then nothing is used up.
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        return lengthen(battle, combatant, length, now)


def lengthen(battle: Battle, combatant: Combatant, length: datetime.timedelta, now: datetime.datetime) -> Deadline:
    """Do the same in a transaction that holds the battle's lock."""
    rows = [] if battle.is_over else update_clocks(battle=battle, now=now)
    row = next((each for each in rows if each.combatant_id == combatant.pk), None)
    if row is None:
        raise DuelRefused("nothing_to_extend", mage=combatant.mage.name, now=describe_current_stage(battle))
    pace = pace_of(battle)
    used = row.clock.used_at(now)
    if row.running_since is not None and find_vacation(combatant.mage.user, now=now):
        # The time used by now stays used, even though the vacation has begun before the new alarm.
        halt_clock(row, now)
        resume_clock(row, now)
    # In the grace period, the extra time begins now.
    row.allowed = max(row.allowed, min(used, row.allowed + row.grace)) + length
    row.grace = pace.grace
    row.extensions += 1
    choose_step(row, pace, used)
    write_moments(row, pace)
    row.save()
    wake_watchers_on_commit(battle.number)
    return row


def take_time(
    *,
    combatant: Combatant,
    now: datetime.datetime,
    arrived_at: datetime.datetime | None = None,
    deadline: str | None = None,
) -> Deadline:
    """Extend your own deadline by the length the pace allows, at most twice in a battle.

    Like orders, this counts by when it reached the site, `arrived_at` (`now` if not given): after the forfeit moment
    there is nothing left to extend. `deadline` is the one that the player saw (name_deadline): the same form again
    extends nothing. Raises DuelRefused, OverLimit, TooLate.
    """
    arrived = now if arrived_at is None else min(arrived_at, now)
    with waking_the_sweep_if_late(), transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        rows = list(Deadline.objects.filter(combatant=combatant).select_related("combatant__mage"))
        if not rows:
            raise DuelRefused("nothing_to_extend", mage=combatant.mage.name, now=describe_current_stage(battle))
        refuse_if_too_late(battle=battle, combatant_id=combatant.pk, rows=rows, arrived_at=arrived, now=now)
        _refuse_if_changed(battle, combatant, deadline)
        taken = Combatant.objects.filter(pk=combatant.pk, extensions_taken__lt=MOST_EXTENSIONS)
        used_before = taken.values_list("extensions_taken", flat=True).first()
        if used_before is None or not taken.update(extensions_taken=used_before + 1):
            raise OverLimit("no_more_extensions", mage=combatant.mage.name, most=MOST_EXTENSIONS)
        return lengthen(battle, combatant, pace_of(battle).extension, now)


def give_time(
    *,
    giver: Combatant,
    mage_name: str,
    days: int | None = None,
    now: datetime.datetime,
    deadline: str | None = None,
) -> tuple[Deadline, datetime.timedelta]:
    """Extend the deadline of another user's mage by `days`, or by the length the pace allows.

    The giver must still be in the battle, and the other mage must need to send orders. While others are waiting too, a
    turn can be extended by 14 days at most, so that nobody waits forever. The receiver is notified, once a day.
    `deadline` is as in take_time. Returns the deadline and the length. Raises DuelRefused; OverLimit for more than 14
    days or none.
    """
    with transaction.atomic():
        battle = lock_battle(giver.battle_id)
        other = (
            Combatant.objects.select_related("mage__user")
            .filter(battle=battle, mage__name__iexact=mage_name.strip())
            .exclude(mage__user=giver.mage.user_id)
            .first()
        )
        standing = Combatant.objects.values_list("standing", flat=True).get(pk=giver.pk)
        if standing != "in":
            raise DuelRefused(standing, mage=giver.mage.name, now=describe_current_stage(battle))
        if other is None:
            raise DuelRefused("nothing_to_extend", mage=mage_name.strip()[:40], now=describe_current_stage(battle))
        _refuse_if_changed(battle, other, deadline)
        if days is not None and not 1 <= days <= MOST_DAYS_GIVEN:
            raise OverLimit("wrong_days", mage=other.mage.name, most=MOST_DAYS_GIVEN, days=days)
        length = pace_of(battle).extension if days is None else datetime.timedelta(days=days)
        between = (giver.mage.user_id, other.mage.user_id)
        others_wait = battle.combatants.filter(standing="in").exclude(mage__user__in=between).exists()
        if others_wait and _measure_added(battle, other) + length > MOST_ADDED:
            raise OverLimit("others_wait_too", mage=other.mage.name, most=MOST_DAYS_GIVEN)
        row = lengthen(battle, other, length, now)
        once, facts = f"{other.pk}/{now:%Y%m%d}", {"who": other.mage.name, "by": giver.mage.name}
        notify_users([other.mage.user], "time_given", battle, key_of(battle), battle.label, now=now, once=once, **facts)
        return row, length


def _refuse_if_changed(battle: Battle, combatant: Combatant, seen: str | None) -> None:
    """Raise DuelRefused if the mage has another deadline than the one `seen`."""
    row = Deadline.objects.filter(combatant=combatant).first()
    if seen is not None and row is not None and name_deadline(battle, row) != seen:
        raise DuelRefused("deadline_changed", mage=combatant.mage.name)


def _measure_added(battle: Battle, combatant: Combatant) -> datetime.timedelta:
    """Return by how much the mage's deadline has been extended in this stage."""
    allowed = Deadline.objects.filter(combatant=combatant).values_list("allowed", flat=True).first()
    began_with = pace_of(battle).time if combatant.bank is None else combatant.bank
    return max((allowed or began_with) - began_with, datetime.timedelta(0))
