from django.apps import AppConfig
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from rules_engine import set_language_source


class DuelsConfig(AppConfig):
    name = "duels"
    verbose_name = _("Battles")

    def ready(self) -> None:
        """Let the engine speak the language that is active where its sentences are made."""
        set_language_source(get_language)
