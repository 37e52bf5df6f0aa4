import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("terms", models.JSONField()),
                ("mages_per_user", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("limit", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("authoritarian", models.BooleanField(default=False)),
                ("comment", models.CharField(blank=True, max_length=300)),
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
                    ),
                ),
                ("seats_taken", models.PositiveSmallIntegerField(default=0)),
                ("changes_proposed", models.PositiveIntegerField(default=0)),
                ("revision", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                ("prodded_at", models.DateTimeField(blank=True, null=True)),
                (
                    "stale_look_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="challenges_made", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["status", "number"], name="challenge_status_number"),
                    models.Index(
                        condition=models.Q(("status", "open")), fields=["stale_look_at"], name="challenge_stale_look"
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
                ],
                "ordering": ["number"],
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
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="links", to="challenges.challenge"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invite_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
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
                "ordering": ["created_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("change", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("adopted", "Adopted"),
                            ("rejected", "Rejected"),
                            ("taken_back", "Taken Back"),
                            ("lapsed", "Lapsed"),
                            ("moot", "Moot"),
                            ("abandoned", "Abandoned"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("lapses_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="proposals", to="challenges.challenge"
                    ),
                ),
                (
                    "proposer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="proposals", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pending")), fields=["lapses_at"], name="proposal_lapsing"
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
                "ordering": ["number"],
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
                    ),
                ),
                ("accepts_everything", models.BooleanField(default=False)),
                ("asked_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="challenges.challenge"
                    ),
                ),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="accounts.mage"
                    ),
                ),
            ],
            options={
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
                "ordering": ["answered_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="Vote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("in_favour", models.BooleanField()),
                ("cast_at", models.DateTimeField()),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="votes", to="accounts.mage"
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
                "constraints": [models.UniqueConstraint(fields=("proposal", "mage"), name="vote_once_per_mage")],
                "ordering": ["cast_at", "id"],
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
