"""When a mage who rests is warned, retired and removed (firetop-server 6.3), as a function of facts.

The week and the month of a mage are as many times as long as his score and one more. Nobody is touched whose user did
something in the last three weeks or has a mage in a battle or challenge. Days are whole days that passed, of time that
counts (fm_site.operations.lost_time).
"""

from dataclasses import dataclass
from datetime import timedelta

from accounts.absence import AGAIN, DAY, Verdict
from fm_site.operations.policy import Policy


@dataclass(frozen=True)
class MageFacts:
    """A living mage who rested for `rested`, his user for `user_rested`; he was warned `warned` ago, or not (None).

    `score` is his duel and melee score together, `best_retired` the highest of those who are retired.
    """

    is_retired: bool
    score: int
    rested: timedelta
    user_rested: timedelta
    is_user_busy: bool
    best_retired: int
    warned: timedelta | None


def judge_mage(facts: MageFacts, policy: Policy) -> Verdict:
    """Say what becomes of a mage (FM-ORDUSR-12, FM-ORDUSR-13)."""
    days = (policy.retired_days if facts.is_retired else policy.idle_week_days) * (facts.score + 1)
    missing = max((days + 1) * DAY - facts.rested, policy.idle_user_days * DAY - facts.user_rested)
    if missing > timedelta(0):
        return Verdict("wait", missing)
    if facts.is_user_busy:
        return Verdict("wait", DAY)
    if facts.is_retired and facts.score >= facts.best_retired - policy.immune_points:
        return Verdict("wait", AGAIN)
    grace = policy.warning_days * DAY
    if facts.warned is None:
        return Verdict("warn", grace)
    if facts.warned < grace:
        return Verdict("wait", grace - facts.warned)
    return Verdict("retire") if facts.score > 0 and not facts.is_retired else Verdict("remove")
