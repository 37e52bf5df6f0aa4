"""When a user who stays away is warned and closed (firetop-server 6.4), as a function of facts.

Days are whole days that passed, of time that counts (fm_site.operations.lost_time).
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from fm_site.operations.policy import Policy

DAY = timedelta(days=1)
# How soon somebody is looked at again of whom nothing says when he will be due, and how late at the latest: by then the
# numbers of the house, or a score, may be others.
AGAIN = timedelta(days=7)
LATEST = timedelta(days=28)


@dataclass(frozen=True)
class Verdict:
    """What is to be done, and in what time to look again."""

    action: Literal["wait", "warn", "retire", "remove", "close"]
    again: timedelta = timedelta(0)


@dataclass(frozen=True)
class UserFacts:
    """A user who was away for `rested`, and warned `warned` ago or not (None). `is_unconfirmed`: he has neither a
    confirmed address nor ever had a mage."""

    rested: timedelta
    warned: timedelta | None
    has_mages: bool
    is_guest: bool = False
    is_unconfirmed: bool = False
    is_staff: bool = False


def judge_user(facts: UserFacts, policy: Policy) -> Verdict:
    """Say what becomes of a user. Whoever has a mage, and whoever looks after the house, stays."""
    if facts.has_mages or facts.is_staff:
        return Verdict("wait", AGAIN)
    if facts.is_guest or facts.is_unconfirmed:
        # Nobody could be told: a guest has no address, and the other has not proven his.
        kept = (policy.guest_keep_days if facts.is_guest else policy.signup_keep_days) * DAY
        return Verdict("close") if facts.rested >= kept else Verdict("wait", kept - facts.rested)
    missed = (policy.mageless_warn_days + 1) * DAY
    if facts.rested < missed:
        return Verdict("wait", missed - facts.rested)
    if facts.warned is None:
        return Verdict("warn", find_time_to_close(facts.rested, policy))
    closed = max((policy.mageless_close_days + 1) * DAY - facts.rested, policy.warning_days * DAY - facts.warned)
    return Verdict("close") if closed <= timedelta(0) else Verdict("wait", closed)


def find_time_to_close(rested: timedelta, policy: Policy) -> timedelta:
    """Return how long a user who is warned now has until he is closed."""
    return max((policy.mageless_close_days + 1) * DAY - rested, policy.warning_days * DAY)
