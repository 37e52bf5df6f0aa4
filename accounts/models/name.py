"""The case-insensitive name space shared by users and mages."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

NAME_LENGTH = 20
NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]{1,19}$"


class Name(models.Model):
    """A name that was taken. Rows are never deleted, so that a name never passes to another user.

    A mage with the name of its own user shares the user's row.
    """

    class Kind(models.TextChoices):
        USER = "user", pgettext_lazy("choice", "User")
        MAGE = "mage", pgettext_lazy("choice", "Mage")

    key = models.CharField(pgettext_lazy("column", "key"), max_length=NAME_LENGTH, unique=True)
    written = models.CharField(pgettext_lazy("column", "written"), max_length=NAME_LENGTH)
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=4, choices=Kind.choices)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "owner"),
        on_delete=models.PROTECT,
        related_name="names",
    )
    created_at = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("name")
        verbose_name_plural = _("names")
        constraints = [
            models.CheckConstraint(condition=models.Q(key=Lower("written")), name="name_key_is_lower_case"),
            models.CheckConstraint(condition=models.Q(written__regex=NAME_PATTERN), name="name_is_well_formed"),
        ]

    def __str__(self) -> str:
        return self.written
