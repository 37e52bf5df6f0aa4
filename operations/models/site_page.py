"""What the operator of the site says on pages of their own."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class SitePage(models.Model):
    """One saved version of an operator's page in one language; the newest one counts, and a blank one takes the page
    down. Versions are kept."""

    class Name(models.TextChoices):
        IMPRINT = "imprint", _("Imprint")
        PRIVACY = "privacy", _("Privacy")
        TERMS = "terms", _("Terms")
        AGE = "minimum-age", _("Minimum age")
        ACCESSIBILITY = "accessibility", _("Accessibility")
        ILLEGAL = "illegal-content", _("Illegal content")

    name = models.CharField(pgettext_lazy("column", "page"), max_length=20, choices=Name)
    language = models.CharField(pgettext_lazy("column", "language"), max_length=8)
    text = models.TextField(
        pgettext_lazy("column", "text"),
        max_length=30_000,
        blank=True,
        help_text=_("Markdown. Readers see “???” as “not filled in yet”."),
    )
    saved_at = models.DateTimeField(pgettext_lazy("column", "saved"))
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "saved by"),
        on_delete=models.PROTECT,
        related_name="+",
    )

    class Meta:
        verbose_name = _("operator's page")
        verbose_name_plural = _("operator's pages")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["name", "language", "-id"], name="site_page_newest")]

    def __str__(self) -> str:
        return f"{self.get_name_display()} ({self.language})"
