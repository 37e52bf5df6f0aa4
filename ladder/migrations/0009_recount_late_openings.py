"""Have battles counted again whose openings may contain the column of a mage who ran out of time."""

from django.db import migrations

NOTHING = "--"


def ask_for_counts(apps, schema_editor):
    BattleSide, CountDue = (apps.get_model("ladder", name) for name in ("BattleSide", "CountDue"))
    numbers = (
        BattleSide.objects.filter(opening__contains=NOTHING).order_by().values_list("number", flat=True).distinct()
    )
    CountDue.objects.bulk_create(
        (CountDue(battle=number) for number in numbers.iterator(chunk_size=2000)),
        batch_size=500,
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0008_repeated_wins"),
    ]

    operations = [
        migrations.RunPython(ask_for_counts, migrations.RunPython.noop),
    ]
