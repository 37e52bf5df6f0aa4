from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChallengesConfig(AppConfig):
    name = "challenges"
    verbose_name = _("Challenges")

    def ready(self) -> None:
        # Importing it registers when a notice of an open duel no longer matters.
        from challenges.selectors import seeks  # noqa: F401
