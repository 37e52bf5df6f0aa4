"""The outbox: notices to users, and the state of each delivery."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Notice(models.Model):
    """Something to tell a user: a kind and facts, no English. The key ensures that it happens once."""

    key = models.CharField(max_length=200, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=40)
    facts = models.JSONField(default=dict, blank=True)
    # Codes and links, encrypted; cleared once the last delivery has been sent or has failed.
    sealed = models.TextField(blank=True, default="", editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["user", "-created_at"], name="notice_user_newest")]

    def __str__(self) -> str:
        return self.key

    @property
    def in_words(self) -> str:
        """What the notice is about: "turn resolved"."""
        return self.kind.replace("_", " ")


class Delivery(models.Model):
    """One notice on one channel."""

    class Channel(models.TextChoices):
        MAIL = "mail"
        # Sent in one email with the user's other deliveries of the same Message-ID.
        DIGEST = "digest"

    class State(models.TextChoices):
        DUE = "due"
        CLAIMED = "claimed"
        SENT = "sent"
        FAILED = "failed"

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=Channel.choices, default=Channel.MAIL)
    # Blank: the user's verified address at the time of sending. Set for emails that confirm an address.
    address = models.EmailField(blank=True, default="")
    state = models.CharField(max_length=8, choices=State.choices, default=State.DUE)
    # Derived from the notice's key: an email sent again after a crash has the same one.
    message_id = models.CharField(max_length=200)
    # The whole email, encrypted, as rendered when the notice was written: a Message-ID has one text, however late or
    # often it is sent. Cleared when the delivery ends.
    sealed_mail = models.TextField(blank=True, default="", editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [models.UniqueConstraint(fields=["notice", "channel"], name="delivery_once_per_channel")]
        indexes = [
            models.Index(fields=["due_at"], name="delivery_waiting", condition=models.Q(state__in=["due", "claimed"])),
        ]

    def __str__(self) -> str:
        return f"{self.notice} by {self.channel}"
