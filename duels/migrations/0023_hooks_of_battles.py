"""Whether a battle has hooks of its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0022_quick_phrases"),
    ]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="has_hooks",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
