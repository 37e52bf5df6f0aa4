"""The table of a group: who is where, every result, and what is still to play."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from league.models import Group, Pairing, Place, Season
from league.rules.groups import find_movements
from league.rules.tables import Member, Result, Row, make_table

# Both lost such a duel if it has no winner; any other one without a winner counts for nobody.
LOST_BY_BOTH = (Pairing.DecidedBy.FORFEIT, Pairing.DecidedBy.ABSENT)


@dataclass(frozen=True)
class TableRow:
    """A place in the table. `zone` is where it leads as things stand: up, stay or down."""

    place: Place
    row: Row
    zone: Place.Movement

    @property
    def rank(self) -> int | None:
        """The final rank, or the present one; None for someone whose results left the table."""
        return self.place.rank or self.row.rank


@dataclass(frozen=True)
class GroupTable:
    """A group with its places in the order of the table, and its duels and byes in the order of the rounds."""

    group: Group
    rows: list[TableRow]
    pairings: list[Pairing]
    duels: dict[tuple[int, int], Pairing] = field(default_factory=dict)

    def find_duel(self, place: Place, other: Place) -> Pairing | None:
        """Return the duel of two places, in either order; None until they are paired, and for one place alone."""
        return self.duels.get((place.pk, other.pk))

    def list_duels_of(self, place: Place) -> list[Pairing]:
        """Return the duels and byes of a place, in the order of the rounds."""
        return [each for each in self.pairings if place.pk in (each.first_id, each.second_id)]


def read_table(group: Group) -> GroupTable:
    """Return the table of a group, in three queries."""
    return _read([group])[group.pk]


def read_tables(season: Season) -> list[GroupTable]:
    """Return the tables of every group of a season, League 1 first, in four queries."""
    groups = list(season.groups.order_by("tier"))
    tables = _read(groups)
    return [tables[group.pk] for group in groups]


def _read(groups: Sequence[Group]) -> dict[int, GroupTable]:
    places: dict[int, list[Place]] = {group.pk: [] for group in groups}
    for place in Place.objects.filter(group__in=groups).select_related("user", "mage__user"):
        places[place.group_id or 0].append(place)
    pairings: dict[int, list[Pairing]] = {group.pk: [] for group in groups}
    found = Pairing.objects.filter(group__in=groups).select_related("battle").order_by("round", "board")
    known = {place.pk: place for each in places.values() for place in each}
    for pairing in found.defer("battle__state", "battle__seed"):
        pairing.first = known[pairing.first_id]
        pairing.second = known[pairing.second_id] if pairing.second_id else None
        pairings[pairing.group_id or 0].append(pairing)
    lowest = _find_lowest_tiers(groups)
    return {
        group.pk: _make(group, places[group.pk], pairings[group.pk], tiers=lowest[group.season_id]) for group in groups
    }


def _find_lowest_tiers(groups: Sequence[Group]) -> dict[int, int]:
    tiers = Group.objects.filter(season__in={group.season_id for group in groups}).values_list("season", "tier")
    lowest: dict[int, int] = {}
    for season, tier in tiers:
        lowest[season] = max(tier, lowest.get(season, 0))
    return lowest


def _make(group: Group, places: list[Place], pairings: list[Pairing], *, tiers: int) -> GroupTable:
    by_key = {place.pk: place for place in places}
    table = rank_places(places, pairings)
    duels = {}
    for each in pairings:
        if each.second_id is not None:
            duels[each.first_id, each.second_id] = duels[each.second_id, each.first_id] = each
    zones = find_zones(group, places, table, tiers=tiers)
    rows = [TableRow(by_key[row.key], row, zones.get(row.key, Place.Movement.STAY)) for row in table]
    return GroupTable(group, rows, pairings, duels)


def rank_places(places: Iterable[Place], pairings: Iterable[Pairing]) -> list[Row]:
    """Return the table of these places; those whose results left it come last, without a rank."""
    members = [Member(place.pk, place.signed_up_at, place.is_void) for place in places]
    return make_table(members, [read_result(each) for each in pairings if counts(each)])


def counts(pairing: Pairing) -> bool:
    """Return whether a duel is decided and counts in the table for its two mages."""
    if pairing.decided_at is None or pairing.second_id is None:
        return False
    return pairing.result != Pairing.Result.NONE or pairing.decided_by in LOST_BY_BOTH


def read_result(pairing: Pairing) -> Result:
    """Return the result of a duel that counts, as the rules take it."""
    if pairing.second_id is None:
        raise ValueError(f"{pairing} is a bye")
    return Result(
        pairing.round,
        pairing.first_id,
        pairing.second_id,
        pairing.result,
        pairing.first_late,
        pairing.second_late,
    )


def find_zones(group: Group, places: Sequence[Place], table: Sequence[Row], *, tiers: int) -> dict[int, Place.Movement]:
    """Return who would go up or down if the season ended like this, by place; everyone else stays."""
    left = [place.pk for place in places if place.left_at is not None]
    ranking = [row.key for row in table if row.rank is not None]
    movements = find_movements(ranking, left, size=len(places), tier=group.tier, tiers=tiers)
    names = {-1: Place.Movement.UP, 0: Place.Movement.STAY, 1: Place.Movement.DOWN}
    return {key: names[movement] for key, movement in movements.items()}
