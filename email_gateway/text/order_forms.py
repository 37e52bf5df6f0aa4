"""How orders are written, in the reader's language: keywords stay, and the words in brackets are translated."""

import re

from django.utils.translation import pgettext_lazy

# <one word, or several> and {what may be left out}; capitals are keywords.
GAP = re.compile(r"(?P<open>[<{])(?P<words>[^<>{}]+)(?P<close>[>}])")
WORDS = {
    "battle": pgettext_lazy("in an order", "battle"),
    "book": pgettext_lazy("in an order", "book"),
    "bot": pgettext_lazy("in an order", "bot"),
    "bots": pgettext_lazy("in an order", "bots"),
    "choice": pgettext_lazy("in an order", "choice"),
    "choices": pgettext_lazy("in an order", "choices"),
    "count": pgettext_lazy("in an order", "count"),
    "days": pgettext_lazy("in an order", "days"),
    "duel, melee or all": pgettext_lazy("in an order", "duel, melee or all"),
    "fire or ice": pgettext_lazy("in an order", "fire or ice"),
    "gesture": pgettext_lazy("in an order", "gesture"),
    "groups": pgettext_lazy("in an order", "groups"),
    "LH or RH": pgettext_lazy("in an order", "LH or RH"),
    "LH, RH or BH": pgettext_lazy("in an order", "LH, RH or BH"),
    "LH, RH, BH or monster": pgettext_lazy("in an order", "LH, RH, BH or monster"),
    "link": pgettext_lazy("in an order", "link"),
    "longer mail password": pgettext_lazy("in an order", "longer mail password"),
    "longer word": pgettext_lazy("in an order", "longer word"),
    "mage": pgettext_lazy("in an order", "mage"),
    "mages": pgettext_lazy("in an order", "mages"),
    "mail password": pgettext_lazy("in an order", "mail password"),
    "monster": pgettext_lazy("in an order", "monster"),
    "n": pgettext_lazy("in an order", "n"),
    "name": pgettext_lazy("in an order", "name"),
    "name or battle": pgettext_lazy("in an order", "name or battle"),
    "names": pgettext_lazy("in an order", "names"),
    "new address": pgettext_lazy("in an order", "new address"),
    "new mail password": pgettext_lazy("in an order", "new mail password"),
    "new name": pgettext_lazy("in an order", "new name"),
    "number": pgettext_lazy("in an order", "number"),
    "numbers": pgettext_lazy("in an order", "numbers"),
    "options": pgettext_lazy("in an order", "options"),
    "order": pgettext_lazy("in an order", "order"),
    "other name": pgettext_lazy("in an order", "other name"),
    "pace": pgettext_lazy("in an order", "pace"),
    "part": pgettext_lazy("in an order", "part"),
    "percent": pgettext_lazy("in an order", "percent"),
    "pronoun": pgettext_lazy("in an order", "pronoun"),
    "ruleset": pgettext_lazy("in an order", "ruleset"),
    "ruleset or battle": pgettext_lazy("in an order", "ruleset or battle"),
    "spell": pgettext_lazy("in an order", "spell"),
    "spell or name": pgettext_lazy("in an order", "spell or name"),
    "text": pgettext_lazy("in an order", "text"),
    "turn": pgettext_lazy("in an order", "turn"),
    "what": pgettext_lazy("in an order", "what"),
    "what happened": pgettext_lazy("in an order", "what happened"),
    "where": pgettext_lazy("in an order", "where"),
    "your mage": pgettext_lazy("in an order", "your mage"),
}


def write_form(form: str) -> str:
    """Return the form of an order with its gaps named in the reader's language."""
    return GAP.sub(lambda gap: f"{gap['open']}{WORDS.get(gap['words'], gap['words'])}{gap['close']}", form)
