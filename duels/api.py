"""The API of battles: read a battle, read its events after number n, send orders. Pages that poll use it too."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from duels.api_access import api_call
from duels.api_json import limit_problems, write_battle, write_current_stage, write_problem, write_receipt, write_told
from duels.errors import (
    IllegalOrders,
    InvalidOrders,
    NothingRecorded,
    NothingToOrder,
    OrdersFinal,
    RecordSealed,
    StaleOrders,
)
from duels.keys import StageKey
from duels.order_form import read_stage
from duels.selectors import (
    NOTHING,
    BattleView,
    count_events,
    describe_current_stage,
    events_after,
    find_battle,
    get_battle_for_viewer,
    get_combatant_for_user,
    get_record_after_end,
    get_story_for_anybody,
    get_table_for_anybody,
    read_battle_clocks,
)
from duels.services import submit_orders
from fm_site.operations.problems import refuse

JSON = "application/json"
LONGEST_BODY = 16_000
DEEPEST = 8
HALF = re.compile("[\ud800-\udfff]")
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
BRACKETS = re.compile(rb"[\[\]{}]")


@api_call("GET", "HEAD")
def read_battle(request: HttpRequest, number: int) -> JsonResponse:
    """Return the battle as the caller may see it; `?mage=` chooses the mage in hand."""
    mage_name = request.GET.get("mage")
    view = get_battle_for_viewer(number=number, user=request.user, mage_name=mage_name, draft="", window=NOTHING)
    return JsonResponse(write_battle(view, time=mark_time(view), events=count_events(view)))


def mark_time(view: BattleView) -> str | None:
    """Return the time mark of this viewer, as on their page; None once the battle is over."""
    if view.over:
        return None
    return read_battle_clocks(view, now=timezone.now()).mark(view.clocks)


@api_call("GET", "HEAD")
def read_events(request: HttpRequest, number: int) -> JsonResponse:
    """Return the events after the caller's number `?after=`. After the end, `?view=all` returns and numbers all."""
    after = request.GET.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) < 9):
        return refuse(HTTPStatus.BAD_REQUEST, "after", _('"after" must be the number of the last event you have.'))
    battle = find_battle(number=number)
    told = events_after(battle=battle, user=request.user, n=int(after), everything=request.GET.get("view") == "all")
    return JsonResponse(
        write_current_stage(describe_current_stage(battle)) | {"events": [write_told(each) for each in told]}
    )


@api_call("GET", "HEAD")
def read_table(request: HttpRequest, number: int) -> JsonResponse:
    """Return the battle as a table (SHOW), the same for every caller."""
    del request
    return JsonResponse({"battle": number, "table": get_table_for_anybody(number=number)})


@api_call("GET", "HEAD")
def read_story(request: HttpRequest, number: int) -> JsonResponse:
    """Return the battle as a story (DESCRIBE), the same for every caller."""
    del request
    return JsonResponse({"battle": number, "story": get_story_for_anybody(number=number)})


@api_call("GET", "HEAD")
def read_record(request: HttpRequest, number: int) -> JsonResponse:
    """Return the record (docs/game-record.md) that replays the battle; only after the end."""
    del request
    try:
        return JsonResponse({"battle": number, "record": get_record_after_end(number=number)})
    except (RecordSealed, NothingRecorded) as error:
        code = "not_over" if isinstance(error, RecordSealed) else "not_played"
        return refuse(HTTPStatus.CONFLICT, code, str(error))


@api_call("POST")
def send_orders(request: HttpRequest, number: int) -> JsonResponse:
    """Submit orders: `{"orders": text, "ready": bool, "mage": name, "key": "seq.attempt.stage", "replace": bool}`.

    Only `orders` is required. Without `key` the orders count for the stage that is open when they arrive, so a caller
    that may retry should send it. Returns the receipt.
    """
    if not request.user.is_authenticated:
        find_battle(number=number)
        answer = refuse(HTTPStatus.UNAUTHORIZED, "log_in", _("Log in or send a token to submit orders."))
        answer["WWW-Authenticate"] = "Bearer"
        return answer
    body = read_body(request)
    if isinstance(body, JsonResponse):
        return body
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=body.mage)
    try:
        receipt = submit_orders(
            combatant=combatant,
            text=body.orders,
            via="api",
            now=timezone.now(),
            stage=body.key,
            ready=body.ready,
            replace=body.replace,
        )
    except (InvalidOrders, IllegalOrders) as error:
        code = "not_understood" if isinstance(error, InvalidOrders) else "not_allowed"
        told = limit_problems(error.problems, size=len(request.body))
        message = "; ".join(each.message for each in told)
        problems = [write_problem(each) for each in told]
        return refuse(HTTPStatus.UNPROCESSABLE_ENTITY, code, message, problems=problems)
    except (StaleOrders, NothingToOrder) as error:
        code = "stale" if isinstance(error, StaleOrders) else "nothing_to_order"
        return refuse(HTTPStatus.CONFLICT, code, str(error), now=write_current_stage(error.now))
    except OrdersFinal as error:
        return refuse(HTTPStatus.CONFLICT, "final", str(error))
    return JsonResponse(write_receipt(receipt))


@dataclass(frozen=True)
class Body:
    """The validated body of send_orders."""

    orders: str
    ready: bool | None
    mage: str | None
    key: StageKey | None
    replace: bool


def read_body(request: HttpRequest) -> Body | JsonResponse:
    """Return the body of send_orders, or an error response that names every problem."""
    data = read_object(request, _problems)
    if isinstance(data, JsonResponse):
        return data
    stage = read_stage(data["key"]) if "key" in data else None
    return Body(
        orders=data["orders"],
        ready=data.get("ready"),
        mage=data.get("mage"),
        key=StageKey(*stage) if stage else None,
        replace=data.get("replace", False),
    )


def read_object(
    request: HttpRequest, find_problems: Callable[[dict[str, Any]], list[str]]
) -> dict[str, Any] | JsonResponse:
    """Return the body as a JSON object in which `find_problems` finds none, or an error response that names every
    problem. Size and depth are checked before parsing."""
    if request.content_type not in ("", JSON):
        return refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not_json", _("Send the body as %(type)s.") % {"type": JSON})
    try:
        raw = request.body
    except RequestDataTooBig:
        raw = None
    if raw is None or len(raw) > LONGEST_BODY:
        detail = _("The body is longer than %(most)s bytes.") % {"most": LONGEST_BODY}
        return refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body_too_long", detail)
    problems = [] if is_shallow(raw) else [_("The body is nested more than %(most)s levels deep.") % {"most": DEEPEST}]
    data: Any = None
    if not problems:
        try:
            data = json.loads(raw.decode())
        except ValueError:
            problems = [_("The body is not JSON.")]
        else:
            problems = find_problems(data) if isinstance(data, dict) else [_("The body is not a JSON object.")]
    if problems:
        return refuse(HTTPStatus.BAD_REQUEST, "body", " ".join(problems), problems=problems)
    found: dict[str, Any] = data
    return found


def is_shallow(raw: bytes) -> bool:
    """Say whether the nesting of brackets outside strings is within the limit."""
    depth = 0
    for bracket in BRACKETS.findall(STRING.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            return False
    return True


def find_wrong_members(data: Mapping[str, Any], kinds: Mapping[str, tuple[type, ...]]) -> list[str]:
    """Return a sentence for each member that is not in `kinds` or has another type."""
    found = [_('"%(name)s" is unknown.') % {"name": name} for name in sorted(set(data) - set(kinds))]
    return found + [
        _('"%(name)s" has the wrong type.') % {"name": name}
        for name in kinds
        if name in data and not isinstance(data[name], kinds[name])
    ]


def _problems(data: dict[str, Any]) -> list[str]:
    kinds = {
        "orders": (str,),
        "ready": (bool, type(None)),
        "mage": (str, type(None)),
        "key": (str,),
        "replace": (bool,),
    }
    found = find_wrong_members(data, kinds)
    if "orders" not in data:
        found.append(_('"orders" is missing. Put the text of the orders there.'))
    if isinstance(data.get("key"), str) and read_stage(data["key"]) is None:
        found.append(_('"key" must look like 8.0.0: seq, attempt and stage.'))
    return [*found, *find_unwritable(data, ("orders", "mage"))]


def find_unwritable(data: dict[str, Any], names: Iterable[str]) -> list[str]:
    """Return problems with NUL and unpaired surrogates, which JSON allows and the database does not."""
    texts = {name: data[name] for name in names if isinstance(data.get(name), str)}
    half, nul = _('"%(name)s" contains half a character.'), _('"%(name)s" contains a NUL character.')
    found = [half % {"name": name} for name, text in texts.items() if HALF.search(text)]
    return [*found, *(nul % {"name": name} for name, text in texts.items() if "\0" in text)]
