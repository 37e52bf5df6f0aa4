"""The battle itself: its mages, turns, stages, orders and events."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Mage


class Number(models.Model):
    """The one sequence that challenges and battles share. A row is a number given out; it is never used again."""

    def __str__(self) -> str:
        return str(self.pk)


class Battle(models.Model):
    """A duel of two mages, or a melee of more.

    `seq`, `attempt` and `stage` are the key of the open stage. `state` is what `rules_engine.write_state` makes of the
    battle at that point, `seed` feeds its dice: both hold secrets and leave this app only through the selectors.
    """

    class Kind(models.TextChoices):
        DUEL = "duel"
        MELEE = "melee"

    class Status(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        # The rules raised an error: nothing is lost, and it is tried again after the next release.
        STUCK = "stuck"
        ANNULLED = "annulled"

    number = models.PositiveBigIntegerField(unique=True)
    kind = models.CharField(max_length=5, choices=Kind)
    terms = models.JSONField()
    ruleset = models.CharField(max_length=40)
    edition = models.PositiveSmallIntegerField()
    practice = models.BooleanField()
    seed = models.CharField(max_length=64, editable=False)
    state = models.JSONField(editable=False)
    seq = models.PositiveIntegerField(default=1)
    attempt = models.PositiveSmallIntegerField(default=0)
    stage = models.PositiveSmallIntegerField(default=0)
    label = models.CharField(max_length=12)
    status = models.CharField(max_length=8, choices=Status, default=Status.RUNNING)
    stuck_reference = models.CharField(max_length=12, blank=True, default="")
    # The code that could not resolve the turn; other code may try again.
    stuck_release = models.CharField(max_length=64, blank=True, default="", editable=False)
    event_count = models.PositiveIntegerField(default=0, editable=False)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        indexes = [
            models.Index(fields=["status", "number"], name="battle_status_number"),
            models.Index(fields=["finished_at"], name="battle_finished", condition=Q(finished_at__isnull=False)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["running", "finished", "stuck", "annulled"]), name="battle_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["finished", "annulled"], finished_at__isnull=False)
                | Q(status__in=["running", "stuck"], finished_at__isnull=True),
                name="battle_ended_has_its_time",
            ),
            models.CheckConstraint(
                condition=~Q(status="finished") | Q(result__isnull=False), name="battle_finished_has_its_result"
            ),
            models.CheckConstraint(
                condition=Q(status="stuck") ^ Q(stuck_reference=""), name="battle_stuck_has_its_reference"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"

    @property
    def is_over(self) -> bool:
        """True once nothing can be ordered any more."""
        return self.status in (self.Status.FINISHED, self.Status.ANNULLED)


class Combatant(models.Model):
    """A mage in a battle. He stays one when he dies or surrenders; `standing` is the engine's word for how he is."""

    # For accounts, where nobody is to judge what is said of a battle of his own (accounts.selectors.engagements).
    battle_number = "battle__number"

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="combatants")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="combatants")
    position = models.PositiveSmallIntegerField()
    standing = models.CharField(max_length=12, default="in")
    # What is left of his bank of time; empty where the pace has none.
    bank = models.DurationField(null=True, blank=True)
    # How often he took more time for himself in this battle.
    extensions_taken = models.PositiveSmallIntegerField(default=0)
    # For how many minutes the player wants all clocks to stand still; 0 for no longer, empty for no word about it.
    pause_minutes = models.PositiveIntegerField(null=True, blank=True)
    # When he agreed to end the battle for the absence of another; it counts as long as that absence goes on.
    calls_off_at = models.DateTimeField(null=True, blank=True)
    # Which end of the battle the player has seen: its `finished_at`. A battle that ends anew is news anew.
    result_seen = models.DateTimeField(null=True, blank=True)
    # Whether the player has seen that the mage fell while the battle went on.
    is_fall_seen = models.BooleanField(default=False)

    class Meta:
        ordering = ["battle", "position"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "mage"], name="combatant_once_per_battle"),
            models.UniqueConstraint(fields=["battle", "position"], name="combatant_has_his_own_place"),
        ]

    def __str__(self) -> str:
        return f"{self.mage} in {self.battle}"


class Turn(models.Model):
    """One turn: `seq` counts 1, 2, 3 …, `attempt` rises when it is played again, `label` is what players call it.

    A turn that a janitor took back (`taken_back_by`) is kept and no longer what happened.
    """

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="turns")
    seq = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(default=0)
    label = models.CharField(max_length=12)
    before = models.JSONField(editable=False)
    throws = models.JSONField(default=list, editable=False)
    closed_by = models.CharField(max_length=12, blank=True, default="")
    resolved_at = models.DateTimeField(null=True, blank=True)
    taken_back_by = models.ForeignKey(
        "duels.Intervention", on_delete=models.RESTRICT, related_name="turns_taken_back", null=True, blank=True
    )

    class Meta:
        ordering = ["battle", "seq", "attempt"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "seq", "attempt"], name="turn_once_per_key"),
            models.UniqueConstraint(
                fields=["battle"],
                condition=Q(resolved_at__isnull=True, taken_back_by__isnull=True),
                name="turn_open_once_per_battle",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.battle}, turn {self.label}"


class Stage(models.Model):
    """A point of a turn at which orders are taken: 0 for gestures, then one for each round of questions."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="stages")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=0)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["turn", "number"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "number"], name="stage_once_per_number"),
            models.UniqueConstraint(
                fields=["battle"], condition=Q(closed_at__isnull=True), name="stage_open_once_per_battle"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn}, stage {self.number}"


class OrderSheet(models.Model):
    """What one mage orders in one stage; there is one for every mage who is asked, from the moment the stage opens.

    `lines` is the canonical sheet that counts, `text` what was last accepted as it was written. `draft` is kept for its
    owner, may be anything, and never counts.
    """

    class Via(models.TextChoices):
        WEB = "web"
        MAIL = "mail"
        API = "api"
        # Nobody ordered: the time was over.
        CLOCK = "clock"
        JANITOR = "janitor"

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="sheets")
    combatant = models.ForeignKey(Combatant, on_delete=models.CASCADE, related_name="sheets")
    lines = models.JSONField(default=list, editable=False)
    text = models.TextField(blank=True, default="", editable=False)
    draft = models.TextField(blank=True, default="", editable=False)
    ready = models.BooleanField(default=False)
    via = models.CharField(max_length=7, choices=Via, blank=True, default="")
    submitted_at = models.DateTimeField(null=True, blank=True)
    # How far his clock had run when the orders became ready, for when he takes that back.
    clock = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "combatant"], name="sheet_once_per_mage_and_stage"),
            models.CheckConstraint(
                condition=Q(ready=False) | Q(submitted_at__isnull=False), name="sheet_ready_was_submitted"
            ),
        ]
        indexes = [
            models.Index(fields=["stage"], condition=Q(ready=False), name="sheet_waited_for"),
        ]

    def __str__(self) -> str:
        return f"orders of {self.combatant}"


class TurnEvent(models.Model):
    """One thing that happened, as facts, and the mages who learn it (`audience` None: everybody).

    `n` counts all events of the battle. It never leaves this app: what a viewer sees is numbered for that viewer.
    """

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="events")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="events")
    stage = models.PositiveSmallIntegerField()
    n = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    facts = models.JSONField(default=dict)
    audience = models.JSONField(null=True)
    clause = models.CharField(max_length=40, blank=True, default="")
    cause = models.JSONField(default=list)

    class Meta:
        ordering = ["battle", "n"]
        constraints = [models.UniqueConstraint(fields=["battle", "n"], name="event_once_per_number")]

    def __str__(self) -> str:
        return f"event {self.n} of {self.battle}"


class Replay(models.Model):
    """When a battle was last played again by the rules as they are, to see whether they still play it that way.

    `differences` are what came out otherwise then: (turn, what, recorded, played). They hold secrets.
    """

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="replay")
    played_at = models.DateTimeField()
    differences = models.JSONField(default=list, editable=False)

    class Meta:
        indexes = [models.Index(fields=["played_at"], name="replay_longest_ago")]

    def __str__(self) -> str:
        return f"replay of {self.battle}"


class Subscription(models.Model):
    """A user who wants to be told about a battle in which he has no mage."""

    moves_with_user = ("user",)

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="subscriptions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subscriptions")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "user"], name="subscription_once")]

    def __str__(self) -> str:
        return f"{self.user} follows {self.battle}"
