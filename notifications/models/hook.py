"""Hooks: addresses outside that get messages."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Hook(models.Model):
    """An address outside that gets messages in one format: about a user's own battles, or what everyone may know of one
    battle or of the site.

    `sealed` holds its address and tokens, encrypted: they are shown once. It has failed without a break since
    `failing_since`, and is not called again before `retry_at`. With `paused_at` it waits for its user; with `off_at` it
    gets nothing.
    """

    class Format(models.TextChoices):
        JSON = "json", _("Signed JSON")
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        MATRIX = "matrix", "Matrix"
        NTFY = "ntfy", "ntfy"

    class Scope(models.TextChoices):
        USER = "user", pgettext_lazy("choice", "A user's own")
        BATTLE = "battle", pgettext_lazy("choice", "A battle's")
        SITE = "site", pgettext_lazy("choice", "The site's")

    # Who made it.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks")
    scope = models.CharField(max_length=6, choices=Scope)
    # The number of the battle, for one of a battle.
    battle = models.PositiveBigIntegerField(null=True, blank=True)
    # "user/12/3": the third place of user 12. There are only so many for each owner, and two never share one.
    place = models.CharField(max_length=40, unique=True, editable=False)
    format = models.CharField(max_length=7, choices=Format)
    # The one that the API sets as its user's webhook.
    is_webhook = models.BooleanField(default=False, db_default=False, editable=False)
    name = models.CharField(max_length=40)
    # What it is told about (notifications.hook_events).
    events = models.JSONField(default=list)
    sealed = models.TextField(editable=False)
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    # Calls, and events, that failed in a row.
    failures = models.PositiveIntegerField(default=0)
    failed_events = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    off_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("hook")
        verbose_name_plural = _("hooks")
        indexes = [
            models.Index(fields=["battle"], name="hook_of_battle", condition=Q(battle__isnull=False)),
            models.Index(fields=["scope"], name="hook_of_site", condition=Q(scope="site")),
            models.Index(fields=["failing_since"], name="hook_paused", condition=Q(paused_at__isnull=False)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(scope="battle", battle__isnull=False) | Q(scope__in=["user", "site"], battle__isnull=True),
                name="hook_of_battle_names_it",
            ),
            models.UniqueConstraint(fields=["user"], condition=Q(is_webhook=True), name="hook_one_webhook_per_user"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_live(self) -> bool:
        """Whether it is called."""
        return self.paused_at is None and self.off_at is None
