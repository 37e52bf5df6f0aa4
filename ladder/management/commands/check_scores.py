"""`manage.py check_scores`: is every score the sum of its rows?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ladder.models import ScoreEntry
from ladder.selectors import find_disagreements


class Command(BaseCommand):
    help = "Check that each score row follows from the rows before it; name each one that does not, and fail."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        for found in find_disagreements():
            wrong += 1
            self.stdout.write(f"row {found.entry.pk}: {found.entry}: before {found.entry.before}, "
                              f"but the rows before it sum to {found.expected_before}")  # fmt: skip
        if wrong:
            raise CommandError(f"{wrong} score rows disagree.")
        self.stdout.write(f"{ScoreEntry.objects.count()} score rows agree.")
