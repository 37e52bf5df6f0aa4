"""`manage.py record_demonstration`: lets the bots play the demonstration's battles again and writes their records."""

from typing import Any

from django.core.management.base import BaseCommand

from fm_site.demonstration.records import FILE, record_battles


class Command(BaseCommand):
    help = "Plays the battles of the demonstration with fixed seeds and writes their records; the result never varies."

    def handle(self, *_args: Any, **_options: Any) -> None:
        FILE.write_text(record_battles())
        self.stdout.write(f"Wrote {FILE.name}: {FILE.stat().st_size // 1000} kB.")
