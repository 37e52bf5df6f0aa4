"""The devices that get a user's notifications, even while the site is closed (Web Push, RFC 8030)."""

from django.conf import settings
from django.db import models


class PushDevice(models.Model):
    """A browser that shows notifications to its user, as its push service names it. The keys are encrypted.

    It belongs to the browser, named by the hash of its cookie (accounts.push_cookie), and to the user who turned it on:
    it rings on after they log out, until someone else logs in there. `session_key` is the hash of the key of their last
    session there (accounts.sessions). One without a `browser` is from before, and rings only as long as that session.

    It has failed without a break since `failing_since`. With `stopped_at` it gets no more notifications.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices")
    endpoint = models.TextField()
    # SHA-256 of the endpoint, in hexadecimal: one endpoint is one device, no matter who is logged in there.
    endpoint_hash = models.CharField(max_length=64, unique=True)
    sealed_keys = models.TextField(editable=False)
    session_key = models.CharField(max_length=40, db_index=True, editable=False)
    browser = models.CharField(max_length=64, blank=True, default="", db_default="", db_index=True, editable=False)
    user_agent = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField()
    reached_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.user_agent or f"device {self.pk}"


class PushKey(models.Model):
    """The key that identifies this site to push services (VAPID, RFC 8292). There is one row; the key is encrypted."""

    sealed_key = models.TextField(editable=False)

    def __str__(self) -> str:
        return "the site's push key"
