"""`manage.py check_scores`: check that every score is the sum of its rows."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ladder.models import ScoreEntry
from ladder.selectors.scores import find_disagreements


class Command(BaseCommand):
    help = "Check that each score row follows from the rows before it. List every row that does not, and fail."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        for found in find_disagreements():
            wrong += 1
            self.stdout.write(f"row {found.entry.pk}: {found.entry}: before {found.entry.before}, "
                              f"but the rows before it add up to {found.expected_before}")  # fmt: skip
        if wrong:
            raise CommandError(f"{wrong} score rows are wrong.")
        self.stdout.write(f"{ScoreEntry.objects.count()} score rows are correct.")
