"""The tables of a round robin of bots: one for each group."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.models import Cup, Pairing, Place
from league.rules.bot_groups import count_rounds, list_groups
from league.rules.tables import DREW, LOST, WON, Row
from league.selectors.tables import rank_places

LETTERS = {WON: "W", DREW: "D", LOST: "L"}


@dataclass(frozen=True)
class BotLine:
    """A line of the table of a group. `cells` are the results against each line of it, in its order: W, D or L, "self",
    or "" for a duel that is not decided. Those whose results count no more have no rank; they come last, and before
    them those who have left."""

    place: Place
    row: Row
    cells: tuple[str, ...]

    @property
    def form(self) -> str:
        """The results in the order of the rounds, as letters."""
        return "".join(LETTERS[result] for result in self.row.results.values())


@dataclass(frozen=True)
class BotGroup:
    """A group with its table, best first."""

    number: int
    lines: list[BotLine]


def count_rounds_of(cup: Cup) -> int:
    """Return how many rounds a round robin that has begun has."""
    return count_rounds(cup.places.count())


def read_bot_groups(cup: Cup) -> list[BotGroup]:
    """Return the groups of a round robin that has begun as they stand, group 1 first; in two queries."""
    places = list(cup.places.select_related("user", "mage__user").order_by("slot"))
    pairings = list(cup.pairings.order_by("round", "board"))
    groups = enumerate(list_groups(len(places)), 1)
    return [_read_group(number, [places[seed - 1] for seed in seeds], pairings) for number, seeds in groups]


def rank_bots(cup: Cup) -> list[Place]:
    """Return all whose results count, best first: group 1 before group 2, and so on."""
    lines = [line for group in read_bot_groups(cup) for line in group.lines]
    return [line.place for line in lines if not line.place.is_void]


def _read_group(number: int, places: Sequence[Place], pairings: Sequence[Pairing]) -> BotGroup:
    known = {place.pk: place for place in places}
    table = rank_places(places, [each for each in pairings if each.first_id in known])
    rows = sorted(table, key=lambda row: (known[row.key].is_void, known[row.key].left_at is not None))
    lines = [BotLine(known[row.key], row, tuple(_name_cell(row, other) for other in rows)) for row in rows]
    return BotGroup(number, lines)


def _name_cell(row: Row, other: Row) -> str:
    if row is other:
        return "self"
    return LETTERS.get(row.results.get(other.key, ""), "")
