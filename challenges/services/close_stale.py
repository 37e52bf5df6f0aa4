"""Remind challengers of challenges in which nothing happens, and finally close them."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from accounts.selectors.absence import find_vacation_ends
from challenges.inactivity import Staleness, judge_challenge
from challenges.models import Challenge
from challenges.notices import notify_closed, remind_challenger
from challenges.selectors.inactive import list_challenges_to_check
from challenges.selectors.state import read_seating
from challenges.services.claim import release_joined
from challenges.services.start_battle import end_challenge
from challenges.wakeups import wake_watchers_on_commit
from duels.services.rematch import lock_battle_of_rematch
from operations.lost_time import LostTime, find_latest
from operations.policy import Policy
from operations.selectors import list_doubts, read_lost_time, read_policy
from operations.sweeps import act_on_each

AT_ONCE = 200


def sweep_stale_challenges(*, now: datetime, limit: int = AT_ONCE) -> int:
    """Check the challenges that are due: remind their challengers, or close them; return how many were due. A challenge
    waits while its challenger is on vacation. Does nothing while the site is in doubt."""
    challenges = list_challenges_to_check(now=now, limit=limit)
    if not challenges or list_doubts(now, policy := read_policy()):
        return 0
    ends = find_vacation_ends({each.challenger.user_id for each in challenges}, now=now)
    lost = read_lost_time(min(each.updated_at for each in challenges))
    act_on_each(challenges, lambda each: _judge_challenge(each, ends.get(each.challenger.user_id), lost, policy, now))
    return len(challenges)


def _judge_challenge(
    challenge: Challenge, vacation_end: datetime | None, lost: LostTime, policy: Policy, now: datetime
) -> None:
    if vacation_end and vacation_end > now:
        _check_again(challenge, vacation_end)
        return
    since = find_latest([challenge.updated_at, vacation_end])
    reminded_at = challenge.reminded_at if challenge.reminded_at and challenge.reminded_at > since else None
    staleness = judge_challenge(
        idle_for=lost.count(since, now),
        reminded=lost.count(reminded_at, now) if reminded_at else None,
        policy=policy,
    )
    if staleness.action == "wait":
        _check_again(challenge, now + staleness.recheck_in)
    elif staleness.action == "remind":
        _remind(challenge, staleness, lost.count(since, now).days, now)
    else:
        _close_stale(challenge, now)


def _check_again(challenge: Challenge, moment: datetime) -> None:
    seen = Challenge.objects.filter(pk=challenge.pk, stale_check_at=challenge.stale_check_at)
    seen.update(stale_check_at=moment)


def _remind(challenge: Challenge, staleness: Staleness, days: int, now: datetime) -> None:
    with transaction.atomic():
        if _if_unchanged(challenge).update(stale_check_at=now + staleness.recheck_in, reminded_at=now):
            remind_challenger(challenge, read_seating(challenge), days=days, closes_at=now + staleness.ends_in, now=now)


def _close_stale(challenge: Challenge, now: datetime) -> None:
    with transaction.atomic():
        lock_battle_of_rematch(number=challenge.number)
        if not _if_unchanged(challenge).update(revision=F("revision") + 1, updated_at=now):
            return
        wake_watchers_on_commit(challenge.number)
        challenge.refresh_from_db()
        seating = read_seating(challenge)
        end_challenge(challenge, Challenge.Status.STALE, now)
        release_joined(seating)
        notify_closed(challenge, seating, now=now)


def _if_unchanged(challenge: Challenge) -> QuerySet[Challenge]:
    """Return the challenge if nothing has happened in it since it was read, and no other sweep has acted on it."""
    return Challenge.objects.filter(
        pk=challenge.pk,
        status=Challenge.Status.OPEN,
        revision=challenge.revision,
        stale_check_at=challenge.stale_check_at,
    )
