"""`manage.py prepare_site`: everything needed before the first page is served."""

import gc
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.services.bots import ensure_bots
from fm_site.serving.static_files import are_static_files_collected
from ladder.services.refresh_ladders import refresh_ladders
from studies.services.puzzles import add_committed_puzzles


class Command(BaseCommand):
    help = (
        "Migrates the database, collects static files, creates the bots, adds the puzzles, loads or closes the "
        "demonstration, and refreshes the ladders."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        # Counts of ended processes; Prometheus expects counts to start again at a restart.
        for file in settings.FM_METRICS_DIR.glob("*.db") if settings.FM_METRICS_DIR else ():
            file.unlink(missing_ok=True)
        migrate()
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        # The image of deploy/Dockerfile brings them, in a folder that nobody can write.
        if not are_static_files_collected():
            call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
        ensure_bots(now=timezone.now())
        add_committed_puzzles()
        call_command("load_demonstration", skip_checks=True)
        refresh_ladders(now=timezone.now())


def migrate() -> None:
    """Bring the tables up to date. At the first start, millions of objects live until the end: looking for garbage
    among them as often as usual would take a fifth of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, *usual[1:])
    try:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    finally:
        gc.set_threshold(*usual)
