"""Battles that background work must process: deadlines, absences and unresolved turns."""

import datetime
from collections.abc import Collection, Iterable

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import ClockUpdate, Vacation
from duels.models import Battle, ClockStop, ClockTrouble, Combatant, Deadline, OrderSheet, Stage
from duels.paces import LIVE
from duels.rules_release import current_rules_release
from duels.selectors.absences import PAUSES


def list_battles_due(*, now: datetime.datetime, limit: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of battles with a deadline step due, longest due first, without those in `besides`."""
    due = Deadline.objects.filter(due_at__lte=now).exclude(battle__in=besides).order_by("due_at", "id")
    return list(dict.fromkeys(due.values_list("battle_id", flat=True)[:limit]))


def list_battles_with_stops_due(*, now: datetime.datetime, limit: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of battles in which a pause or the time for undelivered email is over, or an absence has reached
    the limit, longest due first, except those in `besides`."""
    stops = ClockStop.objects.filter(ended_at=None).exclude(battle__in=besides)
    over = stops.filter(until__lte=now).order_by("until").values_list("battle_id", flat=True)[:limit]
    paused = ClockStop.objects.filter(battle=OuterRef("battle"), reason__in=PAUSES, ended_at=None)
    absent = stops.filter(~Exists(paused), long_at__lte=now)
    long = absent.order_by("long_at").values_list("battle_id", flat=True)[:limit]
    return list(dict.fromkeys([*over, *long]))


def list_battles_in_trouble() -> dict[int, datetime.datetime]:
    """Return the ids of battles whose clocks could not be processed, with the time of the next attempt, soonest
    first."""
    return dict(ClockTrouble.objects.order_by("retry_at", "pk").values_list("battle_id", "retry_at"))


def list_clock_updates_due(*, now: datetime.datetime, limit: int) -> list[ClockUpdate]:
    """Return the requests to update the clocks of users who left or returned, longest due first."""
    return list(ClockUpdate.objects.filter(due_at__lte=now).order_by("due_at", "pk")[:limit])


def list_battles_waiting_for(user_ids: Iterable[int]) -> list[int]:
    """Return the ids of battles in which a mage of one of these users has a clock or an open stop."""
    # SQLite does not allow ORDER BY inside a union.
    mine = Combatant.objects.filter(mage__user__in=list(user_ids)).order_by()
    clocks = mine.filter(deadline__isnull=False).values_list("battle_id", flat=True)
    stops = mine.filter(clock_stops__ended_at=None, clock_stops__isnull=False).values_list("battle_id", flat=True)
    return sorted(clocks.union(stops))


def list_battles_with_other_absences(*, now: datetime.datetime) -> list[int]:
    """Return the ids of battles whose clocks do not match absences, bounced email or pauses, or are stopped by nothing.

    Looks at every user, to find changes whose ClockUpdate was lost.
    """
    over = ClockStop.objects.filter(ended_at=None, until__lte=now)
    away = Vacation.objects.filter(ended_at=None, starts_at__lte=now, until__gt=now)
    still_away = away.filter(user=OuterRef("combatant__mage__user"))
    back = ClockStop.objects.filter(~Exists(still_away), ended_at=None, reason=ClockStop.Reason.VACATION)
    heard = ClockStop.objects.filter(ended_at=None, reason=ClockStop.Reason.BOUNCE).filter(
        Q(combatant__mage__user__mail_fails_since=None)
        | Q(combatant__mage__user__last_active_at__gt=F("combatant__mage__user__mail_fails_since"))
    )
    running = Deadline.objects.filter(running_since__isnull=False, combatant__stand_in="")
    running = running.exclude(battle__terms__pace__startswith=LIVE)
    # After the alarm a vacation may have come too late.
    in_time = away.filter(Q(by_janitor=True) | Q(starts_at__lt=OuterRef("alarm_at")))
    gone = running.filter(Exists(in_time.filter(user=OuterRef("combatant__mage__user"))))
    used_up = ClockStop.objects.filter(reason=ClockStop.Reason.BOUNCE, ended_at=F("until"))
    mute = running.filter(
        ~Exists(used_up.filter(combatant=OuterRef("combatant"))),
        combatant__mage__user__mail_fails_since__isnull=False,
        combatant__mage__user__last_active_at__lte=F("combatant__mage__user__mail_fails_since"),
    )
    its_own = Q(combatant=None) | Q(reason=ClockStop.Reason.VACATION) | Q(combatant=OuterRef("combatant"))
    stops = ClockStop.objects.filter(its_own, battle=OuterRef("battle"), ended_at=None)
    still = Deadline.objects.filter(~Exists(stops), running_since=None)
    battles: set[int] = set()
    for rows in (over, back, heard, gone, mute, still):
        battles.update(rows.values_list("battle_id", flat=True))
    return sorted(battles)


def list_battles_without_clocks(*, limit: int) -> list[Battle]:
    """Return running battles that wait for a mage who has no clock."""
    asked = OrderSheet.objects.filter(
        stage__battle=OuterRef("pk"), stage__closed_at=None, ready=False, combatant__deadline=None
    )
    running = Battle.objects.filter(Exists(asked), status=Battle.Status.RUNNING)
    return list(running.order_by("number")[:limit])


def list_unresolved_battles() -> QuerySet[Battle]:
    """Return battles whose open stage is complete but not resolved."""
    waiting = OrderSheet.objects.filter(stage=OuterRef("pk"), ready=False)
    complete = Stage.objects.filter(~Exists(waiting), battle=OuterRef("pk"), closed_at__isnull=True)
    return Battle.objects.filter(Exists(complete), status=Battle.Status.RUNNING).order_by("number")


def list_battles_to_retry() -> QuerySet[Battle]:
    """Return battles that another release could not resolve."""
    stuck = Battle.objects.filter(status=Battle.Status.STUCK)
    return stuck.exclude(stuck_release=current_rules_release()).order_by("number")


def list_stuck_battles_to_remind_of(*, now: datetime.datetime) -> list[int]:
    """Return the ids of stuck battles of which janitors must be reminded: at a moment that has come, or (battles that
    were stuck before there were reminders) at none."""
    due = Battle.objects.filter(Q(stuck_remind_at__lte=now) | Q(stuck_remind_at=None), status=Battle.Status.STUCK)
    return list(due.order_by("number").values_list("pk", flat=True))
