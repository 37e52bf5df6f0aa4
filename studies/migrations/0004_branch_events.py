"""Rename a field in the code; its column keeps its name, so that older code can serve."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studies", "0003_analyses_by_the_archmage"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="branch", old_name="told", new_name="events"),
                migrations.AlterField(
                    model_name="branch",
                    name="events",
                    field=models.JSONField(db_column="told", default=list, editable=False),
                ),
            ],
        ),
    ]
