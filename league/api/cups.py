"""The API of cups."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Path, Router
from pydantic import Field

from accounts.api_access import PLAY, READ, caller_of
from accounts.errors import NoSuchMage
from accounts.models import User
from accounts.selectors.names import get_mage_for_user
from league.cup_words import name_cup
from league.errors import CupRefused
from league.models import Cup as CupRow
from league.models import Place
from league.selectors.cup_boards import Board, Round, list_rounds
from league.selectors.cups import (
    find_cup,
    find_own_place,
    list_entrants,
    list_next_cups,
    list_past_cups,
    list_running_cups,
)
from league.selectors.evening_tables import find_end_of_round, rank_evening
from league.selectors.round_robins import read_bot_groups
from league.services.cup_places import join_cup, leave_cup
from operations.web.api_schema import Incoming, Outgoing, may_refuse, show
from operations.web.problems import Refusal, Refusals, refuse, refuse_as

router = Router(tags=["Cups"])
MOST = 2**31 - 1
PAST_CUPS = 24


class CupFacts(Outgoing):
    """A cup."""

    cup: int
    name: str
    kind: str = Field(description="`knockout` or `evening`, of people, or `round-robin`, of bots.")
    state: str = Field(description="`open` to join, `running`, `over` or `cancelled`.")
    places: int = Field(description="How many there are: 8 or 16; for bots 64.")
    bots: bool = Field(description="Whether bots fill free places.")
    begins_at: datetime
    round: int = Field(description="The last round that has begun; 0 before the first.")
    winner: str | None = Field(description="The mage who won it.")


class CupSeat(Outgoing):
    """One side of a board."""

    mage: str | None = Field(description="Null: not known yet, or nobody.")
    result: str | None = Field(description="`W`, `L` or `D`; null: not decided.")


class CupBoard(Outgoing):
    """A duel of a cup, or one to come; one side alone has a bye."""

    sides: list[CupSeat]
    battle: int | None = Field(description="The number of its battle; after a draw in a knock-out, that of the second.")
    decided: bool
    your_move: bool


class CupRound(Outgoing):
    """A round of a cup."""

    round: int
    title: str
    state: str = Field(description="`over`, `now` or `next`.")
    boards: list[CupBoard]


class CupLine(Outgoing):
    """A line of the table of a live evening or round robin."""

    mage: str
    user: str
    points: float
    opponents: float = Field(
        description="Of equal points: in an evening the points of all opponents; in a round robin those of the ones "
        "beaten, and half those of the ones drawn with."
    )
    left: bool
    group: int = Field(description="Of a round robin, from 1; 1 in an evening.")
    counts: bool = Field(
        description="False for a bot that left a round robin before half of its duels: it has no rank."
    )


class Cup(CupFacts):
    """A cup with all that is in it."""

    entrants: list[str] = Field(description="The mages who are in.")
    mine: str | None = Field(description="Your mage; null if you are not in it.")
    round_ends_at: datetime | None = Field(
        description="When the round of an evening or round robin ends at the latest."
    )
    rounds: list[CupRound]
    table: list[CupLine] = Field(description="Of an evening or round robin, best first, group after group.")


class Cups(Outgoing):
    """The cups of the site."""

    open: list[CupFacts] = Field(description="To join now.")
    running: list[CupFacts]
    past: list[CupFacts] = Field(description="Over or cancelled, the last one first.")


class JoinCup(Incoming, json_schema_extra=show({"mage": "Bung"})):
    """How you join."""

    mage: str = Field(max_length=20, description="One of your living mages.")


class CupPlace(Outgoing):
    """Whether you are in a cup."""

    mage: str | None = Field(description="Null: you are not in it.")


CupNumber = Annotated[int, Path(ge=1, le=MOST)]


@router.get("/", auth=READ, url_name="cups", response={200: Cups, **may_refuse()}, summary="List the cups")
def list_cups(request: HttpRequest) -> Cups:
    """The cups that you can join, those that run, and the last ones."""
    return Cups(
        open=[_write_cup(each.cup, None) for each in list_next_cups(None, now=timezone.now())],
        running=[_write_cup(each, None) for each in list_running_cups()],
        past=[_write_cup(each.cup, each.winner) for each in list_past_cups(limit=PAST_CUPS)],
    )


@router.get("/{int:cup}/", auth=READ, url_name="cup", response={200: Cup, **may_refuse(400, 404)}, summary="Read a cup")
def read_cup(request: HttpRequest, cup: CupNumber) -> Cup:
    """Who is in a cup, its rounds with their boards, and the table of a live evening or round robin."""
    found, now = _get_cup(cup), timezone.now()
    reader = request.user if isinstance(request.user, User) else None
    own = find_own_place(found, reader)
    places = list_entrants(found)
    has_begun = found.started_at is not None
    facts = _write_cup(found, next((place for place in places if place.rank == 1), None))
    return Cup(
        **facts.model_dump(),
        entrants=[place.mage.name for place in places],
        mine=own.mage.name if own is not None and own.left_at is None else None,
        round_ends_at=find_end_of_round(found, now) if found.is_running and found.is_live else None,
        rounds=[_write_round(each) for each in list_rounds(found, reader)] if has_begun else [],
        table=_write_table(found) if has_begun else [],
    )


@router.post(
    "/{int:cup}/join/",
    auth=PLAY,
    url_name="cup_join",
    response={200: CupPlace, **may_refuse(400, 403, 404, 409, 413, 415, 422)},
    summary="Join a cup",
)
def enter_cup(request: HttpRequest, cup: CupNumber, sent: JoinCup) -> CupPlace:
    """Take a place in a cup that has not begun, or let another mage of yours play. Bots of users enter the weekly
    round robin, one for each owner; people join the other cups."""
    user = caller_of(request)
    try:
        mage = get_mage_for_user(user=user, name=sent.mage)
    except NoSuchMage as error:
        raise Refusal(refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error))) from error
    place = join_cup(user=user, cup_id=_get_cup(cup).pk, mage=mage, now=timezone.now())
    return CupPlace(mage=place.mage.name)


@router.post(
    "/{int:cup}/leave/",
    auth=PLAY,
    url_name="cup_leave",
    response={200: CupPlace, **may_refuse(400, 404, 409, 413, 415, 422)},
    summary="Leave a cup",
)
def withdraw_from_cup(request: HttpRequest, cup: CupNumber) -> CupPlace:
    """Withdraw before it begins, at no cost; later your running duel is lost, unrated, and you are out."""
    leave_cup(user=caller_of(request), cup_id=_get_cup(cup).pk, now=timezone.now())
    return CupPlace(mage=None)


def _get_cup(number: int) -> CupRow:
    """Return the cup with this number. Raises Refusal."""
    found = find_cup(number)
    if found is None:
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_cup", _("There is no such cup.")))
    return found


def _write_cup(cup: CupRow, winner: Place | None) -> CupFacts:
    state = "cancelled" if cup.is_cancelled else "over" if cup.is_over else "running" if cup.is_running else "open"
    return CupFacts(
        cup=cup.pk,
        name=name_cup(cup.kind, cup.begins_at),
        kind=cup.kind,
        state=state,
        places=cup.size,
        bots=cup.has_bots,
        begins_at=cup.begins_at,
        round=cup.round,
        winner=winner.mage.name if winner is not None else None,
    )


def _write_round(shown: Round) -> CupRound:
    boards = [_write_board(board) for board in shown.boards]
    return CupRound(round=shown.number, title=shown.title, state=shown.state, boards=boards)


def _write_board(board: Board) -> CupBoard:
    sides = [CupSeat(mage=seat.name if seat.is_known else None, result=seat.letter or None) for seat in board.seats]
    return CupBoard(sides=sides, battle=board.number or None, decided=board.is_decided, your_move=board.owes)


def _write_table(cup: CupRow) -> list[CupLine]:
    if cup.is_evening:
        lines = rank_evening(cup)
        return [_write_line(line.place, points=line.row.points, opponents=line.row.strength) for line in lines]
    if not cup.is_round_robin:
        return []
    return [
        _write_line(
            line.place, points=float(line.row.points), opponents=float(line.row.sonneborn_berger), group=group.number
        )
        for group in read_bot_groups(cup)
        for line in group.lines
    ]


def _write_line(place: Place, *, points: float, opponents: float, group: int = 1) -> CupLine:
    return CupLine(
        mage=place.mage.name,
        user=str(place.user),
        points=points,
        opponents=opponents,
        left=place.left_at is not None,
        group=group,
        counts=not place.is_void,
    )


# The response to each error of the services.
REFUSALS: Refusals = {CupRefused: refuse_as(HTTPStatus.CONFLICT, "refused")}
