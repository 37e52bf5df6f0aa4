"""Rename a field in the code; its column keeps its name, so that older code can serve."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_clearer_names"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="absencewarning", old_name="acts_at", new_name="due_at"),
                migrations.AlterField(
                    model_name="absencewarning", name="due_at", field=models.DateTimeField(db_column="acts_at")
                ),
            ],
        ),
    ]
