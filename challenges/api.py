"""The API for finding an opponent: a battle against a bot, and becoming a bot (docs/api.md)."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import AccountsError, CannotBecomeBot, NoSuchMage
from accounts.models import User
from accounts.services import become_bot
from challenges.errors import ChallengeRefused
from challenges.views.play import Wish, start_play
from duels.api import find_unwritable, find_wrong_members, read_object
from duels.api_access import api_call
from duels.errors import InvalidTerms
from fm_site.operations.problems import refuse

KINDS = {
    "strength": (str,),
    "ruleset": (str,),
    "pace": (str,),
    "rated": (bool,),
    "mage": (str,),
    "hit_points": (int,),
    "bot_hit_points": (int,),
    "bots_surrender": (bool,),
}


@api_call("POST")
def start_by_api(request: HttpRequest) -> JsonResponse:
    """Start a battle against a bot: `{"strength": "Warder", "ruleset": name, "pace": name, "mage": name,
    "rated": false}`.

    Only `strength` is required. `hit_points` and `bot_hit_points` give a handicap; with `bots_surrender` false, the bot
    never gives up. Returns the number of the battle.
    """
    if not isinstance(request.user, User):
        answer = refuse(HTTPStatus.UNAUTHORIZED, "log_in", _("Log in or send a token to play."))
        answer["WWW-Authenticate"] = "Bearer"
        return answer
    data = read_object(request, _find_problems)
    if isinstance(data, JsonResponse):
        return data
    try:
        battle = start_play(request, Wish.of(data))
    except NoSuchMage as error:
        return refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error))
    except (ChallengeRefused, InvalidTerms, AccountsError) as error:
        return refuse(HTTPStatus.CONFLICT, "cannot_play", str(error))
    return JsonResponse(
        {"battle": battle.number, "url": reverse("duels:battle", args=[battle.number])}, status=HTTPStatus.CREATED
    )


@api_call("POST")
def become_bot_by_api(request: HttpRequest) -> JsonResponse:
    """Make the caller's account a bot, once and for good: `{"name": "MyBot"}`, the name of the account, confirms it."""
    if not isinstance(request.user, User):
        answer = refuse(HTTPStatus.UNAUTHORIZED, "log_in", _("Log in or send a token."))
        answer["WWW-Authenticate"] = "Bearer"
        return answer
    data = read_object(request, lambda sent: find_wrong_members(sent, {"name": (str,)}))
    if isinstance(data, JsonResponse):
        return data
    name = request.user.username
    if str(data.get("name", "")).lower() != name.lower():
        told = _('This is for good. To confirm it, send the name of your account as "name": %(name)s.')
        return refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "not_confirmed", told % {"name": name})
    try:
        become_bot(user=request.user, now=timezone.now())
    except CannotBecomeBot as error:
        return refuse(HTTPStatus.CONFLICT, "cannot_become_bot", str(error))
    return JsonResponse({"name": name, "bot": True})


def _find_problems(data: dict[str, Any]) -> list[str]:
    found = [*find_wrong_members(data, KINDS), *find_unwritable(data, KINDS)]
    return found if "strength" in data else [*found, _('"strength" is missing. Name a bot there.')]
