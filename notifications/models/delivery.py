"""The outbox: every outgoing email, webhook call and notification, and what happened to it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from notifications.models.hook import Hook
from notifications.models.notice import Notice


class SkipReason(models.TextChoices):
    """Why a delivery was deliberately not sent."""

    SEEN = "seen", _("seen on the page")
    SETTLED = "settled", _("already settled")
    NO_ADDRESS = "no_address", _("no address to write to")
    STOPPED = "stopped", _("email to this user is stopped")
    NOTHING_TO_REPORT = "nothing", _("nothing to report")


class Delivery(models.Model):
    """One notice on one channel, or an email without a notice: the answer to one of the reader's.

    `sealed_mail` holds the whole email, encrypted, until the delivery ends. After it is sent, `text` keeps its
    content for 30 days, unless that is secret.
    """

    class Channel(models.TextChoices):
        MAIL = "mail", pgettext_lazy("choice", "Mail")
        # Deliveries to a user with the same Message-ID go out as one email.
        DIGEST = "digest", pgettext_lazy("choice", "Digest")
        # A message to a hook (notifications.models.Hook).
        WEBHOOK = "webhook", pgettext_lazy("choice", "Webhook")
        # A notification on the user's devices (accounts.push_messages).
        PUSH = "push", pgettext_lazy("choice", "Push")

    class State(models.TextChoices):
        DUE = "due", pgettext_lazy("choice", "Due")
        CLAIMED = "claimed", pgettext_lazy("choice", "Claimed")
        SENT = "sent", pgettext_lazy("choice", "Sent")
        SKIPPED = "skipped", pgettext_lazy("choice", "Skipped")
        FAILED = "failed", pgettext_lazy("choice", "Failed")

    notice = models.ForeignKey(
        Notice,
        verbose_name=pgettext_lazy("column", "notice"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="deliveries",
    )
    # Blank for an answer to a sender we don't know.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="deliveries",
        db_index=False,
    )
    channel = models.CharField(
        pgettext_lazy("column", "channel"), max_length=8, choices=Channel.choices, default=Channel.MAIL
    )
    hook = models.ForeignKey(Hook, null=True, blank=True, on_delete=models.CASCADE, related_name="deliveries")
    # Blank until a notice is sent: it goes to the user's verified address at that time. Set from the start for emails
    # that confirm an address, and for answers.
    address = models.EmailField(pgettext_lazy("column", "address"), blank=True, default="")
    state = models.CharField(pgettext_lazy("column", "state"), max_length=8, choices=State.choices, default=State.DUE)
    reason = models.CharField(
        pgettext_lazy("column", "reason"), max_length=10, choices=SkipReason.choices, blank=True, default=""
    )
    # An email sent again after a crash has the same one. The rows of a daily email have a common mark until the first
    # claim (notifications.message_ids).
    message_id = models.CharField(max_length=200, db_index=True)
    # Rendered when the row was written: a Message-ID has one text, however late or often it is sent.
    sealed_mail = models.TextField(blank=True, default="", editable=False)
    subject = models.CharField(pgettext_lazy("column", "subject"), max_length=200, blank=True, default="")
    text = models.TextField(pgettext_lazy("column", "text"), blank=True, default="", editable=False)
    # The text of its HTML part, as a reply may quote it.
    web_text = models.TextField(blank=True, default="", editable=False)
    # What its signed reply address is for, without the signature: "t-1y-19-1-0" (email_gateway.addresses). It finds the
    # email that a reply quotes when its mail program does not say which one it answers.
    reply_key = models.CharField(max_length=60, blank=True, default="", editable=False)
    attempts = models.PositiveSmallIntegerField(pgettext_lazy("column", "attempts"), default=0)
    created_at = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now, editable=False)
    due_at = models.DateTimeField(pgettext_lazy("column", "due"))
    claimed_at = models.DateTimeField(pgettext_lazy("column", "claimed"), null=True, blank=True)
    sent_at = models.DateTimeField(pgettext_lazy("column", "sent"), null=True, blank=True)
    error = models.CharField(pgettext_lazy("column", "error"), max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [
            models.UniqueConstraint(
                fields=["notice", "channel"], condition=Q(hook__isnull=True), name="delivery_once_per_channel"
            ),
            models.UniqueConstraint(
                fields=["notice", "hook"], condition=Q(hook__isnull=False), name="delivery_once_per_hook"
            ),
            models.CheckConstraint(
                condition=Q(state="skipped", reason__in=SkipReason.values)
                | Q(state__in=["due", "claimed", "sent", "failed"], reason=""),
                name="delivery_skipped_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["due", "claimed"]) | Q(sealed_mail=""), name="delivery_unsealed_once_ended"
            ),
            models.CheckConstraint(
                condition=Q(notice__isnull=False)
                | (~Q(address="") & (Q(state__in=["sent", "skipped", "failed"]) | ~Q(sealed_mail=""))),
                name="delivery_of_an_answer_is_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="delivery_waiting", condition=Q(state__in=["due", "claimed"])),
            # Finds answers quickly while a long announcement waits to be sent.
            models.Index(
                fields=["due_at"],
                name="delivery_waiting_answers",
                condition=Q(state__in=["due", "claimed"], notice__isnull=True),
            ),
            models.Index(fields=["address", "created_at"], name="delivery_answers", condition=Q(notice__isnull=True)),
            models.Index(fields=["user", "-sent_at"], name="delivery_newest"),
            models.Index(fields=["created_at"], name="delivery_copies", condition=~Q(text="")),
        ]

    # Which deliveries are emails.
    EMAILS = ~Q(channel__in=("webhook", "push"))
    # The states of a delivery that has not left yet.
    WAITING = (State.DUE, State.CLAIMED)

    def __str__(self) -> str:
        return f"{self.notice or self.message_id} by {self.channel}"

    @property
    def about(self) -> str:
        """Its subject, for janitors: "turn resolved", or the subject of an answer."""
        return self.notice.in_words if self.notice else self.subject

    @property
    def outcome(self) -> str:
        """Why it was skipped, or what went wrong."""
        return str(SkipReason(self.reason).label) if self.reason else self.error
