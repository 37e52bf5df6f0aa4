from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "operations"
    label = "operations"

    def ready(self) -> None:
        # Importing the checks registers them.
        from operations import checks  # noqa: F401
