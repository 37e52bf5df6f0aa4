"""The end of the grace: the mage dies, and the battle ends or goes on without him (FM-SLOW-5, FM-SLOW-6)."""

import datetime
from collections.abc import Sequence

from duels.models import Battle, Deadline, OrderSheet
from duels.selectors.standing import key_of
from duels.services.resolving import resolve_if_complete
from duels.services.telling import players_of, tell_users
from duels.wakeups import wake_watchers_on_commit
from rules_engine import Sheet


def forfeit_late_mages(*, battle: Battle, rows: Sequence[Deadline], now: datetime.datetime) -> list[str]:
    """Write for each of these mages the sheet that says that his time is over, and play the stage if that is enough.

    It is as soon as all others are ready, or fewer than two are left: then nobody's orders are needed. Must run in a
    transaction that holds the battle's lock.
    """
    fallen = [row for row in rows if _write_forfeit(row, now)]
    key, label = key_of(battle), battle.label
    for row in fallen:
        late = row.combatant.mage
        told = players_of(battle)
        tell_users(told, "mage_forfeited", battle, key, label, now=now, once=str(late.pk), who=late.name)
    if fallen and _count_left(battle) < 2:
        _let_nobody_be_waited_for(battle, now)
    resolve_if_complete(battle, now=now)
    wake_watchers_on_commit(battle.number)
    return [Deadline.Step.FORFEIT.value for _ in fallen]


def _write_forfeit(row: Deadline, now: datetime.datetime) -> bool:
    Deadline.objects.filter(pk=row.pk).delete()
    open_sheet = OrderSheet.objects.filter(
        combatant=row.combatant_id, stage=row.stage_id, stage__closed_at=None, ready=False
    )
    written = open_sheet.update(
        lines=Sheet.of_forfeit().lines(), ready=True, via=OrderSheet.Via.CLOCK, submitted_at=now
    )
    return written == 1


def _count_left(battle: Battle) -> int:
    """How many are still in the battle and have not let their time pass."""
    sheets = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at=None, via=OrderSheet.Via.CLOCK)
    return battle.combatants.filter(standing="in").exclude(pk__in=sheets.values("combatant")).count()


def _let_nobody_be_waited_for(battle: Battle, now: datetime.datetime) -> None:
    Deadline.objects.filter(battle=battle).delete()
    OrderSheet.objects.filter(stage__battle=battle, stage__closed_at=None, ready=False).update(
        ready=True, submitted_at=now
    )
