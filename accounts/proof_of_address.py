"""Ends the credentials of an account when its first address is confirmed by someone who was not logged in.

Anyone can sign up with anyone's address. A user who confirms it where they are logged in has both the login and the
mailbox, so nothing ends. A person who comes from outside, by an emailed code or a link, may not be the one who signed
up: then only the mailbox counts.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.core import context
from django.contrib import messages
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.selectors.users import has_confirmed_address
from accounts.services.credentials import end_credentials_of_stranger


def end_credentials_before_proof(instance: EmailAddress, **_kwargs: Any) -> None:
    """Receive `pre_save` of an address. Every way of confirming one (link, login code, code for a new password, admin)
    saves its row; what must end ends before, so that a fault in between leaves nothing usable.

    New rows are those of our own services, which create confirmed addresses only for users who have proven themselves.
    """
    if not instance.verified or instance._state.adding or has_confirmed_address(instance.user):
        return
    request = context.request
    reader = getattr(request, "user", None)
    if reader == instance.user:
        return
    end_credentials_of_stranger(user=instance.user, proven=instance, now=timezone.now())
    if reader is not None and not reader.is_authenticated:
        messages.warning(
            request,
            _(
                "Passwords, logins and API tokens from before you confirmed your address no longer work, because "
                "someone else could have created them. You can choose a new password in your settings."
            ),
        )
