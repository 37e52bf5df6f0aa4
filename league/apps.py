from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("Leagues and cups")

    def ready(self) -> None:
        # Importing it registers the texts.
        from league import hook_texts  # noqa: F401
