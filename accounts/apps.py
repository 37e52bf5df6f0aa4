from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from allauth.mfa.signals import authenticator_added

        from accounts.open_pages import watch_rights
        from accounts.proving import note_new_factor

        authenticator_added.connect(note_new_factor, dispatch_uid="accounts.proving")
        watch_rights()
