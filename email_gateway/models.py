"""Models of the gateway: received email, and facts about the addresses at the other end."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from notifications.models import Delivery

# How long a request by email waits for its CONFIRM.
CONFIRM_WITHIN = timedelta(days=3)


class InboundMail(models.Model):
    """An accepted email. The row is written before the sender gets a reply.

    `sealed` contains envelope and bytes, encrypted, until it is processed; after that, only the `scrubbed` text is
    stored. An apparently automatic email stays sealed as long as its copy, so that a janitor can decide that a person
    wrote it. `fingerprint` is the same for copies of one email (we keep one of them); `content_key` for emails that
    differ only in what mail systems changed on the way (we process one of them).
    """

    class State(models.TextChoices):
        RECEIVED = "received", pgettext_lazy("choice", "Received")
        CLAIMED = "claimed", pgettext_lazy("choice", "Claimed")
        PROCESSED = "processed", pgettext_lazy("choice", "Processed")
        # Written by a machine: neither processed nor answered.
        AUTOMATIC = "automatic", pgettext_lazy("choice", "Automatic")
        # Its text came in another email that was processed: neither processed again nor answered.
        COPY = "copy", pgettext_lazy("choice", "Copy")
        # Several errors on our side: it stays sealed until a janitor has it processed again.
        STUCK = "stuck", pgettext_lazy("choice", "Stuck")
        # Its mail password could not be checked: it waits until the owner of the name (`user`) confirms it.
        HELD = "held", pgettext_lazy("choice", "Held")

    fingerprint = models.CharField(max_length=64, unique=True)
    sealed = models.BinaryField(null=True, blank=True, editable=False)
    size = models.PositiveIntegerField(pgettext_lazy("column", "size"))
    # Identifies an email's text and reader, set when it is processed: recognises the same email by another route.
    content_key = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)
    # A janitor has read it: it counts as written by a person.
    is_vouched_for = models.BooleanField(default=False)
    # Its `user` has confirmed that they wrote it, after it was held.
    is_confirmed = models.BooleanField(default=False, db_default=False)
    copies = models.PositiveIntegerField(pgettext_lazy("column", "copies"), default=1)
    received_at = models.DateTimeField(pgettext_lazy("column", "received"))
    # The open stages when the email arrived (duels.selectors.take_stage_mark).
    stage_mark = models.BigIntegerField(default=0, editable=False)
    state = models.CharField(pgettext_lazy("column", "state"), max_length=9, choices=State, default=State.RECEIVED)
    due_at = models.DateTimeField(pgettext_lazy("column", "due"))
    attempts = models.PositiveSmallIntegerField(pgettext_lazy("column", "attempts"), default=0)
    processed_at = models.DateTimeField(pgettext_lazy("column", "processed"), null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="inbound_mails",
    )
    # The answer, written in the same transaction as the effects it reports.
    answer = models.OneToOneField(
        Delivery,
        verbose_name=pgettext_lazy("column", "answer"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="inbound",
    )
    scrubbed = models.TextField(blank=True, default="", editable=False)
    # Why no answer was sent, that the answer was to an email without orders, or the reference of an error on our side.
    remark = models.CharField(pgettext_lazy("column", "remark"), max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("incoming email")
        verbose_name_plural = _("incoming emails")
        ordering = ["-received_at", "-pk"]
        indexes = [
            models.Index(fields=["due_at"], name="inbound_waiting", condition=Q(state__in=["received", "claimed"])),
            models.Index(fields=["received_at"], name="inbound_received"),
            models.Index(fields=["user", "received_at"], name="inbound_held", condition=Q(state="held")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["received", "claimed", "processed", "automatic", "copy", "stuck", "held"]),
                name="inbound_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["processed", "copy"], sealed__isnull=True, processed_at__isnull=False)
                | Q(state="automatic", processed_at__isnull=False)
                | Q(state__in=["received", "claimed", "stuck", "held"], sealed__isnull=False),
                name="inbound_is_unsealed_once_processed",
            ),
        ]

    def __str__(self) -> str:
        return f"mail {self.pk}"


class NewUserRequest(models.Model):
    """A NEWUSER that waits for the reply that confirms the address; only then is the user created."""

    inbound = models.OneToOneField(
        InboundMail, null=True, blank=True, on_delete=models.SET_NULL, related_name="newuser_request"
    )
    name = models.CharField(max_length=20)
    address = models.EmailField()
    # The mail password, encrypted until the user is created (and it is hashed) or the request has expired.
    sealed = models.TextField(blank=True, default="", editable=False)
    created_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        indexes = [models.Index(fields=["address", "created_at"], name="newuser_per_address")]
        constraints = [
            models.CheckConstraint(
                condition=Q(confirmed_at__isnull=False) | Q(user__isnull=True), name="newuser_has_no_user_unconfirmed"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} asks to be a user"


class AccountChangeRequest(models.Model):
    """A change of address or mail password, closing the account, an irreversible act, or a janitor's announcement,
    requested by email and waiting for confirmation from the account's address.

    A new address must also be confirmed (`agreed_at` is when the old one confirmed) before it becomes the account's.
    """

    class Kind(models.TextChoices):
        ADDRESS = "address"
        PASSWORD = "password"
        # The user ends.
        LEAVING = "leaving"
        # An irreversible request in an email from an address that is not the user's.
        RETIRE = "retire"
        QUIT = "quit"
        SURRENDER = "surrender"
        # A janitor's announcement to players of other battles.
        ANNOUNCE = "announce"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=9, choices=Kind)
    # The new value, encrypted until it applies or the request has expired.
    sealed = models.TextField(blank=True, default="", editable=False)
    created_at = models.DateTimeField()
    agreed_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["user", "created_at"], name="change_per_user")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["address", "password", "leaving", "retire", "quit", "surrender", "announce"]),
                name="change_kind_is_known",
            ),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(agreed_at__isnull=False, sealed=""),
                name="change_is_done_once_agreed",
            ),
        ]

    def __str__(self) -> str:
        return f"change of {self.kind} {self.pk}"


class MailAddress(models.Model):
    """An address at the other end. `bounce_score` rises with undelivered email, at most once a day
    (`bounced_at`), and is forgotten after a month; from FAILING on, we assume that email does not reach the address.

    Since `stopped_at`, we write nothing to it at all: its owner has asked a janitor for it, for a reason that only
    janitors see. Such a row stays until email is resumed.
    """

    FAILING = 10

    address = models.EmailField(pgettext_lazy("column", "address"), unique=True)
    bounce_score = models.PositiveSmallIntegerField(pgettext_lazy("column", "bounce score"), default=0)
    bounced_at = models.DateTimeField(pgettext_lazy("column", "last bounce"), null=True, blank=True)
    last_error = models.CharField(pgettext_lazy("column", "last error"), max_length=200, blank=True, default="")
    stopped_at = models.DateTimeField(pgettext_lazy("column", "email stopped"), null=True, blank=True)
    stopped_for = models.CharField(
        pgettext_lazy("column", "reason"), max_length=300, blank=True, default="", db_default=""
    )

    class Meta:
        verbose_name = _("address that email goes to")
        verbose_name_plural = _("addresses that email goes to")
        constraints = [models.CheckConstraint(condition=Q(address=Lower("address")), name="address_is_lower_case")]

    def __str__(self) -> str:
        return self.address

    @property
    def is_failing(self) -> bool:
        return self.bounce_score >= self.FAILING


class LocalMail(models.Model):
    """An email that stayed on the site because no mail server is configured; /mailbox/ shows it. Encrypted, as it may
    contain codes and links."""

    message_id = models.CharField(max_length=200, unique=True)
    sealed = models.BinaryField(editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.message_id
