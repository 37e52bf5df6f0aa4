"""Every word of the commands: what an answer may say to somebody whose sender may be forged."""

from duels.terms import list_rulesets
from email_gateway.commands.game_options import BOOKS, OPTIONS
from email_gateway.commands.stats import GROUPS
from email_gateway.commands.table import TABLE
from email_gateway.conversation import Vocabulary

RULESET_NAMES = [*BOOKS, *(word for name, _ in list_rulesets() for word in (name, *name.split("-")))]
VOCABULARY = Vocabulary(
    words=frozenset(
        {name for order in TABLE for name in order.names}
        | {name for option in OPTIONS for name in option.names}
        | {word.upper() for word in (*RULESET_NAMES, *GROUPS)}
        | {"DUEL", "MELEE", "ALL", "PARTS", "CHANGE", "CHANGES", "EVERYTHING", "PART", "END", "*****"}
    ),
    commands=tuple(order.name for order in TABLE if order.who != "mage"),
)
