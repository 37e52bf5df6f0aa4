"""Private notes of users on users and battles."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0019_words_about_oneself"),
    ]

    operations = [
        migrations.CreateModel(
            name="PrivateNote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about_battle", models.PositiveBigIntegerField(blank=True, null=True)),
                ("text", models.CharField(max_length=500)),
                ("written_at", models.DateTimeField()),
                (
                    "about_user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "writer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="private_notes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("writer", "about_user"), name="private_note_once_per_user"),
                    models.UniqueConstraint(fields=("writer", "about_battle"), name="private_note_once_per_battle"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("about_battle__isnull", True), ("about_user__isnull", False)),
                            models.Q(("about_battle__isnull", False), ("about_user__isnull", True)),
                            _connector="OR",
                        ),
                        name="private_note_is_about_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("about_user__isnull", True),
                            models.Q(("about_user", models.F("writer")), _negated=True),
                            _connector="OR",
                        ),
                        name="private_note_is_about_somebody_else",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="private_note_says_something"
                    ),
                ],
            },
        ),
    ]
