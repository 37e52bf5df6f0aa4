"""Rename two fields in the code; their columns keep their names, so that older code can serve."""

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0002_standing_challenges_of_bots"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(model_name="challenge", name="challenge_stale_look"),
                migrations.RemoveIndex(model_name="proposal", name="proposal_lapsing"),
                migrations.RenameField(model_name="challenge", old_name="stale_look_at", new_name="stale_check_at"),
                migrations.RenameField(model_name="proposal", old_name="lapses_at", new_name="expires_at"),
                migrations.AlterField(
                    model_name="challenge",
                    name="stale_check_at",
                    field=models.DateTimeField(
                        db_column="stale_look_at",
                        db_default=django.db.models.functions.datetime.Now(),
                        editable=False,
                    ),
                ),
                migrations.AlterField(
                    model_name="proposal", name="expires_at", field=models.DateTimeField(db_column="lapses_at")
                ),
                migrations.AlterField(
                    model_name="proposal",
                    name="state",
                    field=models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("adopted", "Adopted"),
                            ("rejected", "Rejected"),
                            ("taken_back", "Taken Back"),
                            ("lapsed", "Expired"),
                            ("moot", "Moot"),
                            ("abandoned", "Abandoned"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                migrations.AddIndex(
                    model_name="challenge",
                    index=models.Index(
                        fields=["stale_check_at"], name="challenge_stale_look", condition=models.Q(status="open")
                    ),
                ),
                migrations.AddIndex(
                    model_name="proposal",
                    index=models.Index(
                        fields=["expires_at"], name="proposal_lapsing", condition=models.Q(state="pending")
                    ),
                ),
            ],
        ),
        migrations.RenameIndex(
            model_name="challenge", old_name="challenge_stale_look", new_name="challenge_stale_check"
        ),
        migrations.RenameIndex(model_name="proposal", old_name="proposal_lapsing", new_name="proposal_expiring"),
    ]
