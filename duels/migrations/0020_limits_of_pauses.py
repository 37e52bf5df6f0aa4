from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone


def limit_what_is_running(apps, schema_editor):
    now = timezone.now()
    stops = apps.get_model("duels", "ClockStop").objects.filter(reason="janitor", ended_at=None, until=None)
    stops.update(until=now + timedelta(days=30))
    wishes = apps.get_model("duels", "Combatant").objects.filter(pause_minutes__isnull=False)
    wishes.update(pause_asked_at=now)


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0019_names_of_the_desk"),
    ]

    operations = [
        migrations.AddField(
            model_name="combatant",
            name="pause_asked_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name="combatant",
            index=models.Index(
                condition=models.Q(("pause_asked_at__isnull", False)),
                fields=["pause_asked_at"],
                name="combatant_pause_asked",
            ),
        ),
        migrations.RunPython(limit_what_is_running, migrations.RunPython.noop),
    ]
