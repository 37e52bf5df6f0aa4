"""NEWUSER, USER and REGISTER: who somebody is, and with which mages."""

from accounts.errors import AccountsError, InvalidName, TooManyAttempts
from accounts.selectors import find_user
from accounts.services import check_mail_password, register_mage
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRefused
from email_gateway.links import link_to
from email_gateway.orders.words import split_words, strip_comment
from email_gateway.services.newusers import request_newuser


def obey_user(talk: Conversation, rest: str) -> list[str]:
    """USER name password: the mail password, which is switched off until its owner sets one. Never said back."""
    form = "USER <name> <mail password>"
    name, _, password = strip_comment(rest).partition(" ")
    password = password.strip()
    if not name or not password or " " in password:
        raise OrderRefused("USER takes a name and a mail password.", nearest=form, clause="FM-ORDUSR-2")
    if talk.is_trusted or talk.wrong_password:
        raise OrderRefused("One USER line is enough; this one is not read.", clause="FM-ORDUSR-2")
    user = find_user(name)
    try:
        known = user is not None and check_mail_password(user=user, raw=password, sender=talk.sender)
    except TooManyAttempts as error:
        talk.wrong_password = True
        raise OrderRefused(str(error), clause="FM-ORDGEN-19") from error
    if user is None or not known:
        talk.wrong_password = True
        raise OrderRefused(
            "No user has this name and this mail password. The mail password is not the password of the site, and is "
            f"switched off until it is set at {link_to('accounts:mail_password')}.",
            clause="FM-ORDGEN-19",
        )
    if talk.owner is not None and talk.owner.pk != user.pk:
        talk.wrong_password = True
        raise OrderRefused("The reply address of this mail belongs to another user.")
    talk.user = talk.owner = user
    talk.proof = "mail password"
    return []


def obey_newuser(talk: Conversation, rest: str) -> list[str]:
    """NEWUSER name password: nothing happens before the address confirms it."""
    name, _, password = strip_comment(rest).partition(" ")
    password = password.strip()
    if not name or not password or " " in password:
        raise OrderRefused(
            "NEWUSER takes a name and a mail password, both without blanks.",
            nearest="NEWUSER <name> <mail password>",
            clause="FM-ORDUSR-1",
        )
    if talk.owner is not None or talk.confirm_request is not None:
        raise OrderRefused("You have a user already." if talk.owner else "One NEWUSER is enough.", clause="FM-ORDGEN-4")
    talk.confirm_request = request_newuser(name=name, password=password, address=talk.sender, now=talk.now).pk
    return [
        f"Answer this mail, and {name} becomes your user. Its text does not matter. Nothing happens before you do; "
        "if you did not ask for this, do nothing."
    ]


def obey_register(talk: Conversation, rest: str) -> list[str]:
    """REGISTER name: a new mage."""
    user = talk.require_user("REGISTER")
    words = split_words(rest)
    if len(words) != 1:
        raise OrderRefused("REGISTER takes one name.", nearest="REGISTER <mage>", clause="FM-ORDUSR-16")
    try:
        mage = register_mage(user=user, name=words[0], now=talk.now)
    except InvalidName as error:
        nearest = f"REGISTER {error.nearest}" if error.nearest else None
        reason = " ".join(problem.message for problem in error.problems)
        raise OrderRefused(reason, nearest=nearest, clause="FM-ORDUSR-16") from error
    except AccountsError as error:
        raise OrderRefused(str(error), clause="FM-ORDUSR-16") from error
    return [f"{mage.name} is registered and free to fight."]
