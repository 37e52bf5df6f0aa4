"""The time that the players of a league or cup duel have used, and their late turns."""

import datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0023_hooks_of_battles"),
    ]

    operations = [
        migrations.AddField(
            model_name="combatant",
            name="late_turns",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="combatant",
            name="time_used",
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0), editable=False),
        ),
    ]
