"""The battle itself: its mages, turns, stages, orders and events."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Mage
from accounts.models.name import NAME_LENGTH
from duels.names import name_battle


class Number(models.Model):
    """The number sequence shared by challenges and battles. Each row is a number in use; none is used twice."""

    def __str__(self) -> str:
        return str(self.pk)


# What is known of a turn that the rules could not resolve.
STUCK_FIELDS = ("stuck_reference", "stuck_release", "stuck_at", "stuck_remind_at")


class Battle(models.Model):
    """A duel of two mages, or a melee of more.

    `seq`, `attempt` and `stage` are the key of the open stage. `state` is the output of `rules_engine.write_state` for
    it, and `seed` seeds the dice. Both contain secrets and leave this app only through the selectors.
    """

    class Kind(models.TextChoices):
        DUEL = "duel", pgettext_lazy("choice", "Duel")
        MELEE = "melee", pgettext_lazy("choice", "Melee")

    class Status(models.TextChoices):
        RUNNING = "running", pgettext_lazy("choice", "Running")
        FINISHED = "finished", pgettext_lazy("choice", "Finished")
        # The rules raised an error. Nothing is lost: see duels.services.stuck_turns.
        STUCK = "stuck", pgettext_lazy("choice", "Stuck")
        ANNULLED = "annulled", pgettext_lazy("choice", "Annulled")

    class Company(models.TextChoices):
        """The kind of players, at the start."""

        PEOPLE = "people"
        MIXED = "mixed"
        BOTS = "bots"

    number = models.PositiveBigIntegerField(pgettext_lazy("column", "number"), unique=True)
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=5, choices=Kind)
    terms = models.JSONField(pgettext_lazy("column", "terms"))
    ruleset = models.CharField(pgettext_lazy("column", "ruleset"), max_length=40)
    edition = models.PositiveSmallIntegerField(pgettext_lazy("column", "edition"))
    practice = models.BooleanField(pgettext_lazy("column", "practice"))
    company = models.CharField(max_length=6, choices=Company, default=Company.PEOPLE)
    seed = models.CharField(max_length=64, editable=False)
    # By mage, the pronoun chosen when the battle began; "they" for all others.
    pronouns = models.JSONField(null=True, blank=True, editable=False)
    # The hash of the seed and the terms, for everyone; empty for a battle from before there were commitments.
    commitment = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    # Seeds that were open to everyone when the battle was reopened, each with its commitment, oldest first.
    earlier_seeds = models.JSONField(null=True, blank=True, editable=False)
    state = models.JSONField(pgettext_lazy("column", "state"), editable=False)
    seq = models.PositiveIntegerField(default=1)
    attempt = models.PositiveSmallIntegerField(default=0)
    stage = models.PositiveSmallIntegerField(default=0)
    label = models.CharField(pgettext_lazy("column", "turn"), max_length=12)
    status = models.CharField(pgettext_lazy("column", "state"), max_length=8, choices=Status, default=Status.RUNNING)
    stuck_reference = models.CharField(
        pgettext_lazy("column", "error reference"), max_length=12, blank=True, default=""
    )
    # The release that could not resolve the turn; another one may try again.
    stuck_release = models.CharField(max_length=64, blank=True, default="", editable=False)
    # Since when the turn is stuck, and when janitors are reminded of it.
    stuck_at = models.DateTimeField(null=True, blank=True, editable=False)
    stuck_remind_at = models.DateTimeField(null=True, blank=True, editable=False)
    event_count = models.PositiveIntegerField(default=0, editable=False)
    started_at = models.DateTimeField(pgettext_lazy("column", "started"))
    finished_at = models.DateTimeField(pgettext_lazy("column", "finished"), null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    # The number of the challenge or battle that is its rematch, and the mage who asked for it.
    rematch = models.PositiveBigIntegerField(null=True, blank=True)
    rematch_by = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    # The most spectators' pages that were open at once while the battle ran.
    most_spectators = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # It has hooks of its own (notifications.models.Hook).
    has_hooks = models.BooleanField(default=False, db_default=False, editable=False)
    # When a janitor chose it as the battle of the week.
    week_chosen_at = models.DateTimeField(null=True, blank=True, editable=False)

    # Not stored: its combatants, if they have been read (duels.selectors.battle_rows.read_combatants).
    known_combatants: "tuple[Combatant, ...] | None" = None

    class Meta:
        verbose_name = _("battle")
        verbose_name_plural = _("battles")
        ordering = ["number"]
        indexes = [
            models.Index(fields=["status", "number"], name="battle_status_number"),
            models.Index(fields=["rematch"], name="battle_rematch", condition=Q(rematch__isnull=False)),
            models.Index(fields=["number"], name="battle_running", condition=Q(finished_at__isnull=True)),
            models.Index(
                fields=["finished_at", "number"], name="battle_finished", condition=Q(finished_at__isnull=False)
            ),
            models.Index(fields=["-number"], name="battle_of_bots", condition=Q(company="bots")),
            models.Index(
                fields=["week_chosen_at"], name="battle_of_the_week", condition=Q(week_chosen_at__isnull=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["running", "finished", "stuck", "annulled"]), name="battle_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(company__in=["people", "mixed", "bots"]), name="battle_company_is_known"
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
        return name_battle(self.kind, self.number)

    @property
    def is_over(self) -> bool:
        """True once the battle accepts no more orders."""
        return self.status in (self.Status.FINISHED, self.Status.ANNULLED)

    def refresh_from_db(self, using: Any = None, fields: Any = None, from_queryset: Any = None) -> None:
        super().refresh_from_db(using, fields, from_queryset)
        if fields is None:
            self.known_combatants = None

    def forget_stuck_turn(self) -> None:
        """Clear STUCK_FIELDS, without saving."""
        self.stuck_reference = self.stuck_release = ""
        self.stuck_at = self.stuck_remind_at = None


# How long a request for a pause, or for its end, waits for the others.
WISH_LASTS = timedelta(days=7)
NO_WISH = {"pause_minutes": None, "pause_asked_at": None}


class Combatant(models.Model):
    """A mage in a battle, also after they die or surrender; `standing` is the engine's word for their state."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="combatants")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="combatants")
    position = models.PositiveSmallIntegerField()
    standing = models.CharField(max_length=12, default="in")
    # The balance of the mage's time bank; empty if the pace has none.
    bank = models.DurationField(null=True, blank=True)
    # How often the player took extra time in this battle.
    extensions_taken = models.PositiveSmallIntegerField(default=0)
    # The length in minutes of the pause the player asks for; 0 to end a pause, empty for no request.
    pause_minutes = models.PositiveIntegerField(null=True, blank=True)
    # When they asked; empty for no request. Requests expire.
    pause_asked_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Whether the player has said that they are here, in a live battle.
    is_here = models.BooleanField(default=False)
    # When the player agreed to call the battle off; valid while the absence of the other player lasts.
    calls_off_at = models.DateTimeField(null=True, blank=True)
    # When the player agreed that a bot plays for those who have left; valid while they are gone.
    offers_seat_at = models.DateTimeField(null=True, blank=True)
    # When the player wanted to claim the battle.
    claims_at = models.DateTimeField(null=True, blank=True)
    # The number of the turn in which the player last offered a draw, and the turn (duels.selectors.draws.mark_turn) in
    # which they offer one, or in which the other player declined; empty if there is no offer.
    draw_turn = models.PositiveIntegerField(null=True, blank=True, editable=False)
    draw_offered_in = models.CharField(max_length=20, blank=True, default="", db_default="", editable=False)
    # The strength of the bot that plays for the player, until they order again; empty for none.
    stand_in = models.CharField(max_length=20, blank=True, default="", db_default="", editable=False)
    # The `finished_at` of the end the player has seen. If the battle is reopened and ends again, that is news.
    result_seen = models.DateTimeField(null=True, blank=True)
    # Whether the player has seen that the mage died while the battle continued.
    is_fall_seen = models.BooleanField(default=False)
    # The name the mage played under before its guest became a user; empty if there is none.
    former_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="", editable=False)
    # Only in duels of leagues and cups: the time that the player has used in all stages that are over, and the number
    # of turns with a final notice. `duels.services.clocks.battle_clocks` counts both.
    time_used = models.DurationField(default=timedelta(0), db_default=timedelta(0), editable=False)
    late_turns = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        ordering = ["battle", "position"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "mage"], name="combatant_once_per_battle"),
            models.UniqueConstraint(fields=["battle", "position"], name="combatant_has_his_own_place"),
        ]
        indexes = [
            models.Index(
                fields=["pause_asked_at"], name="combatant_pause_asked", condition=Q(pause_asked_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mage} in {self.battle}"

    def wish_at(self, now: datetime) -> int | None:
        """Return for how many minutes the player wants to pause, 0 to end a pause; None for no request, or an old
        one."""
        is_current = self.pause_asked_at is not None and self.pause_asked_at > now - WISH_LASTS
        return self.pause_minutes if is_current else None


class Turn(models.Model):
    """One turn: `seq` counts 1, 2, 3 …, `attempt` rises when it is replayed, `label` is the players' name for it.

    A turn that a janitor took back (`taken_back_by`) stays in the database but no longer counts.
    """

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="turns")
    seq = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(default=0)
    label = models.CharField(max_length=12)
    before = models.JSONField(editable=False)
    throws = models.JSONField(default=list, editable=False)
    closed_by = models.CharField(max_length=12, blank=True, default="")
    resolved_at = models.DateTimeField(null=True, blank=True)
    # Random, set when the turn resolves. Its story is cached under it, so a restored backup finds nothing stale.
    mark = models.CharField(max_length=16, blank=True, default="", editable=False)
    # The number of the journal entry with which a janitor took the turn back.
    taken_back_by = models.PositiveIntegerField(null=True, blank=True)

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
    """A point of a turn at which players give orders: 0 for gestures, then one for each round of questions."""

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
    """The orders of one mage in one stage. Opening a stage creates one for every mage who has orders to give.

    `lines` is the canonical sheet that counts, and `text` the last accepted text as the player wrote it. `draft` is for
    its owner, can be anything, and never counts. `commitments` holds those to the orders, and secret salts
    (`duels/commitments.py`); None in a battle without commitments.
    """

    class Via(models.TextChoices):
        WEB = "web"
        MAIL = "mail"
        API = "api"
        # No orders came in time.
        CLOCK = "clock"
        JANITOR = "janitor"
        # A computer opponent of the site.
        BOT = "bot"

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="sheets")
    combatant = models.ForeignKey(Combatant, on_delete=models.CASCADE, related_name="sheets")
    lines = models.JSONField(default=list, editable=False)
    text = models.TextField(blank=True, default="", editable=False)
    draft = models.TextField(blank=True, default="", editable=False)
    ready = models.BooleanField(default=False)
    via = models.CharField(max_length=7, choices=Via, blank=True, default="")
    submitted_at = models.DateTimeField(null=True, blank=True)
    # The clock's reading when the orders became ready, in case the player withdraws them.
    clock = models.JSONField(null=True, blank=True, editable=False)
    # Only for a bot's mage: when a worker may take the sheet. Taking it moves this to the end of the worker's lease.
    bot_due_at = models.DateTimeField(null=True, blank=True, editable=False)
    commitments = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "combatant"], name="sheet_once_per_mage_and_stage"),
            models.CheckConstraint(
                condition=Q(ready=False) | Q(submitted_at__isnull=False), name="sheet_ready_was_submitted"
            ),
        ]
        indexes = [
            models.Index(fields=["stage"], condition=Q(ready=False), name="sheet_waited_for"),
            models.Index(
                fields=["bot_due_at"],
                condition=Q(ready=False, bot_due_at__isnull=False),
                name="sheet_bot_due",
            ),
        ]

    def __str__(self) -> str:
        return f"orders of {self.combatant}"


class TurnEvent(models.Model):
    """One event as facts, and the mages who can know about it (`audience` None: everyone).

    `n` counts all events of the battle. It never leaves this app: each viewer has their own numbering.
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
        indexes = [
            models.Index(fields=["battle", "n"], condition=Q(audience__isnull=False), name="event_of_few"),
        ]

    def __str__(self) -> str:
        return f"event {self.n} of {self.battle}"


class Replay(models.Model):
    """The last replay of a battle by the current rules, which checks that they still give the same result.

    `differences` lists (turn, what, recorded, played). It contains secrets.
    """

    battle = models.OneToOneField(
        Battle, verbose_name=pgettext_lazy("column", "battle"), on_delete=models.CASCADE, related_name="replay"
    )
    played_at = models.DateTimeField(pgettext_lazy("column", "played"))
    differences = models.JSONField(default=list, editable=False)

    class Meta:
        verbose_name = _("replay")
        verbose_name_plural = _("replays")
        indexes = [models.Index(fields=["played_at"], name="replay_longest_ago")]

    def __str__(self) -> str:
        return f"replay of {self.battle}"


class Subscription(models.Model):
    """A user who follows a battle without having a mage in it."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="subscriptions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subscriptions")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["battle", "user"], name="subscription_once")]

    def __str__(self) -> str:
        return f"{self.user} follows {self.battle}"
