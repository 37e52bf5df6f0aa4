"""`manage.py rebuild_records`: counts every battle again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ladder.selectors.statistics import list_counts_due
from studies.services.ladder_records import ask_for_all_counts, record_battle

AT_A_TIME = 100


class Command(BaseCommand):
    help = "Rebuild the records of battles, their totals and the records of mages from the battles."

    def handle(self, *_args: Any, **_options: Any) -> None:
        begin = timezone.now()
        asked = ask_for_all_counts()
        # Battles that cannot be read have been tried since `begin`, so they are not tried again here.
        while due := list_counts_due(limit=AT_A_TIME, tried_before=begin):
            for battle, times in due:
                record_battle(number=battle, times=times, now=timezone.now())
        left = len(list_counts_due(limit=asked))
        if left:
            raise CommandError(f"{left} of {asked} battles could not be read. See the log for the reasons.")
        self.stdout.write(f"Battles counted: {asked}.")
