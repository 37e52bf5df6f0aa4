import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("duels", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about_battle", models.PositiveBigIntegerField(blank=True, null=True)),
                ("text", models.TextField(max_length=2000)),
                ("created_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "New"), ("in_hand", "In progress"), ("answered", "Answered")],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("answer", models.TextField(blank=True, default="", max_length=2000)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
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
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports_made",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
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
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="JournalEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("looked", "Looked"),
                            ("asked", "Asked"),
                            ("rewound", "Rewound"),
                            ("replayed", "Replayed"),
                            ("ordered", "Ordered"),
                            ("annulled", "Annulled"),
                            ("decided", "Decided"),
                            ("excused", "Excused"),
                            ("extended", "Extended"),
                            ("paused", "Paused"),
                            ("resumed", "Resumed"),
                            ("tried", "Tried"),
                            ("renamed", "Renamed"),
                            ("sent_away", "vacation started"),
                            ("called_back", "vacation ended"),
                            ("suspended", "Suspended"),
                            ("lifted", "suspension lifted"),
                            ("warned", "Warned"),
                            ("withdrawn", "warning withdrawn"),
                        ],
                        max_length=12,
                    ),
                ),
                ("number", models.PositiveIntegerField(default=0)),
                ("seq", models.PositiveIntegerField(default=0)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("label", models.CharField(blank=True, default="", max_length=12)),
                ("reason", models.TextField()),
                ("facts", models.JSONField(default=dict)),
                ("before", models.JSONField(default=dict, editable=False)),
                ("after", models.JSONField(default=dict, editable=False)),
                ("made_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_reason", models.TextField(blank=True, default="")),
                (
                    "battle",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="journal",
                        to="duels.battle",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
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
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="journal",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="journal",
                        to="moderation.report",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("user__isnull", False)), fields=["user", "-made_at"], name="journal_of_user"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "number"), name="journal_number_once_per_battle"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("battle__isnull", False), ("number__gt", 0), ("user__isnull", True)),
                            models.Q(("battle__isnull", True), ("number", 0), ("user__isnull", False)),
                            _connector="OR",
                        ),
                        name="journal_entry_is_about_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="journal_entry_has_its_reason"
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
                        name="journal_entry_undone_for_a_reason",
                    ),
                ],
                "verbose_name_plural": "journal entries",
                "ordering": ["-made_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("agrees", models.BooleanField(blank=True, null=True)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consents",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "asked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="consents",
                        to="moderation.journalentry",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("asked", "user"), name="consent_once_per_player"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("agrees__isnull", True), ("answered_at__isnull", True)),
                            models.Q(("agrees__isnull", False), ("answered_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="consent_answered_has_its_time",
                    ),
                ],
            },
        ),
    ]
