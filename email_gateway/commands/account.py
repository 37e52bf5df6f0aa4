"""PASSWORD, ADDRESS, CHANGEUSER, VACATION and QUIT without a mage: a user's own account."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.errors import AccountsError, InvalidName, InvalidVacation
from accounts.models import User
from accounts.selectors.users import list_mages_of
from accounts.services.rename import rename_user
from accounts.services.vacations import end_vacation, start_vacation
from duels.names import listed
from email_gateway.commands.account_changes import request_address_change, request_leaving, request_password_change
from email_gateway.commands.users import ask_to_confirm, reject_second_change
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.password_lines import strip_comment
from fm_site.notifications.selectors.notices import zone_of
from fm_site.operations.text.dates import write_moment


def handle_password(talk: Conversation, rest: str) -> list[str]:
    """PASSWORD new: change the mail password, once the account's address has confirmed it."""
    user = talk.require_user("PASSWORD")
    password = strip_comment(rest)
    if len(password.split()) != 1:
        raise OrderRejected(_("PASSWORD needs one word."), nearest="PASSWORD <new mail password>", clause="FM-ORDUSR-5")
    reject_second_change(talk)
    talk.answer.confirm_change = request_password_change(user=user, password=password, now=talk.request.now).pk
    return [ask_to_confirm(_("Your mail password changes once you confirm it."))]


def handle_address(talk: Conversation, rest: str) -> list[str]:
    """ADDRESS new: change the address, once the current one and then the new one have confirmed it."""
    user = talk.require_user("ADDRESS")
    words = split_words(rest)
    if len(words) != 1:
        raise OrderRejected(_("ADDRESS needs one address."), nearest="ADDRESS <new address>", clause="FM-ORDUSR-4")
    reject_second_change(talk)
    talk.answer.confirm_change = request_address_change(user=user, address=words[0], now=talk.request.now).pk
    message = _("Once you confirm it, we ask %(address)s if it is yours.") % {"address": words[0].lower()}
    return [ask_to_confirm(message)]


def handle_changeuser(talk: Conversation, rest: str) -> list[str]:
    """CHANGEUSER name: rename the user."""
    user = talk.require_user("CHANGEUSER")
    words = split_words(rest)
    clause = "FM-ORDUSR-3"
    if len(words) != 1:
        raise OrderRejected(_("CHANGEUSER needs one name."), nearest="CHANGEUSER <new name>", clause=clause)
    old = user.username
    try:
        written = rename_user(user=user, name=words[0], now=talk.request.now)
    except InvalidName as error:
        nearest = f"CHANGEUSER {error.nearest}" if error.nearest else None
        raise OrderRejected(" ".join(one.message for one in error.problems), nearest=nearest, clause=clause) from error
    except AccountsError as error:
        raise OrderRejected(str(error), clause=clause) from error
    message = _("Your name is now %(user)s instead of %(old)s. From now on, begin your emails with USER %(user)s.")
    return [message % {"user": written, "old": old}]


def handle_vacation(talk: Conversation, rest: str) -> list[str]:
    """VACATION days: start a vacation of that length; 0 ends it."""
    user = talk.require_user("VACATION")
    words = split_words(rest)
    if len(words) != 1 or not words[0].isdecimal() or len(words[0]) > 4:
        raise OrderRejected(_("VACATION needs a number of days."), nearest="VACATION 14", clause="FM-ORDUSR-6")
    days = int(words[0])
    if days == 0:
        back = end_vacation(user=user, now=talk.request.now)
        return [_("You are back from your vacation.") if back else _("You are not on vacation.")]
    try:
        vacation = start_vacation(user=user, days=days, now=talk.request.now)
    except InvalidVacation as error:
        raise OrderRejected(str(error), nearest=f"VACATION {error.most}", clause="FM-ORDUSR-6") from error
    until = write_moment(vacation.until, zone_of(user))
    return [
        _(
            "You are on vacation until %(until)s. Your battles wait for you. Your vacation ends when you "
            "give orders to a mage, or with VACATION 0."
        )
        % {"until": until}
    ]


def leave(talk: Conversation, user: User) -> list[str]:
    """Ask the user's address to confirm that they leave."""
    names = list(list_mages_of(user).values_list("name", flat=True))
    if names:
        message = ngettext(
            "You still have a mage: %(mages)s. Retire them or let them leave first.",
            "You still have mages: %(mages)s. Retire them or let them leave first.",
            len(names),
        )
        raise OrderRejected(
            message % {"mages": listed(names)},
            nearest=f"QUIT {names[0]}",
            clause="FM-ORDUSR-15",
        )
    reject_second_change(talk)
    talk.answer.confirm_change = request_leaving(user=user, now=talk.request.now).pk
    return [ask_to_confirm(_("Your account is closed for good once you confirm it."))]
