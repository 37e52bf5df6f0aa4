"""The bots that can be challenged now, and on which terms."""

from collections import defaultdict
from dataclasses import dataclass

from accounts.models import Mage, User
from accounts.selectors.hold import list_suspended
from accounts.selectors.ties import find_users_apart_from
from duels.paces import OWN, PACES
from duels.terms import list_rulesets
from ladder.stakes import OFFERED_STAKES
from notifications.selectors.notices import find_choices
from operations.presence import list_programs

# Bots never play for scores.
STAKES_OF_BOTS = tuple(word for word, stake in OFFERED_STAKES.items() if not stake.scores)


@dataclass(frozen=True)
class BotHere:
    """A bot that is here: its free mages, and what can be played with it. The site's own bots have a `strength`, and
    play at once."""

    name: str
    strength: str
    mages: tuple[str, ...]

    @property
    def rulesets(self) -> list[str]:
        return [name for name, _title in list_rulesets()]

    @property
    def paces(self) -> tuple[str, ...]:
        return (OWN, *PACES) if self.strength else PACES

    @property
    def stakes(self) -> tuple[str, ...]:
        return STAKES_OF_BOTS


def list_bots_here(*, reader: User | None) -> list[BotHere]:
    """Return the site's bots, and the users' bots whose programs listen now, by name.

    A bot is left out if it has no free mage, is suspended, hides that it is here, or has a block between it and the
    reader.
    """
    listening = list_programs()
    bots = User.objects.filter(is_bot=True, is_active=True).exclude(pk__in=list_suspended())
    found = [bot for bot in bots.order_by("username") if bot.bot_strength or bot.pk in listening]
    apart = find_users_apart_from([reader.pk]) if reader is not None else frozenset()
    hidden = {user for user, choice in find_choices([bot.pk for bot in found], "presence").items() if choice == "no"}
    free = defaultdict(list)
    mages = Mage.objects.filter(user__in=found, died_at=None, retired_at=None, engagement=None).order_by("name")
    for user, name in mages.values_list("user_id", "name"):
        free[user].append(name)
    return [
        BotHere(bot.username, bot.bot_strength, tuple(free[bot.pk]))
        for bot in found
        if free[bot.pk] and bot.pk not in apart and (bot.bot_strength or bot.pk not in hidden)
    ]
