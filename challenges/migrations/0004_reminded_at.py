"""Rename a field in the code; its column keeps its name, so that older code can serve."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0003_clearer_names"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="challenge", old_name="prodded_at", new_name="reminded_at"),
                migrations.AlterField(
                    model_name="challenge",
                    name="reminded_at",
                    field=models.DateTimeField(blank=True, db_column="prodded_at", null=True),
                ),
            ],
        ),
    ]
