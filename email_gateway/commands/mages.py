"""REGISTER, PRONOUN, RETIRE and QUIT: mages, and the end of a mage."""

from django.utils.translation import gettext as _

from accounts.errors import AccountsError, InvalidName, NoSuchMage
from accounts.models import Mage, User
from accounts.selectors.names import get_mage_for_user
from accounts.services.mages import register_mage, set_pronoun
from challenges.services.retire_mages import quit_mage, retire_mage
from email_gateway.commands.account import leave
from email_gateway.commands.account_changes import request_mage_act
from email_gateway.commands.information import report_scores
from email_gateway.commands.users import ask_to_confirm, has_address, reject_second_change
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.models import AccountChangeRequest


def handle_register(talk: Conversation, rest: str) -> list[str]:
    """REGISTER name pronoun: a new mage; the pronoun, or the name's suffix (SC-START-7), may be left out."""
    user = talk.require_user("REGISTER")
    words = split_words(rest)
    if len(words) not in (1, 2):
        raise OrderRejected(_("REGISTER needs one name."), nearest="REGISTER <mage>", clause="FM-ORDUSR-16")
    pronoun = _read_pronoun("REGISTER", words[0], words[1]) if words[1:] else ""
    try:
        mage = register_mage(user=user, name=words[0], pronoun=pronoun, now=talk.request.now)
    except InvalidName as error:
        nearest = f"REGISTER {error.nearest}" if error.nearest else None
        reason = " ".join(problem.message for problem in error.problems)
        raise OrderRejected(reason, nearest=nearest, clause="FM-ORDUSR-16") from error
    except AccountsError as error:
        raise OrderRejected(str(error), clause="FM-ORDUSR-16") from error
    report_scores(talk, "")
    return [_("%(mage)s is registered and free to play.") % {"mage": mage.name}]


def handle_pronoun(talk: Conversation, rest: str) -> list[str]:
    """PRONOUN mage pronoun: how reports refer to a mage, from their next battle on."""
    user = talk.require_user("PRONOUN")
    words = split_words(rest)
    if len(words) != 2:
        raise OrderRejected(
            _("PRONOUN needs one mage and one pronoun."), nearest="PRONOUN <mage> she", clause="FM-ORDUSR-16"
        )
    mage = find_named_mage(user, "PRONOUN", words[0], "FM-ORDUSR-16")
    set_pronoun(user=user, mage_id=mage.pk, pronoun=_read_pronoun("PRONOUN", mage.name, words[1]))
    message = _("From their next battle on, reports refer to %(mage)s as “%(pronoun)s”.")
    return [message % {"mage": mage.name, "pronoun": words[1].lower()}]


def _read_pronoun(order: str, mage: str, word: str) -> Mage.Pronoun:
    if word.lower() not in Mage.Pronoun.values:
        problem = _("%(word)s isn't a pronoun for a mage. Choose they, she, he or it.") % {"word": word}
        raise OrderRejected(problem, nearest=f"{order} {mage} they", clause="FM-ORDUSR-16")
    return Mage.Pronoun(word.lower())


def handle_retire(talk: Conversation, rest: str) -> list[str]:
    """RETIRE mage: retire the mage; without a score, they leave the mountain."""
    user = talk.require_user("RETIRE")
    mage = find_named_mage(user, "RETIRE", rest, "FM-ORDUSR-8")
    if not has_address(user, talk.request.sender):
        return ask_about_mage(
            talk, user, mage, AccountChangeRequest.Kind.RETIRE, _("%(mage)s retires once you confirm it.")
        )
    try:
        became = retire_mage(mage=mage, now=talk.request.now)
    except AccountsError as error:
        raise OrderRejected(str(error), clause="FM-ORDUSR-8") from error
    if became == "removed":
        return [_("%(mage)s has no score above 0 and leaves the mountain for good.") % {"mage": mage.name}]
    return [
        _(
            "%(mage)s is retired, keeps their scores and cannot be challenged. To bring %(mage)s "
            "back, create or accept a challenge."
        )
        % {"mage": mage.name}
    ]


def handle_quit(talk: Conversation, rest: str) -> list[str]:
    """QUIT mage: the mage leaves permanently. QUIT: so does the user, once their mages have left."""
    user = talk.require_user("QUIT")
    if not split_words(rest):
        return leave(talk, user)
    mage = find_named_mage(user, "QUIT", rest, "FM-ORDUSR-14")
    if not has_address(user, talk.request.sender):
        kind = AccountChangeRequest.Kind.QUIT
        message = _("%(mage)s leaves the mountain for good once you confirm it.")
        return ask_about_mage(talk, user, mage, kind, message)
    try:
        quit_mage(mage=mage, now=talk.request.now)
    except AccountsError as error:
        raise OrderRejected(str(error), clause="FM-ORDUSR-14") from error
    return [_("%(mage)s leaves the mountain for good, and their scores are lost.") % {"mage": mage.name}]


def ask_about_mage(talk: Conversation, user: User, mage: Mage, kind: AccountChangeRequest.Kind, what: str) -> list[str]:
    """Ask the user's address to confirm an action on a mage, if it was requested from another address."""
    reject_second_change(talk)
    talk.answer.confirm_change = request_mage_act(user=user, kind=kind, mage=mage, now=talk.request.now).pk
    return [ask_to_confirm(what % {"mage": mage.name})]


def find_named_mage(user: User, order: str, rest: str, clause: str) -> Mage:
    """Return the user's mage that the order names. Raises OrderRejected."""
    words = split_words(rest)
    if len(words) != 1:
        raise OrderRejected(
            _("%(order)s needs one mage's name.") % {"order": order}, nearest=f"{order} <mage>", clause=clause
        )
    try:
        return get_mage_for_user(user=user, name=words[0])
    except NoSuchMage as error:
        nearest = f"{order} {error.nearest}" if error.nearest else None
        raise OrderRejected(error.message, nearest=nearest, clause=clause) from error
