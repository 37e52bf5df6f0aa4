"""What happens when a mage who owes orders lets time pass: reminders, the alarm, the final notice (FM-SLOW-1..4)."""

import datetime

from django.db import transaction

from duels.models import Battle, Deadline, MissedTurn
from duels.paces import Pace
from duels.selectors.standing import key_of
from duels.services.clocks.forfeiting import forfeit_late_mages
from duels.services.clocks.moments import choose_step, pace_of, read_clock, write_moments
from duels.services.clocks.running import drop_clocks
from duels.services.clocks.standing import settle_clocks, tell_long_absences
from duels.services.locking import lock_battle
from duels.services.telling import others_than, tell_users
from duels.wakeups import wake_watchers_on_commit

Step = Deadline.Step
NOTICES = {Step.REMIND: "deadline_reminder", Step.ALARM: "deadline_alarm", Step.FINAL: "deadline_final"}
# Of an alarm the others hear nothing: it follows a reminder closely.
TOLD_TO_OTHERS = (Step.REMIND, Step.FINAL)


def lapse_deadlines(*, battle_id: int, now: datetime.datetime) -> list[str]:
    """Do what is due in one battle at `now`, each step once whoever calls this and how often; return the steps.

    Clocks first agree with who is away, and get back what the house was out of order. What came due several times since
    the last call is done once, as the last of it; but nobody dies without the final notice and its whole grace.
    """
    with transaction.atomic():
        battle = lock_battle(battle_id)
        if battle.is_over:
            drop_clocks(battle=battle)
            return []
        rows = settle_clocks(battle=battle, now=now)
        tell_long_absences(battle=battle, now=now)
        before = {row.pk: (row.step, row.due_at) for row in rows}
        pace = pace_of(battle)
        due = [row for row in rows if row.due_at is not None and row.due_at <= now]
        late = [row for row in due if row.step == Step.FORFEIT]
        done = [_take_step(battle, row, pace, now) for row in due if row not in late]
        mine = [row for row in rows if row not in late and _save(row, before[row.pk])]
        if len(mine) + len(late) < len(rows):
            raise RuntimeError(f"{battle} is locked, yet something else moved its clocks")
        if Step.FINAL in done:
            wake_watchers_on_commit(battle.number)
        if late:
            done += forfeit_late_mages(battle=battle, rows=late, now=now)
        return done


def _take_step(battle: Battle, row: Deadline, pace: Pace, now: datetime.datetime) -> str:
    """Do what the clock says by now, which may be more than what came due first."""
    clock = read_clock(row)
    used = clock.used_at(now)
    if used >= row.allowed or row.step == Step.FINAL:
        step = Step.FINAL
    elif used >= clock.alarm_after or row.step == Step.ALARM:
        step = Step.ALARM
    else:
        step = Step.REMIND
    _move_on(row, step, pace, used)
    write_moments(row, pace)
    if step == Step.FINAL:
        _note_missed_turn(row, now)
    _tell(battle, row, step, now)
    return step.value


def _move_on(row: Deadline, step: Deadline.Step, pace: Pace, used: datetime.timedelta) -> None:
    if step == Step.FINAL:
        # The grace is whole from the final notice on, however late that comes.
        row.grace = max(row.grace, used - row.allowed + pace.grace)
        row.step = Step.FORFEIT
    elif step == Step.ALARM:
        row.step = Step.FINAL
    else:
        row.reminders += 1
        choose_step(row, pace, used)


def _note_missed_turn(row: Deadline, now: datetime.datetime) -> None:
    MissedTurn.objects.get_or_create(
        combatant=row.combatant,
        stage_id=row.stage_id,
        defaults={"user_id": row.combatant.mage.user_id, "missed_at": now},
    )


def _save(row: Deadline, before: tuple[str, datetime.datetime | None]) -> bool:
    """Write the row as long as nobody else has taken the same step."""
    step, due_at = before
    unmoved = Deadline.objects.filter(pk=row.pk, step=step, due_at=due_at)
    names = ("grace", "used", "running_since", "step", "reminders", "due_at", "settled_at")
    moments = ("nag_at", "alarm_at", "ends_at", "forfeit_at")
    return unmoved.update(**{name: getattr(row, name) for name in (*names, *moments)}) == 1


def _tell(battle: Battle, row: Deadline, step: Deadline.Step, now: datetime.datetime) -> None:
    """Tell the late one what is missing, and the others that they wait and for what; each once for this deadline."""
    late = row.combatant.mage
    facts = {
        "who": late.name,
        "ends_at": row.ends_at.isoformat() if row.ends_at else "",
        "forfeit_at": row.forfeit_at.isoformat() if row.forfeit_at else "",
    }
    key, once = key_of(battle), f"{late.pk}/{row.extensions}"
    once_each = f"{once}/{row.reminders}" if step == Step.REMIND else once
    tell_users([late.user], NOTICES[step], battle, key, battle.label, now=now, once=once_each, **facts)
    if step in TOLD_TO_OTHERS:
        others = others_than(row.combatant, battle)
        once_told = f"{once_each}/{step.value}"
        tell_users(others, "opponent_late", battle, key, battle.label, now=now, once=once_told, **facts)
