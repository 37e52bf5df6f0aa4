"""Mages and their engagements."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.arms.blazons import State, blazon_bot, blazon_mage
from accounts.arms.design import EDITION
from accounts.models.name import NAME_LENGTH


class Mage(models.Model):
    """A user's character. Mages are never deleted: they die or retire."""

    class Pronoun(models.TextChoices):
        """How sentences refer to a mage (SC-START-7); the keys of `rules_engine.glossary.PRONOUNS`."""

        THEY = "they", _("they")
        SHE = "she", _("she")
        HE = "he", _("he")
        IT = "it", _("it")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.PROTECT,
        related_name="mages",
    )
    name = models.CharField(pgettext_lazy("column", "name"), max_length=NAME_LENGTH, unique=True)
    pronoun = models.CharField(
        pgettext_lazy("column", "pronoun"), max_length=4, choices=Pronoun, default=Pronoun.THEY, db_default=Pronoun.THEY
    )
    created_at = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now, editable=False)
    last_active_at = models.DateTimeField(pgettext_lazy("column", "last active"), default=timezone.now, editable=False)
    # The end of the mage: their death or, with `has_left`, the day they left the mountain alive.
    died_at = models.DateTimeField(pgettext_lazy("column", "died"), null=True, blank=True)
    has_left = models.BooleanField(pgettext_lazy("column", "left alive"), default=False, db_default=False)
    retired_at = models.DateTimeField(pgettext_lazy("column", "retired"), null=True, blank=True)
    # The name that the arms are drawn from, which a new name does not change, and how it was drawn. The likeness finds
    # twins among living mages (accounts.arms.design).
    arms_text = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="", editable=False)
    arms_number = models.PositiveSmallIntegerField(default=1, db_default=1, editable=False)
    arms_edition = models.PositiveSmallIntegerField(default=EDITION, db_default=EDITION, editable=False)
    arms_likeness = models.CharField(max_length=6, blank=True, default="", db_default="", editable=False)
    # When a sweep checks whether the mage is idle: before they can be due, and at most a few days late.
    idle_check_at = models.DateTimeField(db_column="idle_look_at", db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("mage")
        verbose_name_plural = _("mages")
        indexes = [
            models.Index(fields=["idle_check_at"], name="mage_idle_check", condition=models.Q(died_at=None)),
            models.Index(fields=["-last_active_at", "id"], name="mage_active_last", condition=models.Q(died_at=None)),
            models.Index(fields=["arms_likeness"], name="mage_arms_living", condition=models.Q(died_at=None)),
        ]
        constraints = [models.UniqueConstraint(Lower("name"), name="mage_name_case_blind")]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_alive(self) -> bool:
        return self.died_at is None

    @property
    def busy_with(self) -> "Engagement | None":
        """The mage's engagement, or None; select the mage with `engagement` first."""
        return getattr(self, "engagement", None)

    @property
    def is_retired(self) -> bool:
        return self.retired_at is not None

    @property
    def arms(self) -> str:
        """The blazon of the mage's arms; select the mage with `user` first."""
        state = State.LIVING
        if not self.is_alive:
            state = State.RETIRED if self.has_left else State.DEAD
        elif self.is_retired:
            state = State.RETIRED
        text = self.arms_text or self.name
        if self.user.is_bot:
            return blazon_bot(text, self.user.bot_strength, state)
        return blazon_mage(text, self.arms_number, self.arms_edition, state)


class Engagement(models.Model):
    """The one challenge or battle that a mage is in; a mage without a row is free."""

    class Kind(models.TextChoices):
        CHALLENGE = "challenge", pgettext_lazy("choice", "Challenge")
        BATTLE = "battle", pgettext_lazy("choice", "Battle")

    mage = models.OneToOneField(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.CASCADE, related_name="engagement"
    )
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=9, choices=Kind.choices)
    number = models.PositiveBigIntegerField(pgettext_lazy("column", "number"))

    class Meta:
        verbose_name = _("engagement")
        verbose_name_plural = _("engagements")
        indexes = [models.Index(fields=["kind", "number"], name="engagement_kind_number")]

    def __str__(self) -> str:
        return f"{self.mage} in {self.kind} {self.number}"
