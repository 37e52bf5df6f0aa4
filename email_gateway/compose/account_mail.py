"""Mails about an account: confirmations, codes, word of changes. Those with secrets are kept nowhere."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmationHMAC

from accounts.models import User
from accounts.services import Revoked
from duels.selectors import list_battles_waiting_for
from email_gateway.compose.plain_html import render_plain
from email_gateway.compose.stop_mails import write_stop_link
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend, Unsendable
from email_gateway.links import link_to, link_to_path
from email_gateway.text.wrapping import wrap
from fm_site.notifications.models import SkipReason
from fm_site.notifications.selectors import zone_of
from fm_site.operations.moments import write_moment

CHANGES = {
    "password_changed": "The password of your account was changed.",
    "password_set": "Your account has a password now.",
    "password_reset": "The password of your account was reset.",
    "users_merged": "Another account of yours is one with this one now.",
    "users_parted": "Two accounts that had been made one are two again.",
    "email_changed": "The e-mail address of your account was changed.",
    "email_confirm": "An e-mail address of your account was confirmed.",
    "email_deleted": "An e-mail address of your account was removed.",
    "totp_activated": "An authenticator app was added to your account.",
    "totp_deactivated": "The authenticator app was removed from your account.",
    "recovery_codes_generated": "New recovery codes were made for your account.",
}


def compose_confirmation(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """The link that proves an address."""
    link = facts.get("link") or reject_without_secret()
    parts = [
        f"You signed up as {user.username}." if facts.get("signup") else f"{user.username} wants to be reached here.",
        "Open this page to confirm your address. Until you do, all else we send here is three reminders at most, where "
        f"a battle waits for you:\n\n  {link}",
        "If you did not ask for this, do nothing.",
    ]
    return write_secret_mail("Confirm your address", parts, ("Confirm", link))


def compose_unconfirmed(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """A reminder to an address that is not confirmed, with the link that confirms it. Raises NothingToSend once it is,
    or the battle waits no more."""
    del kind
    row = EmailAddress.objects.filter(user=user, email=facts.get("address"), verified=False).first()
    waiting = [battle for battle in list_battles_waiting_for(user) if battle.number == facts["battle"]]
    if row is None or not waiting:
        raise NothingToSend(SkipReason.SETTLED)
    battle = waiting[0]
    link = link_to("account_confirm_email", EmailConfirmationHMAC(row).key)
    until = f" by {write_moment(battle.deadline, zone_of(user))}" if battle.deadline else " soon"
    who = " and ".join(battle.owes)
    parts = [
        f"{battle.battle} waits for the orders of {who}. Send them{until}, or {who} may die:\n\n"
        f"  {link_to_path(f'/battles/{battle.number}/')}",
        f"{user.username} gave this address but has not confirmed it, so we send three reminders like this at most."
        f" Confirm it to get every turn by email:\n\n  {link}",
        f"If you are not {user.username}, or want no more of these, stop them here:\n\n"
        f"  {write_stop_link(user, 'mail_unconfirmed')}",
    ]
    return write_secret_mail(f"{battle.battle} waits for you: confirm your address", parts, ("Confirm", link))


def compose_code(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """The code to log in with."""
    code = facts.get("code") or reject_without_secret()
    parts = [
        f"Your code to log in as {user.username}:\n\n  {code}",
        "It works for a few minutes. Nobody of ours asks you for it. If you did not ask for it, do nothing.",
    ]
    return write_secret_mail("Your log-in code", parts)


def compose_reset(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """The link or code that resets a password."""
    link, code = facts.get("link"), facts.get("code")
    if not link and not code:
        reject_without_secret()
    what = f"Open this page to choose a new password for {user.username}:\n\n  {link}"
    if not link:
        what = f"Your code to choose a new password for {user.username}:\n\n  {code}"
    parts = [what, "If you did not ask for this, do nothing: your password stays as it is."]
    return write_secret_mail("Choose a new password", parts, ("Choose a password", link) if link else None)


def compose_change(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Word of a change that somebody made."""
    what = str(facts.get("what", ""))
    changed = CHANGES.get(what, f"Something changed in your account: {what.replace('_', ' ')}.")
    revoked = Revoked(**facts["revoked"]).say() if facts.get("revoked") else ""
    parts = [
        f"{user.username}: {changed}",
        *([f"{revoked} Create new ones on your account's pages if you need them."] if revoked else []),
        f"If it was not you, choose a new password at once: {link_to('account_reset_password')}",
    ]
    return Mail(
        subject="Your account was changed",
        text="\n\n".join(wrap(part) for part in parts) + "\n",
        html=render_plain(heading="Your account was changed", parts=parts),
    )


def compose_elsewhere(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Word that a mail of ours was answered from an address that is not the user's, where no answer could say so."""
    heading = "Somebody answers your mail"
    parts = [say_elsewhere(str(facts.get("sender", "")))]
    text = "\n\n".join(wrap(part) for part in parts) + "\n"
    return Mail(subject=heading, text=text, html=render_plain(heading=heading, parts=parts))


def say_elsewhere(sender: str) -> str:
    """Tell the owner of a reply address that somebody else may have it."""
    return (
        f"The mail came from {sender or 'somewhere else'}, which is no address of yours. If it was not you, "
        "somebody has a mail of ours that was sent to you: whoever has it can give your orders for that turn."
    )


def compose_address_question(*, name: str, reply_to: str) -> Mail:
    """Ask an address whether it wants to be that of a user."""
    parts = [
        f"{name}, a player of Firetop Mountain, wants to be reached here.",
        "If that is you, answer this mail with this one line:\n\n  CONFIRM",
        "If it is not, do nothing: nothing else is mailed to you.",
    ]
    mail = write_secret_mail("Answer this mail to confirm your address", parts)
    return replace(mail, reply_to=reply_to)


def write_secret_mail(subject: str, parts: list[str], button: tuple[str, str] | None = None) -> Mail:
    return Mail(
        subject=subject,
        text="\n\n".join(wrap(part) for part in parts) + "\n",
        html=render_plain(heading=subject, parts=parts, button=button),
        secret=True,
    )


def reject_without_secret() -> str:
    raise Unsendable("the code or link of this mail is gone")


def compose_user_act(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """What a janitor did to the account, and why."""
    del kind, user
    heading = "A janitor changed something about your account"
    parts = [str(facts["text"]), f"The janitor {facts['by']} gives the reason: {facts['reason']}"]
    page = link_to("accounts:preferences")
    return Mail(
        subject=heading,
        text="\n\n".join([*map(wrap, parts), page]) + "\n",
        html=render_plain(heading=heading, parts=parts, button=("Your account", page)),
    )
