"""The ladders as of the last refresh. A task writes them; pages read them."""

from django.db import models

from accounts.models import Mage
from ladder.models.scores import ScoreKind


class Ladder(models.Model):
    """One ladder: of duels or melees, for all rulesets or one, of active or retired mages.

    `as_of` is when its places were last refreshed; rows counted or mages registered since have keys above `last_entry`
    or `last_mage`. `ranked` of its `mages` have a rank.
    """

    kind = models.CharField(max_length=5, choices=ScoreKind)
    ruleset = models.CharField(max_length=40, blank=True)
    retired = models.BooleanField(default=False)
    as_of = models.DateTimeField()
    mages = models.PositiveIntegerField()
    ranked = models.PositiveIntegerField(default=0, db_default=0)
    last_entry = models.PositiveBigIntegerField(default=0, editable=False)
    last_mage = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "ruleset", "retired"], name="ladder_once")]

    def __str__(self) -> str:
        return f"{self.kind} ladder {self.ruleset}".strip()


class LadderPlace(models.Model):
    """The place of one mage on a ladder: `place` counts 1, 2, 3 …; mages with equal scores share the smaller `rank`.
    Mages who never fought a battle of this kind stand below all others, without one.

    `gained` is how much its score changed in the last week, `form` its last five results, latest first. `rating` is its
    user's rating as shown, or null if they have none.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="places")
    mage = models.ForeignKey(Mage, on_delete=models.CASCADE, related_name="places")
    place = models.PositiveIntegerField()
    rank = models.PositiveIntegerField(null=True)
    score = models.IntegerField()
    gained = models.IntegerField(default=0)
    battles = models.PositiveIntegerField(default=0)
    form = models.CharField(max_length=5, blank=True)
    rating = models.IntegerField(null=True)
    is_provisional = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ladder", "mage"], name="ladder_place_once")]
        indexes = [
            models.Index(fields=["ladder", "place"], name="ladder_place_in_order"),
            models.Index(fields=["ladder", "-gained"], name="ladder_place_movers"),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.mage}"
