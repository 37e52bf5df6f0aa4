"""The table of a live evening, and the end of its rounds."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from league.models import Cup, Pairing, Place
from league.rules.swiss import Game, Outcome, Player, Row, make_table
from operations.selectors import measure_lost_time

ROUND_TIME = timedelta(minutes=35)

# Someone who misses so many games is out.
ABSENCES_ALLOWED = 2
Result = Pairing.Result
OUTCOMES: dict[str, tuple[Outcome, Outcome]] = {
    Result.FIRST: ("won", "lost"),
    Result.SECOND: ("lost", "won"),
    Result.DRAW: ("drew", "drew"),
    Result.NONE: ("lost", "lost"),
}


@dataclass(frozen=True)
class EveningLine:
    """One line of the table. Those who have left or are out come last."""

    place: Place
    row: Row
    games: tuple[Game, ...]


def list_players(cup: Cup) -> list[Player]:
    """Return the players of an evening with their decided games, in the order of their seeds."""
    games: dict[int, list[Game]] = {}
    for pairing in cup.pairings.filter(decided_at__isnull=False).select_related("first", "second").order_by("round"):
        first, second = pairing.first.slot or 0, pairing.second.slot if pairing.second else None
        if second is None:
            games.setdefault(first, []).append(Game(None, "bye"))
            continue
        one, other = OUTCOMES[pairing.result]
        games.setdefault(first, []).append(Game(second, one))
        games.setdefault(second, []).append(Game(first, other))
    order = {
        pk: number for number, pk in enumerate(cup.places.order_by("signed_up_at", "pk").values_list("pk", flat=True))
    }
    places = cup.places.filter(slot__isnull=False).order_by("slot")
    return [Player(place.slot or 0, order[place.pk], tuple(games.get(place.slot or 0, ()))) for place in places]


def rank_evening(cup: Cup) -> list[EveningLine]:
    """Return the table as it stands, best first."""
    players = {player.seed: player for player in list_players(cup)}
    places = {place.slot: place for place in cup.places.select_related("user", "mage__user")}
    rows = [EveningLine(places[row.seed], row, players[row.seed].games) for row in make_table(list(players.values()))]
    return sorted(rows, key=lambda line: line.place.left_at is not None)


def count_absences(pairings: Iterable[Pairing], *, by: Pairing.DecidedBy) -> Counter[int]:
    """Return how many games each place has lost that were decided `by` an absence or a missed deadline."""
    missed: Counter[int] = Counter()
    for pairing in pairings:
        if pairing.decided_by != by:
            continue
        if pairing.result in (Result.SECOND, Result.NONE):
            missed[pairing.first_id] += 1
        if pairing.result in (Result.FIRST, Result.NONE) and pairing.second_id is not None:
            missed[pairing.second_id] += 1
    return missed


def find_end_of_round(cup: Cup, now: datetime) -> datetime:
    """Return when the round ends at the latest. The time of an outage is given back."""
    began_at = cup.round_began_at or cup.begins_at
    return began_at + ROUND_TIME + measure_lost_time(began_at, now)
