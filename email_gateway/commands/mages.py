"""REGISTER, PRONOUN, CHANGEUSER, VACATION, RETIRE and QUIT: mages, their names, times away, and the end of a mage."""

from django.utils.translation import gettext as _

from accounts.errors import AccountsError, InvalidName, InvalidVacation, NoSuchMage
from accounts.models import Mage, User
from accounts.selectors import get_mage_for_user, list_mages_of
from accounts.services import end_vacation, register_mage, rename_user, set_pronoun, start_vacation
from challenges.services import quit_mage, retire_mage
from duels.names import listed
from email_gateway.commands.account_changes import request_leaving, request_mage_act
from email_gateway.commands.information import report_scores
from email_gateway.commands.users import ask_to_confirm, has_address, reject_second_change
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.models import AccountChangeRequest
from fm_site.notifications.selectors import zone_of
from fm_site.operations.wording import write_moment


def handle_register(talk: Conversation, rest: str) -> list[str]:
    """REGISTER name pronoun: a new mage; the pronoun, or the name's suffix (SC-START-7), may be left out."""
    user = talk.require_user("REGISTER")
    words = split_words(rest)
    if len(words) not in (1, 2):
        raise OrderRejected(_("REGISTER needs one name."), nearest="REGISTER <mage>", clause="FM-ORDUSR-16")
    pronoun = _read_pronoun("REGISTER", words[0], words[1]) if words[1:] else ""
    try:
        mage = register_mage(user=user, name=words[0], pronoun=pronoun, now=talk.asked.now)
    except InvalidName as error:
        nearest = f"REGISTER {error.nearest}" if error.nearest else None
        reason = " ".join(problem.message for problem in error.problems)
        raise OrderRejected(reason, nearest=nearest, clause="FM-ORDUSR-16") from error
    except AccountsError as error:
        raise OrderRejected(str(error), clause="FM-ORDUSR-16") from error
    report_scores(talk, "")
    return [(_("%(mage)s is registered and free to play.") % {"mage": mage.name})]


def handle_pronoun(talk: Conversation, rest: str) -> list[str]:
    """PRONOUN mage pronoun: how reports speak of a mage, from their next battle on."""
    user = talk.require_user("PRONOUN")
    words = split_words(rest)
    if len(words) != 2:
        raise OrderRejected(
            _("PRONOUN needs one mage and one pronoun."), nearest="PRONOUN <mage> she", clause="FM-ORDUSR-16"
        )
    mage = find_named_mage(user, "PRONOUN", words[0], "FM-ORDUSR-16")
    set_pronoun(user=user, mage_id=mage.pk, pronoun=_read_pronoun("PRONOUN", mage.name, words[1]))
    told = _("From their next battle on, reports refer to %(mage)s as “%(pronoun)s”.")
    return [told % {"mage": mage.name, "pronoun": words[1].lower()}]


def _read_pronoun(order: str, mage: str, word: str) -> Mage.Pronoun:
    if word.lower() not in Mage.Pronoun.values:
        problem = _("%(word)s isn't a pronoun for a mage. Choose they, she, he or it.") % {"word": word}
        raise OrderRejected(problem, nearest=f"{order} {mage} they", clause="FM-ORDUSR-16")
    return Mage.Pronoun(word.lower())


def handle_changeuser(talk: Conversation, rest: str) -> list[str]:
    """CHANGEUSER name: rename the user."""
    user = talk.require_user("CHANGEUSER")
    words = split_words(rest)
    clause = "FM-ORDUSR-3"
    if len(words) != 1:
        raise OrderRejected(_("CHANGEUSER needs one name."), nearest="CHANGEUSER <new name>", clause=clause)
    old = user.username
    try:
        written = rename_user(user=user, name=words[0], now=talk.asked.now)
    except InvalidName as error:
        nearest = f"CHANGEUSER {error.nearest}" if error.nearest else None
        raise OrderRejected(" ".join(one.message for one in error.problems), nearest=nearest, clause=clause) from error
    except AccountsError as error:
        raise OrderRejected(str(error), clause=clause) from error
    told = _("Your name is now %(user)s instead of %(old)s. From now on, begin your emails with USER %(user)s.")
    return [told % {"user": written, "old": old}]


def handle_vacation(talk: Conversation, rest: str) -> list[str]:
    """VACATION days: start a vacation of that length; 0 ends it."""
    user = talk.require_user("VACATION")
    words = split_words(rest)
    if len(words) != 1 or not words[0].isdecimal() or len(words[0]) > 4:
        raise OrderRejected(_("VACATION needs a number of days."), nearest="VACATION 14", clause="FM-ORDUSR-6")
    days = int(words[0])
    if days == 0:
        back = end_vacation(user=user, now=talk.asked.now)
        return [_("You are back from your vacation.") if back else _("You are not on vacation.")]
    try:
        vacation = start_vacation(user=user, days=days, now=talk.asked.now)
    except InvalidVacation as error:
        raise OrderRejected(str(error), nearest=f"VACATION {error.most}", clause="FM-ORDUSR-6") from error
    until = write_moment(vacation.until, zone_of(user))
    return [
        (
            _(
                "You are on vacation until %(until)s. Your battles wait for you. Your vacation ends when you "
                "give orders to a mage, or with VACATION 0."
            )
            % {"until": until}
        )
    ]


def handle_retire(talk: Conversation, rest: str) -> list[str]:
    """RETIRE mage: retire the mage; without a score, it leaves the mountain."""
    user = talk.require_user("RETIRE")
    mage = find_named_mage(user, "RETIRE", rest, "FM-ORDUSR-8")
    if not has_address(user, talk.asked.sender):
        return ask_about_mage(
            talk, user, mage, AccountChangeRequest.Kind.RETIRE, _("%(mage)s retires once you confirm it.")
        )
    try:
        became = retire_mage(mage=mage, now=talk.asked.now)
    except AccountsError as error:
        raise OrderRejected(str(error), clause="FM-ORDUSR-8") from error
    if became == "removed":
        return [(_("%(mage)s has no score above 0 and leaves the mountain for good.") % {"mage": mage.name})]
    return [
        (
            _(
                "%(mage)s is retired, keeps their scores and cannot be challenged. To bring %(mage)s "
                "back, create or accept a challenge."
            )
            % {"mage": mage.name}
        )
    ]


def handle_quit(talk: Conversation, rest: str) -> list[str]:
    """QUIT mage: the mage leaves permanently. QUIT: so does the user, once their mages have left."""
    user = talk.require_user("QUIT")
    if not split_words(rest):
        return leave(talk, user)
    mage = find_named_mage(user, "QUIT", rest, "FM-ORDUSR-14")
    if not has_address(user, talk.asked.sender):
        kind = AccountChangeRequest.Kind.QUIT
        told = _("%(mage)s leaves the mountain for good once you confirm it.")
        return ask_about_mage(talk, user, mage, kind, told)
    try:
        quit_mage(mage=mage, now=talk.asked.now)
    except AccountsError as error:
        raise OrderRejected(str(error), clause="FM-ORDUSR-14") from error
    return [(_("%(mage)s leaves the mountain for good, and their scores are lost.") % {"mage": mage.name})]


def ask_about_mage(talk: Conversation, user: User, mage: Mage, kind: AccountChangeRequest.Kind, what: str) -> list[str]:
    """Ask the user's address to confirm an action on a mage that was requested from another address."""
    reject_second_change(talk)
    talk.answer.confirm_change = request_mage_act(user=user, kind=kind, mage=mage, now=talk.asked.now).pk
    return [ask_to_confirm(what % {"mage": mage.name})]


def leave(talk: Conversation, user: User) -> list[str]:
    """Ask the user's address to confirm that they leave."""
    names = list(list_mages_of(user).values_list("name", flat=True))
    if names:
        raise OrderRejected(
            _("You still have a mage: %(mages)s. Retire it or let it leave first.") % {"mages": listed(names)},
            nearest=f"QUIT {names[0]}",
            clause="FM-ORDUSR-15",
        )
    reject_second_change(talk)
    talk.answer.confirm_change = request_leaving(user=user, now=talk.asked.now).pk
    return [ask_to_confirm(_("Your account is closed for good once you confirm it."))]


def find_named_mage(user: User, order: str, rest: str, clause: str) -> Mage:
    """Return the user's mage that the order names. Raises OrderRejected."""
    words = split_words(rest)
    if len(words) != 1:
        raise OrderRejected(
            (_("%(order)s needs one mage's name.") % {"order": order}), nearest=f"{order} <mage>", clause=clause
        )
    try:
        return get_mage_for_user(user=user, name=words[0])
    except NoSuchMage as error:
        nearest = f"{order} {error.nearest}" if error.nearest else None
        raise OrderRejected(error.message, nearest=nearest, clause=clause) from error
