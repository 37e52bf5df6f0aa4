"""`manage.py rebuild_ratings`: every rating again, from the battles alone."""

from typing import Any

from django.core.management.base import BaseCommand

from ladder.rating import KINDS
from ladder.services import rebuild_ratings


class Command(BaseCommand):
    help = "Make all ratings again from the battles alone, and say whose figures are others than before."

    def handle(self, *args: Any, **options: Any) -> None:
        for kind in KINDS:
            rebuilt = rebuild_ratings(kind=kind)
            changed = len(rebuilt.changed_users)
            told = "all figures as before" if not changed else f"other figures than before for {changed} users"
            self.stdout.write(f"{kind}s: {rebuilt.battles} battles looked at, {told}")
