"""The clocks of a battle, as anyone may see them: each mage's deadline, and which clocks are stopped."""

import datetime
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from duels.clock import NOTHING, Clock
from duels.gap_words import Gap
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet
from duels.paces import MOST_EXTENSIONS, OWN, describe_pace, describe_rest, explain_time, get_pace, list_pauses
from duels.selectors.absences import (
    ABSENCES,
    Absence,
    Consent,
    has_waited_at_start,
    is_at_stake,
    read_absences,
    read_call_off,
    read_claim,
    read_seat_offer,
)
from duels.selectors.draws import DrawChoice, read_draw_choice
from duels.selectors.reliability import recall_reliability
from duels.selectors.stage_keys import key_of
from duels.terms import Terms
from operations.request_policy import recall_policy


@dataclass(frozen=True)
class ShownClock:
    """The clock of a mage who needs to send orders.

    `stops` lists why it is stopped, if it is; `absence` is set while the player is away. `stops_until` is when it
    restarts, if only stops with a known end hold it. `ends_at` is the deadline, past during the grace period; at
    `forfeit_at` the mage dies. A vacation that begins now `can_rest` this clock, or comes too late. `version` names
    the deadline (name_deadline).
    """

    mage: str
    in_grace: bool
    ends_at: datetime.datetime | None
    forfeit_at: datetime.datetime | None
    stops: tuple[str, ...]
    absence: Absence | None = None
    stops_until: datetime.datetime | None = None
    can_rest: bool = True
    version: str = ""

    @property
    def next_at(self) -> datetime.datetime | None:
        """The moment the remaining time counts down to."""
        return self.forfeit_at if self.in_grace else self.ends_at


@dataclass(frozen=True)
class TimeUsed:
    """How much time a mage's player has used in a duel of a league or cup: what the clocks of all earlier stages, and
    of this one if the orders are ready, read when they stopped, and the `running` clock. `late` turns had a final
    notice.

    It tells nothing of sealed orders: a clock stops when they are ready, which everyone sees, and not when they change.
    """

    mage: str
    stored: datetime.timedelta
    running: Clock | None
    late: int

    def at(self, now: datetime.datetime) -> datetime.timedelta:
        return self.stored + (self.running.used_at(now) if self.running else NOTHING)


@dataclass(frozen=True)
class BattleClocks:
    """Time in a battle, as a reader may know it, and their options.

    `wishes` are the mages whose players ask for a pause, or for the end of one, with the length they ask for. Players
    `can_end_early` a pause on which they have agreed, but not a janitor's. `pauses` are the lengths on offer, empty
    where players enter a number of days. `more` is how often the reader's mage can still take extra time.
    """

    pace: str
    explained: str
    rests: str
    paused_until: datetime.datetime | None
    is_paused: bool
    can_end_early: bool
    wishes: tuple[tuple[str, datetime.timedelta], ...]
    my_wish: int | None
    pauses: tuple[datetime.timedelta, ...]
    more: int
    extension: datetime.timedelta
    may_give: tuple[str, ...]
    call_off: Consent | None
    seat_offer: Consent | None = None
    claim: Consent | None = None
    reliability: tuple[tuple[str, str], ...] = ()
    # In a live battle that has not begun: the mages whose players are not here yet, and until when they can come.
    missing: tuple[str, ...] = ()
    here_until: datetime.datetime | None = None
    is_here: bool = True
    # Whether vacations stop clocks in this battle at all, and whether one that begins now stops those of this turn.
    has_vacations: bool = True
    vacation_is_late: bool = False
    # Nobody could open a page between these moments; the clocks of this turn started again at the second.
    last_gap: Gap | None = None
    # What the reader can do about a draw: it is here so that a page without a socket notices an offer, too.
    draw: DrawChoice | None = None
    # In a duel of a league or cup.
    times_used: tuple[TimeUsed, ...] = ()

    def mark(self, clocks: Iterable[ShownClock]) -> str:
        """Return a hash of this and of `clocks`. It changes with any of it, but not as time passes, and covers only
        what the reader may see."""
        return hashlib.sha256(repr((self, tuple(clocks))).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class TimeRows:
    """All rows about time in a battle, read once: every combatant with its mage, user and deadline, the current stops
    of clocks, and the gaps in which no page was served during the open stage."""

    battle: Battle
    fighting: tuple[Combatant, ...]
    stops: tuple[ClockStop, ...]
    absences: Mapping[int, Absence]
    is_live: bool = False
    is_at_stake: bool = True
    gaps: tuple[ClockStop, ...] = ()
    times_used: tuple[TimeUsed, ...] = ()

    def deadline_of(self, combatant: Combatant) -> Deadline | None:
        return getattr(combatant, "deadline", None)

    @property
    def last_gap(self) -> Gap | None:
        """The last time in the open stage in which no page was served, after which all clocks started again."""
        return max(((stop.since, stop.ended_at) for stop in self.gaps if stop.ended_at), default=None)


NO_ROWS = TimeRows(Battle(), (), (), {})


def list_times_used(fighting: Collection[Combatant]) -> tuple[TimeUsed, ...]:
    """Return the time used by these combatants of league and cup duels, read with their mages and deadlines."""
    ready = OrderSheet.objects.filter(combatant__in=fighting, stage__closed_at=None, ready=True, clock__isnull=False)
    read = {sheet.combatant_id: datetime.timedelta(seconds=sheet.clock["used"]) for sheet in ready if sheet.clock}
    found = []
    for each in fighting:
        row: Deadline | None = getattr(each, "deadline", None)
        stored = each.time_used + (NOTHING if row else read.get(each.pk, NOTHING))
        found.append(TimeUsed(each.mage.name, stored, row.clock if row else None, each.late_turns))
    return tuple(found)


def read_time_rows(battle: Battle, fighting: Collection[Combatant], sheets: Sequence[Any]) -> TimeRows:
    """Return the rows about time of a battle; `fighting` are its combatants with their mages, users and deadlines, and
    `sheets` those of its open stage, by read_open_sheets."""
    # Without sheets, it is not known whether there are any.
    may_have_stops = not battle.is_over and all(sheet.has_stops for sheet in sheets)
    rows = _read_stops(battle, sheets[0].stage.opened_at if sheets else None) if may_have_stops else ()
    stops = tuple(stop for stop in rows if stop.ended_at is None)
    absences = read_absences(battle) if any(stop.reason in ABSENCES for stop in stops) else {}
    terms = Terms.from_json(battle.terms)
    return TimeRows(
        battle,
        tuple(fighting),
        stops,
        absences,
        is_live=get_pace(terms.pace, recall_policy()).is_live,
        is_at_stake=is_at_stake(battle),
        gaps=tuple(stop for stop in rows if stop.ended_at is not None),
        times_used=list_times_used(fighting) if terms.stake.is_event else (),
    )


def _read_stops(battle: Battle, opened_at: datetime.datetime | None) -> tuple[ClockStop, ...]:
    wanted = Q(ended_at=None)
    if opened_at is not None:
        wanted |= Q(reason=ClockStop.Reason.OUTAGE, ended_at__gt=opened_at)
    return tuple(ClockStop.objects.filter(wanted, battle=battle))


def list_clocks(rows: TimeRows) -> tuple[ShownClock, ...]:
    """Return the clocks of all mages who need to send orders, in the order of the battle."""
    owing = ((each, rows.deadline_of(each)) for each in rows.fighting)
    return tuple(_clock_row(each, row, rows) for each, row in owing if row is not None)


def _clock_row(combatant: Combatant, row: Deadline, rows: TimeRows) -> ShownClock:
    its = [stop for stop in rows.stops if row.is_stopped and stop.concerns(row.combatant_id)]
    ends = [stop.until for stop in its if stop.until is not None]
    names = {each.pk: each.mage.name for each in rows.fighting}
    is_before_alarm = row.step in (Deadline.Step.REMIND, Deadline.Step.ALARM)
    return ShownClock(
        mage=combatant.mage.name,
        in_grace=row.step == Deadline.Step.FORFEIT,
        ends_at=row.ends_at,
        forfeit_at=row.forfeit_at,
        stops=tuple(_name_stop(stop, combatant, names) for stop in its),
        absence=rows.absences.get(combatant.pk) if row.is_stopped else None,
        stops_until=max(ends) if its and len(ends) == len(its) else None,
        can_rest=not rows.is_live and (is_before_alarm or not rows.is_at_stake),
        version=name_deadline(rows.battle, row),
    )


def name_deadline(battle: Battle, row: Deadline) -> str:
    """Return a name of the mage's deadline in the open stage of the battle; a longer one has another name."""
    return f"{key_of(battle)}/{row.extensions}"


def _name_stop(stop: ClockStop, combatant: Combatant, names: Mapping[int, str]) -> str:
    if stop.combatant_id in (None, combatant.pk):
        return stop.get_reason_display()
    return _("%(mage)s's vacation") % {"mage": names[stop.combatant_id]}


def describe_clocks(
    *, terms: Terms, rows: TimeRows, combatant: Combatant | None, is_over: bool, now: datetime.datetime
) -> BattleClocks:
    """Return time in the battle as the owner of `combatant` (None: a spectator) may know it, with their options."""
    pace = get_pace(terms.pace, recall_policy())
    of_all = [stop for stop in rows.stops if stop.combatant_id is None]
    presence = next((stop for stop in of_all if stop.reason == ClockStop.Reason.PRESENCE), None)
    pause = max((stop for stop in of_all if stop is not presence), key=lambda stop: stop.pk, default=None)
    fighting = [each for each in rows.fighting if each.standing == "in"]
    owing = {each.pk for each in rows.fighting if rows.deadline_of(each) is not None}
    plays = combatant is not None and combatant.standing == "in" and not is_over
    mine = combatant if plays else None
    return BattleClocks(
        pace=describe_pace(pace),
        explained=explain_time(pace),
        rests=describe_rest(weekends=terms.weekends, nights=terms.nights),
        paused_until=pause.until if pause else None,
        is_paused=pause is not None,
        can_end_early=any(stop.reason == ClockStop.Reason.PAUSE for stop in of_all),
        wishes=tuple(
            (each.mage.name, datetime.timedelta(minutes=wish))
            for each in fighting
            if (wish := each.wish_at(now)) is not None
        ),
        my_wish=mine.wish_at(now) if mine else None,
        pauses=list_pauses(pace),
        more=max(0, MOST_EXTENSIONS - mine.extensions_taken) if mine and mine.pk in owing and pace.name != OWN else 0,
        extension=pace.extension,
        may_give=tuple(
            each.mage.name for each in fighting if mine and each.pk in owing and each.mage.user_id != mine.mage.user_id
        ),
        call_off=read_call_off(rows.battle, mine, now)
        if mine and (rows.absences or has_waited_at_start(rows.battle, now))
        else None,
        seat_offer=_read_seat_offer(rows, mine, now) if mine else None,
        claim=read_claim(rows.battle, mine, now) if mine and rows.absences else None,
        reliability=_reliability_words(fighting),
        missing=tuple(
            each.mage.name for each in fighting if presence and not each.is_here and not each.mage.user.is_bot
        ),
        here_until=presence.until if presence else None,
        is_here=mine is None or presence is None or mine.is_here,
        has_vacations=not rows.is_live,
        vacation_is_late=mine is not None
        and any(row.mage == mine.mage.name and not row.can_rest for row in list_clocks(rows)),
        last_gap=rows.last_gap,
        draw=read_draw_choice(rows.battle, rows.fighting, mine) if mine else None,
        times_used=rows.times_used,
    )


def _read_seat_offer(rows: TimeRows, mine: Combatant, now: datetime.datetime) -> Consent | None:
    late = (row.step == Deadline.Step.FORFEIT for each in rows.fighting if (row := rows.deadline_of(each)) is not None)
    return read_seat_offer(rows.battle, mine, now) if rows.absences or any(late) else None


def _reliability_words(fighting: list[Combatant]) -> tuple[tuple[str, str], ...]:
    people = [each for each in fighting if not each.mage.user.is_bot]
    known = recall_reliability(each.mage.user_id for each in people)
    return tuple((each.mage.name, known[each.mage.user_id].words) for each in people)
