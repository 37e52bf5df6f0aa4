"""`manage.py rebuild_ratings`: rebuild every rating from the battles."""

from typing import Any

from django.core.management.base import BaseCommand

from ladder.rating import KINDS
from ladder.services.rate_battles import rebuild_ratings

TITLES = {"duel": "duels", "melee": "melees", "bots": "duels with bots"}


class Command(BaseCommand):
    help = "Rebuild all ratings from the battles, and say for how many users they changed."

    def handle(self, *args: Any, **options: Any) -> None:
        for kind in KINDS:
            rebuilt = rebuild_ratings(kind=kind)
            changed = len(rebuilt.changed_users)
            message = "no rating changed" if not changed else f"ratings changed for {changed} users"
            self.stdout.write(f"{TITLES[kind]}: {rebuilt.battles} battles read, {message}")
