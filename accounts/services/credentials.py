"""Revoking credentials that someone other than the user may have created: when the password changes, and when an
address proves for the first time who the user is."""

from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import ApiToken, User
from accounts.services.calendar_links import remove_calendar_link
from accounts.services.push_devices import remove_push_devices
from notifications.services.hooks import remove_own_hooks
from notifications.services.outbox import write_notice


@dataclass(frozen=True)
class Revoked:
    """The credentials that were revoked: the number of API tokens, and whether the mail password was one."""

    tokens: int = 0
    mail_password: bool = False

    def __bool__(self) -> bool:
        return bool(self.tokens or self.mail_password)

    def say(self) -> str:
        """Return a sentence for the user; "" if nothing was revoked."""
        sentences = []
        if self.tokens:
            words = ngettext("%(count)s API token was revoked.", "%(count)s API tokens were revoked.", self.tokens)
            sentences.append(words % {"count": self.tokens})
        sentences += [_("The mail password was switched off.")] if self.mail_password else []
        return " ".join(sentences)


def revoke_credentials(*, user: User) -> Revoked:
    """Delete all of `user`'s API tokens, their own hooks, their devices and the link of their calendar, switch off
    their mail password, and report it."""
    with transaction.atomic():
        tokens, _ = ApiToken.objects.filter(user=user).delete()
        # First, because changing devices locks them before their user.
        remove_push_devices(user=user)
        remove_own_hooks(user=user)
        remove_calendar_link(user=user)
        switched_off = User.objects.filter(pk=user.pk).exclude(mail_password="").update(mail_password="")
    user.mail_password = ""
    return Revoked(tokens, bool(switched_off))


def end_credentials_of_stranger(*, user: User, proven: EmailAddress, now: datetime) -> None:
    """End everything with which someone could log in as `user` or act for them, before their first address is
    `proven`: password, sessions, second factors, other addresses, and what `revoke_credentials` deletes.

    The one who signed up with the address may not be its owner. The owner is notified and logs in with an emailed code.
    """
    with transaction.atomic():
        revoke_credentials(user=user)
        Authenticator.objects.filter(user=user).delete()
        EmailAddress.objects.filter(user=user).exclude(pk=proven.pk).delete()
        user.set_unusable_password()  # sessions carry a hash of it, so they end too
        user.save(update_fields=["password"])
        write_notice(
            key=f"account_changed:{user.pk}:address_proven:{now.isoformat()}",
            user=user,
            kind="account_changed",
            facts={"what": "address_proven"},
            address=proven.email,
            now=now,
        )


class CredentialsEndWithPassword:
    """A password validator that accepts everything: Django calls it for every new password, however it was set (page,
    emailed code, manage.py). What was revoked is kept on the user as `revoked` until it is reported."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Accept every password."""

    def get_help_text(self) -> str:
        """Return no requirements."""
        return ""

    def password_changed(self, password: str, user: User | None = None) -> None:
        """Revoke the credentials that someone with the old password may have created."""
        if user is not None and user.pk is not None:
            user.revoked = revoke_credentials(user=user)  # type: ignore[attr-defined]
