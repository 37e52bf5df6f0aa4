"""Rename a field in the code; its column keeps its name, so that older code can serve."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0004_reminded_at"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(model_name="challenge", name="challenge_standing_once"),
                migrations.RenameField(model_name="challenge", old_name="standing", new_name="bot_pace"),
                migrations.AlterField(
                    model_name="challenge",
                    name="bot_pace",
                    field=models.CharField(
                        blank=True, db_column="standing", db_default="", default="", editable=False, max_length=10
                    ),
                ),
                migrations.AddConstraint(
                    model_name="challenge",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("status", "open"), models.Q(("bot_pace", ""), _negated=True)),
                        fields=("bot_pace",),
                        name="challenge_standing_once",
                    ),
                ),
            ],
        ),
    ]
