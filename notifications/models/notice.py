"""Notices to users."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Notice(models.Model):
    """A notification of a user: a kind and facts, no English. The key ensures that there is only one."""

    key = models.CharField(pgettext_lazy("column", "key"), max_length=200, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.CASCADE,
        related_name="notices",
    )
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=40)
    facts = models.JSONField(default=dict, blank=True)
    # Codes and links, encrypted; cleared once the last delivery has been sent or has failed.
    sealed = models.TextField(blank=True, default="", editable=False)
    created_at = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now, editable=False)
    # `created_at` is when it happened: a sweep asks the clock once, and may store a notice minutes later. Events are
    # numbered by this, or programs that have read newer ones would miss it.
    stored_at = models.DateTimeField(default=timezone.now, db_default=Now(), editable=False)

    # The part of the user's news in which it is a line (notifications.kinds); blank: it is none.
    news = models.CharField(max_length=8, blank=True, default="", db_default="", editable=False)
    is_unseen = models.BooleanField(default=False, db_default=False, editable=False)
    # The other users whose doing a line of the news is: it is not shown while one of them is blocked or suspended.
    about = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+", editable=False)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = [
            models.Index(fields=["user", "-created_at"], name="notice_user_newest"),
            models.Index(fields=["user", "stored_at"], name="notice_user_stored"),
            models.Index(fields=["user", "-created_at"], name="notice_news", condition=~Q(news="")),
            models.Index(fields=["user"], name="notice_unseen_news", condition=Q(is_unseen=True)),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def in_words(self) -> str:
        """The subject of the notice: "turn resolved"."""
        return self.kind.replace("_", " ")
