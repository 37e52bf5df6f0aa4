"""Janitors' actions on users: each calls one service of moderation."""

import re
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import AccountWarning, Host, ObituaryLine, Sanction, User, UserMerge, Vacation
from accounts.models.name import NAME_LENGTH
from accounts.selectors.names import find_nearest_name, find_owner
from challenges.models import RoomLine
from challenges.selectors.room import find_room_mute, list_removable_lines_by
from moderation.admin.row_actions import AmountField, Data, ReasonForm, RowAction, RowField, read_details
from moderation.errors import ModerationRefused
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry
from moderation.services import user_actions
from moderation.services.lobby import mute_user, remove_room_line
from moderation.services.merge_users import merge_users, undo_merge
from moderation.services.reports import lift_sanction, suspend_user, warn_user, withdraw_warning
from moderation.services.user_actions import (
    close_account_for_janitor,
    erase_for_janitor,
    rename_for_janitor,
    send_export_for_janitor,
    start_vacation_for_janitor,
)
from moderation.services.user_journal import undo_user_entry
from notifications.selectors.notices import zone_of
from operations.text.suggestions import suggest


class NameForm(ReasonForm):
    name = forms.CharField(label=_("New name"), max_length=NAME_LENGTH)


class ConfirmForm(ReasonForm):
    """For what nobody can undo: the janitor writes the name of the account, too."""

    name = forms.CharField(label=_("Name of the account"), max_length=NAME_LENGTH)

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if name.lower() != self.about.username.lower():
            raise forms.ValidationError(_("Enter the name of this account: %(name)s."), params={"name": self.about})
        return name


class DaysForm(ReasonForm):
    days = AmountField(label=_("Days from now"), min_value=1, max_value=365, initial=14)


class SuspensionForm(ReasonForm):
    days = AmountField(
        label=_("Days"),
        min_value=1,
        max_value=3650,
        required=False,
        help_text=_("Leave empty for a suspension that lasts until a janitor lifts it."),
    )


class MergeForm(ReasonForm):
    other = forms.CharField(
        label=_("Other account"),
        max_length=NAME_LENGTH,
        help_text=_(
            "The user's name or a mage's name. That account is closed, and this one gets its mages, its names "
            "and what it follows."
        ),
    )

    def clean_other(self) -> User:
        name = self.cleaned_data["other"]
        user = find_owner(name)
        if user is None:
            raise forms.ValidationError(suggest(gettext("No user or mage has that name."), find_nearest_name(name)))
        return user


def write_day(moment: datetime) -> str:
    """Return the day in the janitor's own time zone (moderation.time_zone)."""
    return date_format(timezone.localtime(moment))


class WithdrawForm(ReasonForm):
    warning = RowField(
        label=_("Warning"),
        rows=AccountWarning,
        words=lambda warning: f"{write_day(warning.given_at)}: {warning.text}",
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.offer_rows("warning", list_active_warnings(self.about))


class TakeDownForm(ReasonForm):
    address = forms.CharField(
        label=_("Address"),
        max_length=200,
        help_text=_("The address of the study, the collection, the user's page, or the line about a dead mage."),
    )

    def clean_address(self) -> tuple[str, str]:
        """Return what the address leads to, and the word after that in the address."""
        parts = [part for part in re.split("[/#]", str(self.cleaned_data["address"])) if part]
        if parts and re.fullmatch(r"line-\d{1,12}", parts[-1], re.ASCII):
            return "line", parts[-1].removeprefix("line-")
        places = [n for n, part in enumerate(parts[:-1]) if part in ("studies", "collections", "users")]
        return (parts[places[0]], parts[places[0] + 1]) if places else ("", "")


class RoomLineForm(ReasonForm):
    line = RowField(
        label=_("Line"),
        rows=RoomLine,
        words=lambda line: f"{date_format(timezone.localtime(line.written_at), 'DATETIME_FORMAT')}: “{line.text}”",
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.offer_rows("line", list_removable_lines_by(self.about))


class UndoUserActForm(ReasonForm):
    entry = RowField(
        label=_("Action"),
        rows=JournalEntry,
        words=lambda entry: f"{entry.get_kind_display()}, {write_day(entry.made_at)}: {entry.reason}",
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.offer_rows("entry", JournalEntry.objects.filter(user=self.about, undone_at=None))


def rename(request: HttpRequest, user: User, data: Data) -> str:
    entry = rename_for_janitor(user=user, name=data["name"], **read_details(request, data))
    return gettext("%(old)s is now called %(new)s and is notified.") % {
        "old": entry.facts["old"],
        "new": entry.facts["new"],
    }


def send_away(request: HttpRequest, user: User, data: Data) -> str:
    entry = start_vacation_for_janitor(user=user, days=data["days"], **read_details(request, data))
    message = describe_entry(entry.kind, entry.facts, zone=zone_of(request.user))
    return " ".join([message, gettext("%(user)s is notified.") % {"user": user}])


def end_vacation_for_janitor(request: HttpRequest, user: User, data: Data) -> str:
    user_actions.end_vacation_for_janitor(user=user, **read_details(request, data))
    return gettext("%(user)s's vacation has ended. %(user)s is notified.") % {"user": user}


def suspend(request: HttpRequest, user: User, data: Data) -> str:
    details = read_details(request, data)
    ends_at = details["now"] + timedelta(days=data["days"]) if data["days"] else None
    suspend_user(user=user, ends_at=ends_at, **details)
    return gettext("%(user)s is suspended and notified.") % {"user": user}


def lift(request: HttpRequest, user: User, data: Data) -> str:
    details = read_details(request, data)
    sanction = Sanction.objects.open().filter(user=user).first()
    if sanction is None:
        raise ModerationRefused("not_suspended", user=user)
    lift_sanction(sanction=sanction, by=details["by"], why=details["reason"], now=details["now"])
    return gettext("%(user)s can play again and is notified.") % {"user": user}


def warn(request: HttpRequest, user: User, data: Data) -> str:
    details = read_details(request, data)
    warn_user(user=user, by=details["by"], text=details["reason"], now=details["now"])
    return gettext("%(user)s is warned and must acknowledge the warning to continue.") % {"user": user}


def withdraw(request: HttpRequest, user: User, data: Data) -> str:
    withdraw_warning(warning=data["warning"], **read_details(request, data))
    return gettext("The warning is withdrawn. %(user)s is notified.") % {"user": user}


def merge(request: HttpRequest, user: User, data: Data) -> str:
    merge_users(kept=user, merged=data["other"], **read_details(request, data))
    return gettext("%(other)s is merged into %(user)s.") % {
        "other": data["other"],
        "user": user,
    }


def take_apart(request: HttpRequest, user: User, data: Data) -> str:
    last = UserMerge.objects.filter(kept=user, undone_at=None).first()
    if last is None:
        raise ModerationRefused("not_merged", user=user)
    undo_merge(merge=last, **read_details(request, data))
    return gettext("%(merged)s has everything back and can log in again.") % {"merged": last.merged}


def take_down(request: HttpRequest, user: User, data: Data) -> str:
    place, key = data["address"]
    line = ObituaryLine.objects.filter(writer=user, pk=key).first() if place == "line" else None
    if line is not None:
        user_actions.take_down_obituary_line(line=line, **read_details(request, data))
    elif place == "users" and key.lower() == user.username.lower():
        user_actions.take_down_about(user=user, **read_details(request, data))
    else:
        user_actions.take_down(user=user, slug=key, **read_details(request, data))
    if not user.is_active:
        return gettext("The text is taken down.")
    return gettext("The text is taken down. %(user)s is notified.") % {"user": user}


def remove_line(request: HttpRequest, user: User, data: Data) -> str:
    remove_room_line(line=data["line"], **read_details(request, data))
    return gettext("The line is removed. %(user)s is notified.") % {"user": user}


def mute(request: HttpRequest, user: User, data: Data) -> str:
    details = read_details(request, data)
    mute_user(user=user, ends_at=details["now"] + timedelta(days=data["days"]), **details)
    return gettext("%(user)s cannot write in the lobby and is notified.") % {"user": user}


def mark_host(request: HttpRequest, user: User, data: Data) -> str:
    user_actions.mark_host_for_janitor(user=user, **read_details(request, data))
    return gettext("%(user)s is a host now and is notified.") % {"user": user}


def unmark_host(request: HttpRequest, user: User, data: Data) -> str:
    user_actions.unmark_host_for_janitor(user=user, **read_details(request, data))
    return gettext("%(user)s is no longer a host and is notified.") % {"user": user}


def close(request: HttpRequest, user: User, data: Data) -> str:
    close_account_for_janitor(user=user, **read_details(request, data))
    return gettext("The account is closed.")


def erase(request: HttpRequest, user: User, data: Data) -> str:
    erase_for_janitor(user=user, **read_details(request, data))
    return gettext("What the account had left is erased.")


def send_export(request: HttpRequest, user: User, data: Data) -> str:
    send_export_for_janitor(user=user, **read_details(request, data))
    return gettext("The data is on its way to the confirmed address of %(user)s.") % {"user": user}


def undo(request: HttpRequest, user: User, data: Data) -> str:
    undo_user_entry(entry=data["entry"], **read_details(request, data))
    return gettext("Undone. The user is notified.")


def is_open(user: User) -> bool:
    return user.is_active


def is_erased(user: User) -> bool:
    return JournalEntry.objects.filter(user=user, kind=JournalEntry.Kind.ERASED).exists()


def is_away(user: User) -> bool:
    return Vacation.objects.filter(user=user, ended_at=None).exists()


def offers_to_host(user: User) -> bool:
    return Host.objects.filter(user=user, offered_at__isnull=False, marked_at=None).exists()


def is_suspended(user: User) -> bool:
    return Sanction.objects.open().filter(user=user).exists()


def list_active_warnings(user: User) -> QuerySet[AccountWarning]:
    return AccountWarning.objects.filter(user=user, withdrawn_at=None)


USER_ACTIONS = (
    RowAction(
        "rename",
        _("Rename"),
        _("The user keeps everything, including the old name."),
        _("Rename"),
        NameForm,
        rename,
        undo=_("as long as the user has that name."),
        is_offered=is_open,
    ),
    RowAction(
        "vacation",
        _("Start a vacation"),
        _(
            "Stops the user's clocks for up to a year, except in live battles. Unlike the user's own vacation, it also "
            "stops clocks after their alarm, and uses none of the user's days. Enter one for someone who is ill."
        ),
        _("Start vacation"),
        DaysForm,
        send_away,
        undo=_("until another vacation starts or ends."),
        is_offered=is_open,
    ),
    RowAction(
        "back",
        _("End the vacation"),
        _("Restarts the user's clocks."),
        _("End vacation"),
        ReasonForm,
        end_vacation_for_janitor,
        undo=_("until another vacation starts or ends."),
        is_offered=is_away,
    ),
    RowAction(
        "suspend",
        _("Suspend"),
        _("The user can read but not play or write. Their clocks keep running."),
        _("Suspend"),
        SuspensionForm,
        suspend,
        undo=_("until it has ended or another has started."),
        is_offered=lambda user: user.is_active and not is_suspended(user),
    ),
    RowAction(
        "lift",
        _("Lift the suspension"),
        _("The user can play again immediately."),
        _("Lift"),
        ReasonForm,
        lift,
        undo=_("until another suspension has started."),
        is_offered=is_suspended,
    ),
    RowAction(
        "warn",
        _("Warn"),
        _("The user must read and acknowledge your text before they can continue."),
        _("Warn"),
        ReasonForm,
        warn,
        undo=_("until the user acknowledges it."),
        is_offered=is_open,
    ),
    RowAction(
        "withdraw",
        _("Withdraw a warning"),
        _("The warning stays in the journal as withdrawn, and the user need not acknowledge it."),
        _("Withdraw"),
        WithdrawForm,
        withdraw,
        undo=_("at any time."),
        is_offered=lambda user: list_active_warnings(user).exists(),
    ),
    RowAction(
        "take-down",
        _("Take down a text"),
        _(
            "Blanks the title, names and comments of a shared study or collection, and makes it private; or removes "
            "what the user's page says about them, or their line about a dead mage."
        ),
        _("Take down"),
        TakeDownForm,
        take_down,
        undo=_("until its owner changes it."),
    ),
    RowAction(
        "remove-line",
        _("Remove a line in the lobby"),
        _("Nobody can read it any more; its place says that a janitor removed it. Emails that have left have it."),
        _("Remove"),
        RoomLineForm,
        remove_line,
        undo=_("at any time."),
        is_offered=lambda user: list_removable_lines_by(user).exists(),
    ),
    RowAction(
        "mute",
        _("Mute in the lobby"),
        _("The user cannot write in the lobby's room, by page, API or email. They can play and write elsewhere."),
        _("Mute"),
        DaysForm,
        mute,
        undo=_("at any time."),
        is_offered=lambda user: user.is_active and find_room_mute(user, now=timezone.now()) is None,
    ),
    RowAction(
        "host",
        _("Mark as a host"),
        _("The user has offered to play newcomers. Newcomers may then ask them for their first duel."),
        _("Mark"),
        ReasonForm,
        mark_host,
        undo=_("until the mark changes again."),
        is_offered=lambda user: user.is_active and offers_to_host(user),
    ),
    RowAction(
        "no-host",
        _("End the mark of a host"),
        _("Newcomers no longer ask the user. Current duels continue."),
        _("End the mark"),
        ReasonForm,
        unmark_host,
        undo=_("until the mark changes again."),
        is_offered=lambda user: Host.objects.filter(user=user, marked_at__isnull=False).exists(),
    ),
    RowAction(
        "merge",
        _("Merge another account into this one"),
        _("Two accounts of one person become one."),
        _("Merge"),
        MergeForm,
        merge,
        undo=_("separate the accounts again."),
        is_offered=is_open,
    ),
    RowAction(
        "take-apart",
        _("Separate a merged account"),
        _("The account last merged into this one gets everything back."),
        _("Separate"),
        ReasonForm,
        take_apart,
        undo=_("merge it again."),
        is_offered=lambda user: user.is_active and UserMerge.objects.filter(kept=user, undone_at=None).exists(),
    ),
    RowAction(
        "close",
        _("Close the account"),
        _("For a user who asks for it. Their mages leave and their name disappears. Nobody can undo this."),
        _("Close the account"),
        ConfirmForm,
        close,
        is_offered=lambda user: user.is_active and not user.is_staff,
    ),
    RowAction(
        "export",
        _("Send the user their data"),
        _(
            "For a user who asks for it. Everything that is stored about them goes to their confirmed address and "
            "nowhere else. You don't see it."
        ),
        _("Send"),
        ReasonForm,
        send_export,
        is_offered=is_open,
    ),
    RowAction(
        "erase",
        _("Erase the user's data"),
        _(
            "For a user who asks for it from their confirmed address. Closes the account and deletes what that leaves: "
            "lines of chat, messages, studies, records of email and logins. Battles and results stay, without the "
            "name. The reason stays too, so don't name the person in it. Nobody can undo this."
        ),
        _("Erase"),
        ConfirmForm,
        erase,
        is_offered=lambda user: not user.is_staff and not user.is_bot and not is_erased(user),
    ),
    RowAction(
        "undo",
        _("Undo"),
        _("Reverses a janitor's action, if nothing has changed since."),
        _("Undo"),
        UndoUserActForm,
        undo,
        is_offered=lambda user: JournalEntry.objects.filter(user=user, undone_at=None).exists(),
    ),
)
