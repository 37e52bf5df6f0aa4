"""Models of challenges: a challenge, its seats, proposals, votes, invite links and followers."""

import hashlib
import json

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Mage, User


class Challenge(models.Model):
    """A battle that is waiting for players. Its number comes from the sequence of battles, and the battle keeps it.

    `mages_per_user` is None if only invited mages may join (a closed challenge); otherwise anyone may, and it is how
    many mages one user may bring, 0 for any number. `limit` is how many mages start the battle. In an `authoritarian`
    challenge the challenger decides every change; otherwise the mages who have joined vote. `changes_proposed` is the
    number of the last proposal: numbers are not reused. `seats_taken` counts joined seats, and `revision` rises with
    every change: one statement claims both, so if two changes arrive together, the second sees what the first did.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        STARTED = "started"
        WITHDRAWN = "withdrawn"
        # Nothing happened for too long.
        STALE = "stale"

    number = models.PositiveBigIntegerField(unique=True)
    challenger = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="challenges_made")
    terms = models.JSONField()
    mages_per_user = models.PositiveSmallIntegerField(null=True, blank=True)
    limit = models.PositiveSmallIntegerField(null=True, blank=True)
    authoritarian = models.BooleanField(default=False)
    comment = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    seats_taken = models.PositiveSmallIntegerField(default=0)
    changes_proposed = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    # The pace of a challenge that a bot keeps open for anyone. Empty for all others.
    bot_pace = models.CharField(
        max_length=10, blank=True, default="", db_default="", editable=False, db_column="standing"
    )
    # When the challenger was last reminded, and when a sweep next checks whether the challenge is stale.
    reminded_at = models.DateTimeField(null=True, blank=True, db_column="prodded_at")
    stale_check_at = models.DateTimeField(db_column="stale_look_at", db_default=Now(), editable=False)

    class Meta:
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
        INVITED = "invited"
        JOINED = "joined"
        DECLINED = "declined"
        LEFT_OUT = "left_out"
        EXCLUDED = "excluded"

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="seats")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="seats")
    state = models.CharField(max_length=10, choices=State)
    accepts_everything = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
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
        PENDING = "pending"
        ADOPTED = "adopted"
        REJECTED = "rejected"
        TAKEN_BACK = "taken_back"
        EXPIRED = "lapsed"
        MOOT = "moot"
        ABANDONED = "abandoned"

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="proposals")
    number = models.PositiveIntegerField()
    proposer = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="proposals")
    change = models.JSONField()
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_column="lapses_at")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
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
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="votes")
    in_favour = models.BooleanField()
    cast_at = models.DateTimeField()

    class Meta:
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
        LIVE = "live"
        REVOKED = "revoked"
        EXPIRED = "expired"

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=8, choices=State, default=State.LIVE)
    made_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="invite_links")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
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
