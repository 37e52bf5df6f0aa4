"""What users write to each other."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from notifications.models import Notice

MESSAGE_LENGTH = 2000


class Message(models.Model):
    """A message of one user to another. All messages between two users are their thread.

    It stays until both have deleted it, or closed their account.
    """

    class Channel(models.TextChoices):
        PAGE = "page"
        EMAIL = "email"

    writer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages_written")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages_got")
    text = models.TextField()
    channel = models.CharField(max_length=5, choices=Channel, default=Channel.PAGE)
    # The battle that it was sent from (its number), and the turn.
    battle = models.PositiveBigIntegerField(null=True, blank=True)
    turn = models.PositiveIntegerField(null=True, blank=True)
    written_at = models.DateTimeField()
    # From its text and the key of the form or email that it came with, so that it is sent once.
    once = models.CharField(max_length=40)
    # The first message to someone whom the writer hadn't met. A user writes only a few of these a day.
    is_to_stranger = models.BooleanField(default=False)
    is_unread = models.BooleanField(default=True)
    is_kept_by_writer = models.BooleanField(default=True)
    is_kept_by_reader = models.BooleanField(default=True)
    # Its line in the reader's news, and its email.
    notice = models.OneToOneField(
        Notice, null=True, blank=True, on_delete=models.SET_NULL, related_name="message", editable=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["writer", "reader", "once"], name="message_once"),
            models.CheckConstraint(condition=~Q(writer=F("reader")), name="message_is_to_somebody_else"),
            models.CheckConstraint(
                condition=Q(is_kept_by_writer=True) | Q(is_kept_by_reader=True), name="message_is_kept_by_someone"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="message_says_something"),
        ]
        indexes = [
            models.Index(fields=["reader"], name="message_unread", condition=Q(is_unread=True)),
            models.Index(
                fields=["writer", "written_at"], name="message_to_strangers", condition=Q(is_to_stranger=True)
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"
