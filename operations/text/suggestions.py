"""Suggestions for what the user may have meant, worded in one place for pages, emails and the API."""

from collections.abc import Collection
from difflib import get_close_matches

from django.utils.translation import gettext as _


def suggest(message: str, nearest: str | None) -> str:
    """Return the message, followed by the nearest valid form if there is one."""
    if not nearest:
        return message
    return _("%(message)s Did you mean %(nearest)s?") % {"message": message, "nearest": nearest}


def suggest_one_of(message: str, nearest: str | None, known: Collection[str]) -> str:
    """Like `suggest`; if nothing is close, list all valid forms."""
    if nearest:
        return suggest(message, nearest)
    facts = {"message": message, "known": ", ".join(sorted(known))}
    return (_("%(message)s Choose from: %(known)s.") if known else _("%(message)s There are none.")) % facts


def find_nearest_word(word: str, known: Collection[str], *, cutoff: float = 0.4) -> str | None:
    """Return the known word (all lower case) that is most similar to `word`, or None."""
    found = get_close_matches(word.lower(), known, n=1, cutoff=cutoff)
    return found[0] if found else None
