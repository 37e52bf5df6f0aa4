"""Rename a field in the code; its column keeps its name, so that older code can serve."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0010_pronouns"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(model_name="deadline", name="deadline_stands_or_runs"),
                migrations.RenameField(model_name="deadline", old_name="nag_at", new_name="remind_at"),
                migrations.AlterField(
                    model_name="deadline",
                    name="remind_at",
                    field=models.DateTimeField(blank=True, db_column="nag_at", null=True),
                ),
                migrations.AddConstraint(
                    model_name="deadline",
                    constraint=models.CheckConstraint(
                        condition=Q(
                            running_since=None,
                            due_at=None,
                            ends_at=None,
                            forfeit_at=None,
                            remind_at=None,
                            alarm_at=None,
                        )
                        | Q(
                            running_since__isnull=False,
                            due_at__isnull=False,
                            ends_at__isnull=False,
                            forfeit_at__gte=F("ends_at"),
                        ),
                        name="deadline_stands_or_runs",
                    ),
                ),
            ],
        ),
    ]
