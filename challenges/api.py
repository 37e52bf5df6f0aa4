"""The API for finding an opponent: a battle against a bot (docs/api.md)."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.errors import AccountsError, NoSuchMage
from accounts.models import User
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


def _find_problems(data: dict[str, Any]) -> list[str]:
    found = [*find_wrong_members(data, KINDS), *find_unwritable(data, KINDS)]
    return found if "strength" in data else [*found, _('"strength" is missing. Name a bot there.')]
