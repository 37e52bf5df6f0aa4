from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        # Importing them registers the checks.
        from accounts import checks  # noqa: F401
