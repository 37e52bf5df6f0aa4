"""Battles whose clocks cannot be looked after step back, and an absence says when it will be long. Those that go on are
looked at once, to find that out."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q


def look_at_absences(apps: Any, schema_editor: Any) -> None:
    stops = apps.get_model("duels", "ClockStop").objects.using(schema_editor.connection.alias)
    stops.filter(ended_at=None, reason__in=["vacation", "bounce"]).update(long_at=F("since"))


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0006_tried"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClockTrouble",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "battle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="clock_trouble", to="duels.battle"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("retry_at", models.DateTimeField()),
                ("failures", models.PositiveIntegerField(default=1)),
                ("error", models.CharField(max_length=200)),
            ],
        ),
        migrations.AddField(model_name="clockstop", name="long_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            model_name="clockstop",
            index=models.Index(
                condition=Q(("ended_at", None), ("long_at__isnull", False)), fields=["long_at"], name="clock_stop_long"
            ),
        ),
        migrations.RunPython(look_at_absences, migrations.RunPython.noop),
    ]
