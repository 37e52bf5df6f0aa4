"""The journal of janitors' actions, and players' answers to their questions."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from duels.models.battle import Battle
from moderation.models.report import Report


class JournalEntry(models.Model):
    """A janitor's action on a battle or a user, its reason, and whether it was undone. Entries are never deleted.

    One kind is no action: the site itself notes (`by` is empty) that the rules could not resolve a turn.

    Everyone who may read the entry may read its `facts`; moderation.journal_words puts them in words. `before`
    and `after` are the rows that changed (moderation.services.snapshots): they hold secrets, are shown to
    nobody, and let the entry be undone. `number` counts the entries of a battle from 1; `seq`, `attempt` and `label`
    say where the battle stood; they are 0 and blank for a user.
    """

    class Kind(models.TextChoices):
        LOOKED = "looked", _("Looked")
        ASKED = "asked", _("Asked")
        REWOUND = "rewound", _("Rewound")
        REPLAYED = "replayed", _("Replayed")
        ORDERED = "ordered", _("Ordered")
        ANNULLED = "annulled", _("Annulled")
        DECIDED = "decided", _("Decided")
        EXCUSED = "excused", _("Excused")
        EXTENDED = "extended", _("Extended")
        PAUSED = "paused", _("Paused")
        RESUMED = "resumed", _("Resumed")
        STUCK = "stuck", _("Stuck")
        TRIED = "tried", _("Tried")
        VOIDED = "voided", _("Voided")
        REMOVED = "removed", _("Removed")
        CHOSEN = "chosen", _("Chosen")
        RENAMED = "renamed", _("Renamed")
        VACATION_STARTED = "sent_away", _("vacation started")
        VACATION_ENDED = "called_back", _("vacation ended")
        SUSPENDED = "suspended", _("Suspended")
        LIFTED = "lifted", _("suspension lifted")
        WARNED = "warned", _("Warned")
        WITHDRAWN = "withdrawn", _("warning withdrawn")
        MUTED = "muted", _("muted in the lobby")
        TAKEN_DOWN = "taken_down", _("text taken down")
        CLOSED = "closed", _("account closed")
        ERASED = "erased", _("data erased")
        EXPORTED = "exported", _("data sent to its user")
        MAIL_STOPPED = "mail_stopped", _("email stopped")
        MAIL_RESUMED = "mail_resumed", _("email resumed")
        HOST_MARKED = "host_marked", _("marked as a host")
        HOST_UNMARKED = "host_removed", _("no longer a host")
        HOOK_ADDED = "hook_added", _("hook added")
        HOOK_CHANGED = "hook_changed", _("hook changed")
        HOOK_REMOVED = "hook_removed", _("hook removed")

    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=12, choices=Kind)
    battle = models.ForeignKey(
        Battle,
        verbose_name=pgettext_lazy("column", "battle"),
        on_delete=models.CASCADE,
        related_name="journal",
        null=True,
        blank=True,
    )
    number = models.PositiveIntegerField(pgettext_lazy("column", "number"), default=0)
    seq = models.PositiveIntegerField(default=0)
    attempt = models.PositiveSmallIntegerField(default=0)
    label = models.CharField(pgettext_lazy("column", "turn"), max_length=12, blank=True, default="")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.PROTECT,
        related_name="journal",
        null=True,
        blank=True,
    )
    # The report behind a warning or a suspension.
    report = models.ForeignKey(
        Report,
        verbose_name=pgettext_lazy("column", "report"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="journal",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "by"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    # Of an entry by the site itself, the reference of the error.
    reason = models.TextField(pgettext_lazy("column", "reason"))
    facts = models.JSONField(default=dict)
    before = models.JSONField(pgettext_lazy("column", "before"), default=dict, editable=False)
    after = models.JSONField(pgettext_lazy("column", "after"), default=dict, editable=False)
    made_at = models.DateTimeField(pgettext_lazy("column", "when"))
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "undone by"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    undone_at = models.DateTimeField(pgettext_lazy("column", "undone"), null=True, blank=True)
    undone_reason = models.TextField(blank=True, default="")

    class Meta:
        verbose_name = _("journal entry")
        verbose_name_plural = _("journal entries")
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["user", "-made_at"], name="journal_of_user", condition=Q(user__isnull=False))]
        constraints = [
            models.UniqueConstraint(fields=["battle", "number"], name="journal_number_once_per_battle"),
            models.CheckConstraint(
                condition=Q(user__isnull=True, battle__isnull=False, number__gt=0)
                | Q(user__isnull=False, battle__isnull=True, number=0),
                name="journal_entry_is_about_one_thing",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="journal_entry_has_its_reason"),
            models.CheckConstraint(
                condition=Q(kind="stuck", by__isnull=True) | (~Q(kind="stuck") & Q(by__isnull=False)),
                name="journal_entry_has_its_author",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True, undone_reason="")
                | (Q(undone_at__isnull=False, undone_by__isnull=False) & ~Q(undone_reason="")),
                name="journal_entry_undone_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.battle}" if self.battle_id else f"{self.get_kind_display()}: {self.user}"

    @property
    def author(self) -> str:
        """Who made it, in words: a janitor's name, or the site."""
        return self.by.username if self.by else gettext("the site")

    @property
    def why(self) -> str:
        return self.reason if self.by else gettext("error %(reference)s") % {"reference": self.reason}

    @property
    def is_undone(self) -> bool:
        return self.undone_at is not None


class Consent(models.Model):
    """One player's answer to a janitor's question (`asked`) whether turns may be rewound; None: no answer yet."""

    asked = models.ForeignKey(JournalEntry, on_delete=models.CASCADE, related_name="consents")
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
