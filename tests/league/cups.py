"""Cups for tests: entrants with real mages, and duels that are played or surrendered."""

from datetime import datetime, timedelta
from typing import Any

from accounts.models import Mage, User
from accounts.services.bots import become_bot
from duels.models import Battle
from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.battle_clocks import record_presence
from duels.services.orders import submit_orders
from league.models import Cup, Pairing, Place
from league.services.cup_places import join_cup
from league.services.run_cups import advance_cup
from tests.scenes import NOW, make_mage

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def make_cup(kind: str = Cup.Kind.KNOCKOUT, **more: Any) -> Cup:
    facts = {"key": f"{kind}-test", "size": 16, "begins_at": NOW + 3 * DAY, **more}
    return Cup.objects.create(kind=kind, **facts)


def enter(cup: Cup, *names: str) -> dict[str, Mage]:
    """Let a new user with a mage of each name join, a bot if the cup is for bots; earlier names are higher seeds."""
    mages = {}
    for number, name in enumerate(names):
        mages[name] = make_bot(name) if cup.is_round_robin else make_mage(name)
        join_cup(user=mages[name].user, cup_id=cup.pk, mage=mages[name], now=cup.begins_at - 2 * DAY + number * MINUTE)
    return mages


def make_bot(name: str) -> Mage:
    """Make the mage of a new bot account."""
    mage = make_mage(name)
    become_bot(user=mage.user, now=NOW)
    mage.user.refresh_from_db()
    return mage


def begin(cup: Cup) -> Cup:
    """Run the day before a cup, and its beginning."""
    advance_cup(cup_id=cup.pk, now=cup.begins_at - DAY)
    advance_cup(cup_id=cup.pk, now=cup.begins_at)
    cup.refresh_from_db()
    return cup


def find_game(cup: Cup, *names: str) -> Pairing:
    """Return the newest game of these two, in either order; of one name, their newest."""
    games = cup.pairings.select_related("first__mage", "second__mage", "battle").order_by("-round", "-game")
    found = [each for each in games if set(names) <= set(list_names(each))]
    return found[0]


def list_names(pairing: Pairing) -> list[str]:
    return [place.mage.name for place in (pairing.first, pairing.second) if place is not None]


def order(battle: Battle, name: str, text: str, now: datetime) -> None:
    mage = Mage.objects.get(name=name)
    combatant = get_combatant_for_user(number=battle.number, user=mage.user, mage_name=name)
    submit_orders(combatant=combatant, text=text, via="web", ready=True, now=now)


def finish(cup: Cup, winner: str | None, *names: str, now: datetime) -> None:
    """End the game of these two at once: all but the winner surrender, both for a draw."""
    battle = find_game(cup, *names).battle
    for name in names:
        order(battle, name, "W/S" if name == winner else "P/P", now)


def arrive(cup: Cup, *names: str, now: datetime) -> None:
    """Let these players say that they are here."""
    for name in names:
        battle = find_game(cup, name).battle
        mage = Mage.objects.get(name=name)
        record_presence(combatant=get_combatant_for_user(number=battle.number, user=mage.user, mage_name=name), now=now)


def list_boards(cup: Cup, number: int) -> list[tuple[str, ...]]:
    """Return who meets whom in a round."""
    games = cup.pairings.filter(round=number, game=1).select_related("first__mage", "second__mage").order_by("board")
    return [tuple(list_names(each)) for each in games]


def find_place(cup: Cup, name: str) -> Place:
    return Place.objects.get(cup=cup, mage__name=name)


def user_of(name: str) -> User:
    return Mage.objects.get(name=name).user
