"""Users' preferences."""

from django.conf import settings
from django.db import models


class Preference(models.Model):
    """One user's choice; notifications.preferences lists the keys, values and defaults."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preferences")
    key = models.CharField(max_length=40)
    value = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="preference_once_per_key")]

    def __str__(self) -> str:
        return f"{self.key}={self.value}"
