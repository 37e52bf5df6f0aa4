"""The API of the league."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Path, Query, Router
from pydantic import Field

from accounts.api_access import PLAY, READ, caller_of
from accounts.errors import NoSuchMage
from accounts.models import User
from accounts.selectors.names import get_mage_for_user
from league.errors import LeagueRefused
from league.models import Season
from league.selectors.group_page import Duel, Line, list_lines, read_group_page
from league.selectors.overview import find_group, find_season
from league.selectors.seasons import count_entrants, find_entry, find_open_season, list_past_seasons, read_sign_up
from league.selectors.tables import GroupTable, read_tables
from league.services.entries import leave, sign_up
from operations.web.api_schema import Incoming, Outgoing, may_refuse, show
from operations.web.problems import Refusal, Refusals, refuse, refuse_as

router = Router(tags=["League"])
MOST = 10**6


class LeagueSeason(Outgoing):
    """A season of the league."""

    season: int
    begins_at: datetime
    ends_at: datetime
    round: int = Field(description="The last round that has begun, from 1 to 7; 0 before the first.")
    drawn: bool = Field(description="Whether the groups are drawn.")
    over: bool = Field(description="Whether the tables are final.")


class LeaguePlace(Outgoing):
    """A place in a table."""

    rank: int | None = Field(description="Null for someone whose results don't count, because they left early.")
    mage: str
    user: str
    points: float
    played: int = Field(description="How many duels are decided.")
    form: str = Field(description="The last five results, oldest first: `W`, `D` or `L`.")
    late_turns: int = Field(description="Turns for which a final notice was sent.")
    leads: str = Field(description="`up`, `down` or `stay`: in a running season as things stand.")
    left: bool
    away: bool = Field(description="Whether the user is on vacation; always false in the list of all leagues.")


class LeagueDuel(Outgoing):
    """A duel of a league."""

    round: int
    begins_at: datetime = Field(description="When its round begins.")
    first: str = Field(description="A mage.")
    second: str
    battle: int | None = Field(description="The number of its battle, once it has begun.")
    turn: str | None = Field(description="The turn of its battle.")
    result: str | None = Field(description="`first`, `second` or `draw`; `none` counts for nobody; null: not decided.")
    decided_by: str | None = Field(description="`battle`, `forfeit`, `time`, `left` or `absent`.")
    first_used: int | None = Field(description="The seconds of time that the first has used.")
    second_used: int | None


class LeagueTable(Outgoing):
    """The table of a league, without its duels."""

    league: int = Field(description="1 for League 1, and so on.")
    places: list[LeaguePlace]


class League(LeagueTable):
    """A league: its table and every duel."""

    season: LeagueSeason
    duels: list[LeagueDuel]


class Leagues(Outgoing):
    """A season with the tables of all its leagues. Without one, nobody has signed up yet."""

    season: LeagueSeason | None
    leagues: list[LeagueTable]
    entrants: int = Field(description="How many users are in the league, for this season or the next one.")
    mine: str | None = Field(description="The mage with whom you are in; null if you are not.")
    past: list[int] = Field(description="The seasons that are over, the last one first.")


class JoinLeague(Incoming, json_schema_extra=show({"mage": "Bung"})):
    """How you sign up."""

    mage: str = Field(max_length=20, description="One of your living mages.")


class LeaveLeague(Incoming, json_schema_extra=show({"at_once": False})):
    """How you leave."""

    at_once: bool = Field(
        default=False,
        description="Leave a running season, too: results may leave the table, or what is left is lost. Otherwise you "
        "play it to its end.",
    )


class LeagueEntry(Outgoing):
    """Whether you are in the league."""

    mage: str | None = Field(description="Null: you are not in it.")
    begins_at: datetime | None = Field(description="When you play first, if that is known.")


SeasonNumber = Annotated[
    int | None, Query(ge=1, le=MOST, description="A season; without it, the one that runs or comes next.")
]


@router.get(
    "/",
    auth=READ,
    url_name="leagues",
    response={200: Leagues, **may_refuse(400, 404)},
    summary="Read all leagues of a season",
)
def read_leagues(request: HttpRequest, season: SeasonNumber = None) -> Leagues:
    """The tables of every league of the season that runs or comes next, or of an earlier one."""
    found = _find_season(season)
    reader = _find_reader(request)
    entry = find_entry(reader) if reader is not None else None
    return Leagues(
        season=_write_season(found) if found is not None else None,
        leagues=[_write_table(table) for table in read_tables(found)] if found is not None else [],
        entrants=count_entrants(),
        mine=entry.mage.name if entry is not None else None,
        past=list(list_past_seasons().values_list("number", flat=True)),
    )


@router.get(
    "/{int:league}/",
    auth=READ,
    url_name="league",
    response={200: League, **may_refuse(400, 404)},
    summary="Read a league",
)
def read_league(
    request: HttpRequest,
    league: Annotated[int, Path(ge=1, le=MOST)],
    season: SeasonNumber = None,
) -> League:
    """The table of a league and every duel, with the turn and the time used of those that run."""
    found = _find_season(season)
    group = find_group(found.number, league) if found is not None else None
    if group is None:
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_league", _("There is no such league.")))
    page = read_group_page(group=group, reader=_find_reader(request), now=timezone.now())
    return League(
        league=league,
        season=_write_season(group.season),
        places=[_write_line(line) for line in page.lines],
        duels=[_write_duel(duel) for duel in page.every_duel],
    )


@router.post(
    "/join/",
    auth=PLAY,
    url_name="league_join",
    response={200: LeagueEntry, **may_refuse(400, 403, 409, 413, 415, 422)},
    summary="Join the league",
)
def join_league(request: HttpRequest, sent: JoinLeague) -> LeagueEntry:
    """Enter the league with one of your mages, until you leave or lose your place."""
    user, now = caller_of(request), timezone.now()
    try:
        mage = get_mage_for_user(user=user, name=sent.mage)
    except NoSuchMage as error:
        raise Refusal(refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error))) from error
    begins_at = read_sign_up().begins_at
    sign_up(user=user, mage=mage, now=now)
    return LeagueEntry(mage=mage.name, begins_at=begins_at)


@router.post(
    "/leave/",
    auth=PLAY,
    url_name="league_leave",
    response={200: LeagueEntry, **may_refuse(400, 409, 413, 415, 422)},
    summary="Leave the league",
)
def leave_league(request: HttpRequest, sent: LeaveLeague) -> LeagueEntry:
    """Leave the league after the season, which costs nothing, or at once."""
    leave(user=caller_of(request), at_once=sent.at_once, now=timezone.now())
    return LeagueEntry(mage=None, begins_at=None)


def _find_reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _find_season(number: int | None) -> Season | None:
    """Return the season with this number, or the one that runs or comes next. Raises Refusal."""
    if number is None:
        return find_open_season()
    season = find_season(number)
    if season is None:
        words = _("There is no season %(number)s of the league.") % {"number": number}
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_league", words))
    return season


def _write_season(season: Season) -> LeagueSeason:
    return LeagueSeason(
        season=season.number,
        begins_at=season.begins_at,
        ends_at=season.ends_at,
        round=season.round,
        drawn=season.drawn_at is not None,
        over=season.closed_at is not None,
    )


def _write_table(table: GroupTable) -> LeagueTable:
    return LeagueTable(league=table.group.tier, places=[_write_line(line) for line in list_lines(table, None, {})])


def _write_line(line: Line) -> LeaguePlace:
    return LeaguePlace(
        rank=line.rank,
        mage=line.mage.name,
        user=str(line.user),
        points=float(line.points),
        played=line.played,
        form=line.form,
        late_turns=line.late_turns,
        leads=line.zone or "stay",
        left=line.place.left_at is not None,
        away=line.away_until is not None,
    )


def _write_duel(duel: Duel) -> LeagueDuel:
    pairing = duel.pairing
    used = [None if side.used is None else int(side.used.total_seconds()) for side in (duel.mine, duel.other)]
    return LeagueDuel(
        round=duel.round,
        begins_at=duel.begins_at,
        first=duel.mine.name,
        second=duel.other.name,
        battle=duel.number,
        turn=duel.turn or None,
        result=pairing.result or None,
        decided_by=pairing.decided_by or None,
        first_used=used[0],
        second_used=used[1],
    )


# The response to each error of the services.
REFUSALS: Refusals = {LeagueRefused: refuse_as(HTTPStatus.CONFLICT, "refused")}
