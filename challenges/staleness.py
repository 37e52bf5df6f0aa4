"""When a challenge in which nothing happens is called to mind, and when it is closed (firetop-server 6.7)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from accounts.absence import DAY
from fm_site.operations.lost_time import NOTHING
from fm_site.operations.policy import Policy


@dataclass(frozen=True)
class Staleness:
    """What is to be done with a challenge, and in what time to look again. `ends_in`: a reminder says that it is closed
    then, and it never is before."""

    action: Literal["wait", "prod", "close"]
    again: timedelta
    ends_in: timedelta = NOTHING


def judge_challenge(*, rested: timedelta, prodded: timedelta | None, policy: Policy) -> Staleness:
    """Say what becomes of an open challenge in which nothing happened for `rested`, and whose challenger was reminded
    of it `prodded` ago, or not since (None). Nobody's challenge is closed of which he was not reminded in good time."""
    prod, close, notice = policy.challenge_prod_days * DAY, policy.challenge_close_days * DAY, notice_time(policy)
    since = rested if prodded is None else prodded
    if prodded is not None and rested >= close and prodded >= notice:
        return Staleness("close", NOTHING)
    if since >= prod:
        ends_in = max(close - rested, notice)
        return Staleness("prod", min(prod, ends_in), ends_in)
    ends_in = max(close - rested, notice - since)
    return Staleness("wait", prod - since if prodded is None else min(prod - since, ends_in))


def notice_time(policy: Policy) -> timedelta:
    """Return how long before its end a challenger is reminded at the latest: what lies between the last reminder and
    the end when all goes as it should."""
    last = (policy.challenge_close_days - 1) // policy.challenge_prod_days * policy.challenge_prod_days
    return (policy.challenge_close_days - last) * DAY
