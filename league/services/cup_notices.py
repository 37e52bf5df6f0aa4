"""What entrants of cups are told, each thing once: notices with facts, which their email puts into words."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from league.models import Cup, Pairing, Place
from notifications.hook_events import LEAGUE
from notifications.services.open_hooks import tell_open_hooks
from notifications.services.outbox import write_notices


def facts_of_cup(cup: Cup) -> dict[str, Any]:
    return {"cup": cup.pk, "cup_kind": str(cup.kind), "begins_at": cup.begins_at.isoformat(), "size": cup.size}


def notify_entrants(cup: Cup, kind: str, *, now: datetime, **more: Any) -> None:
    """Tell everyone who signed up, before the cup begins."""
    _write(cup, kind, Place.objects.filter(cup=cup).select_related("user"), now=now, **more)


def notify_of_board(cup: Cup, pairing: Pairing, *, now: datetime) -> None:
    """Tell both that their duel of a round begins."""
    if pairing.second is None or pairing.battle is None:
        return
    for place, other in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
        more = {
            "battle": pairing.battle.number,
            "round": pairing.round,
            "game": pairing.game,
            "against": other.mage.name,
        }
        _write(cup, "cup_round", [place], now=now, once=f"{pairing.round}/{pairing.game}", **more)


def notify_of_bye(cup: Cup, pairing: Pairing, *, now: datetime) -> None:
    more = {"round": pairing.round, "game": 1, "against": ""}
    _write(cup, "cup_round", [pairing.first], now=now, once=f"{pairing.round}/1", **more)


def notify_through(cup: Cup, place: Place, *, round_number: int, now: datetime) -> None:
    """Tell someone that they go on from this round of a knock-out."""
    _write(cup, "cup_through", [place], now=now, once=str(round_number), round=round_number)


def notify_out(cup: Cup, place: Place, *, round_number: int, why: str = "", now: datetime) -> None:
    """Tell someone that they are out, in this round, for a reason of Place.LeftFor or because they lost ("")."""
    _write(cup, "cup_out", [place], now=now, round=round_number, why=why)


def notify_of_end(cup: Cup, places: Iterable[Place], *, now: datetime) -> None:
    """Tell these people where they ended."""
    for place in places:
        _write(cup, "cup_over", [place], now=now, rank=place.rank)


def tell_hooks_of_cup(cup: Cup, what: str, *, winner: str = "", now: datetime) -> None:
    """Tell the hooks of the site that a cup "begins", "ends" or is "cancelled"."""
    facts = {**facts_of_cup(cup), "what": what, "winner": winner, "late": cup.was_too_late}
    tell_open_hooks(kind="open_cup", event=LEAGUE, key=f"cup/{cup.pk}/{what}", facts=facts, of_site=True, now=now)


def _write(cup: Cup, kind: str, places: Iterable[Place], *, now: datetime, once: str = "", **more: Any) -> None:
    people = [place for place in places if not place.user.bot_strength]
    facts = facts_of_cup(cup) | more
    entries = [
        (f"cup/{cup.pk}/{kind}/{once}/{place.user_id}", place.user, facts | {"mage": place.mage.name})
        for place in people
    ]
    write_notices(kind=kind, entries=entries, now=now)
