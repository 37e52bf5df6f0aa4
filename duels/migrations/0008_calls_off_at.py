"""Who is in a battle may agree with the others to end it for an absence."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0007_clock_trouble"),
    ]

    operations = [
        migrations.AddField(
            model_name="combatant",
            name="calls_off_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
