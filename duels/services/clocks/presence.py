"""The presence check of live battles: clocks start once every player has confirmed that they are here; otherwise the
battle is called off."""

import datetime

from django.db import transaction

from duels.models import Battle, ClockStop, Combatant, Deadline
from duels.paces import PRESENCE_TIME
from duels.services.clocks.deadline_rows import pace_of, write_moments
from duels.services.clocks.stops import close_stop, open_stop
from duels.services.lock import lock_battle
from duels.wakeups import wake_watchers_on_commit

PRESENCE = ClockStop.Reason.PRESENCE


def await_players(*, battle: Battle, now: datetime.datetime) -> None:
    """Stop the clocks of a new live battle until all its players are here. A battle of one person starts at once."""
    people = {each.mage.user_id for each in _people(battle)}
    if not pace_of(battle).is_live or len(people) < 2:
        return
    rows = _clocks(battle)
    open_stop(battle=battle, combatant=None, reason=PRESENCE, rows=rows, since=now, until=now + PRESENCE_TIME)
    _save(battle, rows)


def record_presence(*, combatant: Combatant, now: datetime.datetime) -> tuple[str, ...]:
    """Record that the player of `combatant` is here; return the mages whose players are still missing.

    The clocks start when the last player is here. A repeated or late call changes nothing.
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        stop = ClockStop.objects.filter(battle=battle, reason=PRESENCE, ended_at=None).first()
        if stop is None or battle.is_over:
            return ()
        battle.combatants.filter(mage__user=combatant.mage.user_id).update(is_here=True)
        missing = tuple(each.mage.name for each in _people(battle) if not each.is_here)
        if not missing:
            stop.battle = battle
            rows = _clocks(battle)
            close_stop(stop, rows, now)
            _save(battle, rows)
        wake_watchers_on_commit(battle.number)
        return missing


def _people(battle: Battle) -> list[Combatant]:
    people = Combatant.objects.filter(battle=battle, mage__user__is_bot=False).select_related("mage")
    return list(people.order_by("position"))


def _clocks(battle: Battle) -> list[Deadline]:
    return list(Deadline.objects.filter(battle=battle).select_related("combatant__mage__user").order_by("pk"))


def _save(battle: Battle, rows: list[Deadline]) -> None:
    pace = pace_of(battle)
    for row in rows:
        write_moments(row, pace)
        row.save()
