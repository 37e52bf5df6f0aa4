"""Quick phrases of the chat. A line stores which phrase it is, and each reader gets it in their own language."""

from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# A stored line has only the key: never rename one, and never take one out.
PHRASES: MappingProxyType[str, Promise] = MappingProxyType(
    {
        "hello": _("Hello"),
        "good_luck": _("Good luck"),
        "you_too": _("You too"),
        "good_move": _("Good move"),
        "take_your_time": _("Take your time"),
        "back_soon": _("I'll be back soon"),
        "well_played": _("Well played"),
        "thank_you": _("Thank you"),
        "that_was_close": _("That was close"),
        "see_you": _("See you next time"),
    }
)
DURING = ("hello", "good_luck", "you_too", "good_move", "take_your_time", "back_soon")
AFTER = ("well_played", "thank_you", "you_too", "that_was_close", "see_you")


def list_offered_phrases(*, is_over: bool) -> list[tuple[str, str]]:
    """Return the phrases that fit now, as (key, text in the reader's language)."""
    return [(key, str(PHRASES[key])) for key in (AFTER if is_over else DURING)]
