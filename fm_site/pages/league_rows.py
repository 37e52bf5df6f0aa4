"""The league on other pages: a user's row on their home page and on their profile."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from duels.selectors.battle_lists import ShownBattle
from league.models import Group, Place, Season
from league.selectors.group_page import Line, list_lines
from league.selectors.overview import list_places_held
from league.selectors.tables import GroupTable, read_table


@dataclass(frozen=True)
class LeagueRow:
    """Where a user stands in the league that runs. `next` is their league duel to play next, "" if none runs."""

    season: Season
    group: Group
    place: Place
    line: Line
    places: int
    next: str = ""
    turn: str = ""

    @property
    def ends_at(self) -> datetime:
        return self.season.ends_at


@dataclass(frozen=True)
class LeagueRecord:
    """A user's place in the league that runs, and the leagues that they won."""

    current: LeagueRow | None
    titles: list[Place]


def read_league_row(place: Place | None, battles: Iterable[ShownBattle]) -> LeagueRow | None:
    """Return the row for the home page of the user who has this place in the league, and whose running battles are
    `battles`; None for someone without a place."""
    return _make_row(place, battles) if place is not None else None


def read_league_record(user: User) -> LeagueRecord:
    held = list(list_places_held([user.pk]))
    running = [place for place in held if place.group and place.group.season.closed_at is None]
    current = [place for place in running if place.left_at is None]
    titles = [place for place in held if place.rank == 1 and place not in running]
    return LeagueRecord(_make_row(current[0], ()) if current else None, titles)


def _make_row(place: Place, battles: Iterable[ShownBattle]) -> LeagueRow | None:
    group = place.group
    assert group is not None
    table = read_table(group)
    lines = list_lines(table, None, {})
    line = next((line for line in lines if line.place.pk == place.pk), None)
    if line is None:
        return None
    next_battle = _find_next(table, place, battles)
    return LeagueRow(
        group.season,
        group,
        place,
        line,
        len(lines),
        next=", ".join(next_battle.others) if next_battle else "",
        turn=next_battle.label if next_battle else "",
    )


def _find_next(table: GroupTable, place: Place, battles: Iterable[ShownBattle]) -> ShownBattle | None:
    """Return the running league duel of a place that comes first among the user's battles."""
    numbers = {each.battle.number for each in table.list_duels_of(place) if each.battle is not None}
    return next((row for row in battles if row.number in numbers), None)
