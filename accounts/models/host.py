"""Hosts: volunteers who play newcomers."""

from django.conf import settings
from django.db import models


class Host(models.Model):
    """A user who offers to play newcomers, or whom a janitor has marked as a host. They are one while both hold.

    `asked_at` is when a newcomer last asked them: they take turns.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hosting")
    offered_at = models.DateTimeField(null=True, blank=True)
    marked_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"hosting of {self.user_id}"
