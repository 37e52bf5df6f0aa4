"""Takes over the tables of puzzles, which `duels` makes. Rows that name their models by content type follow."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

MODELS = ("puzzle", "puzzleskill", "puzzletry", "searchedbattle")


def move_content_types(apps, schema_editor):
    _rename_app(apps, schema_editor, "duels", "studies")


def move_content_types_back(apps, schema_editor):
    _rename_app(apps, schema_editor, "studies", "duels")


def _rename_app(apps, schema_editor, old, new):
    types = apps.get_model("contenttypes", "ContentType").objects.using(schema_editor.connection.alias)
    types.filter(app_label=old, model__in=MODELS).update(app_label=new)


class Migration(migrations.Migration):
    replaces = [
        ("studies", "0001_what_if_analyses_and_notes"),
        ("studies", "0002_imports_and_collections"),
        ("studies", "0003_analyses_by_the_archmage"),
        ("studies", "0004_branch_events"),
        ("studies", "0005_puzzles"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("contenttypes", "0002_remove_content_type_name"),
        ("duels", "0018_puzzles_move_to_studies"),
    ]

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=24, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("words", models.TextField(blank=True, default="", max_length=2000)),
                (
                    "access",
                    models.CharField(
                        choices=[("private", "Private"), ("link", "Link"), ("public", "Public")],
                        default="private",
                        max_length=7,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="collections",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("access__in", ["private", "link", "public"])),
                        name="collection_access_is_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("label", models.CharField(max_length=12)),
                ("text", models.TextField(max_length=2000)),
                ("written_at", models.DateTimeField()),
                (
                    "combatant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="thoughts", to="duels.combatant"
                    ),
                ),
            ],
            options={
                "ordering": ["seq", "attempt", "combatant"],
                "constraints": [
                    models.UniqueConstraint(fields=("combatant", "seq", "attempt"), name="note_once_per_turn")
                ],
            },
        ),
        migrations.CreateModel(
            name="Study",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=24, unique=True)),
                ("mage", models.CharField(blank=True, default="", max_length=80)),
                ("title", models.CharField(blank=True, default="", max_length=80)),
                (
                    "access",
                    models.CharField(
                        choices=[("private", "Private"), ("link", "Link"), ("public", "Public")],
                        default="private",
                        max_length=7,
                    ),
                ),
                ("seed", models.CharField(editable=False, max_length=64)),
                ("answers", models.JSONField(default=dict)),
                ("last_branch", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField()),
                ("recorded", models.PositiveSmallIntegerField(default=0)),
                (
                    "battle",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="studies",
                        to="duels.battle",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="studies", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "studies",
                "ordering": ["-created_at", "-pk"],
                "indexes": [models.Index(fields=["battle", "access"], name="study_of_battle")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("access__in", ["private", "link", "public"])), name="study_access_is_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("form", models.CharField(max_length=12)),
                ("record", models.TextField(editable=False)),
                ("doubts", models.JSONField(default=list, editable=False)),
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="source", to="studies.study"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CollectionEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("words", models.CharField(blank=True, default="", max_length=200)),
                ("added_at", models.DateTimeField()),
                (
                    "battle",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="duels.battle",
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="studies.collection"
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="studies.study",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "collection entries",
                "ordering": ["added_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "battle"), name="battle_once_per_collection"),
                    models.CheckConstraint(
                        condition=models.Q(("battle__isnull", False), ("study__isnull", False), _connector="XOR"),
                        name="entry_of_battle_or_study",
                    ),
                    models.UniqueConstraint(fields=("collection", "study"), name="study_once_per_collection"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Branch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("digest", models.CharField(blank=True, default="", editable=False, max_length=64)),
                ("seq", models.PositiveIntegerField(default=0)),
                ("label", models.CharField(blank=True, default="", max_length=12)),
                ("orders", models.JSONField(default=dict, editable=False)),
                ("state", models.JSONField(editable=False)),
                ("drafts", models.JSONField(default=dict, editable=False)),
                ("name", models.CharField(blank=True, default="", max_length=60)),
                ("comment", models.TextField(blank=True, default="", max_length=2000)),
                ("created_at", models.DateTimeField()),
                ("events", models.JSONField(db_column="told", default=list, editable=False)),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="studies.branch",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="branches", to="studies.study"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "branches",
                "ordering": ["study", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("study", "number"), name="branch_once_per_number"),
                    models.UniqueConstraint(
                        condition=models.Q(("parent__isnull", False)),
                        fields=("parent", "digest"),
                        name="branch_once_per_orders",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("number", 0), ("parent__isnull", True)),
                            models.Q(("number__gt", 0), ("parent__isnull", False)),
                            _connector="OR",
                        ),
                        name="branch_root_has_no_parent",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Analysis",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ended_at", models.DateTimeField()),
                ("total", models.PositiveSmallIntegerField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("summary", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField()),
                (
                    "strength",
                    models.CharField(
                        choices=[("Magus", "Magus"), ("Archmage", "Archmage")],
                        db_default="Magus",
                        default="Magus",
                        editable=False,
                        max_length=8,
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="analyses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "battle",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analyses",
                        to="duels.battle",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analyses",
                        to="studies.study",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "analyses",
                "ordering": ["created_at"],
                "indexes": [
                    models.Index(condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="analysis_due")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("battle__isnull", False), ("study__isnull", False), _connector="XOR"),
                        name="analysis_of_battle_or_import",
                    ),
                    models.UniqueConstraint(
                        fields=("battle", "ended_at", "strength"), name="analysis_once_per_end_and_bot"
                    ),
                    models.UniqueConstraint(fields=("study", "strength"), name="analysis_once_per_import_and_bot"),
                    models.CheckConstraint(
                        condition=models.Q(("strength__in", ["Magus", "Archmage"])), name="analysis_strength_is_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AnalysedTurn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("facts", models.JSONField()),
                (
                    "analysis",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="turns", to="studies.analysis"
                    ),
                ),
            ],
            options={
                "ordering": ["analysis", "seq"],
                "constraints": [models.UniqueConstraint(fields=("analysis", "seq"), name="analysed_once_per_turn")],
            },
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Puzzle",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("rating", models.FloatField(default=1500.0)),
                        ("deviation", models.FloatField(default=350.0)),
                        ("volatility", models.FloatField(default=0.06)),
                        ("tries", models.PositiveIntegerField(default=0)),
                        ("key", models.CharField(max_length=40, unique=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("win", "Win"), ("two", "Two"), ("survive", "Survive")], max_length=8
                            ),
                        ),
                        ("mage", models.CharField(max_length=40)),
                        ("state", models.JSONField(editable=False)),
                        ("events", models.JSONField(db_column="told", default=list, editable=False)),
                        ("solutions", models.JSONField(default=list, editable=False)),
                        ("answers", models.JSONField(default=list, editable=False)),
                        ("reply", models.TextField(blank=True, default="", editable=False)),
                        ("added_on", models.DateField()),
                        ("solved", models.PositiveIntegerField(default=0)),
                        (
                            "battle",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="puzzles",
                                to="duels.battle",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "duels_puzzle",
                        "ordering": ["pk"],
                    },
                ),
                migrations.CreateModel(
                    name="PuzzleSkill",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("rating", models.FloatField(default=1500.0)),
                        ("deviation", models.FloatField(default=350.0)),
                        ("volatility", models.FloatField(default=0.06)),
                        ("tries", models.PositiveIntegerField(default=0)),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="puzzle_skill",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "db_table": "duels_puzzleskill",
                    },
                ),
                migrations.CreateModel(
                    name="SearchedBattle",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "battle",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="searched", to="duels.battle"
                            ),
                        ),
                    ],
                    options={
                        "db_table": "duels_searchedbattle",
                    },
                ),
                migrations.CreateModel(
                    name="PuzzleTry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("solved", models.BooleanField()),
                        ("tried_at", models.DateTimeField()),
                        ("rating_before", models.FloatField()),
                        ("rating_after", models.FloatField()),
                        (
                            "puzzle",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="first_tries",
                                to="studies.puzzle",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="puzzle_tries",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "db_table": "duels_puzzletry",
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "puzzle"), name="puzzle_tried_first_once")
                        ],
                    },
                ),
            ],
        ),
        migrations.RunPython(move_content_types, move_content_types_back),
    ]
