"""What may have been meant, in words: the one place where pages, mails and programs get these sentences from."""

from collections.abc import Collection
from difflib import get_close_matches


def suggest(message: str, nearest: str | None) -> str:
    """Return what is wrong, and after it the nearest form that is right, if there is one."""
    return f"{message} Did you mean {nearest}?" if nearest else message


def suggest_one_of(message: str, nearest: str | None, known: Collection[str]) -> str:
    """As `suggest`; where nothing is near, all that there is."""
    if nearest:
        return suggest(message, nearest)
    return f"{message} Choose from: {', '.join(sorted(known))}." if known else f"{message} There are none."


def find_nearest_word(word: str, known: Collection[str], *, cutoff: float = 0.4) -> str | None:
    """Return the one of a few known words, all small letters, that a word most resembles, if any does."""
    found = get_close_matches(word.lower(), known, n=1, cutoff=cutoff)
    return found[0] if found else None
