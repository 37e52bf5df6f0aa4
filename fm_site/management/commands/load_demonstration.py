"""`manage.py load_demonstration`: users, a janitor, a challenge and a duel in its third turn, only with DEBUG."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.errors import NameTaken
from fm_site.demonstration.loading import close_demonstration, load_demonstration


class Command(BaseCommand):
    help = "Loads the demonstration when DEBUG is on; closes its accounts when DEBUG is off."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if not settings.DEBUG:
            if close_demonstration():
                self.stdout.write("Closed the demonstration accounts.")
            return
        try:
            load_demonstration(now=timezone.now())
        except NameTaken as error:
            # Another user has that name; the site runs without a demonstration.
            self.stderr.write(f"Demonstration not loaded: {error}")
