"""The API of battles: read a battle, read its events after number n, send orders, chat."""

from http import HTTPStatus
from typing import Annotated, Literal

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from ninja import Query, Router

from accounts.api_access import PLAY, READ, READ_OWN, caller_of
from accounts.models import User
from duels.api import schema as api_schema
from duels.api.battle_json import (
    write_battle_event,
    write_chat,
    write_current_stage,
    write_problem,
    write_proof,
    write_receipt,
    write_summary,
)
from duels.api.battle_stream import show_battle
from duels.errors import (
    BattleNotFound,
    CannotChat,
    IllegalOrders,
    InvalidOrders,
    NothingToOrder,
    NotYourCombatant,
    OrdersFinal,
    StaleOrders,
    TooLate,
    UnreadableBattle,
)
from duels.keys import StageKey
from duels.order_form import SURRENDER, read_stage
from duels.problem_list import limit_problems
from duels.selectors.battle_lists import list_battles_by_number, list_own_battles
from duels.selectors.chat import get_chat_for_reader
from duels.selectors.events import events_after
from duels.selectors.featured import find_battle_of_the_week, list_featured_battles
from duels.selectors.proof import get_proof_for_anyone
from duels.selectors.spectators import count_spectators
from duels.selectors.stage_keys import describe_current_stage
from duels.selectors.viewer import find_battle, get_combatant_for_user
from duels.services.chat import write_chat_line
from duels.services.orders import submit_orders
from operations.web.api_schema import MOST_NUMBER, STREAM, may_refuse
from operations.web.arrival import find_arrival
from operations.web.once import make_once_key
from operations.web.problems import Refusals, refuse, refuse_as

FINISHED_IN_LIST = 20
MOST_TO_WATCH = 20
router = Router(tags=["Battles"])


@router.get(
    "/",
    auth=READ_OWN,
    url_name="battles",
    response={200: api_schema.Battles, **may_refuse()},
    summary="List your battles",
)
def list_battles(request: HttpRequest) -> api_schema.Battles:
    """Your running battles, those waiting for you first, and then the last 20 that ended."""
    own = list_own_battles(caller_of(request), finished=FINISHED_IN_LIST)
    return api_schema.Battles(battles=[write_summary(row) for row in (*own.running, *own.finished)])


@router.get(
    "/watch/",
    auth=READ,
    url_name="battle_watch",
    response={200: api_schema.WatchedBattles, **may_refuse()},
    summary="List battles to watch",
)
def list_battles_to_watch(request: HttpRequest) -> api_schema.WatchedBattles:
    """Live battles by number of spectators, then those with a turn in the last ten minutes; and the battle of the
    week. The exhibition of the bots is no battle, and only on pages."""
    now = timezone.now()
    numbers = list_featured_battles(now=now)[:MOST_TO_WATCH]
    reader = request.user if isinstance(request.user, User) else None
    rows = {row.number: row for row in list_battles_by_number(numbers, reader)}
    spectators = count_spectators(rows)
    return api_schema.WatchedBattles(
        battles=[
            api_schema.WatchedBattle(battle=write_summary(rows[number]), spectators=spectators[number])
            for number in numbers
            if number in rows
        ],
        week=find_battle_of_the_week(now=now),
    )


@router.get(
    "/{int:number}/",
    auth=READ,
    url_name="battle",
    response={200: api_schema.Battle, **may_refuse(404)},
    summary="Read a battle",
)
def read_battle(
    request: HttpRequest,
    number: int,
    mage: Annotated[str | None, Query(description="Which of your mages to show the orders of.")] = None,
) -> api_schema.Battle:
    """The battle as you see it. If you poll, compare `key`, `waiting_for`, `status` and `time`."""
    return show_battle(number=number, user=request.user, mage=mage)


@router.get(
    "/{int:number}/stream/",
    auth=READ_OWN,
    url_name="battle_stream",
    response={200: api_schema.Battle, **may_refuse(404)},
    openapi_extra={"responses": {200: STREAM, 204: {"description": "You have seen the end: don't connect again"}}},
    summary="Follow a battle",
)
def follow_battle(
    request: HttpRequest,
    number: int,
    mage: Annotated[str | None, Query(description="Which of your mages to show the orders of.")] = None,
) -> api_schema.Battle:
    """Every state of a battle as you see it, yours or another.

    With `Accept: text/event-stream` (or without `Accept`) the answer is a stream of Server-Sent Events: the battle, and
    the battle again whenever it changes for you, until it is over. With `Last-Event-ID` it begins with the first state
    that you do not have. With `Accept: application/json` the answer is the battle now, as from `GET /battles/12/`.
    """
    return show_battle(number=number, user=request.user, mage=mage)


@router.get(
    "/{int:number}/events/",
    auth=READ,
    url_name="battle_events",
    response={200: api_schema.Events, **may_refuse(400, 404)},
    summary="Read what happened in a battle",
)
def read_events(
    request: HttpRequest,
    number: int,
    after: Annotated[int, Query(ge=0, lt=10**9, description="The number of the last event that you have.")] = 0,
    view: Annotated[
        Literal["mine", "all"], Query(description="`all` shows everything after the end, with its own numbers.")
    ] = "mine",
) -> api_schema.Events:
    """What has happened since your event `after`, in words, with the rule behind it. Events keep their numbers when the
    battle ends. If a janitor rewinds a turn, its events disappear, and their numbers are not used again."""
    battle = find_battle(number=number)
    events = events_after(battle=battle, user=request.user, n=after, everything=view == "all")
    return api_schema.Events(
        **dict(write_current_stage(describe_current_stage(battle))),
        events=[write_battle_event(each) for each in events],
    )


@router.get(
    "/{int:number}/proof/",
    auth=READ,
    url_name="battle_proof",
    response={200: api_schema.Proof, **may_refuse(404)},
    summary="Read the commitments of a battle",
)
def read_proof(request: HttpRequest, number: int) -> api_schema.Proof:
    """The commitments, the same for every caller. After the end the record opens them."""
    return write_proof(get_proof_for_anyone(number=number))


@router.post(
    "/{int:number}/orders/",
    auth=PLAY,
    url_name="battle_orders",
    response={200: api_schema.Receipt, **may_refuse(400, 404, 409, 413, 415, 422)},
    summary="Send orders",
)
def send_orders(request: HttpRequest, number: int, sent: api_schema.NewOrders) -> api_schema.Receipt:
    """Submit orders for one of your mages. The answer is the receipt."""
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=sent.mage)
    stage = read_stage(sent.key) if sent.key is not None else None
    receipt = submit_orders(
        combatant=combatant,
        text=sent.orders,
        via="api",
        now=timezone.now(),
        stage=StageKey(*stage) if stage else None,
        ready=sent.ready,
        replace=sent.replace,
        arrived_at=find_arrival(request),
    )
    return write_receipt(receipt)


@router.post(
    "/{int:number}/resign/",
    auth=PLAY,
    url_name="battle_resign",
    response={200: api_schema.Receipt, **may_refuse(400, 404, 409, 413, 415, 422)},
    summary="Surrender",
)
def surrender(request: HttpRequest, number: int, sent: api_schema.NewSurrender) -> api_schema.Receipt:
    """Order both palms for one of your mages, in place of their other orders, and make that ready: they surrender when
    the turn resolves. It costs what a surrender costs with these stakes; the receipt's warning says it. Until then you
    can still send other orders, unless the terms make orders final."""
    receipt = submit_orders(
        combatant=get_combatant_for_user(number=number, user=request.user, mage_name=sent.mage),
        text=SURRENDER,
        via="api",
        now=timezone.now(),
        stage=read_stage(sent.key) if sent.key is not None else None,
        ready=True,
        replace=True,
        arrived_at=find_arrival(request),
    )
    return write_receipt(receipt)


@router.get(
    "/{int:number}/chat/",
    auth=READ,
    url_name="battle_chat",
    response={200: api_schema.Chat, **may_refuse(400, 404)},
    summary="Read the chat",
)
def read_chat(
    request: HttpRequest,
    number: int,
    before: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="Only lines before this one.")] = None,
) -> api_schema.Chat:
    """What was written beside a battle. Until it ends you read the room that you write in, and then both rooms."""
    return write_chat(get_chat_for_reader(number=number, user=request.user, now=timezone.now(), before=before))


@router.post(
    "/{int:number}/chat/",
    auth=PLAY,
    url_name="battle_chat",
    response={200: api_schema.Chat, **may_refuse(400, 404, 409, 413, 415, 422)},
    summary="Write in the chat",
)
def say_in_chat(request: HttpRequest, number: int, sent: api_schema.NewChatLine) -> api_schema.Chat:
    """Write a line into your room. Send an `Idempotency-Key`, and a second copy writes nothing more."""
    user, now = caller_of(request), timezone.now()
    write_chat_line(
        battle=find_battle(number=number),
        user=user,
        text=sent.text,
        phrase=sent.phrase,
        once=make_once_key(),
        now=now,
    )
    return write_chat(get_chat_for_reader(number=number, user=user, now=now))


def _refuse_orders(request: HttpRequest, error: InvalidOrders | IllegalOrders) -> JsonResponse:
    code = "not_understood" if isinstance(error, InvalidOrders) else "not_allowed"
    shown = limit_problems(error.problems, size=len(request.body))
    message = "; ".join(each.message for each in shown)
    problems = [write_problem(each) for each in shown]
    return refuse(HTTPStatus.UNPROCESSABLE_ENTITY, code, message, problems=problems)


def _refuse_late(request: HttpRequest, error: StaleOrders | NothingToOrder) -> JsonResponse:
    code = "stale" if isinstance(error, StaleOrders) else "nothing_to_order"
    return refuse(HTTPStatus.CONFLICT, code, str(error), now=write_current_stage(error.now).model_dump())


def _refuse_mage(request: HttpRequest, error: NotYourCombatant) -> JsonResponse:
    return refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error), mages=list(error.mages))


# The response to each error of the services.
REFUSALS: Refusals = {
    BattleNotFound: refuse_as(HTTPStatus.NOT_FOUND, "no_battle"),
    UnreadableBattle: refuse_as(HTTPStatus.SERVICE_UNAVAILABLE, "unreadable"),
    NotYourCombatant: _refuse_mage,
    CannotChat: refuse_as(HTTPStatus.CONFLICT, "cannot_chat"),
    TooLate: refuse_as(HTTPStatus.CONFLICT, "too_late"),
    OrdersFinal: refuse_as(HTTPStatus.CONFLICT, "final"),
    InvalidOrders: _refuse_orders,
    IllegalOrders: _refuse_orders,
    StaleOrders: _refuse_late,
    NothingToOrder: _refuse_late,
}
