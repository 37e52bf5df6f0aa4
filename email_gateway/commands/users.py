"""NEWUSER, USER and CONFIRM: identity and proof of it."""

import re

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.languages import activate_language_of
from accounts.models import User
from accounts.selectors.names import find_user
from accounts.selectors.users import list_addresses_of
from accounts.services.mail_passwords import check_mail_password
from email_gateway.addresses import ReplyToken
from email_gateway.commands.account_changes import confirm_change
from email_gateway.commands.held_mails import can_hold_for, release_held_mails
from email_gateway.commands.new_users import confirm_newuser, is_from_asker, request_newuser, write_confirm_link
from email_gateway.commands.words import strip_marks
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected, PasswordLocked
from email_gateway.links import link_to
from email_gateway.text.lines import TYPOGRAPHY
from email_gateway.text.password_lines import strip_comment
from email_gateway.text.senders import plain_sender
from notifications.selectors.notices import address_for_notices
from operations.errors import TooManyAttempts

USER_LINE = re.compile(r"user\s*[:=]?\s*([^\s;]+)\s+\S", re.I)


def handle_user(talk: Conversation, rest: str) -> list[str]:
    """USER name password: give the user and the mail password, which is off until its owner sets one. Never repeated
    in an answer."""
    form = "USER <name> <mail password>"
    name, password = split_credentials(rest)
    name = name.rstrip(",")
    if not name or not password or len(password.split()) > 1:
        raise OrderRejected(_("USER needs a name and a mail password."), nearest=form, clause="FM-ORDUSR-2")
    if talk.is_trusted or talk.state.wrong_password:
        raise OrderRejected(_("One USER line is enough. We ignored this one."), clause="FM-ORDUSR-2")
    user = find_user(name)
    try:
        known = check_mail_password(
            user=user,
            raw=password,
            sender=plain_sender(talk.request.sender),
            is_proven=user is not None and is_proven_to_come_from(talk, user),
        )
    except TooManyAttempts as error:
        if user is not None and can_hold_for(user):
            raise PasswordLocked(user) from error
        talk.state.wrong_password = True
        raise OrderRejected(str(error), clause="FM-ORDGEN-19") from error
    if user is None or not known:
        talk.state.wrong_password = True
        message = _(
            "No user has this name and mail password. The mail password is not your site password, and it is "
            "off until you set it at %(link)s."
        )
        raise OrderRejected(message % {"link": link_to("accounts:mail_password")}, clause="FM-ORDGEN-19")
    if talk.state.owner is not None and talk.state.owner.pk != user.pk:
        talk.state.wrong_password = True
        raise OrderRejected(_("This reply address belongs to another user."))
    talk.state.user = talk.state.owner = user
    activate_language_of(user)
    talk.state.proof = "mail password"
    return []


def is_proven_to_come_from(talk: Conversation, user: User) -> bool:
    """Return whether the way of this email shows that the user wrote it, even without a password: they have confirmed
    it, it came to a reply address of theirs, or it comes provably from an address of theirs."""
    if user.pk in (talk.request.confirmed_by, talk.state.owner.pk if talk.state.owner is not None else None):
        return True
    return any(has_address(user, sender) for sender in talk.request.proven_senders)


def split_credentials(rest: str) -> tuple[str, str]:
    """Return the name and the password of a line, however they are spaced; "" for what is missing."""
    name, *password = strip_comment(rest).split(maxsplit=1) or [""]
    return name, password[0] if password else ""


def handle_newuser(talk: Conversation, rest: str) -> list[str]:
    """NEWUSER name password: nothing happens before the address confirms it."""
    name, password = split_credentials(rest)
    if not name or not password or len(password.split()) > 1:
        raise OrderRejected(
            _("NEWUSER needs a name and a mail password, both without spaces."),
            nearest="NEWUSER <name> <mail password>",
            clause="FM-ORDUSR-1",
        )
    if talk.state.owner is not None or talk.answer.confirm_request is not None:
        raise OrderRejected(
            _("You already have an account.") if talk.state.owner else _("One NEWUSER is enough."), clause="FM-ORDGEN-4"
        )
    talk.answer.confirm_request = request_newuser(
        name=name, password=password, address=talk.request.sender, now=talk.request.now
    ).pk
    link = write_confirm_link(talk.answer.confirm_request)
    asked = _(
        "Someone requested the account %(user)s at Firetop Mountain with this address. If it was you, reply to this "
        "email with the one line CONFIRM, or open this page:"
    )
    otherwise = _("Nothing happens until you do. If it wasn't you, do nothing: any other reply changes nothing.")
    return [f"{asked % {'user': name}}\n\n  {link}\n\n{otherwise}"]


def reject_second_change(talk: Conversation) -> None:
    if talk.answer.confirm_change is not None:
        raise OrderRejected(_("An email can change one thing about your account. Send another email for this one."))


def ask_to_confirm(what: str, *, is_by_password: bool = True) -> str:
    """Return this sentence, how to confirm it and, if it was asked for by the mail password, what else to do."""
    how = _(
        "To confirm, reply to this email from this address with the one line CONFIRM. Nothing happens until you do."
    )
    warning = _("If you did not ask for this, choose another mail password: someone knows yours.")
    return " ".join([what, how, warning] if is_by_password else [what, how])


def handle_confirm(talk: Conversation, rest: str) -> list[str]:
    """CONFIRM: confirm a change that one of our emails asks about, in a reply from the address it went to."""
    if strip_marks(rest):
        raise OrderRejected(_("Put CONFIRM on a line of its own."), nearest="CONFIRM", clause="FM-ORDUSR-4")
    if registration := talk.get_token("newuser"):
        return confirm_user(talk, registration.about)
    if held := talk.get_token("held"):
        return confirm_held_mails(talk, held)
    change = talk.get_token("change")
    if change is None:
        raise OrderRejected(_("CONFIRM works only in reply to an email that asks for it."), clause="FM-ORDUSR-4")
    request_id, step = change.numbers
    if talk.state.owner is not None and not has_address(talk.state.owner, talk.request.sender):
        raise OrderRejected(_("CONFIRM must come from the address that was asked."), clause="FM-ORDUSR-4")
    address = address_for_notices(talk.state.owner) if talk.state.owner is not None else None
    sentences = confirm_change(request_id=request_id, step=step, now=talk.request.now)
    if talk.state.owner is not None and not User.objects.filter(pk=talk.state.owner.pk, is_active=True).exists():
        talk.answer.farewell = address or ""
    return [sentences]


def confirm_held_mails(talk: Conversation, token: ReplyToken) -> list[str]:
    """Process the emails held for the owner of the reply address, if the answer comes from them."""
    if talk.state.owner is None or not has_address(talk.state.owner, talk.request.sender):
        raise OrderRejected(_("CONFIRM must come from the address that was asked."))
    count = release_held_mails(user=talk.state.owner, asked_on=token.numbers[1], now=talk.request.now)
    if not count:
        raise OrderRejected(_("No email of yours is on hold, or this question has expired."))
    told = ngettext(
        "We are processing %(count)s email that was on hold.",
        "We are processing %(count)s emails that were on hold.",
        count,
    )
    how = _("Each counts from when it reached us. One whose mail password is wrong changes nothing and gets no answer.")
    return [f"{told % {'count': count}} {how}"]


def confirm_user(talk: Conversation, request_id: int) -> list[str]:
    """Create the requested user, if the answer comes from the address that asked."""
    if not is_from_asker(request_id=request_id, sender=talk.request.sender):
        raise OrderRejected(_("CONFIRM must come from the address that was asked."), clause="FM-ORDUSR-1")
    talk.state.user, sentences = confirm_newuser(request_id=request_id, now=talk.request.now)
    talk.state.owner, talk.state.proof = talk.state.user, "confirmation"
    return sentences


def find_named_user(text: str) -> str | None:
    """Return the name that a USER line gives, or None for any other line."""
    found = USER_LINE.match(text.translate(TYPOGRAPHY))
    return found[1].rstrip(",") if found else None


def has_address(user: User, sender: str) -> bool:
    return plain_sender(sender) in {plain_sender(one.email) for one in list_addresses_of(user) if one.verified}
