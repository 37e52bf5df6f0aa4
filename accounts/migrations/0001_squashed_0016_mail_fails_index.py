import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# Written here and not imported: what a migration makes must not change with the code.
GROUPS = ("Janitors", "Read-only janitors")


def make_groups(apps, schema_editor):
    group = apps.get_model("auth", "Group")
    for name in GROUPS:
        group.objects.get_or_create(name=name)


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0001_initial"),
        ("accounts", "0002_block"),
        ("accounts", "0003_mail_fails_since"),
        ("accounts", "0004_mail_about_challenges"),
        ("accounts", "0005_vacations"),
        ("accounts", "0006_janitors"),
        ("accounts", "0007_house"),
        ("accounts", "0008_absence"),
        ("accounts", "0009_moderation"),
        ("accounts", "0010_merge"),
        ("accounts", "0011_chore"),
        ("accounts", "0012_practice_deaths"),
        ("accounts", "0013_user_acts"),
        ("accounts", "0014_policy_words"),
        ("accounts", "0015_traces"),
        ("accounts", "0016_mail_fails_index"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("username", models.CharField(max_length=20, unique=True, verbose_name="name")),
                ("email", models.EmailField(blank=True, default="", max_length=254, verbose_name="e-mail address")),
                ("mail_password", models.CharField(blank=True, default="", editable=False, max_length=128)),
                ("mail_fails_since", models.DateTimeField(blank=True, editable=False, null=True)),
                ("is_guest", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("is_staff", models.BooleanField(default=False, verbose_name="janitor")),
                ("is_held", models.BooleanField(default=False, editable=False)),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "As my device"), ("light", "Light"), ("dark", "Dark")],
                        default="system",
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("last_active_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "idle_look_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_active", True)), fields=["idle_look_at"], name="user_idle_look"
                    ),
                    models.Index(
                        condition=models.Q(("mail_fails_since__isnull", False)),
                        fields=["mail_fails_since"],
                        name="user_mail_fails",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("username"), name="user_username_case_blind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "part",
                    models.CharField(
                        choices=[
                            ("beat", "background work"),
                            ("site", "pages"),
                            ("mail_in", "incoming mail"),
                            ("mail_out", "outgoing mail"),
                        ],
                        max_length=8,
                        unique=True,
                    ),
                ),
                ("beat_at", models.DateTimeField()),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("part", models.CharField(max_length=60)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("given_back_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-started_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("given_back_at", None)), fields=["started_at"], name="outage_waits"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.Value(1), condition=models.Q(("ended_at", None)), name="outage_open_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at", None), ("ended_at__gte", models.F("started_at")), _connector="OR"
                        ),
                        name="outage_ends_after_its_start",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("given_back_at", None), ("ended_at__isnull", False), _connector="OR"),
                        name="outage_is_over_when_given_back",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Chore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20)),
                ("day", models.DateField()),
                ("claimed_at", models.DateTimeField()),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("remark", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "ordering": ["-day", "name"],
                "constraints": [models.UniqueConstraint(fields=("name", "day"), name="chore_once_a_day")],
            },
        ),
        migrations.CreateModel(
            name="Name",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=20, unique=True)),
                ("written", models.CharField(max_length=20)),
                ("kind", models.CharField(choices=[("user", "User"), ("mage", "Mage")], max_length=4)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="names", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("key", django.db.models.functions.text.Lower("written"))),
                        name="name_key_is_lower_case",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("written__regex", "^[A-Za-z_][A-Za-z0-9_]{1,19}$")),
                        name="name_is_well_formed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Mage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="mages", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("name", models.CharField(max_length=20, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("last_active_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("died_at", models.DateTimeField(blank=True, null=True)),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
                (
                    "idle_look_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "ordering": ["name"],
                "indexes": [
                    models.Index(condition=models.Q(("died_at", None)), fields=["idle_look_at"], name="mage_idle_look")
                ],
                "constraints": [
                    models.UniqueConstraint(django.db.models.functions.text.Lower("name"), name="mage_name_case_blind")
                ],
            },
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="blocks", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocked_by",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "blocked"), name="block_once_per_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("user", models.F("blocked")), _negated=True),
                        name="block_is_of_somebody_else",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Maintenance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(help_text="Everybody reads it on every page.", max_length=300)),
                ("started_at", models.DateTimeField()),
                (
                    "started_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "maintenance",
                "ordering": ["-started_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        models.Value(1), condition=models.Q(("ended_at", None)), name="maintenance_open_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("ended_by", None)),
                            models.Q(("ended_at__gte", models.F("started_at")), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="maintenance_end_has_its_janitor",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=2000)),
                (
                    "written_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("starts_at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("is_mailed", models.BooleanField(default=False, verbose_name="also by mail")),
                ("told_upto", models.PositiveBigIntegerField(blank=True, default=None, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-starts_at", "-pk"],
                "indexes": [
                    models.Index(fields=["until"], name="announcement_until"),
                    models.Index(
                        condition=models.Q(("told_upto__isnull", False)), fields=["id"], name="announcement_to_tell"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("until__gt", models.F("starts_at"))), name="announcement_has_a_length"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="UserMerge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="merges", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "merged",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged_into",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("reason", models.CharField(max_length=300)),
                ("moved", models.JSONField()),
                (
                    "merged_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("merged_at", models.DateTimeField()),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-merged_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at", None)), fields=("merged",), name="user_is_merged_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kept", models.F("merged")), _negated=True),
                        name="user_is_merged_into_another",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports_made",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "about_user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports_about",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("about_battle", models.PositiveBigIntegerField(blank=True, null=True)),
                ("text", models.TextField(max_length=2000)),
                ("created_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Not read yet"), ("in_hand", "Being looked at"), ("answered", "Answered")],
                        default="open",
                        max_length=8,
                    ),
                ),
                (
                    "janitor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("answer", models.TextField(blank=True, default="", max_length=2000)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "answered"), _negated=True),
                        fields=["created_at"],
                        name="report_open",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("about_user__isnull", False), ("about_battle__isnull", False), _connector="OR"
                        ),
                        name="report_is_about_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "open"), ("janitor__isnull", False), _connector="OR"),
                        name="report_has_its_janitor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered_at__isnull", False), ("state", "answered")),
                            models.Q(models.Q(("state", "answered"), _negated=True), ("answered_at", None)),
                            _connector="OR",
                        ),
                        name="report_answer_has_its_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200, unique=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("facts", models.JSONField(blank=True, default=dict)),
                ("sealed", models.TextField(blank=True, default="", editable=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "indexes": [models.Index(fields=["user", "-created_at"], name="notice_user_newest")],
            },
        ),
        migrations.CreateModel(
            name="HousePolicy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "classic_reminder_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 60 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="A mage who owes orders is reminded after",
                    ),
                ),
                (
                    "classic_remind_every_hours",
                    models.PositiveSmallIntegerField(
                        default=84,
                        help_text="12 to 336 hours",
                        validators=[
                            django.core.validators.MinValueValidator(12),
                            django.core.validators.MaxValueValidator(336),
                        ],
                        verbose_name="A mage who owes orders is reminded again every",
                    ),
                ),
                (
                    "classic_forfeit_days",
                    models.PositiveSmallIntegerField(
                        default=21,
                        help_text="2 to 120 days",
                        validators=[
                            django.core.validators.MinValueValidator(2),
                            django.core.validators.MaxValueValidator(120),
                        ],
                        verbose_name="A mage who owes orders dies of it after",
                    ),
                ),
                (
                    "idle_user_days",
                    models.PositiveSmallIntegerField(
                        default=21,
                        help_text="7 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(7),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="Nobody is idle whose user did something in the last",
                    ),
                ),
                (
                    "idle_week_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 90 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(90),
                        ],
                        verbose_name="A mage is idle who rests longer than this, times his score and one more",
                    ),
                ),
                (
                    "retired_days",
                    models.PositiveSmallIntegerField(
                        default=28,
                        help_text="7 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(7),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A retired mage may stay away for this, times his score and one more",
                    ),
                ),
                (
                    "immune_points",
                    models.PositiveSmallIntegerField(
                        default=4,
                        help_text="0 to 50 points",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(50),
                        ],
                        verbose_name="A retired mage stays for ever who is below the best of them by at most",
                    ),
                ),
                (
                    "mageless_warn_days",
                    models.PositiveSmallIntegerField(
                        default=21,
                        help_text="7 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(7),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A user without a mage is asked to come back after",
                    ),
                ),
                (
                    "mageless_close_days",
                    models.PositiveSmallIntegerField(
                        default=40,
                        help_text="14 to 730 days",
                        validators=[
                            django.core.validators.MinValueValidator(14),
                            django.core.validators.MaxValueValidator(730),
                        ],
                        verbose_name="A user without a mage is closed after",
                    ),
                ),
                (
                    "warning_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 60 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="Whoever is warned that a mage or user goes has",
                    ),
                ),
                (
                    "challenge_prod_days",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="1 to 60 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="A challenge in which nothing happens is called to mind every",
                    ),
                ),
                (
                    "challenge_close_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="2 to 180 days",
                        validators=[
                            django.core.validators.MinValueValidator(2),
                            django.core.validators.MaxValueValidator(180),
                        ],
                        verbose_name="A challenge in which nothing happens is closed after",
                    ),
                ),
                (
                    "vacation_most_days",
                    models.PositiveSmallIntegerField(
                        default=35,
                        help_text="1 to 120 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(120),
                        ],
                        verbose_name="A vacation lasts at most",
                    ),
                ),
                (
                    "battle_pause_most_days",
                    models.PositiveSmallIntegerField(
                        default=35,
                        help_text="0 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="Vacation and lost mail stop the clock of a mage in one battle for at most",
                    ),
                ),
                (
                    "practice_deaths",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="0 to 1 mages",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(1),
                        ],
                        verbose_name="A death in practice costs its user",
                    ),
                ),
                (
                    "signup_keep_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="1 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A sign-up without a confirmed address and a mage is kept for",
                    ),
                ),
                (
                    "guest_keep_days",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="1 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A guest who does nothing is kept for",
                    ),
                ),
                (
                    "notice_keep_days",
                    models.PositiveSmallIntegerField(
                        default=180,
                        help_text="30 to 3650 days",
                        validators=[
                            django.core.validators.MinValueValidator(30),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="What users were told is kept for",
                    ),
                ),
                (
                    "backups_kept",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 90 backups",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(90),
                        ],
                        verbose_name="Of the nightly backups there are kept",
                    ),
                ),
                (
                    "outage_minutes",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="3 to 720 minutes",
                        validators=[
                            django.core.validators.MinValueValidator(3),
                            django.core.validators.MaxValueValidator(720),
                        ],
                        verbose_name="The house counts as out of order after a silence of",
                    ),
                ),
                (
                    "outbox_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="5 to 1440 minutes",
                        validators=[
                            django.core.validators.MinValueValidator(5),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                        verbose_name="Outgoing mail counts as stuck once one waits for",
                    ),
                ),
                (
                    "set_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("set_at", models.DateTimeField()),
                ("why", models.CharField(max_length=300)),
            ],
            options={
                "verbose_name_plural": "house policy",
                "ordering": ["-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classic_reminder_days__gte", 1), ("classic_reminder_days__lte", 60)),
                        name="policy_classic_reminder_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("classic_remind_every_hours__gte", 12), ("classic_remind_every_hours__lte", 336)
                        ),
                        name="policy_classic_remind_every_hours",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("classic_forfeit_days__gte", 2), ("classic_forfeit_days__lte", 120)),
                        name="policy_classic_forfeit_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("idle_user_days__gte", 7), ("idle_user_days__lte", 365)),
                        name="policy_idle_user_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("idle_week_days__gte", 1), ("idle_week_days__lte", 90)),
                        name="policy_idle_week_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("retired_days__gte", 7), ("retired_days__lte", 365)),
                        name="policy_retired_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("immune_points__gte", 0), ("immune_points__lte", 50)),
                        name="policy_immune_points",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mageless_warn_days__gte", 7), ("mageless_warn_days__lte", 365)),
                        name="policy_mageless_warn_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mageless_close_days__gte", 14), ("mageless_close_days__lte", 730)),
                        name="policy_mageless_close_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("warning_days__gte", 1), ("warning_days__lte", 60)),
                        name="policy_warning_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenge_prod_days__gte", 1), ("challenge_prod_days__lte", 60)),
                        name="policy_challenge_prod_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenge_close_days__gte", 2), ("challenge_close_days__lte", 180)),
                        name="policy_challenge_close_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("vacation_most_days__gte", 1), ("vacation_most_days__lte", 120)),
                        name="policy_vacation_most_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("battle_pause_most_days__gte", 0), ("battle_pause_most_days__lte", 365)),
                        name="policy_battle_pause_most_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("practice_deaths__gte", 0), ("practice_deaths__lte", 1)),
                        name="policy_practice_deaths",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("signup_keep_days__gte", 1), ("signup_keep_days__lte", 365)),
                        name="policy_signup_keep_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("guest_keep_days__gte", 1), ("guest_keep_days__lte", 365)),
                        name="policy_guest_keep_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("notice_keep_days__gte", 30), ("notice_keep_days__lte", 3650)),
                        name="policy_notice_keep_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("backups_kept__gte", 1), ("backups_kept__lte", 90)),
                        name="policy_backups_kept",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("outage_minutes__gte", 3), ("outage_minutes__lte", 720)),
                        name="policy_outage_minutes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("outbox_minutes__gte", 5), ("outbox_minutes__lte", 1440)),
                        name="policy_outbox_minutes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("classic_reminder_days__lt", models.F("classic_forfeit_days"))),
                        name="policy_classic_reminder_days_first",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mageless_warn_days__lt", models.F("mageless_close_days"))),
                        name="policy_mageless_warn_days_first",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenge_prod_days__lt", models.F("challenge_close_days"))),
                        name="policy_challenge_prod_days_first",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Preference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="preferences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("key", models.CharField(max_length=40)),
                ("value", models.CharField(max_length=80)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="preference_once_per_key")],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("start", models.CharField(max_length=8)),
                ("hash", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Trace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="traces", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("kind", models.CharField(choices=[("address", "Address"), ("device", "Device")], max_length=7)),
                ("digest", models.CharField(editable=False, max_length=64)),
                ("last_on", models.DateField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["kind", "digest"], name="trace_shared"),
                    models.Index(fields=["last_on"], name="trace_oldest"),
                ],
                "constraints": [models.UniqueConstraint(fields=("user", "kind", "digest"), name="trace_once")],
            },
        ),
        migrations.CreateModel(
            name="UserAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField()),
                ("facts", models.JSONField(default=dict)),
                ("before", models.JSONField(default=dict, editable=False)),
                ("after", models.JSONField(default=dict, editable=False)),
                ("made_at", models.DateTimeField()),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_reason", models.TextField(blank=True, default="")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="acts", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("renamed", "Renamed"),
                            ("sent_away", "vacation for him"),
                            ("called_back", "end of his vacation"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="user_act_has_its_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("undone_at__isnull", True), ("undone_by__isnull", True), ("undone_reason", "")),
                            models.Q(
                                ("undone_at__isnull", False),
                                ("undone_by__isnull", False),
                                models.Q(("undone_reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="user_act_undone_by_somebody_for_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("starts_at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-starts_at", "-pk"],
                "indexes": [
                    models.Index(condition=models.Q(("ended_at", None)), fields=["until"], name="vacation_open_until")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)), fields=("user",), name="vacation_open_once_per_user"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("until__gt", models.F("starts_at"))), name="vacation_has_a_length"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at", None), ("ended_at__gte", models.F("starts_at")), _connector="OR"
                        ),
                        name="vacation_ends_after_its_start",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Engagement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "mage",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="engagement", to="accounts.mage"
                    ),
                ),
                ("kind", models.CharField(choices=[("challenge", "Challenge"), ("battle", "Battle")], max_length=9)),
                ("number", models.PositiveBigIntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "number"], name="engagement_kind_number")],
            },
        ),
        migrations.CreateModel(
            name="AbsenceWarning",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("mage_idle", "a mage is about to retire"),
                            ("mage_retired", "a retired mage is about to leave"),
                            ("user_mageless", "a user is about to be closed"),
                        ],
                        max_length=13,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absence_warnings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mage",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absence_warnings",
                        to="accounts.mage",
                    ),
                ),
                ("warned_at", models.DateTimeField()),
                ("acts_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[("", "stands"), ("came_back", "came back"), ("done", "done")],
                        default="",
                        max_length=9,
                    ),
                ),
            ],
            options={
                "ordering": ["-warned_at", "-pk"],
                "indexes": [
                    models.Index(condition=models.Q(("ended_at", None)), fields=["user"], name="absence_warning_stands")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None), ("mage__isnull", False)),
                        fields=("mage",),
                        name="absence_warning_once_per_mage",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None), ("mage", None)),
                        fields=("user",),
                        name="absence_warning_once_per_user",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "user_mageless"), ("mage", None)),
                            models.Q(models.Q(("kind", "user_mageless"), _negated=True), ("mage__isnull", False)),
                            _connector="OR",
                        ),
                        name="absence_warning_is_of_its_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end", ""), ("ended_at", None)),
                            models.Q(("ended_at__isnull", False), models.Q(("end", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="absence_warning_end_has_its_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AccountWarning",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="account_warnings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("text", models.TextField(help_text="The user reads it as it stands here.", max_length=2000)),
                (
                    "given_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("given_at", models.DateTimeField()),
                (
                    "report",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="warnings",
                        to="accounts.report",
                    ),
                ),
                ("acknowledged_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "warning",
                "ordering": ["-given_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("acknowledged_at", None), ("withdrawn_at", None)),
                        fields=["user"],
                        name="account_warning_waits",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Sanction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sanctions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("reason", models.TextField(help_text="The user reads it as it stands here.", max_length=1000)),
                (
                    "imposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(blank=True, help_text="Empty: until a janitor lifts it.", null=True)),
                (
                    "report",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sanctions",
                        to="accounts.report",
                    ),
                ),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "lifted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("lifted_why", models.CharField(blank=True, default="", max_length=300)),
                ("expired_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "suspension",
                "ordering": ["-starts_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("expired_at", None), ("lifted_at", None)),
                        fields=["ends_at"],
                        name="sanction_ends",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("expired_at", None), ("lifted_at", None)),
                        fields=("user",),
                        name="sanction_once_per_user",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ends_at", None), ("ends_at__gt", models.F("starts_at")), _connector="OR"),
                        name="sanction_has_a_length",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("lifted_at", None), ("lifted_by", None)),
                            models.Q(("lifted_at__isnull", False), ("lifted_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="sanction_lifting_has_its_janitor",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="accounts.notice"
                    ),
                ),
                (
                    "channel",
                    models.CharField(choices=[("mail", "Mail"), ("digest", "Digest")], default="mail", max_length=8),
                ),
                ("address", models.EmailField(blank=True, default="", max_length=254)),
                (
                    "state",
                    models.CharField(
                        choices=[("due", "Due"), ("claimed", "Claimed"), ("sent", "Sent"), ("failed", "Failed")],
                        default="due",
                        max_length=8,
                    ),
                ),
                ("message_id", models.CharField(max_length=200)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField()),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["due", "claimed"])),
                        fields=["due_at"],
                        name="delivery_waiting",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("notice", "channel"), name="delivery_once_per_channel")
                ],
            },
        ),
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
