"""Find the computer opponents."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from accounts.bots import BOTS, describe_bot
from accounts.models import Mage, User

MATCHES = Path(__file__).parents[1] / "bot_matches.json"


@dataclass(frozen=True)
class BotChoice:
    """A bot to choose: its strength, the user's name, and in brief how it plays."""

    strength: str
    name: str
    words: str


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
    """Return the living mages of the bot of that strength, in any case; none if there is no such bot."""
    found = Mage.objects.filter(user__is_bot=True, user__is_active=True, user__bot_strength__iexact=strength.strip())
    return list(found.filter(died_at=None).exclude(user__bot_strength="").select_related("user").order_by("pk"))


@dataclass(frozen=True)
class BotMatch:
    """A match that was played without a site (docs/bots/protocol.md): the stronger bot's share of the points in
    percent, right within `margin` with 95 %."""

    stronger: str
    weaker: str
    share: float
    margin: float
    battles: int


@cache
def list_bot_matches() -> tuple[BotMatch, ...]:
    """Return the matches that measured the site's bots, the strongest first."""
    return tuple(BotMatch(**match) for match in json.loads(MATCHES.read_text())["matches"])
