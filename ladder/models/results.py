"""Results of battles: the ladder's own record, from which all ratings and records can be rebuilt."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Mage
from ladder.models.scores import ScoreKind


class Stakes(models.TextChoices):
    """The stakes of a battle; `ladder.stakes` defines each."""

    LADDER = "ladder", pgettext_lazy("choice", "Ladder")
    BAND = "band", pgettext_lazy("choice", "Band")
    NO_GAIN = "no-gain", pgettext_lazy("choice", "No Gain")
    FRIENDLY = "friendly", pgettext_lazy("choice", "Friendly")
    VERY_FRIENDLY = "very-friendly", pgettext_lazy("choice", "Very Friendly")
    BOTS = "bots", pgettext_lazy("choice", "Bots")
    LEAGUE = "league", pgettext_lazy("choice", "League")
    CUP = "cup", pgettext_lazy("choice", "Cup")
    EVENING = "evening", pgettext_lazy("choice", "Live Evening")
    ROUND_ROBIN = "round-robin", pgettext_lazy("choice", "Round Robin")


class ScoredBattle(models.Model):
    """A battle whose result has been counted. Its number is unique: no battle counts twice.

    Battles count in the order of `scored_at`, the time of their end, then of their numbers. `practice`: all mages
    belong to one user. `deadly`: mages who die in it are dead for good. While `annulled_at` is set, the battle does
    not count, and its rows are removed. `is_rated`: ratings include it, even if it changed none.
    """

    number = models.PositiveBigIntegerField(pgettext_lazy("column", "number"), unique=True)
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=5, choices=ScoreKind.choices)
    practice = models.BooleanField(pgettext_lazy("column", "practice"))
    deadly = models.BooleanField(pgettext_lazy("column", "deadly"), default=True)
    stakes = models.CharField(
        pgettext_lazy("column", "stakes"), max_length=13, choices=Stakes.choices, default=Stakes.LADDER
    )
    scored_at = models.DateTimeField(pgettext_lazy("column", "scored"), default=timezone.now, editable=False)
    annulled_at = models.DateTimeField(pgettext_lazy("column", "annulled"), null=True, blank=True)
    is_rated = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("scored battle")
        verbose_name_plural = _("scored battles")
        indexes = [
            models.Index(fields=["kind", "scored_at", "number"], name="scored_battle_in_order"),
            models.Index(
                fields=["kind", "scored_at", "number"], name="scored_battle_to_rate", condition=Q(is_rated=False)
            ),
        ]

    def __str__(self) -> str:
        return f"battle {self.number}"


class Placing(models.Model):
    """The result of one mage in a battle: won or not, dead or alive. When two accounts are merged, it moves to the
    other user, and both users' ratings are rebuilt.

    `score_at_start` is the mage's score of the battle's kind at the start. `is_real_death`: the battle killed the mage
    for good; in practice and friendly battles deaths are not real. `is_repeated`: the winners had beaten this mage's
    user too often within a month, so this mage gives them no point, and does not count in ratings.
    """

    battle = models.ForeignKey(
        ScoredBattle, verbose_name=pgettext_lazy("column", "battle"), on_delete=models.CASCADE, related_name="placings"
    )
    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="placings"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.PROTECT,
        related_name="placings",
    )
    won = models.BooleanField(pgettext_lazy("column", "won"))
    died = models.BooleanField(pgettext_lazy("column", "died"))
    is_real_death = models.BooleanField(pgettext_lazy("column", "real death"), default=False)
    is_repeated = models.BooleanField(default=False, db_default=False)
    score_at_start = models.PositiveIntegerField(pgettext_lazy("column", "score at the start"))

    class Meta:
        verbose_name = _("placing")
        verbose_name_plural = _("placings")
        constraints = [
            models.UniqueConstraint(fields=["battle", "mage"], name="placing_once"),
            models.CheckConstraint(condition=~Q(won=True, died=True), name="placing_no_dead_winner"),
            models.CheckConstraint(
                condition=Q(died=True) | Q(is_real_death=False), name="placing_real_death_is_a_death"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mage} in {self.battle}"


class Remembrance(models.Model):
    """A mage who died in a battle, with their score at that moment, even if zero."""

    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="remembrances"
    )
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=5, choices=ScoreKind.choices)
    battle = models.PositiveBigIntegerField(pgettext_lazy("column", "battle"))
    score = models.PositiveIntegerField(pgettext_lazy("column", "score"))
    died_at = models.DateTimeField(pgettext_lazy("column", "died"))

    class Meta:
        verbose_name = _("remembrance")
        verbose_name_plural = _("remembrances")
        constraints = [models.UniqueConstraint(fields=["mage"], name="remembrance_once")]
        indexes = [models.Index(fields=["kind", "-score"], name="remembrance_highest")]

    def __str__(self) -> str:
        return f"{self.mage}, {self.kind} score {self.score}"
