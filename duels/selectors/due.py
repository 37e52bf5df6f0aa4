"""Battles in which something is due by the clock, read by ranges of indexes."""

import datetime

from django.db.models import Exists, F, OuterRef, Q

from accounts.models import Vacation
from duels.models import Battle, ClockStop, Deadline, OrderSheet


def list_battles_due(*, now: datetime.datetime, limit: int) -> list[int]:
    """Return the ids of battles with a deadline of which a step is due, longest due first."""
    due = Deadline.objects.filter(due_at__lte=now).order_by("due_at", "id").values_list("battle_id", flat=True)
    return list(dict.fromkeys(due[:limit]))


def list_battles_with_news_of_absence(*, now: datetime.datetime) -> list[int]:
    """Return the ids of battles whose clocks do not agree yet with who is away, whose mail fails, or what is paused."""
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


def list_battles_with_absences() -> list[int]:
    """Return the ids of battles in which the clock of somebody who is away, or whose mail fails, stands still."""
    away = ClockStop.objects.filter(ended_at=None, reason__in=(ClockStop.Reason.VACATION, ClockStop.Reason.BOUNCE))
    return sorted(set(away.values_list("battle_id", flat=True)))


def list_battles_without_clocks(*, limit: int) -> list[Battle]:
    """Return battles that wait for a mage whose clock does not run, because they began before there were any."""
    asked = OrderSheet.objects.filter(
        stage__battle=OuterRef("pk"), stage__closed_at=None, ready=False, combatant__deadline=None
    )
    running = Battle.objects.filter(Exists(asked), status=Battle.Status.RUNNING)
    return list(running.order_by("number")[:limit])
