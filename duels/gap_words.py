"""Why the clocks of a live battle started again."""

import datetime
from collections.abc import Callable

from django.utils.translation import gettext as _

from duels.paces import span

Gap = tuple[datetime.datetime, datetime.datetime]
MINUTE = datetime.timedelta(minutes=1)


def describe_gap(gap: Gap | None, write: Callable[[datetime.datetime], str]) -> str:
    """Return the reason in a sentence, in which `write` puts moments into words; "" if no gap fell into the open
    stage."""
    if gap is None:
        return ""
    start, end = gap
    return _(
        "The site could not be reached for %(length)s, until %(end)s. All clocks of this turn started again then, with "
        "their full time."
    ) % {"length": span(max(end - start, MINUTE)), "end": write(end)}
