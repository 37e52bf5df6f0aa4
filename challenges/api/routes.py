"""The API of challenges, of battles against the site's bots that begin at once, and of becoming a bot."""

from dataclasses import asdict
from http import HTTPStatus

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Router
from ninja.responses import Status

from accounts.api_access import BOT, PLAY, READ, caller_of
from accounts.errors import AccountRefused, AccountsError, NoSuchMage
from accounts.models import User
from accounts.services.bots import become_bot
from challenges.api import schema as api_schema
from challenges.errors import ChallengeRefused
from challenges.selectors.bot_ladder import ShownBot, list_bot_rows
from challenges.selectors.bots import list_bot_matches
from challenges.selectors.bots_here import BotHere, list_bots_here
from challenges.services.play_wish import Wish, play_wish
from duels.bot_terms import RATED_RULESET
from ladder.selectors.bots import count_rated_with_bots, find_last_rated_with_bots
from operations.web.api_schema import may_refuse
from operations.web.problems import Refusal, refuse

router = Router(tags=["Challenges"])


@router.post(
    "/play/",
    auth=PLAY,
    url_name="play",
    response={201: api_schema.Started, **may_refuse(400, 409, 413, 415, 422)},
    summary="Play a bot now",
)
def play_now(request: HttpRequest, sent: api_schema.PlayNow) -> Status[api_schema.Started]:
    """Start a battle against one of the site's bots. Unless it is rated it is practice. Nobody dies, and no score
    changes."""
    try:
        wish = Wish.of(sent.model_dump(exclude_none=True))
        number = play_wish(user=caller_of(request), wish=wish, now=timezone.now()).number
    except NoSuchMage as error:
        raise Refusal(refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error))) from error
    except (ChallengeRefused, AccountsError) as error:
        raise Refusal(refuse(HTTPStatus.CONFLICT, "cannot_play", str(error))) from error
    url = reverse("duels:battle", args=[number])
    return Status(HTTPStatus.CREATED, api_schema.Started(battle=number, url=url))


@router.get(
    "/bots/",
    auth=READ,
    url_name="bots",
    response={200: api_schema.Bots, **may_refuse()},
    summary="Read the ladder of bots",
)
def read_bots(request: HttpRequest) -> api_schema.Bots:
    """The ladder of bots, by rating; which bots are online, and on which terms they can be challenged; and the matches
    that measured the site's own bots."""
    reader = request.user if isinstance(request.user, User) else None
    among_bots, with_people = count_rated_with_bots()
    return api_schema.Bots(
        ruleset=RATED_RULESET,
        as_of=find_last_rated_with_bots(),
        battles=api_schema.RatedBattles(among_bots=among_bots, with_people=with_people),
        bots=[_write_row(row) for row in list_bot_rows(today=timezone.now().date())],
        online=[_write_bot_here(row) for row in list_bots_here(reader=reader)],
        matches=[api_schema.Match(**asdict(match)) for match in list_bot_matches()],
    )


@router.post(
    "/account/bot/",
    auth=BOT,
    url_name="become_bot",
    response={200: api_schema.BotAccount, **may_refuse(400, 409, 413, 415, 422)},
    summary="Make your account a bot",
)
def make_bot(request: HttpRequest, sent: api_schema.BecomeBot) -> api_schema.BotAccount:
    """Make the caller's account a bot permanently, before its first battle. Its name confirms it."""
    user = caller_of(request)
    name = user.username
    if sent.name.lower() != name.lower():
        message = _("This is permanent. To confirm it, send the name of your account: %(name)s.") % {"name": name}
        raise Refusal(refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "not_confirmed", message))
    try:
        become_bot(user=user, now=timezone.now())
    except AccountRefused as error:
        raise Refusal(refuse(HTTPStatus.CONFLICT, "cannot_become_bot", str(error))) from error
    return api_schema.BotAccount(name=name, bot=True)


def _write_row(row: ShownBot) -> api_schema.RatedBot:
    bot = row.bot
    return api_schema.RatedBot(
        place=row.place,
        name=bot.name,
        strength=bot.strength or None,
        words=row.words,
        rating=bot.rating,
        about=bot.is_about,
        margin=bot.margin,
        battles=bot.battles,
        url=reverse("user", args=[bot.name]),
    )


def _write_bot_here(row: BotHere) -> api_schema.BotHere:
    return api_schema.BotHere(
        name=row.name,
        strength=row.strength or None,
        mages=list(row.mages),
        rulesets=row.rulesets,
        paces=list(row.paces),
        stakes=list(row.stakes),
        url=reverse("user", args=[row.name]),
    )
