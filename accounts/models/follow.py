"""Users who follow other users."""

from django.conf import settings
from django.db import models


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
