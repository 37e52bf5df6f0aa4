"""Live battles, and whether their players can play them: the web processes show that they serve pages."""

import datetime

from django.db.models import QuerySet

from duels.models import Battle
from duels.paces import LIVE, is_live
from operations.selectors import is_page_silent, is_site_closed, read_page_stamp


def list_live_battles() -> QuerySet[Battle]:
    """Return the live battles that are open, oldest first."""
    live = Battle.objects.filter(status=Battle.Status.RUNNING, terms__pace__startswith=LIVE)
    return live.order_by("started_at", "number")


def find_oldest_live_battle() -> datetime.datetime | None:
    """Return when the oldest open live battle began; None if none is open."""
    return list_live_battles().values_list("started_at", flat=True).first()


def is_any_live_battle_played() -> bool:
    """Return whether a live battle is open and its players can play it, because the site is not under maintenance."""
    return find_oldest_live_battle() is not None and not is_site_closed()


def is_battle_in_doubt(battle: Battle, now: datetime.datetime) -> bool:
    """Return whether the battle is live and nobody may be able to play it, because no page has been served lately."""
    stamp = read_page_stamp() if is_live(battle.terms.get("pace")) else None
    return is_page_silent(stamp=stamp, open_since=battle.started_at, now=now)


def list_live_battles_in_doubt(*, now: datetime.datetime) -> list[int]:
    """Return the ids of the open live battles, if no page has been served lately."""
    stamp = read_page_stamp()
    opened = find_oldest_live_battle() if stamp is not None else None
    if opened is None or not is_page_silent(stamp=stamp, open_since=opened, now=now):
        return []
    return list(list_live_battles().values_list("pk", flat=True))
