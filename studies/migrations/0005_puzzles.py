"""Puzzles come from `duels`, with the tables they have there. Rows that name their models by content type follow."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

MODELS = ("puzzle", "puzzleskill", "puzzletry", "searchedbattle")
SKILL = [
    ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
    ("rating", models.FloatField(default=1500.0)),
    ("deviation", models.FloatField(default=350.0)),
    ("volatility", models.FloatField(default=0.06)),
    ("tries", models.PositiveIntegerField(default=0)),
]


def move_content_types(apps, schema_editor):
    _rename_app(apps, schema_editor, "duels", "studies")


def move_content_types_back(apps, schema_editor):
    _rename_app(apps, schema_editor, "studies", "duels")


def _rename_app(apps, schema_editor, old, new):
    types = apps.get_model("contenttypes", "ContentType").objects.using(schema_editor.connection.alias)
    types.filter(app_label=old, model__in=MODELS).update(app_label=new)


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("duels", "0018_puzzles_move_to_studies"),
        ("studies", "0004_branch_events"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Puzzle",
                    fields=[
                        *SKILL,
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
                    options={"db_table": "duels_puzzle", "ordering": ["pk"]},
                ),
                migrations.CreateModel(
                    name="PuzzleSkill",
                    fields=[
                        *SKILL,
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="puzzle_skill",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={"db_table": "duels_puzzleskill"},
                ),
                migrations.CreateModel(
                    name="SearchedBattle",
                    fields=[
                        SKILL[0],
                        (
                            "battle",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="searched", to="duels.battle"
                            ),
                        ),
                    ],
                    options={"db_table": "duels_searchedbattle"},
                ),
                migrations.CreateModel(
                    name="PuzzleTry",
                    fields=[
                        SKILL[0],
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
