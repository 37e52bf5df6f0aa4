"""Giving clocks back the time of outages, and starting those of live battles again after a gap; each once."""

import datetime

import structlog
from django.db import OperationalError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from accounts.models import ClockUpdate
from duels.models import Battle, Deadline
from duels.selectors.live import find_oldest_live_battle, list_live_battles
from duels.services.clocks.battle_clocks import update_clocks
from duels.services.lock import lock_battle
from duels.wakeups import wake_overdue_clocks
from operations.models import Outage, PageGap
from operations.selectors import is_site_closed, list_gaps_to_make_good, list_outages_to_give_back
from operations.services.outages import mark_outage_given_back
from operations.services.page_stamps import mark_gap_made_good, stamp_served_page

log = structlog.get_logger(__name__)

BATTLES_AT_ONCE = 500
MOMENTS = ("due_at", "remind_at", "alarm_at", "ends_at", "forfeit_at")


def give_back_outages(*, now: datetime.datetime) -> int:
    """Give back the time of every outage that is over; return how many there were.

    Can be interrupted anywhere and run concurrently: each clock records up to when it got its time back, and the outage
    is marked once no clock is left. Until then no deadlines are processed.
    """
    given = 0
    for outage in list_outages_to_give_back():
        while _give_back_to_some(outage, now):
            pass
        given += mark_outage_given_back(outage=outage, now=now)
    return given


def note_served_page(*, served_at: datetime.datetime, now: datetime.datetime) -> PageGap | None:
    """Record that a web process asked itself for a page at `served_at` and served it, if a live battle is played.
    Return the gap that this ends, if no process had served one for too long.

    The clocks of live battles start again here, not in a worker, which may be down or slow.
    """
    open_since = find_oldest_live_battle()
    if open_since is None or is_site_closed():
        return None
    gap = stamp_served_page(served_at=served_at, open_since=open_since, now=now)
    if gap is not None:
        log.warning("no pages were served", since=gap.started_at.isoformat(), until=gap.ended_at.isoformat())
        make_gaps_good(now=now)
    if Deadline.objects.filter(battle__in=list_live_battles(), due_at__lte=now).exists():
        wake_overdue_clocks()
    return gap


def make_gaps_good(*, now: datetime.datetime) -> int:
    """Start the clocks of live battles again after every gap in which no page was served; return how many gaps there
    were. Can be interrupted anywhere and run concurrently: each battle records the gaps it has had."""
    made = 0
    for gap in list_gaps_to_make_good():
        for battle in list_live_battles().filter(started_at__lt=gap.ended_at).values_list("pk", flat=True):
            _update_safely(battle, now)
        made += mark_gap_made_good(gap=gap, now=now)
    return made


def _update_safely(battle: int, now: datetime.datetime) -> None:
    """Update the clocks of one battle. If that fails, it is tried again before anything is due there."""
    try:
        with transaction.atomic():
            update_clocks(battle=lock_battle(battle), now=now)
    except Exception:
        log.exception("clocks not started again", battle=battle)


def _give_back_to_some(outage: Outage, now: datetime.datetime) -> bool:
    ended = outage.ended_at or now
    left = Deadline.objects.filter(settled_at__lt=ended, running_since__lt=ended)
    with transaction.atomic():
        some = list(left.order_by("battle__number").values_list("battle", flat=True)[:BATTLES_AT_ONCE])
        if not some:
            return False
        list(Battle.objects.select_for_update().filter(pk__in=some).order_by("number").values_list("pk", flat=True))
        whole = left.filter(battle__in=some, rest={}, running_since__lte=outage.started_at)
        # Clocks that are waiting for an update must be stopped or restarted before they are moved.
        whole = whole.exclude(combatant__mage__user__in=ClockUpdate.objects.values("user"))
        # A clock that overlaps another outage too needs individual treatment.
        others = Outage.objects.exclude(pk=outage.pk).filter(ended_at__gt=OuterRef("settled_at"), started_at__lt=ended)
        lost, whole = ended - outage.started_at, whole.filter(~Exists(others), settled_at__lte=outage.started_at)
        moments = {name: F(name) + lost for name in ("running_since", *MOMENTS)}
        whole.update(settled_at=ended, **moments)
        for battle in Battle.objects.filter(pk__in=left.filter(battle__in=some).values("battle")).order_by("number"):
            _move_each(battle, left, outage, now)
    return True


def _move_each(battle: Battle, left: QuerySet[Deadline], outage: Outage, now: datetime.datetime) -> None:
    """Move clocks that rest, or that ran only for part of the outage.

    If a battle cannot be read, its clocks are moved as if they never rested, so that it does not hold up the deadlines
    of every other battle.
    """
    ended = outage.ended_at or now
    try:
        with transaction.atomic():
            update_clocks(battle=battle, now=now)
            running = Deadline.objects.filter(battle=battle, running_since__isnull=False, settled_at__lt=ended)
            running.update(settled_at=ended)
    except OperationalError:
        raise
    except Exception:
        log.exception("clocks moved without regard to their rest", battle=battle.number)
        for row in left.filter(battle=battle):
            _move_whole(row, outage.started_at, ended)


def _move_whole(row: Deadline, started: datetime.datetime, ended: datetime.datetime) -> None:
    if row.running_since is None:
        return
    lost = ended - max(started, row.running_since, row.settled_at)
    for name in ("running_since", *MOMENTS):
        moment = getattr(row, name)
        if moment is not None:
            setattr(row, name, moment + lost)
    row.settled_at = ended
    row.save()
