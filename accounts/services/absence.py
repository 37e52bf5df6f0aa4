"""Warning and closing absent users, and ending vacations. Each step is claimed by the row's own timestamp, so it
happens once however many sweeps run, and is repeated if a worker dies in the middle."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.absence import LATEST, UserFacts, Verdict, judge_user
from accounts.errors import MageUnavailable, StillFighting, StillHasMages
from accounts.models import AbsenceWarning, Mage, User, Vacation
from accounts.selectors.absence import (
    AbsentUser,
    find_vacation_ends,
    list_active_warnings,
    list_users_to_check,
    list_vacations_over,
)
from accounts.services.leave import close_user, remove_free_mage
from accounts.services.vacations import request_clock_update
from notifications.selectors.notices import address_for_notices
from notifications.services.outbox import write_notice
from operations.lost_time import LostTime, find_latest
from operations.policy import Policy
from operations.selectors import list_doubts, read_lost_time, read_policy
from operations.sweeps import act_on_each

AT_ONCE = 200


def sweep_absent_users(*, now: datetime, limit: int = AT_ONCE) -> int:
    """Warn or close the users who are due for a check; return how many were due. Does nothing while list_doubts has
    reasons to wait."""
    absent = list_users_to_check(now=now, limit=limit)
    if not absent or list_doubts(now, policy := read_policy()):
        return 0
    ids = [each.user.pk for each in absent]
    ends = find_vacation_ends(ids, now=now)
    active = {row.user_id: row for row in list_active_warnings(user_ids=ids) if row.mage_id is None}
    lost = read_lost_time(min(each.user.last_active_at for each in absent))
    postponed: dict[tuple[datetime, datetime], list[int]] = defaultdict(list)

    def judge(each: AbsentUser) -> None:
        next_check = _judge(each, ends.get(each.user.pk), active.get(each.user.pk), lost, policy, now)
        if next_check is not None:
            postponed[each.user.idle_check_at, next_check].append(each.user.pk)

    act_on_each(absent, judge)
    for (due, next_check), users in postponed.items():
        _postpone_check(users, due, next_check)
    return len(absent)


def sweep_vacations(*, now: datetime, limit: int = AT_ONCE) -> int:
    """Close the vacations that are over and notify their users; return how many. Does nothing while list_doubts has
    reasons to wait."""
    over = list_vacations_over(now=now, limit=limit)
    if not over or list_doubts(now):
        return 0
    return act_on_each(over, lambda vacation: _close_vacation(vacation, now))


def warn_of_absence(
    *,
    kind: str,
    user: User,
    mage: Mage | None = None,
    facts: Mapping[str, Any],
    due_at: datetime,
    now: datetime,
) -> AbsenceWarning:
    """Record a warning and notify `user`; an earlier one about the same mage or account ends. The caller has claimed
    that row in the same transaction."""
    subject = {"mage": mage} if mage else {"user": user, "mage": None}
    AbsenceWarning.objects.filter(**subject, ended_at=None).update(ended_at=now, end=AbsenceWarning.End.CAME_BACK)
    warning = AbsenceWarning.objects.create(
        kind=AbsenceWarning.Kind(kind), user=user, mage=mage, warned_at=now, due_at=due_at
    )
    write_notice(
        key=f"absence:{warning.pk}:warned",
        user=user,
        kind=f"{kind}_warning",
        facts={**facts, "acts_at": due_at.isoformat()},
        now=now,
    )
    return warning


def end_absence_warning(*, warning: AbsenceWarning, end: str, now: datetime) -> bool:
    """End an active warning ("done", "came_back"); return whether it was active."""
    active = AbsenceWarning.objects.filter(pk=warning.pk, ended_at=None)
    return active.update(ended_at=now, end=AbsenceWarning.End(end)) == 1


def _judge(
    absent: AbsentUser,
    vacation_end: datetime | None,
    warning: AbsenceWarning | None,
    lost: LostTime,
    policy: Policy,
    now: datetime,
) -> datetime | None:
    """Do what is due, or return when to check again."""
    user = absent.user
    if vacation_end and vacation_end > now:
        return vacation_end
    since = find_latest([user.last_active_at, vacation_end])
    if warning is not None and warning.warned_at < since:
        end_absence_warning(warning=warning, end=AbsenceWarning.End.CAME_BACK, now=now)
        warning = None
    facts = UserFacts(
        idle_for=lost.count(since, now),
        warned=lost.count(warning.warned_at, now) if warning else None,
        has_mages=absent.has_mages,
        is_guest=user.is_guest,
        is_unconfirmed=not absent.is_reachable and not absent.had_mages,
        is_staff=user.is_staff,
    )
    verdict = judge_user(facts, policy)
    if verdict.action == "wait":
        return now + min(verdict.recheck_in, LATEST)
    if verdict.action == "warn":
        _warn(user, verdict, now)
    else:
        _close(user, warning, now)
    return None


def _postpone_check(users: Collection[int], due: datetime, next_check: datetime) -> None:
    """Set the next check of these users, unless another worker has moved it."""
    unmoved = User.objects.filter(pk__in=users, idle_check_at=due)
    if len(users) == 1:
        unmoved.update(idle_check_at=next_check)
        return
    with transaction.atomic():
        # Skip locked users, who stay due: two sweeps must not deadlock.
        free = unmoved.select_for_update(skip_locked=True, no_key=True)
        User.objects.filter(pk__in=free.values("pk")).update(idle_check_at=next_check)


def _warn(user: User, verdict: Verdict, now: datetime) -> None:
    due_at = now + verdict.recheck_in
    with transaction.atomic():
        if _claim(user, due_at):
            warn_of_absence(kind="user_mageless", user=user, facts={"user": user.username}, due_at=due_at, now=now)


def _close(user: User, warning: AbsenceWarning | None, now: datetime) -> None:
    """Close the account and notify the address it had."""
    try:
        with transaction.atomic():
            if not _claim(user, now + timedelta(days=1)):
                return
            address, name = address_for_notices(user), user.username
            if user.is_guest:
                for mage in Mage.objects.filter(user=user, died_at=None):
                    remove_free_mage(mage=mage, now=now)
            close_user(user=user, now=now)
            if warning is not None:
                end_absence_warning(warning=warning, end=AbsenceWarning.End.DONE, now=now)
            if address:
                key = f"user_closed:{user.pk}:{now.isoformat()}"
                # Deleted once it is sent, as a code is: nothing else stores the name of a user who has left.
                secrets = {"user": name}
                write_notice(
                    key=key, user=user, kind="user_closed", facts={}, secrets=secrets, address=address, now=now
                )
    except (StillHasMages, StillFighting, MageUnavailable):  # they have registered a mage, or joined a battle, since
        return


def _claim(user: User, next_check: datetime) -> bool:
    """Return whether the caller may act on `user` as read: no other worker has, and the user has done nothing since."""
    unchanged = User.objects.filter(
        pk=user.pk, is_active=True, idle_check_at=user.idle_check_at, last_active_at=user.last_active_at
    )
    return unchanged.update(idle_check_at=next_check) == 1


def _close_vacation(vacation: Vacation, now: datetime) -> int:
    with transaction.atomic():
        if not Vacation.objects.filter(pk=vacation.pk, ended_at=None).update(ended_at=vacation.until):
            return 0
        request_clock_update(user=vacation.user, now=now)
        write_notice(
            key=f"vacation_over:{vacation.pk}",
            user=vacation.user,
            kind="vacation_over",
            facts={"until": vacation.until.isoformat()},
            now=now,
        )
    return 1
