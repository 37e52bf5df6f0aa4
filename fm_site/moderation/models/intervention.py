"""What janitors do to a battle, for its players to read, and whether players agree that a turn is played again."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from duels.models.battle import Battle
from fm_site.moderation.models.user_act import Undoable


class Intervention(Undoable):
    """One entry in the janitors' book of a battle: who did what to it and why. Entries are never deleted.

    `number` counts the entries of the battle from 1. `seq`, `attempt` and `label` say where the battle stood.
    `facts` may be known by everybody who may read the entry; fm_site.moderation.intervention_words puts them
    in words.
    `before` and `after` are the rows that were changed, as they were and as they became: they hold secrets, and are
    there so that the entry can be undone (fm_site.moderation.services.battles.undo).
    """

    class Kind(models.TextChoices):
        LOOKED = "looked"
        ASKED = "asked"
        REWOUND = "rewound"
        REPLAYED = "replayed"
        ORDERED = "ordered"
        ANNULLED = "annulled"
        DECIDED = "decided"
        EXCUSED = "excused"
        EXTENDED = "extended"
        PAUSED = "paused"
        RESUMED = "resumed"
        TRIED = "tried"

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="interventions")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    seq = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=12)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="interventions")

    class Meta:
        ordering = ["battle", "number"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "number"], name="intervention_once_per_number"),
            models.CheckConstraint(condition=~Q(reason=""), name="intervention_has_its_reason"),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True, undone_reason="")
                | (Q(undone_at__isnull=False, undone_by__isnull=False) & ~Q(undone_reason="")),
                name="intervention_undone_by_somebody_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.battle}"


class Consent(models.Model):
    """What one player answers to a janitor who asks (`asked`) whether a turn may be played again; None: nothing yet."""

    asked = models.ForeignKey(Intervention, on_delete=models.CASCADE, related_name="consents")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="consents")
    agrees = models.BooleanField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["asked", "user"], name="consent_once_per_player"),
            models.CheckConstraint(
                condition=Q(agrees__isnull=True, answered_at__isnull=True)
                | Q(agrees__isnull=False, answered_at__isnull=False),
                name="consent_answered_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} on {self.asked}"
