"""After a gap in which nobody could open a page, every clock of a live battle starts again.

Minutes count in a live battle, so giving back the lost time would not be enough: a player who looks again after some
minutes would have seconds left.
"""

import datetime
from collections.abc import Iterable

from duels.clock import NOTHING
from duels.models import Battle, ClockStop, Deadline, MissedTurn, OrderSheet, Stage
from duels.paces import PRESENCE_TIME, Pace, is_live
from duels.selectors.reliability import forget_reliability_on_commit
from duels.services.clocks.deadline_rows import choose_step, pace_of
from duels.wakeups import wake_watchers_on_commit
from operations.models import PageGap


def restart_after_gaps(*, battle: Battle, rows: Iterable[Deadline]) -> None:
    """Start the clocks `rows` of a live battle again after each gap during its open stage, once for each gap. The rows
    are not saved. The caller has locked the battle."""
    if not is_live(battle.terms.get("pace")):
        return
    gaps = list(PageGap.objects.filter(ended_at__gt=battle.started_at).order_by("started_at", "pk"))
    stage = Stage.objects.filter(battle=battle, closed_at=None).first() if gaps else None
    for gap in gaps:
        if stage is not None and gap.ended_at > stage.opened_at:
            _restart_stage(battle, stage, gap, rows)


def _restart_stage(battle: Battle, stage: Stage, gap: PageGap, rows: Iterable[Deadline]) -> None:
    """Start the clocks of a stage again, unless that is done: the gap is then among the stops of the battle."""
    since = max(gap.started_at, stage.opened_at)
    stops = ClockStop.objects.filter(battle=battle, combatant=None)
    if stops.filter(reason=ClockStop.Reason.OUTAGE, since=since, ended_at=gap.ended_at).exists():
        return
    ClockStop.objects.create(battle=battle, reason=ClockStop.Reason.OUTAGE, since=since, ended_at=gap.ended_at)
    pace = pace_of(battle)
    for row in rows:
        _restart_clock(row, pace, gap.ended_at)
    # Mages who are ready and change their mind have their full time too.
    OrderSheet.objects.filter(stage=stage, ready=True, clock__isnull=False).update(clock=None)
    stops.filter(reason=ClockStop.Reason.PRESENCE, ended_at=None).update(until=gap.ended_at + PRESENCE_TIME)
    _forget_missed_turns(stage, since)
    wake_watchers_on_commit(battle.number)


def _restart_clock(row: Deadline, pace: Pace, at: datetime.datetime) -> None:
    """Start a clock from the beginning, or leave it stopped there. Its notices are due again: it counts as extended."""
    row.used, row.grace, row.reminders = NOTHING, pace.grace, 0
    row.extensions += 1
    choose_step(row, pace, NOTHING)
    # An outage may have been given back until a later moment.
    row.settled_at = max(row.settled_at, at)
    if row.running_since is not None:
        row.running_since = row.settled_at


def _forget_missed_turns(stage: Stage, since: datetime.datetime) -> None:
    """Forget deadlines that were missed before anyone knew that the site was down."""
    missed = MissedTurn.objects.filter(stage=stage, missed_at__gte=since)
    for user in list(missed.values_list("user", flat=True)):
        forget_reliability_on_commit(user)
    missed.delete()
