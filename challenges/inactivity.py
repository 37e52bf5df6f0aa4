"""Decides when inactive mages are warned and retired, and inactive challenges closed (firetop-server 6.3, 6.7).

A mage's week and month are multiplied by their score plus one. A mage is left alone while their user was active in the
last three weeks or has a mage in a battle or challenge; a duel of a league or cup is a battle like any other. Days are
whole days of counted time (operations.lost_time).
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from accounts.absence import DAY, RECHECK, Verdict
from operations.lost_time import NOTHING
from operations.policy import Policy


@dataclass(frozen=True)
class MageFacts:
    """A living mage who has been inactive for `idle_for`, their user for `user_idle_for`; warned `warned` ago, or never
    (None).

    `score` is their duel and melee score together, `best_retired` the highest such score of a retired mage.
    """

    is_retired: bool
    score: int
    idle_for: timedelta
    user_idle_for: timedelta
    is_user_busy: bool
    best_retired: int
    warned: timedelta | None


def judge_mage(facts: MageFacts, policy: Policy) -> Verdict:
    """Return what to do with a mage (FM-ORDUSR-12, FM-ORDUSR-13)."""
    days = (policy.retired_days if facts.is_retired else policy.idle_week_days) * (facts.score + 1)
    missing = max((days + 1) * DAY - facts.idle_for, policy.idle_user_days * DAY - facts.user_idle_for)
    if missing > timedelta(0):
        return Verdict("wait", missing)
    if facts.is_user_busy:
        return Verdict("wait", DAY)
    if facts.is_retired and facts.score >= facts.best_retired - policy.immune_points:
        return Verdict("wait", RECHECK)
    grace = policy.warning_days * DAY
    if facts.warned is None:
        return Verdict("warn", grace)
    if facts.warned < grace:
        return Verdict("wait", grace - facts.warned)
    return Verdict("retire") if facts.score > 0 and not facts.is_retired else Verdict("remove")


@dataclass(frozen=True)
class Staleness:
    """What to do with a challenge, and how long to wait before the next check.

    `ends_in`: the time until it may be closed, which a reminder announces; it is never closed sooner.
    """

    action: Literal["wait", "remind", "close"]
    recheck_in: timedelta
    ends_in: timedelta = NOTHING


def judge_challenge(*, idle_for: timedelta = NOTHING, reminded: timedelta | None = None, policy: Policy) -> Staleness:
    """Return what to do with an open challenge in which nothing has happened for `idle_for`, whose challenger was
    reminded `reminded` ago, or not since then (None). A challenge is never closed without an earlier reminder."""
    interval, close = policy.challenge_prod_days * DAY, policy.challenge_close_days * DAY
    notice = notice_time(policy)
    since = idle_for if reminded is None else reminded
    if reminded is not None and idle_for >= close and reminded >= notice:
        return Staleness("close", NOTHING)
    if since >= interval:
        ends_in = max(close - idle_for, notice)
        return Staleness("remind", min(interval, ends_in), ends_in)
    ends_in = max(close - idle_for, notice - since)
    return Staleness("wait", interval - since if reminded is None else min(interval - since, ends_in))


def notice_time(policy: Policy) -> timedelta:
    """Return how long before closing the challenger is reminded at the latest: the time between the last scheduled
    reminder and the scheduled end."""
    last = (policy.challenge_close_days - 1) // policy.challenge_prod_days * policy.challenge_prod_days
    return (policy.challenge_close_days - last) * DAY
