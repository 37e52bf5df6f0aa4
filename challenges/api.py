"""The API of challenges, and of battles against the site's bots that begin at once."""

from http import HTTPStatus

from django.http import HttpRequest
from django.urls import reverse
from ninja import Router
from ninja.responses import Status

from accounts.api_access import PLAY
from accounts.errors import AccountsError, NoSuchMage
from challenges import api_schema
from challenges.errors import ChallengeRefused
from challenges.views.play import Wish, start_play
from duels.errors import InvalidTerms
from fm_site.operations.api_schema import may_refuse
from fm_site.operations.problems import Refusal, refuse

router = Router(tags=["Challenges"])


@router.post(
    "/play/",
    auth=PLAY,
    url_name="play",
    response={201: api_schema.Started, **may_refuse(400, 409, 413, 415)},
    summary="Play a bot now",
)
def play_now(request: HttpRequest, sent: api_schema.PlayNow) -> Status[api_schema.Started]:
    """Start a battle against one of the site's bots. Unless it is rated it is practice. Nobody dies, and no score
    changes."""
    try:
        battle = start_play(request, Wish.of(sent.model_dump(exclude_none=True)))
    except NoSuchMage as error:
        raise Refusal(refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error))) from error
    except (ChallengeRefused, InvalidTerms, AccountsError) as error:
        raise Refusal(refuse(HTTPStatus.CONFLICT, "cannot_play", str(error))) from error
    url = reverse("duels:battle", args=[battle.number])
    return Status(HTTPStatus.CREATED, api_schema.Started(battle=battle.number, url=url))
