"""A battle in which a turn takes minutes can pause for minutes."""

from django.db import migrations, models
from django.db.models import F

MINUTES_A_DAY = 1440


def count_minutes(apps, schema_editor):
    del schema_editor
    wishes = apps.get_model("duels", "Combatant").objects.filter(pause_minutes__isnull=False)
    wishes.update(pause_minutes=F("pause_minutes") * MINUTES_A_DAY)


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0009_results_seen"),
    ]

    operations = [
        migrations.RenameField(model_name="combatant", old_name="pause_days", new_name="pause_minutes"),
        migrations.AlterField(
            model_name="combatant",
            name="pause_minutes",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(count_minutes, migrations.RunPython.noop),
    ]
