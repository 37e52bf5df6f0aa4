"""Battles in which something is due by the clock, read by ranges of indexes."""

import datetime
from collections.abc import Collection, Iterable

from django.db.models import Exists, F, OuterRef, Q

from accounts.models import AbsenceNews, Vacation
from duels.models import Battle, ClockStop, ClockTrouble, Combatant, Deadline, OrderSheet


def list_battles_due(*, now: datetime.datetime, limit: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of battles with a deadline of which a step is due, longest due first; of none of those `besides`,
    which have stepped back."""
    due = Deadline.objects.filter(due_at__lte=now).exclude(battle__in=besides).order_by("due_at", "id")
    return list(dict.fromkeys(due.values_list("battle_id", flat=True)[:limit]))


def list_battles_with_stops_due(*, now: datetime.datetime, limit: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of battles in which a pause is over or an absence has become long, longest due first; of none of
    those `besides`."""
    stops = ClockStop.objects.filter(ended_at=None).exclude(battle__in=besides)
    over = stops.filter(until__lte=now).order_by("until").values_list("battle_id", flat=True)[:limit]
    long = stops.filter(long_at__lte=now).order_by("long_at").values_list("battle_id", flat=True)[:limit]
    return list(dict.fromkeys([*over, *long]))


def list_battles_in_trouble() -> dict[int, datetime.datetime]:
    """Return the ids of battles whose clocks could not be looked after, and when they are to be tried again, the
    soonest first."""
    return dict(ClockTrouble.objects.order_by("retry_at", "pk").values_list("battle_id", "retry_at"))


def list_absence_news(*, now: datetime.datetime, limit: int) -> list[AbsenceNews]:
    """Return which users' clocks are to be made to agree with whether they are there, longest due first."""
    return list(AbsenceNews.objects.filter(look_at__lte=now).order_by("look_at", "pk")[:limit])


def list_battles_waiting_for(user_ids: Iterable[int]) -> list[int]:
    """Return the ids of battles in which a mage of one of these users has a clock, or in which one stands for him."""
    # SQLite takes no order inside a union.
    mine = Combatant.objects.filter(mage__user__in=list(user_ids)).order_by()
    clocks = mine.filter(deadline__isnull=False).values_list("battle_id", flat=True)
    stops = mine.filter(clock_stops__ended_at=None, clock_stops__isnull=False).values_list("battle_id", flat=True)
    return sorted(clocks.union(stops))


def list_battles_with_other_absences(*, now: datetime.datetime) -> list[int]:
    """Return the ids of battles whose clocks do not agree with who is away, whose mail fails, or what is paused, by
    looking at everybody: whoever went or came back leaves word, and this finds what left none."""
    over = ClockStop.objects.filter(ended_at=None, until__lte=now)
    away = Vacation.objects.filter(ended_at=None, starts_at__lte=now, until__gt=now)
    still_away = away.filter(user=OuterRef("combatant__mage__user"))
    back = ClockStop.objects.filter(~Exists(still_away), ended_at=None, reason=ClockStop.Reason.VACATION)
    heard = ClockStop.objects.filter(ended_at=None, reason=ClockStop.Reason.BOUNCE).filter(
        Q(combatant__mage__user__mail_fails_since=None)
        | Q(combatant__mage__user__last_active_at__gt=F("combatant__mage__user__mail_fails_since"))
    )
    gone = Deadline.objects.filter(running_since__isnull=False, combatant__mage__user__in=away.values("user"))
    mute = Deadline.objects.filter(
        running_since__isnull=False,
        combatant__mage__user__mail_fails_since__isnull=False,
        combatant__mage__user__last_active_at__lte=F("combatant__mage__user__mail_fails_since"),
    )
    found: set[int] = set()
    for rows in (over, back, heard, gone, mute):
        found.update(rows.values_list("battle_id", flat=True))
    return sorted(found)


def list_battles_without_clocks(*, limit: int) -> list[Battle]:
    """Return battles that wait for a mage whose clock does not run, because they began before there were any."""
    asked = OrderSheet.objects.filter(
        stage__battle=OuterRef("pk"), stage__closed_at=None, ready=False, combatant__deadline=None
    )
    running = Battle.objects.filter(Exists(asked), status=Battle.Status.RUNNING)
    return list(running.order_by("number")[:limit])
