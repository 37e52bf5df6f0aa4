"""The battles to replay tonight."""

import datetime

from django.db.models import F, Q

from duels.models import Battle

# Replays newer than this count as done tonight, so that a night's work can restart after a crash.
ONE_NIGHT = datetime.timedelta(hours=20)
FINISHED_IN_A_NIGHT = 200


def list_battles_to_replay(*, now: datetime.datetime, limit: int) -> list[Battle]:
    """Return at most `limit` battles that have not been replayed tonight.

    All running battles come first. Finished ones follow, up to 200 a night: those never replayed, then those replayed
    longest ago.
    """
    due = Battle.objects.filter(Q(replay__isnull=True) | Q(replay__played_at__lte=now - ONE_NIGHT))
    running = list(due.filter(finished_at__isnull=True).order_by("number")[:limit])
    played = Battle.objects.filter(finished_at__isnull=False, replay__played_at__gt=now - ONE_NIGHT).count()
    left_tonight = max(0, FINISHED_IN_A_NIGHT - played)
    longest_ago = due.filter(finished_at__isnull=False).order_by(F("replay__played_at").asc(nulls_first=True), "number")
    return running + list(longest_ago[: min(limit - len(running), left_tonight)])
