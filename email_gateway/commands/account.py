"""PASSWORD, ADDRESS, CHANGEUSER, VACATION and QUIT without a mage: a user's own account."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.errors import AccountsError, InvalidName, InvalidVacation, StillFighting
from accounts.models import User
from accounts.selectors.absence import read_vacation_days
from accounts.selectors.engagements import list_battles_of
from accounts.selectors.names import list_namesakes
from accounts.selectors.users import list_mages_of
from accounts.services.rename import rename_user
from accounts.services.vacations import end_vacation, start_vacation
from duels.names import listed
from email_gateway.commands.account_changes import request_address_change, request_leaving, request_password_change
from email_gateway.commands.users import ask_to_confirm, reject_second_change
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to
from email_gateway.text.layout import wrap
from email_gateway.text.password_lines import strip_comment
from notifications.selectors.notices import zone_of
from operations.selectors import read_policy
from operations.text.dates import write_moment


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
        raise OrderRejected(
            str(error), nearest=f"VACATION {error.most}" if error.most else None, clause="FM-ORDUSR-6"
        ) from error
    year = vacation.starts_at.year
    left = read_vacation_days(user=user).count_left(year)
    told = _(
        "You are on vacation until %(until)s. It ends when you give orders to a mage, when you create or join a "
        "challenge or a battle, or with VACATION 0. HELP VACATION says where clocks stop, and for how long."
    )
    of_year = ngettext(
        "You have %(days)s day of vacation left in %(year)s.",
        "You have %(days)s days of vacation left in %(year)s.",
        left,
    )
    slots = {"until": write_moment(vacation.until, zone_of(user)), "days": left, "year": year}
    return [f"{told} {of_year}" % slots]


def explain_vacations() -> str:
    """Return what HELP VACATION adds to the description of the order."""
    policy = read_policy()
    paragraphs = [
        _(
            "Each calendar year (UTC) has %(whole)s days of vacation, and up to %(kept)s unused days are kept for the "
            "next year. A vacation can last up to %(most)s days. A day that has begun counts, and days after an early "
            "return don't."
        ),
        _(
            "While a battle is waiting for your orders, all clocks in it stop, and everyone can still send orders. In "
            "a live battle, no clock stops. In a battle with scores or ratings, your vacation must begin before the "
            "alarm, when four fifths of your time are used up; after the alarm it counts from the next turn or "
            "question on."
        ),
        _(
            "Once your absences in one battle reach %(absent)s days, the players who are present choose together: they "
            "wait, let a bot play for you, call the battle off, or claim it. A claim counts as your surrender: your "
            "mage lives, you lose a point if scores are at stake, and a duel is won by the other mage."
        ),
        _(
            "If we can't deliver email to you, your clock in a battle that isn't live stops too, for %(mail)s days in "
            "all. This also counts as absence. If you are ill, a janitor can enter a vacation for you later."
        ),
    ]
    numbers = {
        "whole": policy.vacation_year_days,
        "kept": policy.vacation_kept_days,
        "most": policy.vacation_most_days,
        "absent": policy.absence_most_days,
        "mail": policy.undelivered_mail_days,
    }
    return "\n\n".join(wrap(each % numbers) for each in paragraphs)


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
    if running := list_battles_of(user):
        raise OrderRejected(str(StillFighting(running)), nearest=f"GAME {running[0]}", clause="FM-ORDUSR-15")
    reject_second_change(talk)
    talk.answer.confirm_change = request_leaving(user=user, now=talk.request.now).pk
    closed = ask_to_confirm(_("Your account is closed for good once you confirm it."))
    keeping = [mage.name for mage in list_namesakes(user)]
    if not keeping:
        return [closed]
    keeps = _(
        "A mage of yours has a name that you have or had yourself, and keeps it: %(mages)s. To give the mage another "
        "name first, close your account on this page instead: %(page)s"
    )
    return [closed, keeps % {"mages": listed(keeping), "page": link_to("close_account")}]
