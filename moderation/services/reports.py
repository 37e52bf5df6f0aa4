"""Users' reports, warnings and suspensions. Reports can be unassigned and answered again; warnings and suspensions are
in the journal, which can undo them (user_journal)."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from accounts.languages import in_language_of
from accounts.models import AccountWarning, Message, Sanction, User
from accounts.selectors.hold import appeal_address
from accounts.selectors.messages import list_messages_between
from accounts.selectors.users import list_janitors
from accounts.services.hold import mark_held
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry, Report
from moderation.selectors.conflicts import find_conflict
from moderation.selectors.reports import list_reported_messages, list_sanctions_over, may_judge
from moderation.services.user_journal import act_on_user
from notifications.services.outbox import write_notice
from operations.registry import STRANGERS_MAIL, find_function
from operations.sweeps import act_on_each
from operations.text.invisible_characters import mark_hidden

MOST_OPEN = 10
LONGEST = 2000
LONGEST_PLACE, LONGEST_NAME = 300, 120
# How often strangers' reports send a receipt to one address, which may not be theirs.
RECEIPT_EVERY = timedelta(days=1)


def make_report(
    *,
    reporter: User,
    text: str,
    now: datetime,
    about_user: User | None = None,
    about_battle: int | None = None,
    with_messages: bool = False,
) -> Report:
    """Report a user, a battle or both to the janitors; `with_messages` lets them read what the reporter and the user
    have written to each other until now. Sending it twice makes one report. Raises ModerationRefused with every
    problem."""
    text = mark_hidden(text.strip())[:LONGEST]
    problems = [] if text else [ModerationRefused("no_text")]
    problems += [] if about_user or about_battle else [ModerationRefused("no_subject")]
    problems += [ModerationRefused("reports_self")] if about_user and about_user.pk == reporter.pk else []
    if problems:
        raise ModerationRefused.together(problems)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=reporter.pk)
        mine = Report.objects.filter(reporter=reporter).exclude(state=Report.State.ANSWERED)
        same = mine.filter(about_user=about_user, about_battle=about_battle, text=text).first()
        if same is not None:
            return same
        newest = None
        if with_messages and about_user is not None:
            newest = list_messages_between(reporter, about_user).values_list("pk", flat=True).first()
        if mine.count() >= MOST_OPEN:
            raise ModerationRefused("too_many_reports", most=MOST_OPEN)
        report = Report.objects.create(
            reporter=reporter,
            about_user=about_user,
            about_battle=about_battle,
            messages_to=newest,
            text=text,
            created_at=now,
        )
        _notify_janitors(report, now)
    return report


def make_strangers_report(
    *,
    where: str,
    text: str,
    name: str,
    email: str,
    language: str,
    about: tuple[User | None, int | None],
    now: datetime,
) -> Report:
    """Report illegal content without an account: at `where`, and `about` a user or battle if one is found there. An
    address gets a receipt, once a day. Sending it twice makes one report. Raises ModerationRefused."""
    where, text = mark_hidden(where.strip())[:LONGEST_PLACE], mark_hidden(text.strip())[:LONGEST]
    problems = ([] if text else [ModerationRefused("no_text")]) + ([] if where else [ModerationRefused("no_subject")])
    if problems:
        raise ModerationRefused.together(problems)
    with transaction.atomic():
        strangers = Report.objects.filter(reporter=None)
        waiting = strangers.exclude(state=Report.State.ANSWERED)
        same = waiting.filter(where=where, text=text, email=email).first()
        if same is not None:
            return same
        has_receipt = strangers.filter(email=email, created_at__gt=now - RECEIPT_EVERY).exists()
        report = Report.objects.create(
            where=where,
            about_user=about[0],
            about_battle=about[1],
            text=text,
            stranger=mark_hidden(name.strip())[:LONGEST_NAME],
            email=email,
            language=language,
            created_at=now,
        )
        _notify_janitors(report, now)
        if email and not has_receipt:
            find_function(STRANGERS_MAIL)(report=report, answer="", now=now)
    return report


def _notify_janitors(report: Report, now: datetime) -> None:
    for janitor in list_janitors():
        if not may_judge(janitor, report):
            continue
        with in_language_of(janitor):
            subject = report.subject
        write_notice(
            key=f"report_made:{report.pk}:{janitor.pk}",
            user=janitor,
            kind="report_made",
            facts={"report": report.pk, "subject": subject, "by_stranger": report.reporter_id is None},
            now=now,
        )


def read_reported_messages(*, report: Report, by: User, now: datetime) -> list[Message]:
    """Return the messages that a report is about, the oldest first: those between its reporter and the user, until it
    was made. Each reading is in the journal. Raises ModerationRefused, also if `by` is in a battle with either of the
    two: what one of them wrote to the other may be about it."""
    if report.messages_to is None or report.about_user is None:
        raise ModerationRefused("no_messages_reported")
    _refuse_unless_may_judge(by, report)
    if report.reporter is not None and (conflict := find_conflict(user=report.reporter, by=by)):
        raise conflict
    reason = gettext("To answer report %(number)s.") % {"number": report.pk}
    facts = {"name": report.about_user.username, "report": report.pk}
    with act_on_user(
        kind=JournalEntry.Kind.LOOKED,
        user=report.about_user,
        by=by,
        reason=reason,
        now=now,
        facts=facts,
        notify=False,
        report=report,
    ):
        return list(list_reported_messages(report))


def _refuse_unless_may_judge(by: User, report: Report) -> None:
    if report.about_user_id == by.pk:
        raise ModerationRefused("about_you")
    if report.reporter_id == by.pk:
        raise ModerationRefused("own_report")
    if not may_judge(by, report):
        raise ModerationRefused("about_your_battle")


def assign_report(*, report: Report, by: User) -> bool:
    """Assign a report to a janitor; return whether it was unassigned."""
    unassigned = Report.objects.filter(pk=report.pk, state=Report.State.OPEN)
    return unassigned.update(state=Report.State.ASSIGNED, janitor=by) == 1


def unassign_report(*, report: Report) -> bool:
    """Unassign a report; return whether it was assigned."""
    assigned = Report.objects.filter(pk=report.pk, state=Report.State.ASSIGNED)
    return assigned.update(state=Report.State.OPEN, janitor=None) == 1


def answer_report(*, report: Report, by: User, answer: str, now: datetime) -> bool:
    """Answer a report, or change its answer, and notify its reporter; return whether that changed anything. A stranger
    gets the first answer by email, and their name and address are deleted. Raises ModerationRefused for an empty
    answer, and if `by` is the reported user, made the report, or has or had a mage in the battle.
    """
    answer = mark_hidden(answer.strip())[:LONGEST]
    if not answer:
        raise ModerationRefused("no_reply")
    _refuse_unless_may_judge(by, report)
    with transaction.atomic():
        changed = Report.objects.filter(pk=report.pk).exclude(state=Report.State.ANSWERED, answer=answer)
        if not changed.update(state=Report.State.ANSWERED, janitor=by, answer=answer, answered_at=now):
            return False
        if report.reporter is None:
            if report.email:
                find_function(STRANGERS_MAIL)(report=report, answer=answer, now=now)
            Report.objects.filter(pk=report.pk).update(stranger="", email="", language="")
            return True
        with in_language_of(report.reporter):
            subject = report.subject
        write_notice(
            key=f"report_answered:{report.pk}:{now.isoformat()}",
            user=report.reporter,
            kind="report_answered",
            facts={"report": report.pk, "subject": subject, "answer": answer},
            now=now,
        )
    return True


def warn_user(*, user: User, by: User, text: str, now: datetime, report: Report | None = None) -> AccountWarning:
    """Warn `user`, who must acknowledge it to continue. Raises ModerationRefused, also if they have not acknowledged
    the same warning yet."""
    with act_on_user(
        kind=JournalEntry.Kind.WARNED,
        user=user,
        by=by,
        reason=text,
        now=now,
        facts={"name": user.username},
        notify=False,
        report=report,
    ) as entry:
        waiting = AccountWarning.objects.filter(user=user, acknowledged_at=None, withdrawn_at=None)
        same = waiting.filter(text=text.strip()).select_related("given_by").first()
        if same is not None:
            raise ModerationRefused("already_warned", by=same.given_by, name=user.username)
        warning = AccountWarning.objects.create(user=user, text=text.strip(), given_by=by, given_at=now)
        mark_held(user=user)
        entry.facts["warning"] = warning.pk
        write_notice(
            key=f"account_warned:{warning.pk}",
            user=user,
            kind="account_warned",
            facts={"warning": warning.pk, "text": warning.text, "by": by.username, "appeal": appeal_address()},
            now=now,
        )
    return warning


def withdraw_warning(*, warning: AccountWarning, by: User, reason: str, now: datetime) -> bool:
    """Withdraw a warning; return whether it was active. Raises ModerationRefused."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=warning.user_id)
        if not AccountWarning.objects.filter(pk=warning.pk, withdrawn_at=None).exists():
            return False
        facts = {"name": warning.user.username, "text": warning.text, "warning": warning.pk}
        kind = JournalEntry.Kind.WITHDRAWN
        with act_on_user(kind=kind, user=warning.user, by=by, reason=reason, now=now, facts=facts):
            AccountWarning.objects.filter(pk=warning.pk).update(withdrawn_at=now)
            mark_held(user=warning.user)
    return True


def suspend_user(
    *, user: User, by: User, reason: str, ends_at: datetime | None, now: datetime, report: Report | None = None
) -> Sanction:
    """Suspend `user`, who can then only read, until `ends_at` or, without one, until it is lifted. Their clocks keep
    running. Raises ModerationRefused, also if they are already suspended or the end is past."""
    if ends_at is not None and ends_at <= now:
        raise ModerationRefused("past_end")
    end = ends_at.isoformat() if ends_at else ""
    try:
        with act_on_user(
            kind=JournalEntry.Kind.SUSPENDED,
            user=user,
            by=by,
            reason=reason,
            now=now,
            facts={"name": user.username, "ends_at": end},
            notify=False,
            report=report,
        ) as entry:
            _expire_suspensions(user, now)
            sanction = Sanction.objects.create(
                user=user, reason=reason.strip(), imposed_by=by, starts_at=now, ends_at=ends_at
            )
            mark_held(user=user)
            entry.facts["sanction"] = sanction.pk
            write_notice(
                key=f"user_suspended:{sanction.pk}",
                user=user,
                kind="user_suspended",
                facts={"reason": sanction.reason, "by": by.username, "ends_at": end, "appeal": appeal_address()},
                now=now,
            )
    except IntegrityError as error:
        raise ModerationRefused("already_suspended", name=user.username) from error
    return sanction


def lift_sanction(*, sanction: Sanction, by: User, why: str, now: datetime) -> bool:
    """End a suspension early; return whether it was active. Raises ModerationRefused."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=sanction.user_id)
        running = Sanction.objects.open().filter(pk=sanction.pk)
        if running.select_for_update(of=("self",)).first() is None:
            return False
        end = sanction.ends_at.isoformat() if sanction.ends_at else ""
        facts = {"name": sanction.user.username, "ends_at": end}
        kind = JournalEntry.Kind.LIFTED
        with act_on_user(kind=kind, user=sanction.user, by=by, reason=why, now=now, facts=facts, notify=False):
            running.update(lifted_at=now, lifted_by=by, lifted_why=why.strip()[:300])
            mark_held(user=sanction.user)
            _notify_of_end(sanction, now, {"by": by.username, "reason": why.strip()})
    return True


def sweep_sanctions(*, now: datetime, limit: int = 200) -> int:
    """Close the suspensions that are over and notify their users; return how many."""
    return act_on_each(list_sanctions_over(now=now, limit=limit), lambda sanction: _expire_one(sanction, now))


def _expire_suspensions(user: User, now: datetime) -> None:
    for sanction in Sanction.objects.open().filter(user=user, ends_at__lte=now):
        _expire_one(sanction, now)


def _expire_one(sanction: Sanction, now: datetime) -> int:
    with transaction.atomic():
        running = Sanction.objects.open().filter(pk=sanction.pk)
        if not running.update(expired_at=now):
            return 0
        mark_held(user=sanction.user)
        _notify_of_end(sanction, now)
    return 1


def _notify_of_end(sanction: Sanction, now: datetime, facts: Mapping[str, str] | None = None) -> None:
    """Notify the user; `facts` are who lifted it and why."""
    key = f"suspension_over:{sanction.pk}:{now.isoformat()}"
    write_notice(key=key, user=sanction.user, kind="suspension_over", facts=facts or {}, now=now)
