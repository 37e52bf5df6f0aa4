import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("challenges", "0001_initial"),
        ("challenges", "0002_standing_challenges_of_bots"),
        ("challenges", "0003_clearer_names"),
        ("challenges", "0004_reminded_at"),
        ("challenges", "0005_bot_pace"),
        ("challenges", "0006_names_of_the_desk"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0016_names_of_the_desk"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True, verbose_name="number")),
                ("terms", models.JSONField(verbose_name="terms")),
                (
                    "mages_per_user",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="mages per user"),
                ),
                ("limit", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="limit")),
                ("authoritarian", models.BooleanField(default=False, verbose_name="challenger decides alone")),
                ("comment", models.CharField(blank=True, max_length=300, verbose_name="comment")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("started", "Started"),
                            ("withdrawn", "Withdrawn"),
                            ("stale", "Stale"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("seats_taken", models.PositiveSmallIntegerField(default=0, verbose_name="seats taken")),
                ("changes_proposed", models.PositiveIntegerField(default=0, verbose_name="proposals")),
                ("revision", models.PositiveIntegerField(default=0, verbose_name="revision")),
                ("created_at", models.DateTimeField(verbose_name="created")),
                ("updated_at", models.DateTimeField(verbose_name="last changed")),
                (
                    "stale_check_at",
                    models.DateTimeField(
                        db_column="stale_look_at", db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "reminded_at",
                    models.DateTimeField(blank=True, db_column="prodded_at", null=True, verbose_name="reminded"),
                ),
                (
                    "bot_pace",
                    models.CharField(
                        blank=True, db_column="standing", db_default="", default="", editable=False, max_length=10
                    ),
                ),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges_made",
                        to="accounts.mage",
                        verbose_name="challenger",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "verbose_name": "challenge",
                "verbose_name_plural": "challenges",
                "indexes": [
                    models.Index(fields=["status", "number"], name="challenge_status_number"),
                    models.Index(
                        condition=models.Q(("status", "open")), fields=["stale_check_at"], name="challenge_stale_check"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["open", "started", "withdrawn", "stale"])),
                        name="challenge_status_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("limit__isnull", True), ("limit__gte", 2), _connector="OR"),
                        name="challenge_limit_is_two_up",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("limit__isnull", True), ("seats_taken__lte", models.F("limit")), _connector="OR"
                        ),
                        name="challenge_seats_keep_to_the_limit",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "started"), _negated=True), ("seats_taken__gte", 2), _connector="OR"
                        ),
                        name="challenge_starts_with_two_up",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "open"), models.Q(("bot_pace", ""), _negated=True)),
                        fields=("bot_pace",),
                        name="challenge_standing_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Follower",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField()),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="followers", to="challenges.challenge"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("challenge", "user"), name="follower_once")],
            },
        ),
        migrations.CreateModel(
            name="InviteLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("live", "Live"), ("revoked", "Revoked"), ("expired", "Expired")],
                        default="live",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("created_at", models.DateTimeField(verbose_name="created")),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="challenges.challenge",
                        verbose_name="challenge",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invite_links",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="created by",
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "id"],
                "verbose_name": "invite link",
                "verbose_name_plural": "invite links",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "live")), fields=["expires_at"], name="invite_link_expiring"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["live", "revoked", "expired"])), name="invite_link_state"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("change", models.JSONField(verbose_name="change")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("adopted", "Adopted"),
                            ("rejected", "Rejected"),
                            ("taken_back", "Taken Back"),
                            ("lapsed", "Expired"),
                            ("moot", "Moot"),
                            ("abandoned", "Abandoned"),
                        ],
                        default="pending",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("created_at", models.DateTimeField(verbose_name="created")),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                ("expires_at", models.DateTimeField(db_column="lapses_at", verbose_name="expires")),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="challenges.challenge",
                        verbose_name="challenge",
                    ),
                ),
                (
                    "proposer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposals",
                        to="accounts.mage",
                        verbose_name="proposed by",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "verbose_name": "proposal",
                "verbose_name_plural": "proposals",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pending")), fields=["expires_at"], name="proposal_expiring"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("challenge", "number"), name="proposal_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                ["pending", "adopted", "rejected", "taken_back", "lapsed", "moot", "abandoned"],
                            )
                        ),
                        name="proposal_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("state", "pending")),
                            models.Q(models.Q(("state", "pending"), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="proposal_end_has_its_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("invited", "Invited"),
                            ("joined", "Joined"),
                            ("declined", "Declined"),
                            ("left_out", "Left Out"),
                            ("excluded", "Excluded"),
                        ],
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("accepts_everything", models.BooleanField(default=False, verbose_name="accepts everything")),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                ("answered_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="challenges.challenge",
                        verbose_name="challenge",
                    ),
                ),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="accounts.mage",
                        verbose_name="mage",
                    ),
                ),
            ],
            options={
                "ordering": ["answered_at", "id"],
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
                "indexes": [models.Index(fields=["state", "mage"], name="seat_state_mage")],
                "constraints": [
                    models.UniqueConstraint(fields=("challenge", "mage"), name="seat_once_per_mage"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["invited", "joined", "declined", "left_out", "excluded"])),
                        name="seat_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["invited", "left_out", "excluded"]),
                            ("answered_at__isnull", False),
                            _connector="OR",
                        ),
                        name="seat_answer_has_its_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("accepts_everything", False), ("state", "joined"), _connector="OR"),
                        name="seat_accepts_only_when_joined",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Vote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("in_favour", models.BooleanField(verbose_name="in favour")),
                ("cast_at", models.DateTimeField(verbose_name="voted")),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="accounts.mage",
                        verbose_name="mage",
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="votes", to="challenges.proposal"
                    ),
                ),
            ],
            options={
                "ordering": ["cast_at", "id"],
                "verbose_name": "vote",
                "verbose_name_plural": "votes",
                "constraints": [models.UniqueConstraint(fields=("proposal", "mage"), name="vote_once_per_mage")],
            },
        ),
        migrations.CreateModel(
            name="WaitingRoom",
            fields=[
                ("id", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("visits", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="waiting_room_is_one")],
            },
        ),
    ]
