"""Players are shown how their battles ended until they have seen it; what ended before now counts as seen."""

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def mark_seen(apps, schema_editor):
    del schema_editor
    Battle, Combatant = apps.get_model("duels", "Battle"), apps.get_model("duels", "Combatant")
    ended = Battle.objects.filter(pk=OuterRef("battle_id")).values("finished_at")[:1]
    Combatant.objects.filter(battle__finished_at__isnull=False).update(result_seen=Subquery(ended))


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0008_calls_off_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="combatant",
            name="result_seen",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="combatant",
            name="is_fall_seen",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_seen, migrations.RunPython.noop),
    ]
