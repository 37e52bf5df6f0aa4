"""Models of studies: a tree of branches, an analysis with its turns, and notes that are sealed until the end."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from duels.models import Battle, Combatant

TITLE_LENGTH, NAME_LENGTH, COMMENT_LENGTH, NOTE_LENGTH = 80, 60, 2000, 2000


class Study(models.Model):
    """A tree of what-if turns that starts at a turn of `battle`, or without one at an imported battle or a position.

    The first `recorded` branches are the turns of an import, and stay as they are.
    With a `mage`, the root contains only what that mage knew while the battle was running; without one, it comes from
    the battle after its end. `knows_end`: it may contain what its owner learned only then, by its root, by a turn
    played in it since, or as a copy of somebody else's study. `seed` is for the dice of the tree, never that of the
    battle. `slug` is the secret part of the link. `answers` says who orders for each mage: HAND, RECORD or the strength
    of a bot.
    """

    HAND, RECORD = "hand", "record"

    class Access(models.TextChoices):
        PRIVATE = "private"
        # Everyone who has the link.
        LINK = "link"
        PUBLIC = "public"

    slug = models.CharField(max_length=24, unique=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="studies")
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="studies", null=True, blank=True)
    recorded = models.PositiveSmallIntegerField(default=0)
    mage = models.CharField(max_length=80, blank=True, default="")
    knows_end = models.BooleanField(default=True, db_default=True, editable=False)
    title = models.CharField(max_length=TITLE_LENGTH, blank=True, default="")
    access = models.CharField(max_length=7, choices=Access, default=Access.PRIVATE)
    seed = models.CharField(max_length=64, editable=False)
    answers = models.JSONField(default=dict)
    # The number of the last branch: numbers are not reused.
    last_branch = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["battle", "access"], name="study_of_battle")]
        constraints = [
            models.CheckConstraint(condition=Q(access__in=["private", "link", "public"]), name="study_access_is_known")
        ]

    def __str__(self) -> str:
        if self.title and self.is_open_to_owner:
            return self.title
        return _("Study of %(battle)s") % {"battle": self.battle} if self.battle else self.about

    @property
    def is_open(self) -> bool:
        """Whether it cannot contain secrets: its battle is over, or it has none."""
        return self.battle is None or self.battle.is_over

    @property
    def is_open_to_owner(self) -> bool:
        """Whether it contains no secrets from its owner: while the battle is running, only what their mage knows."""
        return self.is_open or not self.knows_end

    @property
    def about(self) -> str:
        if self.battle is not None:
            return str(self.battle)
        return _("Imported battle") if self.recorded else _("Position set up by hand")


class Import(models.Model):
    """The origin of an imported battle: the format of its text, and the resulting record.

    `doubts` are where the rules differ from the text, as [line, turn, words].
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="source")
    form = models.CharField(max_length=12)
    record = models.TextField(editable=False)
    doubts = models.JSONField(default=list, editable=False)

    def __str__(self) -> str:
        return f"import of {self.study}"


class Branch(models.Model):
    """A point of a study: number 0 is its root, and every other branch is one stage of a turn further than its parent.

    `orders` led here (mage → lines), `events` happened, `state` is the state after them as `write_state` wrote it.
    `digest` identifies the orders: the same orders from the same parent are the same branch. `drafts` are orders for
    the next stage that wait for those of the other mages.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="branches")
    number = models.PositiveSmallIntegerField()
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="children")
    digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    seq = models.PositiveIntegerField(default=0)
    label = models.CharField(max_length=12, blank=True, default="")
    orders = models.JSONField(default=dict, editable=False)
    events = models.JSONField(default=list, editable=False, db_column="told")
    state = models.JSONField(editable=False)
    drafts = models.JSONField(default=dict, editable=False)
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    comment = models.TextField(max_length=COMMENT_LENGTH, blank=True, default="")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "branches"
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="branch_once_per_number"),
            models.UniqueConstraint(
                fields=["parent", "digest"], condition=Q(parent__isnull=False), name="branch_once_per_orders"
            ),
            models.CheckConstraint(
                condition=Q(number=0, parent__isnull=True) | Q(number__gt=0, parent__isnull=False),
                name="branch_root_has_no_parent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study}, branch {self.number}"


class Collection(models.Model):
    """A user's ordered list of battles and studies, with comments on the whole and on each entry."""

    slug = models.CharField(max_length=24, unique=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collections")
    name = models.CharField(max_length=TITLE_LENGTH)
    words = models.TextField(max_length=COMMENT_LENGTH, blank=True, default="")
    access = models.CharField(max_length=7, choices=Study.Access, default=Study.Access.PRIVATE)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(access__in=["private", "link", "public"]), name="collection_access_is_known"
            )
        ]

    def __str__(self) -> str:
        return self.name


class CollectionEntry(models.Model):
    """A battle or a study in a collection. A reader sees it only if they may see that battle or study."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="entries")
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    words = models.CharField(max_length=200, blank=True, default="")
    added_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "collection entries"
        ordering = ["added_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(battle__isnull=False) ^ Q(study__isnull=False), name="entry_of_battle_or_study"
            ),
            models.UniqueConstraint(fields=["collection", "battle"], name="battle_once_per_collection"),
            models.UniqueConstraint(fields=["collection", "study"], name="study_once_per_collection"),
        ]

    def __str__(self) -> str:
        return f"{self.battle or self.study} in {self.collection}"


class Analysis(models.Model):
    """A bot's analysis of a battle that is over: each `strength` makes one for each end of a battle and each import.

    A worker claims it by moving `due_at` to the end of a lease, so that another continues if it is killed.
    `total` counts the turns; `done_at` is set once each of them has its row and `summary` is written.
    """

    class Strength(models.TextChoices):
        MAGUS = "Magus"
        ARCHMAGE = "Archmage"

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="analyses", null=True, blank=True)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="analyses", null=True, blank=True)
    strength = models.CharField(
        max_length=8, choices=Strength, default=Strength.MAGUS, db_default=Strength.MAGUS, editable=False
    )
    ended_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="analyses"
    )
    total = models.PositiveSmallIntegerField()
    due_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    # How often a worker has started the next turn; after too many failures the analysis is abandoned.
    tries = models.PositiveSmallIntegerField(default=0)
    summary = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "analyses"
        ordering = ["created_at"]
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="analysis_due")]
        constraints = [
            models.UniqueConstraint(fields=["battle", "ended_at", "strength"], name="analysis_once_per_end_and_bot"),
            models.UniqueConstraint(fields=["study", "strength"], name="analysis_once_per_import_and_bot"),
            models.CheckConstraint(condition=Q(strength__in=["Magus", "Archmage"]), name="analysis_strength_is_known"),
            models.CheckConstraint(
                condition=Q(battle__isnull=False) ^ Q(study__isnull=False), name="analysis_of_battle_or_import"
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.battle or self.study} by the {self.strength}"


class AnalysedTurn(models.Model):
    """The findings of one turn, as `rules_engine.bots.analyse` writes them."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="turns")
    seq = models.PositiveIntegerField()
    facts = models.JSONField()

    class Meta:
        ordering = ["analysis", "seq"]
        constraints = [models.UniqueConstraint(fields=["analysis", "seq"], name="analysed_once_per_turn")]

    def __str__(self) -> str:
        return f"turn {self.seq} in {self.analysis}"


class Note(models.Model):
    """A player's thoughts on a turn. Only its author may read it before the battle is over.

    There is no admin page for notes, and every selector checks that the battle is over.
    """

    combatant = models.ForeignKey(Combatant, on_delete=models.CASCADE, related_name="thoughts")
    seq = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(default=0)
    label = models.CharField(max_length=12)
    text = models.TextField(max_length=NOTE_LENGTH)
    written_at = models.DateTimeField()

    class Meta:
        ordering = ["seq", "attempt", "combatant"]
        constraints = [models.UniqueConstraint(fields=["combatant", "seq", "attempt"], name="note_once_per_turn")]

    def __str__(self) -> str:
        return f"note of {self.combatant}, turn {self.label}"
