"""Find the computer opponents, and the challenges that they offer or may join."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, QuerySet

from accounts.arms.blazons import blazon_bot
from accounts.bots import BOTS, BY_STRENGTH, describe_bot
from accounts.models import Mage, User
from challenges.models import Challenge
from duels.paces import OWN, PACES
from duels.terms import Terms, list_offers
from ladder.pool import list_pool_results
from ladder.stakes import FRIENDLY


@dataclass(frozen=True)
class BotChoice:
    """A bot to choose: its strength, its user's name, and a brief description of how it plays."""

    strength: str
    name: str
    words: str

    @property
    def arms(self) -> str:
        return blazon_bot(self.name, self.strength)


def list_bots() -> list[BotChoice]:
    """Return the bots of this site, the weakest first."""
    names = dict(User.objects.filter(is_bot=True, is_active=True).values_list("bot_strength", "username"))
    return [
        BotChoice(bot.strength, names[bot.strength], describe_bot(bot.strength))
        for bot in BOTS
        if bot.strength in names
    ]


def list_bot_names() -> list[str]:
    """Return the strengths of the bots of this site, the weakest first."""
    return [bot.strength for bot in list_bots()]


def list_mages_of_bot(strength: str) -> list[Mage]:
    """Return the living mages of the bot of that strength (in upper or lower case); none if there is no such bot."""
    mages = Mage.objects.filter(user__is_bot=True, user__is_active=True, user__bot_strength__iexact=strength.strip())
    return list(mages.filter(died_at=None).exclude(user__bot_strength="").select_related("user").order_by("pk"))


@dataclass(frozen=True)
class BotChallenge:
    """An open challenge that a bot offers to anyone: its pace, the bot's strength, and the terms."""

    pace: str
    strength: str
    terms: Terms


def list_wanted_challenges(bots: Sequence[str]) -> list[BotChallenge]:
    """Return the open challenge that one of these bots should offer at each pace.

    Successive challenges at a pace have different rules and bots, so that every combination comes up.
    """
    if not bots:
        return []
    offers = list_offers()
    made = Challenge.objects.exclude(bot_pace="").exclude(status=Challenge.Status.OPEN).order_by()
    rounds = dict(made.values_list("bot_pace").annotate(Count("pk")))
    return [
        BotChallenge(
            pace,
            bots[(place + turn) % len(bots)],
            Terms(ruleset=offers[(place + turn) % len(offers)].name, pace=pace, stakes=FRIENDLY),
        )
        for place, pace in enumerate((OWN, *PACES))
        for turn in (rounds.get(pace, 0),)
    ]


def list_bot_challenges() -> list[Challenge]:
    """Return the open challenges that bots offer."""
    held = Challenge.objects.filter(status=Challenge.Status.OPEN).exclude(bot_pace="")
    return list(held.select_related("challenger__user"))


def list_challenges_open_to_bots(*, number: int | None = None) -> "QuerySet[Challenge]":
    """Return the open challenges with a free seat that bots may take, the oldest first; with `number` only that one."""
    open_to_bots = Challenge.objects.filter(
        status=Challenge.Status.OPEN,
        terms__bots_may_join=True,
        mages_per_user__isnull=False,
        seats_taken__lt=F("limit"),
        bot_pace="",
    )
    if number is not None:
        open_to_bots = open_to_bots.filter(number=number)
    return open_to_bots.select_related("challenger").order_by("number")


@dataclass(frozen=True)
class BotMatch:
    """A match that was played offline (docs/bots/protocol.md): the stronger bot's share of the points in
    percent, right within `margin` with 95 %."""

    stronger: str
    weaker: str
    share: float
    margin: float
    battles: int


def list_bot_matches() -> tuple[BotMatch, ...]:
    """Return the matches that measured the site's bots, the strongest first."""
    return tuple(
        BotMatch(each.bot, each.program, each.share, each.margin, each.games)
        for each in reversed(list_pool_results())
        if each.program in BY_STRENGTH
    )
