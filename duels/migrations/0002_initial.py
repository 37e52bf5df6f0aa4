import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("duels", "0001_initial"),
        ("moderation", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="taken_back_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="turns_taken_back",
                to="moderation.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="turn",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="duels.turn"
            ),
        ),
        migrations.AddField(
            model_name="turnevent",
            name="battle",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="events", to="duels.battle"
            ),
        ),
        migrations.AddField(
            model_name="turnevent",
            name="turn",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="events", to="duels.turn"
            ),
        ),
        migrations.AddConstraint(
            model_name="combatant",
            constraint=models.UniqueConstraint(fields=("battle", "mage"), name="combatant_once_per_battle"),
        ),
        migrations.AddConstraint(
            model_name="combatant",
            constraint=models.UniqueConstraint(fields=("battle", "position"), name="combatant_has_his_own_place"),
        ),
        migrations.AddIndex(
            model_name="clockstop",
            index=models.Index(
                condition=models.Q(("ended_at", None), ("long_at__isnull", False)),
                fields=["long_at"],
                name="clock_stop_long",
            ),
        ),
        migrations.AddIndex(
            model_name="clockstop",
            index=models.Index(
                condition=models.Q(("ended_at", None), ("until__isnull", False)),
                fields=["until"],
                name="clock_stop_ends",
            ),
        ),
        migrations.AddIndex(
            model_name="clockstop",
            index=models.Index(condition=models.Q(("ended_at", None)), fields=["reason"], name="clock_stop_open"),
        ),
        migrations.AddConstraint(
            model_name="clockstop",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)),
                fields=("combatant", "reason"),
                name="clock_stop_open_once_per_mage",
            ),
        ),
        migrations.AddConstraint(
            model_name="clockstop",
            constraint=models.UniqueConstraint(
                condition=models.Q(("combatant", None), ("ended_at", None)),
                fields=("battle", "reason"),
                name="clock_stop_open_once_per_battle",
            ),
        ),
        migrations.AddConstraint(
            model_name="clockstop",
            constraint=models.CheckConstraint(
                condition=models.Q(("ended_at", None), ("ended_at__gte", models.F("since")), _connector="OR"),
                name="clock_stop_ends_after_its_start",
            ),
        ),
        migrations.AddIndex(
            model_name="replay",
            index=models.Index(fields=["played_at"], name="replay_longest_ago"),
        ),
        migrations.AddIndex(
            model_name="ordersheet",
            index=models.Index(condition=models.Q(("ready", False)), fields=["stage"], name="sheet_waited_for"),
        ),
        migrations.AddConstraint(
            model_name="ordersheet",
            constraint=models.UniqueConstraint(fields=("stage", "combatant"), name="sheet_once_per_mage_and_stage"),
        ),
        migrations.AddConstraint(
            model_name="ordersheet",
            constraint=models.CheckConstraint(
                condition=models.Q(("ready", False), ("submitted_at__isnull", False), _connector="OR"),
                name="sheet_ready_was_submitted",
            ),
        ),
        migrations.AddIndex(
            model_name="missedturn",
            index=models.Index(fields=["user", "missed_at"], name="missed_by_user"),
        ),
        migrations.AddConstraint(
            model_name="missedturn",
            constraint=models.UniqueConstraint(fields=("combatant", "stage"), name="missed_once_per_stage"),
        ),
        migrations.AddConstraint(
            model_name="missedturn",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("excuse", ""), ("excused_at", None)),
                    models.Q(("excused_at__isnull", False), models.Q(("excuse", ""), _negated=True)),
                    _connector="OR",
                ),
                name="missed_excused_has_its_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="deadline",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at", "id"], name="deadline_due"
            ),
        ),
        migrations.AddIndex(
            model_name="deadline",
            index=models.Index(fields=["settled_at"], name="deadline_settled"),
        ),
        migrations.AddConstraint(
            model_name="deadline",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("alarm_at", None),
                        ("due_at", None),
                        ("ends_at", None),
                        ("forfeit_at", None),
                        ("nag_at", None),
                        ("running_since", None),
                    ),
                    models.Q(
                        ("due_at__isnull", False),
                        ("ends_at__isnull", False),
                        ("forfeit_at__gte", models.F("ends_at")),
                        ("running_since__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="deadline_stands_or_runs",
            ),
        ),
        migrations.AddConstraint(
            model_name="deadline",
            constraint=models.CheckConstraint(
                condition=models.Q(("step__in", ["remind", "alarm", "final", "forfeit"])), name="deadline_step_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.UniqueConstraint(fields=("battle", "user"), name="subscription_once"),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(fields=("battle", "seq", "attempt"), name="turn_once_per_key"),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                condition=models.Q(("resolved_at__isnull", True), ("taken_back_by__isnull", True)),
                fields=("battle",),
                name="turn_open_once_per_battle",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(fields=("turn", "number"), name="stage_once_per_number"),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True)), fields=("battle",), name="stage_open_once_per_battle"
            ),
        ),
        migrations.AddConstraint(
            model_name="turnevent",
            constraint=models.UniqueConstraint(fields=("battle", "n"), name="event_once_per_number"),
        ),
    ]
