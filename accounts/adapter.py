"""Connects django-allauth to our names, our way of creating users, and our notices instead of its emails."""

import secrets
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidName
from accounts.forms import name_refusal
from accounts.languages import find_language_of_emails
from accounts.models import Name, User
from accounts.names import check_name
from accounts.password_limits import ON_THE_PAGE
from accounts.reauthentication import has_just_logged_in
from accounts.selectors.names import find_user
from accounts.selectors.users import find_user_by_address, has_confirmed_address
from accounts.services.users import create_user_from_signup, mark_email_wanted, mark_email_working
from notifications.services.outbox import write_notice
from operations.encryption import InvalidToken, seal, unseal
from operations.errors import TooManyAttempts
from operations.web.client_address import client_address, network_of

# allauth's template prefix → our notice kind, and the secrets in its context with our names for them.
MAILS = {
    "account/email/email_confirmation": ("confirm_address", {"activate_url": "link"}),
    "account/email/email_confirmation_signup": ("confirm_address", {"activate_url": "link"}),
    "account/email/login_code": ("login_code", {"code": "code"}),
    "account/email/password_reset_code": ("password_reset", {"code": "code"}),
    "account/email/password_reset_key": ("password_reset", {"password_reset_url": "link"}),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Connects allauth's pages to our services."""

    error_messages = DefaultAccountAdapter.error_messages | dict.fromkeys(
        ("username_password_mismatch", "email_password_mismatch"),
        _("Wrong name, address or password. You can also log in with an emailed code."),
    )
    error_messages["too_many_login_attempts"] = _(
        "Too many wrong passwords for this name from your network. Wait 15 minutes, or log in with an emailed code."
    )
    error_messages["incorrect_code"] = _(
        "That isn't the code in our latest email. Check it, or start again to get a new one."
    )

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client address that allauth uses for its limits and its list of sessions."""
        address = client_address(request)
        if not address:
            raise PermissionDenied("The request has no client address. Add your proxy to FM_TRUSTED_PROXIES.")
        return address

    def clean_username(self, username: str, shallow: bool = False) -> str:
        try:
            return check_name(username, kind=Name.Kind.USER)
        except InvalidName as error:
            raise name_refusal(error) from error

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        data = form.cleaned_data
        try:
            return create_user_from_signup(
                name=data["username"],
                email=data.get("email", ""),
                password=data.get("password1") or None,
                time_zone=data.get("time_zone", ""),
                language=find_language_of_emails(),
                now=timezone.now(),
            )
        except InvalidName as error:  # someone took the name after the form was checked
            messages.error(request, error.sentence())
            raise ImmediateHttpResponse(redirect("account_signup")) from error

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        kind, secret_names = MAILS[template_prefix]
        user = context.get("user") or find_user_by_address(email)
        if user is not None:
            write_notice(
                # Each request sends its own email; allauth limits how often.
                key=f"{kind}:{user.pk}:{secrets.token_hex(8)}",
                user=user,
                kind=kind,
                facts={"address": email, "signup": template_prefix.endswith("_signup")},
                secrets={ours: context[theirs] for theirs, ours in secret_names.items()},
                address=email,
                now=timezone.now(),
            )

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address by its link. A further one counts only where its user is logged in: with it alone, its
        owner could not tell whose account they join."""
        user = email_address.user
        if has_confirmed_address(user) and request.user != user:
            messages.error(
                request, _("Log in as %(user)s, then open the link again to confirm this address.") % {"user": user}
            )
            return False
        return bool(super().confirm_email(request, email_address))

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Notify `user` of a change to their account, at the address they had when it changed."""
        if template_prefix.endswith("/email_changed"):
            mark_email_working(user=user, now=timezone.now())  # we do not know yet whether the new address bounces
            mark_email_wanted(user=user)
        if email and not EmailAddress.objects.filter(user=user, email=email, verified=True).exists():
            return
        write_notice(
            key=f"account_changed:{user.pk}:{secrets.token_hex(8)}",
            user=user,
            kind="account_changed",
            facts={"what": template_prefix.rsplit("/", 1)[-1], **self._show_revoked(user)},
            address=email or "",
            now=timezone.now(),
        )

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a network that has failed too often; the library would lock a name for everyone."""
        try:
            ON_THE_PAGE.check(**_guess_of(request, credentials))
        except TooManyAttempts as error:
            raise self.validation_error("too_many_login_attempts") from error

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user is not None:
            ON_THE_PAGE.forget(**_guess_of(request, credentials))
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        ON_THE_PAGE.count(**_guess_of(request, credentials))

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Ask nobody to prove again what they proved when they logged in, minutes ago."""
        if self.request is not None and has_just_logged_in(self.request):
            return False
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def _show_revoked(self, user: User) -> dict[str, Any]:
        """Show on the page what a new password has revoked, and return it for the notice."""
        revoked = getattr(user, "revoked", None)
        if not revoked:
            return {}
        if self.request is not None:
            messages.warning(self.request, revoked.say())
        return {"revoked": asdict(revoked)}

    def is_safe_url(self, url: str | None) -> bool:
        """Also require a slash or a scheme at the start; anything else would be taken as a URL name."""
        return bool(super().is_safe_url(url)) and url is not None and url.startswith(("/", "http://", "https://"))


def _guess_of(request: HttpRequest, credentials: Mapping[str, Any]) -> dict[str, str]:
    """Return the network that tries a password, and what the password is for: a user, or an address as written.

    The tries at an address are counted apart from those at a name, or they would show whose address it is.
    """
    written = str(credentials.get("username") or credentials.get("email") or "").strip().lower()
    user = find_user(written)
    return {"network": network_of(client_address(request)), "name": str(user.pk) if user else written}


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Encrypts the secrets of authenticator apps and recovery codes; reads unencrypted old ones as they are."""

    def encrypt(self, text: str) -> str:
        return seal({"secret": text})

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return str(unseal(encrypted_text)["secret"])
        except (InvalidToken, ValueError):
            return encrypted_text
