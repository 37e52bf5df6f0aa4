"""Janitors' actions on users: renaming and vacations. Warnings and suspensions are in reports."""

from datetime import datetime

from django.utils.translation import gettext

from accounts.errors import CannotActOnUser
from accounts.models import User
from accounts.services.renaming import rename_user
from accounts.services.vacations import end_vacation, start_vacation
from fm_site.moderation.models import JournalEntry
from fm_site.moderation.services.journal import Facts
from fm_site.moderation.services.user_journal import carry_out_on_user

MOST_DAYS_AWAY = 365


def rename_for_janitor(*, user: User, name: str, by: User, reason: str, now: datetime) -> JournalEntry:
    """Rename `user`, however recent their last change was. Raises InvalidName, NameTaken, CannotActOnUser."""

    def rename(facts: Facts) -> None:
        facts["old"] = user.username
        facts["new"] = rename_user(user=user, name=name, now=now, again=True)

    return carry_out_on_user(kind=JournalEntry.Kind.RENAMED, user=user, by=by, reason=reason, now=now, act=rename)


def send_on_vacation(*, user: User, days: int, by: User, reason: str, now: datetime) -> JournalEntry:
    """Start a vacation of `days` for `user`, up to a year; the users' limit does not apply. Raises InvalidVacation,
    CannotActOnUser."""

    def send(facts: Facts) -> None:
        vacation = start_vacation(user=user, days=days, now=now, most=MOST_DAYS_AWAY)
        facts |= {"name": user.username, "ends_at": vacation.until.isoformat()}

    return carry_out_on_user(kind=JournalEntry.Kind.SENT_AWAY, user=user, by=by, reason=reason, now=now, act=send)


def call_back(*, user: User, by: User, reason: str, now: datetime) -> JournalEntry:
    """End `user`'s vacation. Raises CannotActOnUser, also if they are not away."""

    def call(facts: Facts) -> None:
        if not end_vacation(user=user, now=now):
            raise CannotActOnUser([gettext("%(name)s is not on vacation.") % {"name": user.username}])
        facts["name"] = user.username

    return carry_out_on_user(kind=JournalEntry.Kind.CALLED_BACK, user=user, by=by, reason=reason, now=now, act=call)
