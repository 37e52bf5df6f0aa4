"""The site's computer opponents: their names and descriptions. Pure: no rows."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class BotMage:
    """A mage of a bot, with its sentence."""

    name: str
    sentence: str | Promise


@dataclass(frozen=True)
class Bot:
    """A computer opponent: `strength` is its name in `rules_engine.bots`; `words` briefly describes how it plays."""

    strength: str
    words: str | Promise
    mages: tuple[BotMage, ...]


BOTS = (
    Bot(
        "Apprentice",
        _("Attacks with both hands and never guards itself"),
        (
            BotMage("Pipkin", _("Pipkin has read the first page of the rule book, twice.")),
            BotMage("Tansy", _("Tansy waves at everyone, and sometimes it is a spell.")),
            BotMage("Crumb", _("Crumb lost a duel to a goblin that Crumb had summoned.")),
        ),
    ),
    Bot(
        "Journeyman",
        _("Knows every spell, and often changes its plan"),
        (
            BotMage("Bramwell", _("Bramwell knows every spell and the right moment for half of them.")),
            BotMage("Odile", _("Odile practises in front of a mirror and usually wins.")),
            BotMage("Fennick", _("Fennick carries three books and opens the wrong one.")),
        ),
    ),
    Bot(
        "Warder",
        _("Patient: sees what both hands threaten, and guards itself"),
        (
            BotMage("Hestrel", _("Hestrel watches both of your hands, and both of hers.")),
            BotMage("Thorvane", _("No spell that Thorvane saw coming has ever hit.")),
            BotMage("Isolde", _("Isolde keeps a palm up, even at dinner.")),
        ),
    ),
    Bot(
        "Magus",
        _("Tricky: weighs your likely moves, and mirrors or delays spells"),
        (
            BotMage("Vesperine", _("Vesperine plays against the orders you nearly gave.")),
            BotMage("Caldus", _("Caldus never does the same thing twice for the same reason.")),
            BotMage("Meridew", _("Meridew tosses a coin, but she has weighed it first.")),
        ),
    ),
    Bot(
        "Archmage",
        _("Looks several turns ahead"),
        (
            BotMage("Ozymandra", _("Ozymandra has seen how this ends, and is still curious.")),
            BotMage("Balthasar", _("Balthasar lives at the top of the mountain and rarely comes down.")),
            BotMage("Nocturne", _("Nocturne reads your string as others read a letter.")),
        ),
    ),
)
BY_STRENGTH = {bot.strength: bot for bot in BOTS}
MAGES = {mage.name: mage for bot in BOTS for mage in bot.mages}


def describe_bot(strength: str) -> str:
    """Return a brief description of how a bot plays, or "" for an unknown strength."""
    return str(BY_STRENGTH[strength].words) if strength in BY_STRENGTH else ""


def find_bot_mage(name: str) -> BotMage | None:
    """Return a bot's mage by its name, or None for any other name. A trailing number, added if the name itself was
    taken, is ignored."""
    return MAGES.get(name) or MAGES.get(name.rstrip("0123456789"))
