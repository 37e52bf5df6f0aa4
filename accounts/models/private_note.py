"""What a user notes for themselves about another user or a battle."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

PRIVATE_NOTE_LENGTH = 500


class PrivateNote(models.Model):
    """A note that only its writer reads: it has no admin page, no report and no search, and goes with either account.

    It is about a user or about a battle (by number).
    """

    writer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="private_notes")
    about_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    about_battle = models.PositiveBigIntegerField(null=True, blank=True)
    text = models.CharField(max_length=PRIVATE_NOTE_LENGTH)
    written_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["writer", "about_user"], name="private_note_once_per_user"),
            models.UniqueConstraint(fields=["writer", "about_battle"], name="private_note_once_per_battle"),
            models.CheckConstraint(
                condition=Q(about_user__isnull=False, about_battle__isnull=True)
                | Q(about_user__isnull=True, about_battle__isnull=False),
                name="private_note_is_about_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(about_user__isnull=True) | ~Q(about_user=F("writer")),
                name="private_note_is_about_somebody_else",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="private_note_says_something"),
        ]

    def __str__(self) -> str:
        return f"private note {self.pk}"
