"""Lines of the lobby's room."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0006_names_of_the_desk"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RoomLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=280)),
                (
                    "via",
                    models.CharField(
                        choices=[("page", "Page"), ("api", "Api"), ("mail", "Mail")], default="page", max_length=4
                    ),
                ),
                ("once", models.CharField(editable=False, max_length=16)),
                ("written_at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "removed_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "writer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="room_lines",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["written_at"], name="room_line_written"),
                    models.Index(fields=["writer", "written_at"], name="room_line_writer_written"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("writer", "once"), name="room_line_once"),
                    models.CheckConstraint(
                        condition=models.Q(("via__in", ["page", "api", "mail"])), name="room_line_via_is_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="room_line_says_something"
                    ),
                ],
            },
        ),
    ]
