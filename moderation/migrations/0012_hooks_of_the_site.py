"""Journal entries about the hooks of the site."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0011_reported_messages"),
    ]

    operations = [
        migrations.AlterField(
            model_name="journalentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("looked", "Looked"),
                    ("asked", "Asked"),
                    ("rewound", "Rewound"),
                    ("replayed", "Replayed"),
                    ("ordered", "Ordered"),
                    ("annulled", "Annulled"),
                    ("decided", "Decided"),
                    ("excused", "Excused"),
                    ("extended", "Extended"),
                    ("paused", "Paused"),
                    ("resumed", "Resumed"),
                    ("stuck", "Stuck"),
                    ("tried", "Tried"),
                    ("voided", "Voided"),
                    ("removed", "Removed"),
                    ("chosen", "Chosen"),
                    ("renamed", "Renamed"),
                    ("sent_away", "vacation started"),
                    ("called_back", "vacation ended"),
                    ("suspended", "Suspended"),
                    ("lifted", "suspension lifted"),
                    ("warned", "Warned"),
                    ("withdrawn", "warning withdrawn"),
                    ("muted", "muted in the lobby"),
                    ("taken_down", "text taken down"),
                    ("closed", "account closed"),
                    ("host_marked", "marked as a host"),
                    ("host_removed", "no longer a host"),
                    ("hook_added", "hook added"),
                    ("hook_changed", "hook changed"),
                    ("hook_removed", "hook removed"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
    ]
