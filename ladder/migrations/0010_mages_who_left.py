"""Note that the mages whom no battle killed have left."""

from django.db import migrations


def note_who_left(apps, schema_editor):
    Mage, Remembrance = apps.get_model("accounts", "Mage"), apps.get_model("ladder", "Remembrance")
    gone = Mage.objects.filter(died_at__isnull=False)
    gone.exclude(pk__in=Remembrance.objects.values("mage")).update(has_left=True)


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0009_recount_late_openings"),
        ("accounts", "0015_mages_who_left"),
    ]

    operations = [
        migrations.RunPython(note_who_left, migrations.RunPython.noop),
    ]
