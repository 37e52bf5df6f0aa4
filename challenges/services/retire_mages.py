"""Retire and remove mages, on their users' request or for inactivity (FM-ORDUSR-8 to FM-ORDUSR-14).

The sweep claims each action by the time at which the mage was due, in the same transaction: it happens once, however
many sweeps run at the same time, and it is repeated if a sweep dies half-way.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.absence import LATEST, Verdict
from accounts.errors import MageBusy, MageUnavailable
from accounts.models import AbsenceWarning, Mage, User
from accounts.selectors.absence import find_vacation_ends, list_active_warnings
from accounts.selectors.engagements import find_battles_of_mages, find_users_in_play
from accounts.services.absence import end_absence_warning, warn_of_absence
from accounts.services.leave import close_user, remove_free_mage, retire_free_mage
from accounts.services.mages import touch_activity
from challenges.inactivity import MageFacts, judge_mage
from challenges.selectors.inactive import (
    find_best_retired_score,
    list_mages_to_check,
    read_total_scores,
)
from challenges.services.answers import decline_elsewhere_on_commit
from duels.services.rename_mage import rename_mage_on_leaving
from ladder.selectors.scores import total_score_of
from notifications.services.outbox import write_notice
from operations.lost_time import LostTime, find_latest
from operations.policy import Policy
from operations.selectors import list_doubts, read_lost_time, read_policy
from operations.sweeps import act_on_each


def retire_mage(*, mage: Mage, now: datetime) -> Literal["retired", "removed"]:
    """Retire a free mage. With a score above zero they stay on the honour roll, cannot be challenged, and come back by
    challenging or accepting; without one they leave for good. Their invitations are declined. Raises accounts'
    MageUnavailable."""
    with transaction.atomic():
        stays = total_score_of(mage) > 0
        if stays:
            retire_free_mage(mage=mage, now=now)
        else:
            remove_free_mage(mage=mage, now=now)
        touch_activity(user=mage.user, mage=mage, now=now)
        decline_elsewhere_on_commit(mage, now)
    return "retired" if stays else "removed"


def quit_mage(*, mage: Mage, now: datetime) -> None:
    """Remove a free mage for good, with their scores. Their invitations are declined. Raises accounts'
    MageUnavailable."""
    with transaction.atomic():
        remove_free_mage(mage=mage, now=now)
        touch_activity(user=mage.user, now=now)
        decline_elsewhere_on_commit(mage, now)


def leave_site(*, user: User, now: datetime, new_names: Mapping[Mage, str] | None = None) -> None:
    """Close the account of `user` for good; their living mages leave first, as with quit_mage. `new_names` are for
    mages named like the user, whom duels' can_be_renamed allows. Raises accounts' InvalidName, MageBusy if a mage
    is in a challenge or battle, and StillFighting in a duel of a league or cup: then nothing happens."""
    with transaction.atomic():
        for mage, name in (new_names or {}).items():
            rename_mage_on_leaving(mage=mage, name=name, now=now)
        # Lock all at once, so that closing the account and removing one of its mages cannot deadlock.
        for mage in Mage.objects.select_for_update(of=("self",)).filter(user=user, died_at=None).order_by("pk"):
            quit_mage(mage=mage, now=now)
        close_user(user=user, now=now)


AT_ONCE = 200


def sweep_idle_mages(*, now: datetime, limit: int = AT_ONCE) -> int:
    """Check the mages who are due: warn, retire or remove them; return how many were due. Does nothing while the site
    is in doubt."""
    mages = list_mages_to_check(now=now, limit=limit)
    if not mages or list_doubts(now, policy := read_policy()):
        return 0
    batch = _Batch.read(mages, policy, now)
    act_on_each(mages, batch.judge)
    return len(mages)


@dataclass
class _Batch:
    """One batch of mages and the facts about them."""

    now: datetime
    policy: Policy
    lost: LostTime
    scores: Mapping[int, int]
    busy: frozenset[int]
    vacation_ends: Mapping[int, datetime]
    warnings: Mapping[int, AbsenceWarning]

    @classmethod
    def read(cls, mages: list[Mage], policy: Policy, now: datetime) -> "_Batch":
        users = {mage.user_id for mage in mages}
        active = list_active_warnings(user_ids=users)
        return cls(
            now=now,
            policy=policy,
            lost=read_lost_time(min(mage.last_active_at for mage in mages)),
            scores=read_total_scores([mage.pk for mage in mages]),
            busy=find_users_in_play(users),
            vacation_ends=find_vacation_ends(users, now=now),
            warnings={row.mage_id: row for row in active if row.mage_id is not None},
        )

    @cached_property
    def best_retired(self) -> int:
        return find_best_retired_score()

    def judge(self, mage: Mage) -> None:
        vacation_end = self.vacation_ends.get(mage.user_id)
        if vacation_end and vacation_end > self.now:
            self.check_again(mage, vacation_end)
            return
        user_since = find_latest([mage.user.last_active_at, vacation_end])
        warning = self.find_warning(mage, user_since)
        facts = MageFacts(
            is_retired=mage.is_retired,
            score=self.scores.get(mage.pk, 0),
            idle_for=self.lost.count(find_latest([mage.last_active_at, vacation_end]), self.now),
            user_idle_for=self.lost.count(user_since, self.now),
            is_user_busy=mage.user_id in self.busy,
            best_retired=self.best_retired if mage.is_retired else 0,
            warned=self.lost.count(warning.warned_at, self.now) if warning else None,
        )
        self.carry_out(mage, judge_mage(facts, self.policy), facts, warning)

    def find_warning(self, mage: Mage, since: datetime) -> AbsenceWarning | None:
        """Return the current warning of the mage, if any; end one from before its user came back, or of another
        kind."""
        warning = self.warnings.get(mage.pk)
        kind = AbsenceWarning.Kind.MAGE_RETIRED if mage.is_retired else AbsenceWarning.Kind.MAGE_IDLE
        if warning is None or (warning.kind == kind and warning.warned_at >= max(since, mage.last_active_at)):
            return warning
        end_absence_warning(warning=warning, end=AbsenceWarning.End.CAME_BACK, now=self.now)
        return None

    def carry_out(self, mage: Mage, verdict: Verdict, facts: MageFacts, warning: AbsenceWarning | None) -> None:
        if verdict.action == "wait":
            self.check_again(mage, self.now + min(verdict.recheck_in, LATEST))
        elif verdict.action == "warn":
            self.warn(mage, verdict, facts)
        else:
            self.let_go(mage, verdict, warning)

    def check_again(self, mage: Mage, moment: datetime) -> None:
        Mage.objects.filter(pk=mage.pk, idle_check_at=mage.idle_check_at).update(idle_check_at=moment)

    def claim(self, mage: Mage, next_check: datetime) -> bool:
        """Claim the mage for this sweep; return False if another sweep has acted, or the mage or its user was
        active."""
        # A join would become a subselect, which does not check again a row that it had to wait for.
        user_rests = User.objects.filter(pk=OuterRef("user"), last_active_at=mage.user.last_active_at)
        unchanged = Mage.objects.filter(
            Exists(user_rests),
            pk=mage.pk,
            died_at=None,
            idle_check_at=mage.idle_check_at,
            last_active_at=mage.last_active_at,
        )
        return unchanged.update(idle_check_at=next_check) == 1

    def warn(self, mage: Mage, verdict: Verdict, facts: MageFacts) -> None:
        kind = AbsenceWarning.Kind.MAGE_RETIRED if mage.is_retired else AbsenceWarning.Kind.MAGE_IDLE
        due_at = self.now + verdict.recheck_in
        notice_facts = {"mage": mage.name, "score": facts.score}
        with transaction.atomic():
            if self.claim(mage, due_at):
                warn_of_absence(kind=kind, user=mage.user, mage=mage, facts=notice_facts, due_at=due_at, now=self.now)

    def let_go(self, mage: Mage, verdict: Verdict, warning: AbsenceWarning | None) -> None:
        """Retire or remove the mage, and notify their user. Their invitations are declined."""
        became = "mage_was_retired" if verdict.action == "retire" else "mage_was_removed"
        try:
            with transaction.atomic():
                if not self.claim(mage, self.now):
                    return
                (retire_free_mage if verdict.action == "retire" else remove_free_mage)(mage=mage, now=self.now)
                if battles := find_battles_of_mages([mage]).get(mage.pk):
                    raise MageBusy(mage.name, "battle", battles[0])
                if warning is not None:
                    end_absence_warning(warning=warning, end=AbsenceWarning.End.DONE, now=self.now)
                write_notice(
                    key=f"{became}:{mage.pk}:{self.now.isoformat()}",
                    user=mage.user,
                    kind=became,
                    facts={"mage": mage.name, "score": self.scores.get(mage.pk, 0)},
                    now=self.now,
                )
                decline_elsewhere_on_commit(mage, self.now)
        except MageUnavailable:  # it has joined something since
            return
