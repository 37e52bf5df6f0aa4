"""The league at a glance: the season that runs, those that are over, their champions, and where one user stands."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.db.models import Count, Prefetch, Q, QuerySet

from accounts.models import Mage, User
from accounts.selectors.users import read_mages_of
from duels.models import Combatant
from duels.selectors.battle_lists import list_owed_battles
from league.models import Entry, Group, Pairing, Place, Season
from league.rules.tables import DREW, LOST, POINTS, WON
from league.selectors.group_page import find_letters
from league.selectors.seasons import (
    SignUp,
    find_entry,
    find_open_season,
    find_place,
    list_entrants_apart_from,
    list_past_seasons,
    read_sign_up,
)
from league.selectors.tables import GroupTable, TableRow, counts, read_tables

SHOWN_PAST, MOST_TITLES, MOST_ENTRANTS = 5, 10, 60


@dataclass(frozen=True)
class GroupLine:
    """A league in the list of a season: who leads it, or won it. `own` is the reader's place, `waiting` how many of
    their duels there wait for them."""

    group: Group
    leader: TableRow | None
    places: int
    own: TableRow | None = None
    waiting: int = 0

    @property
    def has_begun(self) -> bool:
        return self.leader is not None and self.leader.row.played > 0


@dataclass(frozen=True)
class Title:
    """A season that is over, with the champion of League 1 and the reader's own place in it."""

    season: Season
    champion: Place | None
    points: Fraction
    duels: int
    own: Place | None = None


@dataclass(frozen=True)
class Overview:
    """What the page of the league shows. `mages` are the reader's living ones, `apart` those in the league with whom
    there is a block."""

    season: Season | None
    groups: list[GroupLine]
    past: list[Title]
    sign_up: SignUp
    entry: Entry | None
    own: Place | None
    mages: list[Mage]
    apart: list[User]
    entrants: list[Entry]

    @property
    def mages_in_groups(self) -> int:
        return sum(line.places for line in self.groups)


def read_overview(*, reader: User | None, now: datetime) -> Overview:
    """Return the league as `reader` sees it (None: a stranger)."""
    season = find_open_season()
    is_drawn = season is not None and season.drawn_at is not None
    sign_up = read_sign_up()
    return Overview(
        season=season,
        groups=list_groups(season, reader) if season is not None and is_drawn else [],
        past=list_titles(list_past_seasons()[:SHOWN_PAST], reader),
        sign_up=sign_up,
        entry=find_entry(reader) if reader is not None else None,
        own=find_place(reader, season) if reader is not None and season is not None and is_drawn else None,
        mages=read_mages_of(reader) if reader is not None else [],
        apart=list_entrants_apart_from(reader) if reader is not None else [],
        # Who waits for the draw, while nobody stands in a table.
        entrants=[] if is_drawn else _list_entrants(),
    )


def _list_entrants() -> list[Entry]:
    entries = Entry.objects.filter(left_at=None).select_related("mage__user", "user").order_by("signed_up_at", "pk")
    return list(entries[:MOST_ENTRANTS])


def list_groups(season: Season, reader: User | None) -> list[GroupLine]:
    """Return the leagues of a season, League 1 first."""
    lines = [_describe_group(table, reader) for table in read_tables(season)]
    own = next((line for line in lines if line.own is not None), None)
    if own is None or reader is None or season.closed_at is not None:
        return lines
    owed = {battle.number for battle in list_owed_battles(reader)}
    mine = Pairing.objects.filter(group=own.group, decided_at=None, battle__number__in=owed)
    waiting = mine.filter(Q(first__user=reader) | Q(second__user=reader)).count() if owed else 0
    return [GroupLine(each.group, each.leader, each.places, each.own, waiting if each is own else 0) for each in lines]


def _describe_group(table: GroupTable, reader: User | None) -> GroupLine:
    ranked = sorted((row for row in table.rows if row.rank is not None), key=lambda row: row.rank or 0)
    own = next((row for row in table.rows if reader is not None and row.place.user_id == reader.pk), None)
    return GroupLine(table.group, ranked[0] if ranked else None, len(table.rows), own)


def list_titles(seasons: Iterable[Season], reader: User | None) -> list[Title]:
    """Return these seasons, which are over, with their champions."""
    seasons = list(seasons)
    if not seasons:
        return []
    in_them = Place.objects.filter(group__season__in=seasons)
    known = in_them.select_related("group", "mage__user", "user")
    champions = {place.group.season_id: place for place in known.filter(group__tier=1, rank=1) if place.group}
    own = known.filter(user=reader, rank__isnull=False).order_by("-group__tier") if reader is not None else ()
    mine = {place.group.season_id: place for place in own if place.group}
    points = count_points(place.pk for place in champions.values())
    titles = []
    for season in seasons:
        champion = champions.get(season.pk)
        earned, duels = points.get(champion.pk if champion else 0, (Fraction(0), 0))
        titles.append(Title(season, champion, earned, duels, mine.get(season.pk)))
    return titles


def count_points(places: Iterable[int]) -> dict[int, tuple[Fraction, int]]:
    """Return the points of these places, and of how many duels, by place; those of people whose results left the table
    don't count."""
    wanted = set(places)
    decided = Pairing.objects.filter(Q(first__in=wanted) | Q(second__in=wanted), decided_at__isnull=False)
    counting = decided.filter(first__is_void=False, second__is_void=False)
    found: dict[int, list[Fraction]] = defaultdict(list)
    worth = {"W": POINTS[WON], "D": POINTS[DREW], "L": POINTS[LOST]}
    for pairing in counting:
        if counts(pairing):
            for place, letter in zip((pairing.first_id, pairing.second_id), find_letters(pairing), strict=True):
                found[place or 0].append(worth[letter])
    return {place: (sum(found[place], Fraction(0)), len(found[place])) for place in wanted if found[place]}


@dataclass(frozen=True)
class Holder:
    """A user with titles of League 1: how many, and the last season in which they won it."""

    user: User
    titles: int


def list_most_titles() -> list[Holder]:
    """Return the users who won League 1 most often, the earlier user first if equal."""
    won = list_champions().values("user").annotate(titles=Count("pk")).order_by("-titles", "user")[:MOST_TITLES]
    counts = {row["user"]: row["titles"] for row in won}
    users = User.objects.in_bulk(counts)
    return [Holder(users[pk], titles) for pk, titles in counts.items()]


def list_champions() -> QuerySet[Place]:
    """Return the places that won League 1 in a season."""
    return Place.objects.filter(group__tier=1, rank=1, group__season__closed_at__isnull=False)


def find_season(number: int) -> Season | None:
    """Return the season with this number, if its groups are drawn."""
    return Season.objects.filter(number=number, drawn_at__isnull=False).first()


def find_group(season: int, tier: int) -> Group | None:
    """Return League `tier` of the season with this number, with its season."""
    return Group.objects.filter(season__number=season, tier=tier).select_related("season").first()


def list_places_held(users: Collection[int]) -> QuerySet[Place]:
    """Return the places of these users in leagues, the latest season first."""
    held = Place.objects.filter(user__in=users, group__isnull=False).select_related("group__season", "mage__user")
    return held.order_by("-group__season__number", "left_at")


@dataclass(frozen=True)
class LeagueResult:
    """A duel with a winner (`one`) or drawn, as it stands in a table; `battle` is its number, if it was fought."""

    season: int
    tier: int
    round: int
    one: str
    other: str
    is_draw: bool
    battle: int | None
    at: datetime


def list_latest_duels(limit: int) -> list[LeagueResult]:
    """Return the latest results of duels in tables, the latest first; not those that count for nobody."""
    decided = Pairing.objects.filter(group__isnull=False, second__isnull=False, decided_at__isnull=False)
    counting = decided.filter(first__is_void=False, second__is_void=False).exclude(result=Pairing.Result.NONE)
    known = counting.select_related("group__season", "first__mage", "second__mage", "battle").defer("battle__state")
    fighters = Prefetch("battle__combatants", Combatant.objects.order_by("position").select_related("mage"))
    latest = known.prefetch_related(fighters).order_by("-decided_at", "-pk")
    return [_describe_result(each) for each in latest[:limit]]


def _describe_result(pairing: Pairing) -> LeagueResult:
    group, second, battle = pairing.group, pairing.second, pairing.battle
    assert group is not None and second is not None and pairing.decided_at is not None
    names = [pairing.first.mage.name, second.mage.name]
    if battle is not None:
        names = [each.mage.name for each in battle.combatants.all()]
    if pairing.result == Pairing.Result.SECOND:
        names.reverse()
    return LeagueResult(
        group.season.number,
        group.tier,
        pairing.round,
        one=names[0],
        other=names[1],
        is_draw=pairing.result == Pairing.Result.DRAW,
        battle=battle.number if battle is not None else None,
        at=pairing.decided_at,
    )
