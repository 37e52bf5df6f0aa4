"""Journal entries about personal data that a janitor sends or erases, and about stopped email."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0013_reports_of_strangers"),
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
                    ("erased", "data erased"),
                    ("exported", "data sent to its user"),
                    ("mail_stopped", "email stopped"),
                    ("mail_resumed", "email resumed"),
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
