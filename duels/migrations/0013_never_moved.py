"""Note of a missed turn whether the mage had never moved."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0012_puzzle_events"),
    ]

    operations = [
        migrations.AddField(
            model_name="missedturn",
            name="never_moved",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
