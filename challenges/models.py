"""Models of challenges: a challenge, its seats, proposals, votes, invite links, followers; lines of the lobby."""

import hashlib
import json

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Mage, User

# How long a line of the lobby's room may be.
ROOM_LINE_LENGTH = 280


class Challenge(models.Model):
    """A battle that is waiting for players. Its number comes from the sequence of battles, and the battle keeps it.

    `mages_per_user` is None if only invited mages may join (a closed challenge); otherwise anyone may, and it is how
    many mages one user may bring, 0 for any number. `limit` is how many mages start the battle. In an `authoritarian`
    challenge the challenger decides every change; otherwise the mages who have joined vote. `changes_proposed` is the
    number of the last proposal: numbers are not reused. `seats_taken` counts joined seats, and `revision` rises with
    every change: one statement claims both, so if two changes arrive together, the second sees what the first did.
    """

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("choice", "Open")
        STARTED = "started", pgettext_lazy("choice", "Started")
        WITHDRAWN = "withdrawn", pgettext_lazy("choice", "Withdrawn")
        # Nothing happened for too long.
        STALE = "stale", pgettext_lazy("choice", "Stale")

    number = models.PositiveBigIntegerField(pgettext_lazy("column", "number"), unique=True)
    challenger = models.ForeignKey(
        Mage,
        verbose_name=pgettext_lazy("column", "challenger"),
        on_delete=models.PROTECT,
        related_name="challenges_made",
    )
    terms = models.JSONField(pgettext_lazy("column", "terms"))
    mages_per_user = models.PositiveSmallIntegerField(pgettext_lazy("column", "mages per user"), null=True, blank=True)
    limit = models.PositiveSmallIntegerField(pgettext_lazy("column", "limit"), null=True, blank=True)
    authoritarian = models.BooleanField(pgettext_lazy("column", "challenger decides alone"), default=False)
    comment = models.CharField(pgettext_lazy("column", "comment"), max_length=300, blank=True)
    status = models.CharField(pgettext_lazy("column", "state"), max_length=10, choices=Status, default=Status.OPEN)
    seats_taken = models.PositiveSmallIntegerField(pgettext_lazy("column", "seats taken"), default=0)
    changes_proposed = models.PositiveIntegerField(pgettext_lazy("column", "proposals"), default=0)
    revision = models.PositiveIntegerField(pgettext_lazy("column", "revision"), default=0)
    created_at = models.DateTimeField(pgettext_lazy("column", "created"))
    updated_at = models.DateTimeField(pgettext_lazy("column", "last changed"))
    # The pace of a challenge that a bot keeps open for anyone. Empty for all others.
    bot_pace = models.CharField(
        max_length=10, blank=True, default="", db_default="", editable=False, db_column="standing"
    )
    # When the challenger was last reminded, and when a sweep next checks whether the challenge is stale.
    reminded_at = models.DateTimeField(
        pgettext_lazy("column", "reminded"), null=True, blank=True, db_column="prodded_at"
    )
    stale_check_at = models.DateTimeField(db_column="stale_look_at", db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["number"]
        indexes = [
            models.Index(fields=["status", "number"], name="challenge_status_number"),
            models.Index(fields=["stale_check_at"], name="challenge_stale_check", condition=Q(status="open")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["open", "started", "withdrawn", "stale"]), name="challenge_status_is_known"
            ),
            models.CheckConstraint(condition=Q(limit__isnull=True) | Q(limit__gte=2), name="challenge_limit_is_two_up"),
            models.CheckConstraint(
                condition=Q(limit__isnull=True) | Q(seats_taken__lte=models.F("limit")),
                name="challenge_seats_keep_to_the_limit",
            ),
            models.UniqueConstraint(
                fields=["bot_pace"], condition=Q(status="open") & ~Q(bot_pace=""), name="challenge_standing_once"
            ),
            models.CheckConstraint(
                condition=~Q(status="started") | Q(seats_taken__gte=2), name="challenge_starts_with_two_up"
            ),
        ]

    def __str__(self) -> str:
        return f"challenge {self.number}"

    @property
    def terms_key(self) -> str:
        """Return a short hash of the terms and the limit. A different one means a different battle."""
        facts = json.dumps([self.terms, self.limit], sort_keys=True)
        return hashlib.blake2b(facts.encode(), digest_size=8).hexdigest()


class Seat(models.Model):
    """The state of one mage in one challenge. A seat is never deleted: it records that a mage declined or was left out.

    LEFT_OUT: had not answered when the battle started. EXCLUDED: may not join. `accepts_everything`: a mage who has
    joined votes for every proposal, now and in future.
    """

    class State(models.TextChoices):
        INVITED = "invited", pgettext_lazy("choice", "Invited")
        JOINED = "joined", pgettext_lazy("choice", "Joined")
        DECLINED = "declined", pgettext_lazy("choice", "Declined")
        LEFT_OUT = "left_out", pgettext_lazy("choice", "Left Out")
        EXCLUDED = "excluded", pgettext_lazy("choice", "Excluded")

    challenge = models.ForeignKey(
        Challenge, verbose_name=pgettext_lazy("column", "challenge"), on_delete=models.CASCADE, related_name="seats"
    )
    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="seats"
    )
    state = models.CharField(pgettext_lazy("column", "state"), max_length=10, choices=State)
    accepts_everything = models.BooleanField(pgettext_lazy("column", "accepts everything"), default=False)
    asked_at = models.DateTimeField(pgettext_lazy("column", "asked"))
    answered_at = models.DateTimeField(pgettext_lazy("column", "answered"), null=True, blank=True)
    # Why they declined last, if they said it (challenges.decline_reasons).
    reason = models.CharField(pgettext_lazy("column", "reason"), max_length=10, blank=True, default="", db_default="")
    # The hash of the key of the form with which a new guest took the seat: the same click, sent again, is theirs.
    once_hash = models.CharField(max_length=64, editable=False, blank=True, default="", db_default="")

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["answered_at", "id"]
        indexes = [models.Index(fields=["state", "mage"], name="seat_state_mage")]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "mage"], name="seat_once_per_mage"),
            models.CheckConstraint(
                condition=Q(state__in=["invited", "joined", "declined", "left_out", "excluded"]),
                name="seat_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["invited", "left_out", "excluded"]) | Q(answered_at__isnull=False),
                name="seat_answer_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(accepts_everything=False) | Q(state="joined"), name="seat_accepts_only_when_joined"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mage_id} in {self.challenge_id}: {self.state}"


class Proposal(models.Model):
    """A suggested change of terms (challenges.changes.Change), to be voted on.

    It is compared with the current terms whenever it is read, so it survives other changes; one with nothing left to
    change is MOOT. ABANDONED: undecided when the battle started or the challenge ended.
    """

    class State(models.TextChoices):
        PENDING = "pending", pgettext_lazy("choice", "Pending")
        ADOPTED = "adopted", pgettext_lazy("choice", "Adopted")
        REJECTED = "rejected", pgettext_lazy("choice", "Rejected")
        TAKEN_BACK = "taken_back", pgettext_lazy("choice", "Taken Back")
        EXPIRED = "lapsed", pgettext_lazy("choice", "Expired")
        MOOT = "moot", pgettext_lazy("choice", "Moot")
        ABANDONED = "abandoned", pgettext_lazy("choice", "Abandoned")

    challenge = models.ForeignKey(
        Challenge, verbose_name=pgettext_lazy("column", "challenge"), on_delete=models.CASCADE, related_name="proposals"
    )
    number = models.PositiveIntegerField(pgettext_lazy("column", "number"))
    proposer = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "proposed by"), on_delete=models.PROTECT, related_name="proposals"
    )
    change = models.JSONField(pgettext_lazy("column", "change"))
    state = models.CharField(pgettext_lazy("column", "state"), max_length=10, choices=State, default=State.PENDING)
    created_at = models.DateTimeField(pgettext_lazy("column", "created"))
    expires_at = models.DateTimeField(pgettext_lazy("column", "expires"), db_column="lapses_at")
    decided_at = models.DateTimeField(pgettext_lazy("column", "decided"), null=True, blank=True)

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering = ["number"]
        indexes = [
            models.Index(fields=["expires_at"], name="proposal_expiring", condition=Q(state="pending")),
        ]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "number"], name="proposal_number_once"),
            models.CheckConstraint(
                condition=Q(
                    state__in=["pending", "adopted", "rejected", "taken_back", "lapsed", "moot", "abandoned"],
                ),
                name="proposal_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state="pending", decided_at__isnull=True)
                | (~Q(state="pending") & Q(decided_at__isnull=False)),
                name="proposal_end_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"change {self.number} of {self.challenge_id}"


class Vote(models.Model):
    """The vote of one joined mage on one proposal. It is deleted when the mage leaves."""

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="votes")
    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="votes"
    )
    in_favour = models.BooleanField(pgettext_lazy("column", "in favour"))
    cast_at = models.DateTimeField(pgettext_lazy("column", "voted"))

    class Meta:
        verbose_name = _("vote")
        verbose_name_plural = _("votes")
        ordering = ["cast_at", "id"]
        constraints = [models.UniqueConstraint(fields=["proposal", "mage"], name="vote_once_per_mage")]

    def __str__(self) -> str:
        return f"{self.mage_id} {'for' if self.in_favour else 'against'} {self.proposal_id}"


class InviteLink(models.Model):
    """A link that lets anyone who has it join, until it expires or is revoked. Only a hash of its token is stored.

    A closed challenge does not start while a link is LIVE, as with an invited mage; the sweep that expires links may
    start it.
    """

    class State(models.TextChoices):
        LIVE = "live", pgettext_lazy("choice", "Live")
        REVOKED = "revoked", pgettext_lazy("choice", "Revoked")
        EXPIRED = "expired", pgettext_lazy("choice", "Expired")

    challenge = models.ForeignKey(
        Challenge, verbose_name=pgettext_lazy("column", "challenge"), on_delete=models.CASCADE, related_name="links"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    state = models.CharField(pgettext_lazy("column", "state"), max_length=8, choices=State, default=State.LIVE)
    made_by = models.ForeignKey(
        User, verbose_name=pgettext_lazy("column", "created by"), on_delete=models.CASCADE, related_name="invite_links"
    )
    created_at = models.DateTimeField(pgettext_lazy("column", "created"))
    expires_at = models.DateTimeField(pgettext_lazy("column", "expires"))

    class Meta:
        verbose_name = _("invite link")
        verbose_name_plural = _("invite links")
        ordering = ["created_at", "id"]
        indexes = [models.Index(fields=["expires_at"], name="invite_link_expiring", condition=Q(state="live"))]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["live", "revoked", "expired"]), name="invite_link_state"),
        ]

    def __str__(self) -> str:
        return f"link {self.pk} to {self.challenge_id}"

    @staticmethod
    def hash_token(token: str) -> str:
        """Return what is stored instead of the token."""
        # The token has 192 random bits: a slow hash would protect nothing.
        return hashlib.sha256(token.encode()).hexdigest()


class WaitingRoom(models.Model):
    """One row, which quick matches lock in turn: of two at the same time, the second finds the first one's
    challenge."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    visits = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="waiting_room_is_one")]

    def __str__(self) -> str:
        return "the waiting room"


class Follower(models.Model):
    """A user who follows the battle that a challenge becomes."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="followers")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["challenge", "user"], name="follower_once")]

    def __str__(self) -> str:
        return f"{self.user} follows {self.challenge}"


class RoomLine(models.Model):
    """A line in the one room of talk in the lobby, which everyone may read.

    `once` comes from what sent it, so that a click or email that arrives twice writes one line. A removed line stays as
    a row, so that a janitor's removal can be undone. Lines go with the account of their writer, and after a while
    (services.room.KEPT).
    """

    class Via(models.TextChoices):
        PAGE = "page"
        API = "api"
        MAIL = "mail"

    writer = models.ForeignKey(User, on_delete=models.CASCADE, related_name="room_lines")
    text = models.CharField(max_length=ROOM_LINE_LENGTH)
    via = models.CharField(max_length=4, choices=Via, default=Via.PAGE)
    once = models.CharField(max_length=16, editable=False)
    written_at = models.DateTimeField()
    # When its writer or a janitor removed it, and who.
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    removed_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    # When it was handed over to be emailed to those who get the room by email (services.room_mails).
    told_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["written_at"], name="room_line_written"),
            models.Index(fields=["told_at"], name="room_line_told"),
            models.Index(fields=["writer", "written_at"], name="room_line_writer_written"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["writer", "once"], name="room_line_once"),
            models.CheckConstraint(condition=Q(via__in=["page", "api", "mail"]), name="room_line_via_is_known"),
            models.CheckConstraint(condition=~Q(text=""), name="room_line_says_something"),
        ]

    def __str__(self) -> str:
        return f"line {self.pk} of the room"


class SeekAlert(models.Model):
    """When a user who asked to be told of open duels may next be told of one. A sweep claims the row before it tells
    them, so that two sweeps tell them once."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="seek_alert")
    next_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} from {self.next_at}"


class RoomMute(models.Model):
    """A user who may not write in the lobby's room until `ends_at`, by a janitor's decision. They can still read, play
    and write elsewhere."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="room_mutes")
    reason = models.TextField()
    muted_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-ends_at"]
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("muted_at")), name="room_mute_ends_after_it_began"),
        ]

    def __str__(self) -> str:
        return f"{self.user} may not write in the room until {self.ends_at}"


class HostedDuel(models.Model):
    """The first duel of a newcomer with a person, which hosts are asked for first.

    `host` was asked last, at `asked_at`. At `next_at` another one is asked, or else the challenge is opened to anyone;
    empty: nobody is asked any more. `notes_opened_at`: both were told at the end that their notes are open.
    """

    challenge = models.OneToOneField(Challenge, on_delete=models.CASCADE, related_name="hosted_duel")
    newcomer = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    host = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField()
    next_at = models.DateTimeField(null=True, blank=True)
    notes_opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["next_at"], name="hosted_duel_next", condition=Q(next_at__isnull=False)),
            models.Index(fields=["challenge"], name="hosted_duel_notes", condition=Q(notes_opened_at=None)),
        ]

    def __str__(self) -> str:
        return f"hosting of {self.challenge_id}"
