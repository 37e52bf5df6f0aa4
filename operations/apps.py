from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OperationsConfig(AppConfig):
    name = "operations"
    verbose_name = _("Site")
    label = "operations"

    def ready(self) -> None:
        # Importing the checks registers them.
        from operations import checks  # noqa: F401
