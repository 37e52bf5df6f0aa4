"""Which open duels a user wants to be told of: for each kind of pace, how strong the other may be."""

from collections.abc import Mapping

from duels.paces import is_live
from ladder.selectors.ratings import MIDDLE
from notifications.matrix import EMAIL, HOOK, PUSH, SUBJECTS
from notifications.preferences import ANY_RATING, NEVER

SUBJECT = SUBJECTS["seeks"]
# The preferences of its channels, in the order of the page.
CHANNELS = tuple(SUBJECT.key(channel) for channel in (EMAIL, PUSH, HOOK))
# The preferences of the three kinds of pace, in the order in which they are asked.
LIVE, DAILY, SLOW = "seek_live", "seek_day", "seek_slow"
PACES = (LIVE, DAILY, SLOW)


def choose_key(pace: str) -> str:
    """Return the preference that is about duels of this pace."""
    if is_live(pace):
        return LIVE
    return DAILY if pace == "day" else SLOW


def is_wanted(chosen: Mapping[str, str], *, pace: str, rating: int | None, own: int | None) -> bool:
    """Return whether someone of this rating at this pace is what the user wants to hear of. Who has no rating counts as
    average."""
    band = chosen[choose_key(pace)]
    if band in (NEVER, ANY_RATING):
        return band == ANY_RATING
    return abs((rating or MIDDLE) - (own or MIDDLE)) <= int(band)
