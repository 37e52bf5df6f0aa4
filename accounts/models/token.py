"""API tokens, secret links of calendars, and the answers that their idempotency keys keep."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class ApiToken(models.Model):
    """A token as we store it: its SHA-256 hash, and its first letters to identify it in lists."""

    class Scope(models.TextChoices):
        """What a token may do for its owner."""

        READ = "read", gettext_lazy("Read battles as you see them")
        PLAY = "play", gettext_lazy("Read battles and send orders")
        BOT = "bot", gettext_lazy("Read, play and run a bot: set its webhook, and make this account a bot")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=40)
    start = models.CharField(max_length=8)
    hash = models.CharField(max_length=64, unique=True)
    # Names of scopes, separated by spaces.
    scopes = models.CharField(max_length=100, default=Scope.READ)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"

    def allows(self, scope: str) -> bool:
        return scope in self.scopes.split()

    @property
    def may(self) -> str:
        """What the token allows, in words for a list: _("reads and plays")."""
        if self.allows(self.Scope.BOT):
            return _("reads, plays and runs a bot")
        return _("reads and plays") if self.allows(self.Scope.PLAY) else _("reads")


class CalendarLink(models.Model):
    """The secret link of a user's calendar of deadlines, as we store it: the SHA-256 hash of its secret."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_link")
    hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar of {self.user}"


class IdempotentAnswer(models.Model):
    """The answer to a call with an idempotency key: the same key gets the same answer for a day.

    `hash` identifies the caller and the key, `request` the call. The answer is encrypted.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    hash = models.CharField(max_length=64, unique=True)
    request = models.CharField(max_length=64)
    sealed = models.TextField(blank=True, default="", editable=False)
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.hash[:8]
