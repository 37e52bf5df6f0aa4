"""`manage.py remove_demonstration`: deletes the demonstration's people and all their battles."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from fm_site.demonstration.removal import remove_demonstration
from ladder.services.refresh_ladders import refresh_ladders


class Command(BaseCommand):
    help = "Deletes the demonstration's users and everything they took part in. Start with FM_DEMO=0 from then on."

    def handle(self, *_args: Any, **_options: Any) -> None:
        removed = remove_demonstration()
        refresh_ladders(now=timezone.now())
        self.stdout.write(f"Removed {removed} users of the demonstration. FM_DEMO=0 starts the site without it.")
