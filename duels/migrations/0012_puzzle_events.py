"""Rename a field in the code; its column keeps its name, so that older code can serve."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0011_reminders"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="puzzle", old_name="told", new_name="events"),
                migrations.AlterField(
                    model_name="puzzle",
                    name="events",
                    field=models.JSONField(db_column="told", default=list, editable=False),
                ),
            ],
        ),
    ]
