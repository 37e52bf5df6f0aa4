"""Webhooks."""

from django.conf import settings
from django.db import models


class Webhook(models.Model):
    """The address that receives a user's events, at most one for each user. The secret is encrypted.

    It has failed without a break since `failing_since`, and is not called again before `retry_at`. With `off_at` it is
    switched off.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhook")
    url = models.CharField(max_length=500)
    sealed_secret = models.TextField(editable=False)
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    off_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True, default="")

    def __str__(self) -> str:
        return self.url
