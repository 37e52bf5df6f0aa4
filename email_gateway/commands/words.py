"""Keywords, words and numbers of order lines."""

from collections.abc import Iterable
from difflib import get_close_matches

from django.utils.translation import gettext as _

from duels.errors import BattleNotFound
from duels.models import Battle
from duels.selectors.viewer import find_battle
from email_gateway.errors import OrderRejected
from email_gateway.text.password_lines import NEAR

LONGEST_NUMBER = 12
# What people write after a word, although no name has it.
MARKS = ".,!"


def split_words(text: str) -> list[str]:
    """Return the words of an order line, without the comment after `;` (FM-ORDGEN-6) and commas or colons at their
    ends."""
    return [bare for word in text.partition(";")[0].split() if (bare := word.rstrip(",:"))]


def strip_marks(rest: str) -> str:
    """Return a line without its comment, and without full stops and the like after its words."""
    return " ".join(bare for word in rest.partition(";")[0].split() if (bare := word.rstrip(MARKS)))


def read_number(word: str) -> int | None:
    """Return the number of a battle or challenge, as in "12" and "#12"; None for any other word."""
    bare = word.lstrip("#")
    return int(bare) if bare.isdecimal() and bare.isascii() and len(bare) <= LONGEST_NUMBER else None


def read_numbers(order: str, rest: str, *, most: int, clause: str) -> tuple[list[int], list[str]]:
    """Return the numbers of a line, and remarks on words that are not numbers; these do not affect the others.

    Raises OrderRejected if there is no number, or more than `most`.
    """
    words = {word.lstrip("#"): read_number(word) for word in split_words(rest.replace(",", " "))}
    good = [number for number in words.values() if number is not None]
    if not 0 < len(good) <= most:
        reason = _("%(order)s needs the numbers of battles, %(most)s at most.") % {"order": order, "most": most}
        raise OrderRejected(reason, nearest=f"{order} <number>", clause=clause)
    sentences = [
        _('"%(word)s" is not a number.') % {"word": word[:20]} for word, number in words.items() if number is None
    ]
    return list(dict.fromkeys(good)), sentences


def find_known_battle(number: int, *, nearest: str, clause: str = "") -> Battle:
    """Return a battle by its number. Raises OrderRejected, which suggests `nearest`."""
    try:
        return find_battle(number=number)
    except BattleNotFound as error:
        raise OrderRejected(str(error), nearest=nearest, clause=clause) from error


def find_nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known keyword that is most similar to a word, if any is."""
    found = get_close_matches(word.upper(), list(known), n=1, cutoff=NEAR)
    return found[0] if found else None
