"""Totals over counted battles. A task maintains them; pages read them and never scan battles."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.models import Mage
from ladder.models.scores import ScoreKind


class SpellFigure(models.Model):
    """The results of one spell in all finished battles of a ruleset, including practice (firetop-server 7.8)."""

    FATES = ("cast", "worked", "countered", "reflected", "shielded", "failed")

    ruleset = models.CharField(max_length=40)
    spell = models.CharField(max_length=40)
    cast = models.PositiveBigIntegerField(default=0)
    worked = models.PositiveBigIntegerField(default=0)
    countered = models.PositiveBigIntegerField(default=0)
    reflected = models.PositiveBigIntegerField(default=0)
    shielded = models.PositiveBigIntegerField(default=0)
    failed = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ruleset", "spell"], name="spell_figure_once")]

    def __str__(self) -> str:
        return f"{self.spell} by {self.ruleset}"


class EndingFigure(models.Model):
    """How many battles of a ruleset and kind ended this way after this many turns; only battles that count."""

    ruleset = models.CharField(max_length=40)
    kind = models.CharField(max_length=5, choices=ScoreKind)
    turns = models.PositiveIntegerField()
    ending = models.CharField(max_length=40)
    battles = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "kind", "turns", "ending"], name="ending_figure_once")
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.kind}, {self.ending} in turn {self.turns}"


class Opening(models.Model):
    """How often mages began with `line`, under a ruleset and in a kind of battle that counts, and their results.

    `line` holds two letters for each pair of gestures, `parent` all but the last pair. A line and its mirror image
    count as one.
    """

    ruleset = models.CharField(max_length=40)
    kind = models.CharField(max_length=5, choices=ScoreKind)
    line = models.CharField(max_length=16)
    parent = models.CharField(max_length=14, blank=True)
    played = models.PositiveBigIntegerField(default=0)
    won = models.PositiveBigIntegerField(default=0)
    lost = models.PositiveBigIntegerField(default=0)
    drew = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "kind", "line"], name="opening_once"),
            models.CheckConstraint(condition=Q(played=F("won") + F("lost") + F("drew")), name="opening_results_add_up"),
        ]
        indexes = [models.Index(fields=["ruleset", "kind", "parent", "-played"], name="opening_what_followed")]

    def __str__(self) -> str:
        return f"{self.line} by {self.ruleset}"


class OpeningReply(models.Model):
    """How often a mage in a duel that counts played `pair` after `mine`, when the other had played `theirs`, and their
    results; separately for each band of ratings of the mage's user.

    Both lines have the same length, and each is written as openings are: it and its mirror image count as one.
    """

    ruleset = models.CharField(max_length=40)
    mine = models.CharField(max_length=6, blank=True)
    theirs = models.CharField(max_length=6, blank=True)
    pair = models.CharField(max_length=2)
    band = models.CharField(max_length=6, blank=True)
    played = models.PositiveBigIntegerField(default=0)
    won = models.PositiveBigIntegerField(default=0)
    lost = models.PositiveBigIntegerField(default=0)
    drew = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "opening replies"
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "mine", "theirs", "pair", "band"], name="opening_reply_once"),
            models.CheckConstraint(
                condition=Q(played=F("won") + F("lost") + F("drew")), name="opening_reply_results_add_up"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pair} after {self.mine} against {self.theirs} by {self.ruleset}"


class MageRecord(models.Model):
    """The results of a mage in one kind of battle that counts, for one ruleset or ("") all.

    `form` are the last five results, latest first: W, L or D. `points` is how much the score changed in these battles.
    """

    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="records")
    kind = models.CharField(max_length=5, choices=ScoreKind)
    ruleset = models.CharField(max_length=40, blank=True)
    battles = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    lost = models.PositiveIntegerField()
    drew = models.PositiveIntegerField()
    points = models.IntegerField(default=0)
    form = models.CharField(max_length=5)
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["mage", "kind", "ruleset"], name="mage_record_once"),
            models.CheckConstraint(condition=Q(battles=F("won") + F("lost") + F("drew")), name="mage_record_adds_up"),
        ]

    def __str__(self) -> str:
        return f"{self.mage}: {self.won}/{self.lost}/{self.drew}"


class Pairing(models.Model):
    """The results of two users against each other: `one` is the one with the smaller id.

    A melee counts for each pair of its users; a user wins if they won it and the other did not.
    """

    one = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    battles = models.PositiveIntegerField()
    one_won = models.PositiveIntegerField()
    other_won = models.PositiveIntegerField()
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="pairing_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="pairing_in_order"),
        ]
        indexes = [models.Index(fields=["other", "one"], name="pairing_of_other")]

    def __str__(self) -> str:
        return f"{self.one} and {self.other}: {self.battles}"
