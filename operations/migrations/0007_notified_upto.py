"""Rename a field in the code; its column keeps its name, so that older code can serve."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("operations", "0006_reworded_idle_days"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(model_name="announcement", name="announcement_to_tell"),
                migrations.RenameField(model_name="announcement", old_name="told_upto", new_name="notified_upto"),
                migrations.AlterField(
                    model_name="announcement",
                    name="notified_upto",
                    field=models.PositiveBigIntegerField(blank=True, db_column="told_upto", default=None, null=True),
                ),
                migrations.AddIndex(
                    model_name="announcement",
                    index=models.Index(
                        fields=["id"], name="announcement_to_tell", condition=models.Q(notified_upto__isnull=False)
                    ),
                ),
            ],
        ),
    ]
