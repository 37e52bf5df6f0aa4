"""Ties between users: blocks and follows."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Block(models.Model):
    """`user` blocks `blocked`: neither can meet the other any more, and `blocked` is not notified."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="block_once_per_pair"),
            models.CheckConstraint(condition=~models.Q(user=models.F("blocked")), name="block_is_of_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.user} blocks {self.blocked}"


class Follow(models.Model):
    """`user` follows `followed`: they follow each battle that `followed` starts. Only they can see that."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="followed_by")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "followed"], name="follow_once_per_pair"),
            models.CheckConstraint(condition=~models.Q(user=models.F("followed")), name="follow_is_of_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.user} follows {self.followed}"
