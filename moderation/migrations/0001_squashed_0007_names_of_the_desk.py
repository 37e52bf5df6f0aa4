import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("moderation", "0001_initial"),
        ("moderation", "0002_removed_lines"),
        ("moderation", "0003_words_taken_down"),
        ("moderation", "0004_plainer_kinds"),
        ("moderation", "0005_stuck_and_void"),
        ("moderation", "0006_account_closed"),
        ("moderation", "0007_names_of_the_desk"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("duels", "0019_names_of_the_desk"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [
        migrations.CreateModel(
            name="SecondFactor",
            fields=[],
            options={
                "verbose_name": "second factor",
                "verbose_name_plural": "second factors",
                "proxy": True,
            },
            bases=("mfa.authenticator",),
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about_battle", models.PositiveBigIntegerField(blank=True, null=True)),
                ("text", models.TextField(max_length=2000, verbose_name="text")),
                ("created_at", models.DateTimeField(verbose_name="created")),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "New"), ("in_hand", "In progress"), ("answered", "Answered")],
                        default="open",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("answer", models.TextField(blank=True, default="", max_length=2000, verbose_name="answer")),
                ("answered_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "about_user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports_about",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="about user",
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
                        verbose_name="janitor",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports_made",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="reported by",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "verbose_name": "report",
                "verbose_name_plural": "reports",
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
                            ("stuck", "Stuck"),
                            ("tried", "Tried"),
                            ("voided", "Voided"),
                            ("removed", "Removed"),
                            ("renamed", "Renamed"),
                            ("sent_away", "vacation started"),
                            ("called_back", "vacation ended"),
                            ("suspended", "Suspended"),
                            ("lifted", "suspension lifted"),
                            ("warned", "Warned"),
                            ("withdrawn", "warning withdrawn"),
                            ("taken_down", "text taken down"),
                            ("closed", "account closed"),
                        ],
                        max_length=12,
                        verbose_name="kind",
                    ),
                ),
                ("number", models.PositiveIntegerField(default=0, verbose_name="number")),
                ("seq", models.PositiveIntegerField(default=0)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("label", models.CharField(blank=True, default="", max_length=12, verbose_name="turn")),
                ("reason", models.TextField(verbose_name="reason")),
                ("facts", models.JSONField(default=dict)),
                ("before", models.JSONField(default=dict, editable=False, verbose_name="before")),
                ("after", models.JSONField(default=dict, editable=False, verbose_name="after")),
                ("made_at", models.DateTimeField(verbose_name="when")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
                ("undone_reason", models.TextField(blank=True, default="")),
                (
                    "battle",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="journal",
                        to="duels.battle",
                        verbose_name="battle",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
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
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="journal",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
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
                        verbose_name="report",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "journal entries",
                "ordering": ["-made_at", "-pk"],
                "verbose_name": "journal entry",
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
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("by__isnull", True), ("kind", "stuck")),
                            models.Q(models.Q(("kind", "stuck"), _negated=True), ("by__isnull", False)),
                            _connector="OR",
                        ),
                        name="journal_entry_has_its_author",
                    ),
                ],
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
