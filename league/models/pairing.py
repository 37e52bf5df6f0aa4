"""Who meets whom: one duel of a league or cup, from the draw to its result in the table."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from duels.models import Battle
from league.models.cup import Cup
from league.models.place import Place
from league.models.season import Group


class Pairing(models.Model):
    """A duel between two places of a group or cup; a bye if there is no `second`.

    `battle` is set in the transaction that begins it, so that it begins once. `game` is 2 when they meet again after a
    draw in a knock-out. `result` is that of the table, which differs from the battle's when someone left, was not there
    or used up the time. The times and late turns are those at the decision. While a janitor's result counts instead of
    what such a rule decided, `ruled_result` and `ruled_by` keep that.
    """

    class Result(models.TextChoices):
        FIRST = "first"
        SECOND = "second"
        DRAW = "draw"
        # It counts for nobody: a battle that was annulled or called off.
        NONE = "none"

    class DecidedBy(models.TextChoices):
        BATTLE = "battle", _("the duel")
        FORFEIT = "forfeit", _("a missed deadline")
        TIME = "time", _("the time used")
        LEFT = "left", _("someone left")
        ABSENT = "absent", _("someone was not there")
        BYE = "bye", _("a bye")

    # Decisions for which the battle was ended: it has no result of its own.
    RULES = (DecidedBy.TIME, DecidedBy.LEFT, DecidedBy.ABSENT)

    group = models.ForeignKey(Group, null=True, blank=True, on_delete=models.CASCADE, related_name="pairings")
    cup = models.ForeignKey(Cup, null=True, blank=True, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField()
    game = models.PositiveSmallIntegerField(default=1)
    first = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="pairings_as_first")
    second = models.ForeignKey(
        Place, null=True, blank=True, on_delete=models.CASCADE, related_name="pairings_as_second"
    )
    first_wants_bank = models.BooleanField(default=False)
    second_wants_bank = models.BooleanField(default=False)
    battle = models.OneToOneField(
        Battle, null=True, blank=True, on_delete=models.PROTECT, related_name="league_pairing"
    )
    result = models.CharField(max_length=6, choices=Result, blank=True, default="")
    decided_by = models.CharField(max_length=7, choices=DecidedBy, blank=True, default="")
    decided_at = models.DateTimeField(null=True, blank=True)
    ruled_result = models.CharField(max_length=6, choices=Result, blank=True, default="", db_default="")
    ruled_by = models.CharField(max_length=7, choices=DecidedBy, blank=True, default="", db_default="")
    first_used = models.DurationField(null=True, blank=True)
    second_used = models.DurationField(null=True, blank=True)
    first_late = models.PositiveSmallIntegerField(default=0)
    second_late = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ["group", "cup", "round", "board", "game"]
        indexes = [
            models.Index(fields=["group", "round"], name="pairing_undecided", condition=Q(decided_at=None)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(group=None, cup__isnull=False) | Q(group__isnull=False, cup=None),
                name="pairing_in_a_group_or_a_cup",
            ),
            models.UniqueConstraint(fields=["group", "round", "board"], name="pairing_once_in_group"),
            models.UniqueConstraint(fields=["cup", "round", "board", "game"], name="pairing_once_in_cup"),
            models.UniqueConstraint(fields=["group", "first", "second"], name="pairing_meets_once_in_group"),
            models.CheckConstraint(condition=~Q(first=models.F("second")), name="pairing_of_two"),
            models.CheckConstraint(
                condition=Q(decided_at=None, result="", decided_by="")
                | Q(decided_at__isnull=False) & ~Q(result="") & ~Q(decided_by=""),
                name="pairing_decided_by_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} against {self.second or 'nobody'}"
