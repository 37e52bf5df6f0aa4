"""Which battles are to be played again."""

import datetime

from django.db.models import F, Q, QuerySet

from duels.models import Battle

# A night's work may begin again after a crash; what has been done in it is not done twice.
ONE_NIGHT = datetime.timedelta(hours=20)
FINISHED_IN_A_NIGHT = 200


def list_battles_to_replay(*, now: datetime.datetime, limit: int) -> list[Battle]:
    """Return at most `limit` battles that have not been played again this night.

    First those that go on, all of them; then of those that are over the ones never played again, and the ones that were
    longest ago, until there are 200 in one night.
    """
    due = Battle.objects.filter(Q(replay__isnull=True) | Q(replay__played_at__lte=now - ONE_NIGHT))
    found = list(due.filter(finished_at__isnull=True).order_by("number")[:limit])
    return found + list(_longest_ago(due)[: min(limit - len(found), _left_tonight(now))])


def _longest_ago(due: QuerySet[Battle]) -> QuerySet[Battle]:
    return due.filter(finished_at__isnull=False).order_by(F("replay__played_at").asc(nulls_first=True), "number")


def _left_tonight(now: datetime.datetime) -> int:
    done = Battle.objects.filter(finished_at__isnull=False, replay__played_at__gt=now - ONE_NIGHT).count()
    return max(0, FINISHED_IN_A_NIGHT - done)
