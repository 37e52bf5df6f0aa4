"""`manage.py load_demonstration`: people, their mages and battles, and users to log in as, only with DEBUG."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.errors import NameTaken
from fm_site.demonstration.life import load_life
from fm_site.demonstration.loading import close_demonstration, load_demonstration


class Command(BaseCommand):
    help = "Loads the demonstration when DEBUG is on, unless FM_DEMO=0; closes its accounts when DEBUG is off."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if not settings.DEBUG:
            if close_demonstration():
                self.stdout.write("Closed the demonstration accounts.")
            return
        if not settings.FM_DEMO:
            return
        now = timezone.now()
        try:
            load_demonstration(now=now)
            load_life(now=now)
        except NameTaken as error:
            # Another user has that name; the site runs without it.
            self.stderr.write(f"Demonstration not loaded: {error}")
