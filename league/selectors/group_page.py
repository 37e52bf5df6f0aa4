"""A group as its page shows it to one reader: the table, every result, and the reader's own duels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from accounts.models import Mage, User
from accounts.selectors.absence import find_vacation_ends
from accounts.selectors.ties import find_users_apart_from
from duels.selectors.battle_lists import ShownBattle, list_battles_by_number
from duels.selectors.time_used import read_times_used
from league.models import Group, Pairing, Place, Season
from league.rules import tables
from league.selectors.tables import GroupTable, TableRow, counts, read_table

LETTERS = {tables.WON: "W", tables.DREW: "D", tables.LOST: "L"}
SIDES = {Pairing.Result.FIRST: ("W", "L"), Pairing.Result.SECOND: ("L", "W"), Pairing.Result.DRAW: ("D", "D")}


@dataclass(frozen=True)
class Line:
    """A place in the table. `form` is in letters, oldest first: "WLD". `zone` is "up", "down" or "", `begins_zone` says
    that it differs from the zone above. `away_until` is the end of the user's vacation."""

    place: Place
    rank: int | None
    points: Fraction
    played: int
    form: str
    zone: str
    begins_zone: bool
    is_yours: bool
    late_turns: int
    away_until: datetime | None

    @property
    def mage(self) -> Mage:
        return self.place.mage

    @property
    def user(self) -> User:
        return self.place.user


@dataclass(frozen=True)
class Cell:
    """A cell of the cross table, read along the row: the result as a letter, or what there is instead."""

    kind: str
    duel: Duel | None = None

    @property
    def is_letter(self) -> bool:
        return self.kind in ("W", "D", "L")


@dataclass(frozen=True)
class Side:
    """Who fights for a place in a duel: the mage of the battle once it has begun. `used` is the time used so far."""

    place: Place
    name: str
    arms: str
    used: timedelta | None = None


@dataclass(frozen=True)
class Duel:
    """A duel of the group. `mine` is the side of the place from which it is seen, `battle` what the reader may see of
    it. `begins_at` is when its round begins."""

    pairing: Pairing
    mine: Side
    other: Side
    battle: ShownBattle | None
    begins_at: datetime
    is_silent: bool = False

    @property
    def round(self) -> int:
        return self.pairing.round

    @property
    def number(self) -> int | None:
        return self.battle.number if self.battle else None

    @property
    def is_decided(self) -> bool:
        return self.pairing.decided_at is not None

    @property
    def is_running(self) -> bool:
        return self.battle is not None and not self.is_decided

    @property
    def owes(self) -> bool:
        """Whether it waits for orders of the reader, whose side is `mine`."""
        return self.is_running and self.battle is not None and self.mine.name in self.battle.owes

    @property
    def has_sent(self) -> bool:
        return self.battle is not None and self.mine.name in self.battle.sent

    @property
    def turn(self) -> str:
        return self.battle.label if self.battle else ""

    @property
    def letter(self) -> str:
        """The result for `mine`: "W", "L" or "D"; "" for a duel that counts for nobody, or is not decided."""
        if not counts(self.pairing):
            return ""
        return find_letters(self.pairing)[0 if self.mine.place.pk == self.pairing.first_id else 1]

    @property
    def wishes(self) -> tuple[bool, bool]:
        """Whether `mine` and `other` want a time bank: the duel has one if both do."""
        wishes = self.pairing.first_wants_bank, self.pairing.second_wants_bank
        return wishes if self.mine.place.pk == self.pairing.first_id else wishes[::-1]

    @property
    def is_bank(self) -> bool:
        return all(self.wishes)


@dataclass(frozen=True)
class Bye:
    """A round in which the reader meets nobody."""

    round: int
    begins_at: datetime


@dataclass(frozen=True)
class OwnDuels:
    """The reader's duels in the group: those that run, first those that wait for them; those to come; and those that
    are decided, the latest first."""

    place: Place
    running: list[Duel]
    to_come: list[Duel | Bye]
    played: list[Duel]

    @property
    def all(self) -> int:
        return len(self.running) + len(self.played) + sum(isinstance(each, Duel) for each in self.to_come)


@dataclass(frozen=True)
class GroupPage:
    """What the page of a group shows. `cross` has a row of cells for each line with a rank; `every_duel` is in the
    order of the rounds."""

    group: Group
    season: Season
    tiers: int
    lines: list[Line]
    cross: list[tuple[Line, list[Cell]]]
    every_duel: list[Duel]
    own: OwnDuels | None

    @property
    def running(self) -> list[Duel]:
        return [duel for duel in self.every_duel if duel.is_running]


def find_letters(pairing: Pairing) -> tuple[str, str]:
    """Return the result of a duel that counts, for the first and the second; both may have lost it."""
    return SIDES.get(Pairing.Result(pairing.result), ("L", "L"))


def read_group_page(*, group: Group, reader: User | None, now: datetime) -> GroupPage:
    """Return the group as `reader` sees it (None: a stranger); select the group with its season."""
    season, table = group.season, read_table(group)
    tiers = Group.objects.filter(season=season).count()
    numbers = {each.pk: each.battle.number for each in table.pairings if each.battle is not None}
    battles = {row.number: row for row in list_battles_by_number(numbers.values(), reader)}
    undecided = [numbers[each.pk] for each in table.pairings if each.pk in numbers and each.decided_at is None]
    times = read_times_used(undecided, now) if undecided else {}
    users = [row.place.user_id for row in table.rows]
    ends = {} if season.closed_at else find_vacation_ends(users, now=now)
    away = {user: end for user, end in ends.items() if end > now}
    apart = find_users_apart_from([reader.pk]) if reader is not None and reader.pk in users else frozenset()
    read = _Reader(season, battles, numbers, times, apart)
    lines = list_lines(table, reader, away)
    mine = next((line.place for line in lines if line.is_yours), None)
    return GroupPage(
        group=group,
        season=season,
        tiers=tiers,
        lines=lines,
        cross=_make_cross(table, lines, read),
        every_duel=[read.see(each, each.first) for each in table.pairings if each.second_id is not None],
        own=_list_own(table, mine, read) if mine is not None else None,
    )


@dataclass(frozen=True)
class _Reader:
    """What a reader may see of the battles of a group: `numbers` are theirs by pairing."""

    season: Season
    battles: Mapping[int, ShownBattle]
    numbers: Mapping[int, int]
    times: Mapping[int, Mapping[str, timedelta]]
    apart: frozenset[int]

    def see(self, pairing: Pairing, place: Place) -> Duel:
        """Return a duel from the side of `place`."""
        assert pairing.second is not None
        battle = self.battles.get(self.numbers.get(pairing.pk, -1))
        first = self._side(pairing.first, battle, pairing.first_used, 0)
        second = self._side(pairing.second, battle, pairing.second_used, 1)
        mine, other = (first, second) if place.pk == pairing.first_id else (second, first)
        begins_at = self.season.begin_of_round(pairing.round)
        return Duel(pairing, mine, other, battle, begins_at, is_silent=other.place.user_id in self.apart)

    def _side(self, place: Place, battle: ShownBattle | None, used: timedelta | None, position: int) -> Side:
        """Return a side of a duel; the mages of its battle stand in the order of the pairing."""
        if battle is None:
            return Side(place, place.mage.name, place.mage.arms, used)
        name, running = battle.mages[position], self.times.get(battle.number, {})
        return Side(place, name, battle.arms_as_left[position], running.get(name) if used is None else used)


def list_lines(table: GroupTable, reader: User | None, away: Mapping[int, datetime]) -> list[Line]:
    """Return the lines of a table as `reader` sees them; `away` are the ends of vacations by user. Before the
    first result, nobody goes up or down."""
    lines: list[Line] = []
    has_zones = any(row.row.played for row in table.rows)
    for row in sorted(table.rows, key=lambda row: (row.rank is None, row.rank or 0)):
        zone = _find_zone(row) if has_zones else ""
        lines.append(
            Line(
                place=row.place,
                rank=row.rank,
                points=row.row.points,
                played=row.row.played,
                form="".join(LETTERS[result] for result in row.row.form),
                zone=zone,
                begins_zone=bool(lines) and lines[-1].zone != zone,
                is_yours=reader is not None and row.place.user_id == reader.pk,
                late_turns=row.row.late_turns,
                away_until=None if row.place.left_at else away.get(row.place.user_id),
            )
        )
    return lines


def _find_zone(row: TableRow) -> str:
    """Return where a place leads: "up", "down" or ""; those who have left stay nowhere."""
    if row.place.left_at is not None:
        return ""
    zone = row.place.movement or row.zone
    return "" if zone == Place.Movement.STAY else str(zone)


def _make_cross(table: GroupTable, lines: list[Line], read: _Reader) -> list[tuple[Line, list[Cell]]]:
    ranked = [line for line in lines if line.rank is not None]
    return [(line, [_make_cell(table, line, other, read) for other in ranked]) for line in ranked]


def _make_cell(table: GroupTable, line: Line, other: Line, read: _Reader) -> Cell:
    if line is other:
        return Cell("self")
    pairing = table.find_duel(line.place, other.place)
    if pairing is None:
        return Cell("bye")
    duel = read.see(pairing, line.place)
    if duel.is_decided:
        return Cell(duel.letter or "void", duel)
    if not duel.is_running:
        return Cell("waits", duel)
    return Cell("move" if line.is_yours and duel.owes else "running", duel)


def _list_own(table: GroupTable, place: Place, read: _Reader) -> OwnDuels:
    running: list[Duel] = []
    played: list[Duel] = []
    to_come: list[Duel | Bye] = []
    for pairing in table.list_duels_of(place):
        if pairing.second_id is None:
            if pairing.decided_at is None:
                to_come.append(Bye(pairing.round, read.season.begin_of_round(pairing.round)))
            continue
        duel = read.see(pairing, place)
        (played if duel.is_decided else running if duel.is_running else to_come).append(duel)
    running.sort(key=lambda duel: (not duel.owes, duel.round))
    return OwnDuels(place, running, to_come, played[::-1])
