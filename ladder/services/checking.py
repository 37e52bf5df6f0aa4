"""Telling the janitors when scores and their rows disagree."""

from datetime import datetime
from itertools import islice

import structlog

from accounts.selectors import list_janitors
from fm_site.notifications.services import write_notice
from ladder.selectors import find_disagreements

log = structlog.get_logger(__name__)

MOST_NAMED = 10


def report_disagreements(*, now: datetime) -> int:
    """Return how many score rows do not follow from those before them; tell the janitors, once a day while it is so."""
    found = find_disagreements()
    named = [str(each.entry) for each in islice(found, MOST_NAMED)]
    if not named:
        return 0
    rows = len(named) + sum(1 for _ in found)
    log.error("scores disagree with their rows", rows=rows, first=named[0])
    for user in list_janitors():
        write_notice(
            key=f"scores/{now:%Y-%m-%d}/{user.pk}",
            user=user,
            kind="scores_disagree",
            facts={"rows": rows, "named": named},
            now=now,
        )
    return rows
