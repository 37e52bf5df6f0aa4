from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "fm_site.operations"
    label = "operations"

    def ready(self) -> None:
        # Importing the checks registers them.
        from fm_site.operations import checks  # noqa: F401
