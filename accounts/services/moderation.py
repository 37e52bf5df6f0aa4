"""Reports of players, warnings, suspensions. Every act of a janitor has its undoing: an answer is written anew, a
warning withdrawn, a suspension lifted."""

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.errors import CannotReport, CannotSanction
from accounts.models import AccountWarning, Report, Sanction, User
from accounts.selectors import list_janitors
from accounts.selectors.moderation import appeal_address, list_sanctions_over
from accounts.services.outbox import write_notice

MOST_OPEN = 10
LONGEST = 2000


def make_report(
    *, reporter: User, text: str, now: datetime, about_user: User | None = None, about_battle: int | None = None
) -> Report:
    """Tell the janitors of a user, a battle or both. Sent twice it is one report. Raises CannotReport with every
    problem."""
    said = text.strip()[:LONGEST]
    problems = [] if said else ["Say what happened."]
    problems += [] if about_user or about_battle else ["Name a user, a mage or a battle."]
    problems += ["You cannot report yourself."] if about_user and about_user.pk == reporter.pk else []
    if problems:
        raise CannotReport(problems)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=reporter.pk)
        mine = Report.objects.filter(reporter=reporter).exclude(state=Report.State.ANSWERED)
        same = mine.filter(about_user=about_user, about_battle=about_battle, text=said).first()
        if same is not None:
            return same
        if mine.count() >= MOST_OPEN:
            raise CannotReport([f"{MOST_OPEN} reports of yours wait for an answer already."])
        report = Report.objects.create(
            reporter=reporter, about_user=about_user, about_battle=about_battle, text=said, created_at=now
        )
        for janitor in [each for each in list_janitors() if each != about_user]:
            write_notice(
                key=f"report_made:{report.pk}:{janitor.pk}",
                user=janitor,
                kind="report_made",
                facts={"report": report.pk, "subject": report.subject},
                now=now,
            )
    return report


def take_report_in_hand(*, report: Report, by: User) -> bool:
    """Note that a janitor looks at a report; say whether nobody did before."""
    unread = Report.objects.filter(pk=report.pk, state=Report.State.OPEN)
    return unread.update(state=Report.State.IN_HAND, janitor=by) == 1


def answer_report(*, report: Report, by: User, answer: str, now: datetime) -> bool:
    """Answer a report, or answer it anew; its reporter is told. Say whether that changed anything. Raises
    CannotReport for an answer without words, and for who is reported himself."""
    said = answer.strip()[:LONGEST]
    if not said:
        raise CannotReport(["An answer says something."])
    if report.about_user_id == by.pk:
        raise CannotReport(["Another janitor answers what is about you."])
    with transaction.atomic():
        changed = Report.objects.filter(pk=report.pk).exclude(state=Report.State.ANSWERED, answer=said)
        if not changed.update(state=Report.State.ANSWERED, janitor=by, answer=said, answered_at=now):
            return False
        write_notice(
            key=f"report_answered:{report.pk}:{now.isoformat()}",
            user=report.reporter,
            kind="report_answered",
            facts={"report": report.pk, "subject": report.subject, "answer": said},
            now=now,
        )
    return True


def warn_user(*, user: User, by: User, text: str, now: datetime, report: Report | None = None) -> AccountWarning:
    """Warn `user`, who has to acknowledge it before he goes on. Raises CannotSanction."""
    _check(user, by, text)
    with transaction.atomic():
        warning = AccountWarning.objects.create(user=user, text=text.strip(), given_by=by, given_at=now, report=report)
        _mark(user)
        write_notice(
            key=f"account_warned:{warning.pk}",
            user=user,
            kind="account_warned",
            facts={"warning": warning.pk, "text": warning.text, "appeal": appeal_address()},
            now=now,
        )
    return warning


def acknowledge_warnings(*, user: User, now: datetime) -> int:
    """Take the word of `user` that he has read what he was warned of; return how many warnings that were."""
    with transaction.atomic():
        waiting = AccountWarning.objects.filter(user=user, acknowledged_at=None, withdrawn_at=None)
        read = waiting.update(acknowledged_at=now)
        _mark(user)
    return read


def withdraw_warning(*, warning: AccountWarning, now: datetime) -> bool:
    """Take a warning back; say whether it still stood."""
    with transaction.atomic():
        taken = AccountWarning.objects.filter(pk=warning.pk, withdrawn_at=None).update(withdrawn_at=now)
        _mark(warning.user)
    return taken == 1


def suspend_user(
    *, user: User, by: User, reason: str, ends_at: datetime | None, now: datetime, report: Report | None = None
) -> Sanction:
    """Let `user` read and no more, until then or, without an end, until it is lifted. His clocks go on. Raises
    CannotSanction, also for who is suspended already."""
    _check(user, by, reason)
    if ends_at is not None and ends_at <= now:
        raise CannotSanction(["A suspension ends in the future."])
    try:
        with transaction.atomic():
            _expire(user, now)
            sanction = Sanction.objects.create(
                user=user, reason=reason.strip(), imposed_by=by, starts_at=now, ends_at=ends_at, report=report
            )
            _mark(user)
            end = ends_at.isoformat() if ends_at else ""
            write_notice(
                key=f"user_suspended:{sanction.pk}",
                user=user,
                kind="user_suspended",
                facts={"reason": sanction.reason, "ends_at": end, "appeal": appeal_address()},
                now=now,
            )
    except IntegrityError as error:
        raise CannotSanction([f"{user.username} is suspended already."]) from error
    return sanction


def lift_sanction(*, sanction: Sanction, by: User, why: str, now: datetime) -> bool:
    """End a suspension before its time; say whether it went on."""
    with transaction.atomic():
        running = Sanction.objects.filter(pk=sanction.pk, lifted_at=None, expired_at=None)
        if not running.update(lifted_at=now, lifted_by=by, lifted_why=why.strip()[:300]):
            return False
        _mark(sanction.user)
        _tell_over(sanction, now)
    return True


def sweep_sanctions(*, now: datetime, limit: int = 200) -> int:
    """End the suspensions whose time is over, and tell their users; return how many."""
    return sum(_expire_one(sanction, now) for sanction in list_sanctions_over(now=now, limit=limit))


def _check(user: User, by: User, text: str) -> None:
    problems = [] if text.strip() else ["Say why; the user reads it."]
    problems += ["You cannot do that to yourself."] if user.pk == by.pk else []
    if problems:
        raise CannotSanction(problems)


def _expire(user: User, now: datetime) -> None:
    for sanction in Sanction.objects.filter(user=user, lifted_at=None, expired_at=None, ends_at__lte=now):
        _expire_one(sanction, now)


def _expire_one(sanction: Sanction, now: datetime) -> int:
    with transaction.atomic():
        running = Sanction.objects.filter(pk=sanction.pk, lifted_at=None, expired_at=None)
        if not running.update(expired_at=now):
            return 0
        _mark(sanction.user)
        _tell_over(sanction, now)
    return 1


def _tell_over(sanction: Sanction, now: datetime) -> None:
    write_notice(key=f"suspension_over:{sanction.pk}", user=sanction.user, kind="suspension_over", facts={}, now=now)


def _mark(user: User) -> None:
    """Let the mark that doors look at say whether anything is to be looked up."""
    held = (
        AccountWarning.objects.filter(user=user, acknowledged_at=None, withdrawn_at=None).exists()
        or Sanction.objects.filter(user=user, lifted_at=None, expired_at=None).exists()
    )
    User.objects.filter(pk=user.pk).update(is_held=held)
    user.is_held = held
