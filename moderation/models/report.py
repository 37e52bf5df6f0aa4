"""Users' reports to the janitors."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _


class Report(models.Model):
    """A report to the janitors about a user, a battle (by number) or both, with their answer.

    A stranger's report has no reporter, and may be about any address of the site (`where`). Their name, email address
    and language are deleted when it is answered.
    """

    class State(models.TextChoices):
        OPEN = "open", _("New")
        ASSIGNED = "in_hand", _("In progress")
        ANSWERED = "answered", _("Answered")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "reported by"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="reports_made",
    )
    where = models.CharField(pgettext_lazy("column", "page"), max_length=300, blank=True, default="", db_default="")
    stranger = models.CharField(
        pgettext_lazy("column", "stranger"), max_length=120, blank=True, default="", db_default=""
    )
    email = models.EmailField(blank=True, default="", db_default="", editable=False)
    language = models.CharField(max_length=8, blank=True, default="", db_default="", editable=False)
    about_user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "about user"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="reports_about",
    )
    about_battle = models.PositiveBigIntegerField(null=True, blank=True)
    # It is about the messages between the reporter and the user, up to the one with this id.
    messages_to = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    text = models.TextField(pgettext_lazy("column", "text"), max_length=2000)
    created_at = models.DateTimeField(pgettext_lazy("column", "created"))
    state = models.CharField(pgettext_lazy("column", "state"), max_length=8, choices=State, default=State.OPEN)
    janitor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "janitor"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    answer = models.TextField(pgettext_lazy("column", "answer"), max_length=2000, blank=True, default="")
    answered_at = models.DateTimeField(pgettext_lazy("column", "answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["created_at"], name="report_open", condition=~Q(state="answered"))]
        constraints = [
            models.CheckConstraint(
                condition=Q(about_user__isnull=False)
                | Q(about_battle__isnull=False)
                | (Q(reporter__isnull=True) & ~Q(where="")),
                name="report_is_about_something",
            ),
            models.CheckConstraint(
                condition=Q(messages_to__isnull=True) | Q(about_user__isnull=False),
                name="report_of_messages_is_of_a_user",
            ),
            models.CheckConstraint(condition=Q(state="open") | Q(janitor__isnull=False), name="report_has_its_janitor"),
            models.CheckConstraint(
                condition=Q(state="answered", answered_at__isnull=False) | (~Q(state="answered") & Q(answered_at=None)),
                name="report_answer_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"

    @property
    def subject(self) -> str:
        """The subject of the report: "Bung, battle 12", or what a stranger named."""
        battle = [gettext("battle %(number)s") % {"number": self.about_battle}] if self.about_battle else []
        return ", ".join([*([str(self.about_user)] if self.about_user else []), *battle]) or self.where
