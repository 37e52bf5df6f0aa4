"""Janitors' actions on users: renaming, vacations, taking down texts, sending and erasing their data, removing a lost
second factor. Warnings and suspensions are in reports."""

from dataclasses import asdict
from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import ObituaryLine, User
from accounts.selectors.users import list_merged_accounts
from accounts.services.credentials import revoke_credentials
from accounts.services.erase import erase_user
from accounts.services.hosts import mark_host, unmark_host
from accounts.services.rename import rename_user
from accounts.services.users import set_about
from accounts.services.vacations import end_vacation, enter_vacation
from challenges.services.retire_mages import leave_site
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.selectors.conflicts import explain_closing
from moderation.services.journal import Facts
from moderation.services.user_journal import act_on_user, refuse_unless_may_act_on
from notifications.models import Notice
from notifications.selectors.notices import address_for_notices
from notifications.services.outbox import write_notice
from studies.models import Collection, Study
from studies.services.obituaries import hide_obituary_line
from studies.services.takedowns import take_down_collection, take_down_study

MOST_DAYS_AWAY = 365
ONE_EXPORT_IN = timedelta(hours=1)


def rename_for_janitor(*, user: User, name: str, by: User, reason: str, now: datetime) -> JournalEntry:
    """Rename `user`, however recent their last change was. Raises InvalidName, NameTaken, ModerationRefused."""
    with act_on_user(kind=JournalEntry.Kind.RENAMED, user=user, by=by, reason=reason, now=now) as entry:
        entry.facts["old"] = user.username
        entry.facts["new"] = rename_user(user=user, name=name, now=now, by_janitor=True)
    return entry


def start_vacation_for_janitor(*, user: User, days: int, by: User, reason: str, now: datetime) -> JournalEntry:
    """Enter a vacation of `days` for `user`, up to a year, as after an illness: it uses none of their days, and stops
    their clocks even after the alarm. Raises InvalidVacation, ModerationRefused."""
    with act_on_user(kind=JournalEntry.Kind.VACATION_STARTED, user=user, by=by, reason=reason, now=now) as entry:
        vacation = enter_vacation(user=user, days=days, most=MOST_DAYS_AWAY, now=now)
        entry.facts |= {"name": user.username, "ends_at": vacation.until.isoformat()}
    return entry


def take_down(*, user: User, slug: str, by: User, reason: str, now: datetime) -> JournalEntry:
    """Blank the texts of a shared study or collection of `user`, and make it private. Raises ModerationRefused, also if
    they have no such study or collection, or it is private already."""
    study = Study.objects.filter(owner=user, slug=slug).exclude(access=Study.Access.PRIVATE).first()
    collection = Collection.objects.filter(owner=user, slug=slug).exclude(access=Study.Access.PRIVATE).first()
    facts: Facts = {"name": user.username, "title": str(study or collection)}
    if study is not None:
        facts |= {"study": study.pk, "branches": list(study.branches.values_list("pk", flat=True))}
    elif collection is not None:
        facts |= {"collection": collection.pk, "entries": list(collection.entries.values_list("pk", flat=True))}
    else:
        raise ModerationRefused("shares_nothing", name=user.username)
    with act_on_user(kind=JournalEntry.Kind.TAKEN_DOWN, user=user, by=by, reason=reason, now=now, facts=facts) as entry:
        if study is not None:
            take_down_study(study=study)
        elif collection is not None:
            take_down_collection(collection=collection)
    return entry


def take_down_about(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """Remove what `user` says about themselves. Raises ModerationRefused, also if they say nothing."""
    user.refresh_from_db(fields=["about"])
    if not user.about:
        raise ModerationRefused("says_nothing", name=user.username)
    facts: Facts = {"name": user.username, "about": True}
    with act_on_user(kind=JournalEntry.Kind.TAKEN_DOWN, user=user, by=by, reason=reason, now=now, facts=facts) as entry:
        set_about(user=user, text="")
    return entry


def mark_host_for_janitor(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """Mark `user`, who has offered it, as a host. Raises ModerationRefused, also if there is nothing to mark."""
    facts: Facts = {"name": user.username}
    kind = JournalEntry.Kind.HOST_MARKED
    with act_on_user(kind=kind, user=user, by=by, reason=reason, now=now, facts=facts) as entry:
        if not mark_host(user=user, now=now):
            raise ModerationRefused("offers_nothing", name=user.username)
    return entry


def unmark_host_for_janitor(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """Take a host's mark away. Raises ModerationRefused, also if they have none."""
    facts: Facts = {"name": user.username}
    kind = JournalEntry.Kind.HOST_UNMARKED
    with act_on_user(kind=kind, user=user, by=by, reason=reason, now=now, facts=facts) as entry:
        if not unmark_host(user=user):
            raise ModerationRefused("no_host", name=user.username)
    return entry


def take_down_obituary_line(*, line: ObituaryLine, by: User, reason: str, now: datetime) -> JournalEntry:
    """Remove a line on the page of a dead mage. Raises ModerationRefused, also if it has been removed."""
    user = line.writer
    facts: Facts = {"name": user.username, "mage": line.mage.name, "line": line.pk}
    with act_on_user(kind=JournalEntry.Kind.TAKEN_DOWN, user=user, by=by, reason=reason, now=now, facts=facts) as entry:
        if not hide_obituary_line(line=line, now=now):
            raise ModerationRefused("already_removed")
    return entry


def close_account_for_janitor(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """Close the account of `user`, who has asked for it, as they could themselves; nobody can undo it. Their address is
    notified. Raises ModerationRefused, also for a janitor and a closed account, and accounts'
    MageUnavailable and StillFighting."""
    with act_on_user(kind=JournalEntry.Kind.CLOSED, user=user, by=by, reason=reason, now=now, notify=False) as entry:
        user.refresh_from_db()
        if user.is_staff:
            raise ModerationRefused("is_janitor", name=user)
        address, name = address_for_notices(user), user.username
        leave_site(user=user, now=now)
        if address:
            write_notice(
                key=f"user_closed:{user.pk}:{now.isoformat()}",
                user=user,
                kind="user_closed",
                facts={"by": by.username, "reason": entry.reason},
                secrets={"user": name},
                address=address,
                now=now,
            )
    return entry


def erase_for_janitor(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """Erase what `user` has left, who has asked for it; an open account is closed first, as close_account_for_janitor
    does, with the accounts merged into it. Nobody can undo it, nor what janitors did to the account before. Raises as
    that does, and ModerationRefused if it is erased already, or merged into another."""
    with transaction.atomic():
        refuse_unless_may_act_on(user, by, reason)
        user = User.objects.select_for_update().get(pk=user.pk)
        farewell = None
        if user.is_active:
            close_account_for_janitor(user=user, by=by, reason=reason, now=now)
            farewell = Notice.objects.filter(user=user, kind="user_closed").order_by("-pk").first()
        elif (closing := explain_closing(user)) and closing.code == "already_merged":
            raise closing
        elif JournalEntry.objects.filter(user=user, kind=JournalEntry.Kind.ERASED).exists():
            raise ModerationRefused("erased")
        kind = JournalEntry.Kind.ERASED
        with act_on_user(kind=kind, user=user, by=by, reason=reason, now=now, notify=False) as entry:
            erase_user(user=user, besides=farewell)
            accounts = [user, *list_merged_accounts(user)]
            JournalEntry.objects.filter(user__in=accounts).update(before={}, after={})
    return entry


def send_export_for_janitor(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """Email `user` all data that is stored about them, to their confirmed address: nobody else sees it. Raises
    ModerationRefused, also without such an address, and if they got it within the hour."""
    kind = JournalEntry.Kind.EXPORTED
    with act_on_user(kind=kind, user=user, by=by, reason=reason, now=now, notify=False) as entry:
        user.refresh_from_db()
        if address_for_notices(user) is None or user.mail_fails_since is not None:
            raise ModerationRefused("no_address", name=user.username)
        before = JournalEntry.objects.filter(user=user, kind=kind, made_at__gt=now - ONE_EXPORT_IN)
        if before.exclude(pk=entry.pk).exists():
            raise ModerationRefused("just_exported", name=user.username)
        facts = {"by": by.username, "reason": entry.reason, "at": now.isoformat()}
        write_notice(key=f"data_export:{entry.pk}", user=user, kind="data_export", facts=facts, now=now)
    return entry


def end_vacation_for_janitor(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """End `user`'s vacation. Raises ModerationRefused, also if they are not away."""
    with act_on_user(kind=JournalEntry.Kind.VACATION_ENDED, user=user, by=by, reason=reason, now=now) as entry:
        if not end_vacation(user=user, now=now):
            raise ModerationRefused("not_away", name=user.username)
        entry.facts["name"] = user.username
    return entry


def remove_second_factor(*, user: User, now: datetime) -> bool:
    """Remove `user`'s authenticator app and recovery codes and notify them; return whether they had any. Their API
    tokens and mail password are revoked too: a finder of the lost device may have them."""
    with transaction.atomic():
        if not Authenticator.objects.filter(user=user).delete()[0]:
            return False
        revoked = revoke_credentials(user=user)
        write_notice(
            key=f"account_changed:{user.pk}:second_factor:{now.isoformat()}",
            user=user,
            kind="account_changed",
            facts={"what": "totp_deactivated"} | ({"revoked": asdict(revoked)} if revoked else {}),
            now=now,
        )
    return True
