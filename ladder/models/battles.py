"""Finished battles in the records. A task adds each battle once, and removes it when it is annulled."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Mage
from ladder.models.scores import ScoreKind


class CountDue(models.Model):
    """A battle that is due to be counted, recounted or removed.

    `times` increases with each request, so that a request made while the battle is being counted is not lost.
    """

    battle = models.PositiveBigIntegerField(unique=True)
    times = models.PositiveIntegerField(default=1)
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["tried_at", "battle"], name="count_due_next")]

    def __str__(self) -> str:
        return f"battle {self.battle}"


class CountedBattle(models.Model):
    """A battle in the records. If it does not count (practice and very friendly battles), only its spells do.

    `with_bots`: a bot had a mage in it.
    """

    number = models.PositiveBigIntegerField(unique=True)
    kind = models.CharField(max_length=5, choices=ScoreKind)
    counts = models.BooleanField()
    ruleset = models.CharField(max_length=40)
    edition = models.PositiveSmallIntegerField()
    turns = models.PositiveIntegerField()
    ending = models.CharField(max_length=40)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField()
    with_bots = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["number"]
        # For searches whose criteria may be rare: newest first.
        indexes = [
            models.Index(fields=["ruleset", "-number"], name="counted_ruleset_latest"),
            models.Index(fields=["ending", "-number"], name="counted_ending_latest"),
            models.Index(fields=["turns", "-number"], name="counted_length_latest"),
            models.Index(fields=["with_bots", "-number"], name="counted_bots_latest"),
            models.Index(fields=["finished_at"], name="counted_date"),
        ]

    def __str__(self) -> str:
        return f"battle {self.number}"


class BattleSide(models.Model):
    """One mage of a counted battle. `opening` are its first pairs of gestures, two letters each, without spaces.

    `band` is the user's rating before the battle, when it was counted: it says where the sums of openings contain it.
    Number, ruleset, kind and whether it counts are copied from the battle for the indexes.
    """

    class Result(models.TextChoices):
        WON = "won"
        LOST = "lost"
        DREW = "drew"

    class End(models.TextChoices):
        LIVED = "lived"
        DIED = "died"
        SURRENDERED = "surrendered"

    class Band(models.TextChoices):
        """Ratings from a limit on; those of a battle that isn't rated are unknown."""

        UNKNOWN = "", _("Not rated")
        LOW = "low", _("Below 1400")
        MIDDLE = "middle", _("1400 to 1599")
        HIGH = "high", _("1600 and above")

    battle = models.ForeignKey(CountedBattle, on_delete=models.CASCADE, related_name="sides")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="sides")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="sides")
    number = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=5, choices=ScoreKind)
    counts = models.BooleanField()
    ruleset = models.CharField(max_length=40)
    finished_at = models.DateTimeField()
    result = models.CharField(max_length=4, choices=Result)
    end = models.CharField(max_length=12, choices=End)
    hit_points = models.IntegerField()
    opening = models.CharField(max_length=16, blank=True)
    band = models.CharField(max_length=6, blank=True, choices=Band, default=Band.UNKNOWN, db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["battle", "mage"], name="side_once_per_battle"),
            models.CheckConstraint(condition=Q(result__in=["won", "lost", "drew"]), name="side_result_is_known"),
        ]
        indexes = [
            models.Index(fields=["mage", "-finished_at", "-number"], name="side_mage_latest"),
            models.Index(fields=["user", "-finished_at", "-number"], name="side_user_latest"),
            models.Index(
                fields=["ruleset", "kind", "opening"],
                name="side_opening",
                opclasses=["varchar_pattern_ops", "varchar_pattern_ops", "varchar_pattern_ops"],
            ),
            models.Index(fields=["-number"], name="side_latest"),
            models.Index(
                fields=["opening", "-number"], name="side_any_opening", opclasses=["varchar_pattern_ops", "int8_ops"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mage} in battle {self.number}"


class SpellUse(models.Model):
    """How often one mage cast one spell in one battle, with what results. The results add up to `cast`."""

    side = models.ForeignKey(BattleSide, on_delete=models.CASCADE, related_name="spells")
    # The battle's, copied for the index.
    number = models.PositiveBigIntegerField(default=0, db_default=0)
    spell = models.CharField(max_length=40)
    cast = models.PositiveIntegerField()
    worked = models.PositiveIntegerField(default=0)
    countered = models.PositiveIntegerField(default=0)
    reflected = models.PositiveIntegerField(default=0)
    shielded = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["side", "spell"], name="spell_use_once_per_side"),
            models.CheckConstraint(
                condition=Q(cast=F("worked") + F("countered") + F("reflected") + F("shielded") + F("failed")),
                name="spell_use_adds_up",
            ),
        ]
        indexes = [models.Index(fields=["spell", "-number"], name="spell_use_latest")]

    def __str__(self) -> str:
        return f"{self.spell} by {self.side}"


class Feat(models.Model):
    """A feat of a mage in a battle that counts, shown as a trophy."""

    class Kind(models.TextChoices):
        MIRROR_KILL = "mirror_kill", _("Killed by a mirror")
        OWN_SPELL = "own_spell", _("Killed by their own spell")
        FINGER_OF_DEATH = "finger_of_death", _("Finger of Death")
        LAST_POINT = "last_point", _("Won with one hit point left")
        UNHURT = "unhurt", _("Won unhurt")
        GIANT = "giant", _("Summoned a giant")
        RETURNED = "returned", _("Back from the dead")
        LAST_OF_MANY = "last_of_many", _("Last of many")

    battle = models.ForeignKey(CountedBattle, on_delete=models.CASCADE, related_name="feats")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="feats")
    kind = models.CharField(max_length=20, choices=Kind)
    turn = models.CharField(max_length=12)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "mage", "kind"], name="feat_once_per_battle")]
        indexes = [
            models.Index(fields=["mage", "kind"], name="feat_of_mage"),
            models.Index(fields=["kind", "-battle"], name="feat_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.mage}: {self.get_kind_display()}"
