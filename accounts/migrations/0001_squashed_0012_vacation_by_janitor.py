import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

GROUPS = ("Janitors", "Read-only janitors")


def make_groups(apps, schema_editor):
    group = apps.get_model("auth", "Group")
    for name in GROUPS:
        group.objects.get_or_create(name=name)


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0001_initial"),
        ("accounts", "0002_idempotent_answers"),
        ("accounts", "0003_bot_accounts"),
        ("accounts", "0004_webhooks"),
        ("accounts", "0005_follow"),
        ("accounts", "0006_push_devices"),
        ("accounts", "0007_index_of_bots"),
        ("accounts", "0008_pronouns"),
        ("accounts", "0009_clearer_names"),
        ("accounts", "0010_warning_due_at"),
        ("accounts", "0011_mail_refused_since"),
        ("accounts", "0012_vacation_by_janitor"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="PushKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sealed_key", models.TextField(editable=False)),
            ],
        ),
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
                ("email", models.EmailField(blank=True, default="", max_length=254, verbose_name="email address")),
                ("mail_password", models.CharField(blank=True, default="", editable=False, max_length=128)),
                ("mail_fails_since", models.DateTimeField(blank=True, editable=False, null=True)),
                ("is_guest", models.BooleanField(default=False, verbose_name="guest")),
                ("is_bot", models.BooleanField(default=False, editable=False, verbose_name="bot")),
                ("bot_strength", models.CharField(blank=True, default="", editable=False, max_length=20)),
                ("is_active", models.BooleanField(default=True, verbose_name="open")),
                ("is_staff", models.BooleanField(default=False, verbose_name="janitor")),
                ("is_held", models.BooleanField(default=False, editable=False)),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "Same as my device"), ("light", "Light"), ("dark", "Dark")],
                        default="system",
                        max_length=8,
                    ),
                ),
                ("language", models.CharField(blank=True, default="", max_length=16)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
                (
                    "last_active_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="last active"),
                ),
                ("has_webhook", models.BooleanField(default=False, editable=False)),
                ("has_push", models.BooleanField(db_default=False, default=False, editable=False)),
                (
                    "idle_check_at",
                    models.DateTimeField(
                        db_column="idle_look_at", db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("mail_refused_since", models.DateTimeField(blank=True, editable=False, null=True)),
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
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_active", True), ("is_guest", False)),
                        fields=["-last_active_at", "id"],
                        name="user_active_last",
                    ),
                    models.Index(
                        condition=models.Q(("mail_fails_since__isnull", False)),
                        fields=["mail_fails_since"],
                        name="user_mail_fails",
                    ),
                    models.Index(condition=models.Q(("is_bot", True)), fields=["bot_strength"], name="user_bots"),
                    models.Index(
                        condition=models.Q(("is_active", True)), fields=["idle_check_at"], name="user_idle_check"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("username"), name="user_username_case_blind"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("bot_strength", ""), _negated=True),
                        fields=("bot_strength",),
                        name="user_one_bot_a_strength",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("bot_strength", ""), models.Q(("email", ""), ("is_bot", True)), _connector="OR"
                        ),
                        name="user_bot_has_no_address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_bot", False),
                            models.Q(("is_guest", False), ("is_staff", False), ("is_superuser", False)),
                            _connector="OR",
                        ),
                        name="user_bot_is_nothing_else",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AccountWarning",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(help_text="The user sees this text.", max_length=2000, verbose_name="text")),
                ("given_at", models.DateTimeField(verbose_name="given")),
                ("acknowledged_at", models.DateTimeField(blank=True, null=True, verbose_name="acknowledged")),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True, verbose_name="withdrawn")),
                (
                    "given_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="given by",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="account_warnings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "warning",
                "ordering": ["-given_at", "-pk"],
                "verbose_name_plural": "warnings",
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
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("start", models.CharField(max_length=8)),
                ("hash", models.CharField(max_length=64, unique=True)),
                ("scopes", models.CharField(default="read", max_length=100)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("expires_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocked_by",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="blocks", to=settings.AUTH_USER_MODEL
                    ),
                ),
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
            name="ClockUpdate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("due_at", models.DateTimeField(db_column="look_at")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="clock_update",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "accounts_absencenews",
                "indexes": [models.Index(fields=["due_at"], name="clock_update_due")],
            },
        ),
        migrations.CreateModel(
            name="Follow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField()),
                (
                    "followed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed_by",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="follows", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "followed"), name="follow_once_per_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("user", models.F("followed")), _negated=True),
                        name="follow_is_of_somebody_else",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotentAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hash", models.CharField(max_length=64, unique=True)),
                ("request", models.CharField(max_length=64)),
                ("sealed", models.TextField(blank=True, default="", editable=False)),
                ("created_at", models.DateTimeField(db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Mage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20, unique=True, verbose_name="name")),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
                (
                    "last_active_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="last active"),
                ),
                ("died_at", models.DateTimeField(blank=True, null=True, verbose_name="died")),
                ("retired_at", models.DateTimeField(blank=True, null=True, verbose_name="retired")),
                (
                    "pronoun",
                    models.CharField(
                        choices=[("they", "they"), ("she", "she"), ("he", "he"), ("it", "it")],
                        db_default="they",
                        default="they",
                        max_length=4,
                        verbose_name="pronoun",
                    ),
                ),
                (
                    "idle_check_at",
                    models.DateTimeField(
                        db_column="idle_look_at", db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="mages",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "verbose_name": "mage",
                "verbose_name_plural": "mages",
                "indexes": [
                    models.Index(
                        condition=models.Q(("died_at", None)), fields=["-last_active_at", "id"], name="mage_active_last"
                    ),
                    models.Index(
                        condition=models.Q(("died_at", None)), fields=["idle_check_at"], name="mage_idle_check"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(django.db.models.functions.text.Lower("name"), name="mage_name_case_blind")
                ],
            },
        ),
        migrations.CreateModel(
            name="Engagement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("challenge", "Challenge"), ("battle", "Battle")], max_length=9, verbose_name="kind"
                    ),
                ),
                ("number", models.PositiveBigIntegerField(verbose_name="number")),
                (
                    "mage",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="engagement",
                        to="accounts.mage",
                        verbose_name="mage",
                    ),
                ),
            ],
            options={
                "verbose_name": "engagement",
                "verbose_name_plural": "engagements",
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
                            ("user_mageless", "an account is about to be closed"),
                        ],
                        max_length=13,
                    ),
                ),
                ("warned_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[("", "active"), ("came_back", "came back"), ("done", "done")],
                        default="",
                        max_length=9,
                    ),
                ),
                ("due_at", models.DateTimeField(db_column="acts_at")),
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
            name="Name",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=20, unique=True, verbose_name="key")),
                ("written", models.CharField(max_length=20, verbose_name="written")),
                (
                    "kind",
                    models.CharField(choices=[("user", "User"), ("mage", "Mage")], max_length=4, verbose_name="kind"),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="names",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="owner",
                    ),
                ),
            ],
            options={
                "verbose_name": "name",
                "verbose_name_plural": "names",
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
            name="PushDevice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.TextField()),
                ("endpoint_hash", models.CharField(max_length=64, unique=True)),
                ("sealed_keys", models.TextField(editable=False)),
                ("session_key", models.CharField(db_index=True, editable=False, max_length=40)),
                ("user_agent", models.CharField(blank=True, default="", max_length=200)),
                ("created_at", models.DateTimeField()),
                ("reached_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_devices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Sanction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.TextField(help_text="The user sees this text.", max_length=1000, verbose_name="reason"),
                ),
                ("starts_at", models.DateTimeField(verbose_name="starts")),
                (
                    "ends_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Leave empty to wait for a janitor to lift it.",
                        null=True,
                        verbose_name="ends",
                    ),
                ),
                ("lifted_at", models.DateTimeField(blank=True, null=True, verbose_name="lifted")),
                ("lifted_why", models.CharField(blank=True, default="", max_length=300)),
                ("expired_at", models.DateTimeField(blank=True, null=True, verbose_name="expired")),
                (
                    "imposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="imposed by",
                    ),
                ),
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
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sanctions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "suspension",
                "ordering": ["-starts_at", "-pk"],
                "verbose_name_plural": "suspensions",
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
            name="Trace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("address", "Address"), ("device", "Device")], max_length=7)),
                ("digest", models.CharField(editable=False, max_length=64)),
                ("last_on", models.DateField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="traces", to=settings.AUTH_USER_MODEL
                    ),
                ),
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
            name="UserMerge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=300, verbose_name="reason")),
                ("moved", models.JSONField()),
                ("merged_at", models.DateTimeField(verbose_name="merged")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
                ("is_counted", models.BooleanField(default=False, editable=False)),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="kept",
                    ),
                ),
                (
                    "merged",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged_into",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="merged",
                    ),
                ),
                (
                    "merged_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="merged by",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
            ],
            options={
                "ordering": ["-merged_at", "-pk"],
                "verbose_name": "merged user",
                "verbose_name_plural": "merged users",
                "indexes": [
                    models.Index(condition=models.Q(("is_counted", False)), fields=["id"], name="user_merge_to_count")
                ],
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
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("starts_at", models.DateTimeField(verbose_name="starts")),
                ("until", models.DateTimeField(verbose_name="until")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                ("by_janitor", models.BooleanField(db_default=False, default=False, editable=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "ordering": ["-starts_at", "-pk"],
                "verbose_name": "vacation",
                "verbose_name_plural": "vacations",
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
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("url", models.CharField(max_length=500)),
                ("sealed_secret", models.TextField(editable=False)),
                ("created_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("retry_at", models.DateTimeField(blank=True, null=True)),
                ("off_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, default="", max_length=200)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhook", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
