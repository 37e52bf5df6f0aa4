from allauth.usersessions.apps import UserSessionsConfig
from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Users and mages")
    default = True

    def ready(self) -> None:
        from allauth.account.models import EmailAddress
        from allauth.mfa.signals import authenticator_added
        from django.db.models.signals import pre_save

        from accounts.open_pages import watch_rights
        from accounts.proof_of_address import end_credentials_before_proof
        from accounts.reauthentication import record_new_factor

        authenticator_added.connect(record_new_factor, dispatch_uid="accounts.reauthentication")
        pre_save.connect(end_credentials_before_proof, sender=EmailAddress, dispatch_uid="accounts.proof_of_address")
        watch_rights()


class LoginsConfig(UserSessionsConfig):  # type: ignore[misc]  # allauth has no types
    """Allauth's table of sessions, filled by us: it would store their keys."""

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_set, user_logged_in
        from django.contrib.auth.signals import user_logged_in as any_login

        from accounts.views.logins import hand_over, record_session

        any_login.connect(hand_over, dispatch_uid="accounts.push_devices")
        for signal in (user_logged_in, password_set, password_changed):
            signal.connect(record_session, dispatch_uid="accounts.logins")
