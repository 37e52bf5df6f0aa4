"""Decides when absent users are warned and their accounts closed (firetop-server 6.4): pure functions of facts.

Days are whole days of time that counts (operations.lost_time).
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from operations.policy import Policy

DAY = timedelta(days=1)
# The interval for users who have no due date, and the longest time between two checks, since the policy or a score may
# change.
RECHECK = timedelta(days=7)
LATEST = timedelta(days=28)


@dataclass(frozen=True)
class Verdict:
    """What to do, and how long to wait before the next check."""

    action: Literal["wait", "warn", "retire", "remove", "close"]
    recheck_in: timedelta = timedelta(0)


@dataclass(frozen=True)
class UserFacts:
    """A user who has been away for `idle_for` and was warned `warned` ago, or never (None). `is_unconfirmed`: they have
    no confirmed address and never had a mage."""

    idle_for: timedelta
    warned: timedelta | None
    has_mages: bool
    is_guest: bool = False
    is_unconfirmed: bool = False
    is_staff: bool = False


def judge_user(facts: UserFacts, policy: Policy) -> Verdict:
    """Decide what happens to a user. Users with a living mage and staff stay."""
    if facts.has_mages or facts.is_staff:
        return Verdict("wait", RECHECK)
    if facts.is_guest or facts.is_unconfirmed:
        # Neither can be warned: a guest has no address, and the other has not confirmed theirs.
        kept = (policy.guest_keep_days if facts.is_guest else policy.signup_keep_days) * DAY
        return Verdict("close") if facts.idle_for >= kept else Verdict("wait", kept - facts.idle_for)
    missed = (policy.mageless_warn_days + 1) * DAY
    if facts.idle_for < missed:
        return Verdict("wait", missed - facts.idle_for)
    if facts.warned is None:
        return Verdict("warn", find_time_to_close(facts.idle_for, policy))
    closed = max((policy.mageless_close_days + 1) * DAY - facts.idle_for, policy.warning_days * DAY - facts.warned)
    return Verdict("close") if closed <= timedelta(0) else Verdict("wait", closed)


def find_time_to_close(idle_for: timedelta, policy: Policy) -> timedelta:
    """Return how long a user who is warned now has until their account is closed."""
    return max((policy.mageless_close_days + 1) * DAY - idle_for, policy.warning_days * DAY)
