from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from allauth.mfa.signals import authenticator_added

        from accounts.open_pages import watch_rights
        from accounts.reauthentication import record_new_factor

        authenticator_added.connect(record_new_factor, dispatch_uid="accounts.reauthentication")
        watch_rights()
