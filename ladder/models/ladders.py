"""The ladders as they were last put in order. A page reads them; a task writes them."""

from django.db import models

from accounts.models import Mage
from ladder.models.scores import ScoreKind


class Ladder(models.Model):
    """One ladder: of duels or melees, of all battles or (with `ruleset`) those by one ruleset, of mages who fight or
    who rest.

    `as_of` is when its places were last put in order; what was counted or registered since has a key above `last_entry`
    or `last_mage`.
    """

    kind = models.CharField(max_length=5, choices=ScoreKind)
    ruleset = models.CharField(max_length=40, blank=True)
    retired = models.BooleanField(default=False)
    as_of = models.DateTimeField()
    mages = models.PositiveIntegerField()
    last_entry = models.PositiveBigIntegerField(default=0, editable=False)
    last_mage = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "ruleset", "retired"], name="ladder_once")]

    def __str__(self) -> str:
        return f"{self.kind} ladder {self.ruleset}".strip()


class LadderPlace(models.Model):
    """Where one mage stands on a ladder: `place` counts 1, 2, 3 …, mages of equal score share the smaller `rank`.

    `gained` is what his score changed by in the week before, `form` his last five results, latest first. `rating` is
    his user's, as pages show it; empty while there is none.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="places")
    mage = models.ForeignKey(Mage, on_delete=models.CASCADE, related_name="places")
    place = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
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
