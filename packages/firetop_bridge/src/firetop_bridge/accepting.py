"""Which challenges the bridge accepts: a function of the challenge and the rules."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from firetop_client.models import Challenge

from firetop_bridge.config import Rules

# The reasons that the API knows.
RULESET, PACE, STAKES = "ruleset", "pace", "stakes"


@dataclass(frozen=True)
class Verdict:
    """What to do about a challenge: `mage` joins, or it breaks a rule, in words; `reason` is the API's name for it."""

    mage: str = ""
    broken: str = ""
    reason: str = ""


def judge(challenge: Challenge, rules: Rules, *, mages: Collection[str]) -> Verdict:
    """Return whether one of these mages joins."""
    free = [name for name in challenge.may_join if name in mages]
    if not free:
        return Verdict(broken="none of the mages may join")
    invited = find_invited(challenge, free)
    if not invited and not rules.open:
        return Verdict(broken="it is open to all, and only invitations are accepted")
    for value, allowed, words in (
        (challenge.ruleset, rules.rulesets, RULESET),
        (challenge.pace, rules.paces, PACE),
        (challenge.stakes, rules.stakes, STAKES),
    ):
        if allowed and value not in allowed:
            return Verdict(broken=f"its {words} is {value}", reason=words)
    size = challenge.limit or max(2, sum(seat.state in ("joined", "invited") for seat in challenge.seats))
    if not rules.smallest <= size <= rules.largest:
        return Verdict(broken=f"it is for {size} mages")
    others = {challenge.challenger_user, *(seat.user for seat in challenge.seats if seat.state == "joined")}
    bots = {seat.user for seat in challenge.seats if seat.bot}
    for user in sorted(others):
        broken = judge_user(user, rules, is_bot=user in bots)
        if broken:
            return Verdict(broken=broken)
    return Verdict(mage=next((name for name in free if name in invited), free[0]))


def judge_user(user: str, rules: Rules, *, is_bot: bool) -> str:
    """Return why this user's challenge is not accepted, or nothing."""
    if user.lower() in map(str.lower, rules.never):
        return f"{user} is listed as never"
    if rules.users:
        return "" if user.lower() in map(str.lower, rules.users) else f"{user} is not among the users"
    allowed = {"everyone": True, "bots": is_bot, "people": not is_bot, "nobody": False}[rules.who]
    return "" if allowed else f"{user} is {'a bot' if is_bot else 'not a bot'}, and who is {rules.who}"


def find_invited(challenge: Challenge, mages: Collection[str]) -> list[str]:
    """Return those of the mages whom the challenge invites."""
    return [seat.mage for seat in challenge.seats if seat.state == "invited" and seat.mage in mages]
