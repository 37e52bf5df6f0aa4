"""Emails about an account: confirmations, codes, changes. No copies of those with secrets are stored."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.former_users import show_user_names
from accounts.models import User
from accounts.selectors.hold import appeal_address
from accounts.services.credentials import Revoked
from duels.names import listed
from duels.selectors.battle_lists import list_battles_waiting_for
from email_gateway.addresses import TokenKind, make_held_address
from email_gateway.compose.composers import composes
from email_gateway.compose.parts import render_plain, write_stop_link
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend, Unsendable
from email_gateway.links import link_to, link_to_path
from email_gateway.selectors import list_held_mails
from email_gateway.text.layout import wrap
from notifications.kinds import UNCONFIRMED_REMINDER
from notifications.models import SkipReason
from notifications.selectors.notices import zone_of
from operations.registry import EXPORT, find_function
from operations.text.dates import write_moment

# Emails on hold that the question about them lists.
MOST_SHOWN = 10
CHANGES = {
    "address_proven": gettext_lazy(
        "You have confirmed your address. Passwords, logins and API tokens from before no longer work, because someone "
        "else could have created them. Log in with an emailed code; you can choose a new password in your settings."
    ),
    "became_bot": gettext_lazy("Your account is now a bot, and that is permanent."),
    "password_changed": gettext_lazy("The password of your account was changed."),
    "password_set": gettext_lazy("Your account has a password now."),
    "password_reset": gettext_lazy("The password of your account was reset."),
    "users_merged": gettext_lazy("Your other account, %(merged)s, was merged into this one."),
    "merged_away": gettext_lazy(
        "This account was merged into your other account, %(kept)s, which has its mages and names now. You can only "
        "log in to %(kept)s."
    ),
    "users_parted": gettext_lazy("Your accounts %(kept)s and %(merged)s were separated again."),
    "email_changed": gettext_lazy("The email address of your account was changed."),
    "email_confirm": gettext_lazy("An email address of your account was confirmed."),
    "email_deleted": gettext_lazy("An email address of your account was removed."),
    "totp_activated": gettext_lazy("An authenticator app was added to your account."),
    "totp_deactivated": gettext_lazy("The authenticator app was removed from your account."),
    "webhook_off": gettext_lazy("Your webhook failed for three days. We have switched it off."),
    "recovery_codes_generated": gettext_lazy("New recovery codes were created for your account."),
}


@composes("confirm_address")
def compose_confirmation(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with the link that verifies an address."""
    link = facts.get("link") or reject_without_secret()
    why = _("You signed up as %(user)s.") if facts.get("signup") else _("%(user)s wants to receive email here.")
    parts = [
        why % {"user": user.username},
        _("Open this page to confirm your address:") + f"\n\n  {link}",
        _("Until you do, we send nothing else here, except up to three reminders when a battle is waiting for you."),
        _("If you did not ask for this, do nothing."),
    ]
    return write_secret_mail(_("Confirm your address"), parts, (_("Confirm"), link))


@composes(UNCONFIRMED_REMINDER)
def compose_unconfirmed(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return a reminder to an unconfirmed address, with the link that confirms it. Raises NothingToSend once it is
    confirmed or the battle no longer waits."""
    row = EmailAddress.objects.filter(user=user, email=facts.get("address"), verified=False).first()
    waiting = [battle for battle in list_battles_waiting_for(user) if battle.number == facts["battle"]]
    if row is None or not waiting:
        raise NothingToSend(SkipReason.SETTLED)
    battle = waiting[0]
    link = link_to("account_confirm_email", EmailConfirmationHMAC(row).key)
    waits = _("%(battle)s is waiting for orders from %(mages)s. Send them soon, or %(mages)s may die:")
    slots = {"battle": battle.battle, "mages": listed(battle.owes), "user": user.username}
    if battle.deadline:
        waits = _("%(battle)s is waiting for orders from %(mages)s. Send them by %(moment)s, or %(mages)s may die:")
        slots["moment"] = write_moment(battle.deadline, zone_of(user))
    why = _(
        "%(user)s gave this address but has not confirmed it, so we send at most three reminders like this. Confirm it "
        "to get every turn by email:"
    )
    stop = _("If you are not %(user)s, or don't want any more of these, stop them here:")
    parts = [
        f"{waits % slots}\n\n  {link_to_path(f'/battles/{battle.number}/')}",
        f"{why % slots}\n\n  {link}",
        f"{stop % slots}\n\n  {write_stop_link(user, 'mail_unconfirmed')}",
    ]
    subject = _("%(battle)s is waiting for you: confirm your address") % slots
    return write_secret_mail(subject, parts, (_("Confirm"), link))


@composes("login_code")
def compose_code(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with the code to log in."""
    code = facts.get("code") or reject_without_secret()
    parts = [
        (_("Your code to log in as %(user)s:") % {"user": user.username}) + f"\n\n  {code}",
        _("It works for a few minutes. We never ask you for it. If you did not request it, do nothing."),
    ]
    return write_secret_mail(_("Your login code"), parts)


@composes("password_reset")
def compose_reset(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with the link or code that resets a password."""
    link, code = facts.get("link"), facts.get("code")
    if not link and not code:
        reject_without_secret()
    what = (
        _("Open this page to choose a new password for %(user)s:")
        if link
        else _("Your code to choose a new password for %(user)s:")
    )
    parts = [
        f"{what % {'user': user.username}}\n\n  {link or code}",
        _("If you did not ask for this, do nothing. Your password stays as it is."),
    ]
    return write_secret_mail(_("Choose a new password"), parts, (_("Choose a password"), link) if link else None)


@composes("account_changed")
def compose_change(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email about a change to the account."""
    what, by_janitor = str(facts.get("what", "")), "by" in facts
    changed = CHANGES.get(what) or _("Something changed in your account: %(what)s.") % {"what": what.replace("_", " ")}
    changed = changed % show_user_names(facts) if by_janitor else changed
    revoked = Revoked(**facts["revoked"]).say() if facts.get("revoked") else ""
    parts = [
        f"{user.username}: {changed}",
        *([(f"{revoked} " + _("If you need them, create new ones in your settings."))] if revoked else []),
        _explain_janitor(facts)
        if by_janitor
        else _("If this wasn't you, choose a new password now: %(link)s") % {"link": link_to("account_reset_password")},
    ]
    return Mail(
        subject=_("Your account was changed"),
        text="\n\n".join(wrap(part) for part in parts) + "\n",
        html=render_plain(heading=_("Your account was changed"), parts=parts),
    )


@composes("device_stopped")
def compose_stopped_device(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email that says that a device gets no more notifications."""
    heading = _("A device no longer gets your notifications")
    device = str(facts.get("device", ""))[:80] or _("A browser without a name")
    last = write_moment(datetime.fromisoformat(facts["since"]), zone_of(user))
    parts = [
        _("We can no longer reach this device of yours, which last got a notification on %(moment)s:")
        % {"moment": last}
        + f"\n\n  {device}",
        _("Perhaps its browser was removed, or no longer allows notifications. We still email you, as you chose."),
        _("To turn notifications on again, open this page on the device: %(link)s")
        % {"link": link_to("accounts:notices")},
    ]
    text = "\n\n".join(wrap(part) for part in parts) + "\n"
    return Mail(subject=heading, text=text, html=render_plain(heading=heading, parts=parts))


@composes("hook_paused", "hook_off")
def compose_failing_hook(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email that says that a hook of the user's fails."""
    name = {"hook": str(facts.get("name", ""))}
    if kind == "hook_off":
        heading = _("%(hook)s has failed for three days") % name
        said = _("We have switched it off. Check the address, then retry.")
    else:
        heading = _("%(hook)s has failed three times in a row") % name
        said = _("It is paused. Check the address, then retry. After three days we switch it off.")
    pages = {"battle": ("battle_hooks", facts["battle"]), "site": ("site_hooks",)}
    parts = [said, link_to(*pages.get(facts["scope"], ("accounts:hooks",)))]
    text = "\n\n".join(wrap(part) for part in parts) + "\n"
    return Mail(subject=heading, text=text, html=render_plain(heading=heading, parts=parts))


@composes("reply_address_elsewhere")
def compose_elsewhere(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email that says that someone answered one of our emails from another address, if no answer could say
    so."""
    heading = _("Someone used your reply address")
    parts = [warn_of_other_sender(str(facts.get("sender", "")))]
    text = "\n\n".join(wrap(part) for part in parts) + "\n"
    return Mail(subject=heading, text=text, html=render_plain(heading=heading, parts=parts))


def warn_of_other_sender(sender: str, *, kind: TokenKind = "turn") -> str:
    """Write the warning that someone else may have the user's reply address, which is of this kind."""
    came = _("The email came from an address that isn't yours.")
    if sender:
        came = _("The email came from %(address)s, which isn't your address.") % {"address": sender}
    follows = _(
        "If it wasn't you, someone else has an email that we sent you, and can use it to send orders for you in that "
        "turn."
    )
    if kind == "room":
        follows = _(
            "If it wasn't you, someone else has an email that we sent you, and can use it to write in the lobby for "
            "you."
        )
    elif kind == "message":
        follows = _(
            "If it wasn't you, someone else has an email that we sent you, and can use it to write to that player for "
            "you."
        )
    return f"{came} {follows}"


def compose_address_question(*, name: str, reply_to: str) -> Mail:
    """Return the email that asks an address to confirm that it belongs to a user."""
    parts = [
        _("%(user)s, a player of Firetop Mountain, wants to receive email here.") % {"user": name},
        _("If that is you, reply to this email with this one line:") + "\n\n  CONFIRM",
        _("If not, do nothing. We send you nothing else."),
    ]
    mail = write_secret_mail(_("Reply to this email to confirm your address"), parts)
    return replace(mail, reply_to=reply_to)


@composes("orders_held")
def compose_held(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the question about emails that wait because their mail password cannot be checked. Raises NothingToSend
    if none wait any more."""
    held = list(list_held_mails(user))
    if not held:
        raise NothingToSend(SkipReason.SETTLED)
    zone = zone_of(user)
    rows = [write_moment(mail.received_at, zone) for mail in held[:MOST_SHOWN]]
    rows += [_("and %(count)s more") % {"count": len(held) - MOST_SHOWN}] if len(held) > MOST_SHOWN else []
    parts = [
        _(
            "Someone has sent us many wrong mail passwords for %(user)s. So we have not processed these emails with "
            "your USER line, which reached us at:"
        )
        % {"user": user.username}
        + "\n\n"
        + "\n".join(f"  {row}" for row in rows),
        _("If you wrote one of them, reply to this email with this one line:") + "\n\n  CONFIRM",
        _(
            "Then each counts from when it reached us, if its mail password is right. You can do that again for emails "
            "that wait later today. After three days we delete them."
        ),
        _("If you did not, do nothing. Replies to our emails about battles and challenges need no mail password."),
    ]
    mail = write_secret_mail(_("Did you send us orders?"), parts)
    return replace(mail, reply_to=make_held_address(user_id=user.pk, day=int(facts["day"])))


def write_secret_mail(subject: str, parts: list[str], button: tuple[str, str] | None = None) -> Mail:
    return Mail(
        subject=subject,
        text="\n\n".join(wrap(part) for part in parts) + "\n",
        html=render_plain(heading=subject, parts=parts, button=button),
        secret=True,
    )


def reject_without_secret() -> str:
    raise Unsendable("the code or link of this mail is gone")


@composes("data_export")
def compose_export(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with all data that is stored about its reader."""
    exported = find_function(EXPORT)(user, now=datetime.fromisoformat(facts["at"]))
    parts = [
        _("The attached file contains everything that this site stores about you."),
        _("The janitor %(by)s sent it, and has not seen it. They give this reason: %(reason)s") % facts,
        _("If you did not ask for it, tell us: %(address)s.") % {"address": appeal_address()},
    ]
    written = json.dumps(exported, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    mail = write_secret_mail(_("Your data"), parts)
    return replace(mail, files={f"firetop-{user.username.lower()}.json": f"{written}\n"})


@composes("user_act")
def compose_user_act(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email about a janitor's action on the account, with the reason."""
    heading = _("A janitor changed your account")
    parts = [
        str(facts["text"]),
        _explain_janitor(facts),
    ]
    page = link_to("accounts:notices")
    return Mail(
        subject=heading,
        text="\n\n".join([*map(wrap, parts), page]) + "\n",
        html=render_plain(heading=heading, parts=parts, button=(_("Your account"), page)),
    )


def _explain_janitor(facts: Mapping[str, Any]) -> str:
    return _("The janitor %(by)s gives this reason: %(reason)s") % {"by": facts["by"], "reason": facts["reason"]}
