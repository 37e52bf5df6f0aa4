"""Makes the tables of puzzles too, which the models in `studies` take over: a database that had only a part of the
migrations replaced here has these tables, whichever migrations of `studies` it had."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("duels", "0001_initial"),
        ("duels", "0002_rematch"),
        ("duels", "0003_who_plays"),
        ("duels", "0004_stand_ins"),
        ("duels", "0005_presence_check"),
        ("duels", "0006_chat"),
        ("duels", "0007_puzzles"),
        ("duels", "0008_removed_chat_lines"),
        ("duels", "0009_commitments"),
        ("duels", "0010_pronouns"),
        ("duels", "0011_reminders"),
        ("duels", "0012_puzzle_events"),
        ("duels", "0013_never_moved"),
        ("duels", "0014_limits_of_absences"),
        ("duels", "0015_stops_of_outages"),
        ("duels", "0016_claims"),
        ("duels", "0017_stuck_since"),
        ("duels", "0018_puzzles_move_to_studies"),
        ("duels", "0019_names_of_the_desk"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Number",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
        ),
        migrations.CreateModel(
            name="Battle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True, verbose_name="number")),
                (
                    "kind",
                    models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5, verbose_name="kind"),
                ),
                ("terms", models.JSONField(verbose_name="terms")),
                ("ruleset", models.CharField(max_length=40, verbose_name="ruleset")),
                ("edition", models.PositiveSmallIntegerField(verbose_name="edition")),
                ("practice", models.BooleanField(verbose_name="practice")),
                ("seed", models.CharField(editable=False, max_length=64)),
                ("state", models.JSONField(editable=False, verbose_name="state")),
                ("seq", models.PositiveIntegerField(default=1)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("stage", models.PositiveSmallIntegerField(default=0)),
                ("label", models.CharField(max_length=12, verbose_name="turn")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("stuck", "Stuck"),
                            ("annulled", "Annulled"),
                        ],
                        default="running",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                (
                    "stuck_reference",
                    models.CharField(blank=True, default="", max_length=12, verbose_name="error reference"),
                ),
                ("stuck_release", models.CharField(blank=True, default="", editable=False, max_length=64)),
                ("event_count", models.PositiveIntegerField(default=0, editable=False)),
                ("started_at", models.DateTimeField(verbose_name="started")),
                ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                ("result", models.JSONField(blank=True, null=True)),
                ("rematch", models.PositiveBigIntegerField(blank=True, null=True)),
                ("rematch_by", models.CharField(blank=True, default="", max_length=20)),
                (
                    "company",
                    models.CharField(
                        choices=[("people", "People"), ("mixed", "Mixed"), ("bots", "Bots")],
                        default="people",
                        max_length=6,
                    ),
                ),
                ("commitment", models.CharField(blank=True, db_default="", default="", editable=False, max_length=64)),
                ("earlier_seeds", models.JSONField(blank=True, editable=False, null=True)),
                ("pronouns", models.JSONField(blank=True, editable=False, null=True)),
                ("stuck_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("stuck_remind_at", models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                "ordering": ["number"],
                "verbose_name": "battle",
                "verbose_name_plural": "battles",
                "indexes": [
                    models.Index(fields=["status", "number"], name="battle_status_number"),
                    models.Index(
                        condition=models.Q(("finished_at__isnull", True)), fields=["number"], name="battle_running"
                    ),
                    models.Index(
                        condition=models.Q(("finished_at__isnull", False)),
                        fields=["finished_at", "number"],
                        name="battle_finished",
                    ),
                    models.Index(
                        condition=models.Q(("rematch__isnull", False)), fields=["rematch"], name="battle_rematch"
                    ),
                    models.Index(condition=models.Q(("company", "bots")), fields=["-number"], name="battle_of_bots"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["running", "finished", "stuck", "annulled"])),
                        name="battle_status_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at__isnull", False), ("status__in", ["finished", "annulled"])),
                            models.Q(("finished_at__isnull", True), ("status__in", ["running", "stuck"])),
                            _connector="OR",
                        ),
                        name="battle_ended_has_its_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "finished"), _negated=True), ("result__isnull", False), _connector="OR"
                        ),
                        name="battle_finished_has_its_result",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("status", "stuck"), ("stuck_reference", ""), _connector="XOR"),
                        name="battle_stuck_has_its_reference",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("company__in", ["people", "mixed", "bots"])), name="battle_company_is_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClockTrouble",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                ("retry_at", models.DateTimeField()),
                ("failures", models.PositiveIntegerField(default=1)),
                ("error", models.CharField(max_length=200)),
                (
                    "battle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="clock_trouble", to="duels.battle"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Combatant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                ("standing", models.CharField(default="in", max_length=12)),
                ("bank", models.DurationField(blank=True, null=True)),
                ("extensions_taken", models.PositiveSmallIntegerField(default=0)),
                ("pause_minutes", models.PositiveIntegerField(blank=True, null=True)),
                ("calls_off_at", models.DateTimeField(blank=True, null=True)),
                ("result_seen", models.DateTimeField(blank=True, null=True)),
                ("is_fall_seen", models.BooleanField(default=False)),
                ("offers_seat_at", models.DateTimeField(blank=True, null=True)),
                ("stand_in", models.CharField(blank=True, db_default="", default="", editable=False, max_length=20)),
                ("is_here", models.BooleanField(default=False)),
                ("former_name", models.CharField(blank=True, db_default="", default="", editable=False, max_length=20)),
                ("claims_at", models.DateTimeField(blank=True, null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="combatants", to="duels.battle"
                    ),
                ),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="combatants", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "ordering": ["battle", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "mage"), name="combatant_once_per_battle"),
                    models.UniqueConstraint(fields=("battle", "position"), name="combatant_has_his_own_place"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClockStop",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("vacation", "vacation"),
                            ("bounce", "bounced email"),
                            ("pause", "a pause all players agreed to"),
                            ("janitor", "a pause by a janitor"),
                            ("presence", "waiting for the players"),
                            ("outage", "an outage of the site"),
                        ],
                        max_length=8,
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("long_at", models.DateTimeField(blank=True, null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="clock_stops", to="duels.battle"
                    ),
                ),
                (
                    "combatant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="clock_stops",
                        to="duels.combatant",
                    ),
                ),
            ],
            options={
                "ordering": ["since", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended_at", None), ("long_at__isnull", False)),
                        fields=["long_at"],
                        name="clock_stop_long",
                    ),
                    models.Index(
                        condition=models.Q(("ended_at", None), ("until__isnull", False)),
                        fields=["until"],
                        name="clock_stop_ends",
                    ),
                    models.Index(condition=models.Q(("ended_at", None)), fields=["reason"], name="clock_stop_open"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("combatant", "reason"),
                        name="clock_stop_open_once_per_mage",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("combatant", None), ("ended_at", None)),
                        fields=("battle", "reason"),
                        name="clock_stop_open_once_per_battle",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ended_at", None), ("ended_at__gte", models.F("since")), _connector="OR"),
                        name="clock_stop_ends_after_its_start",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Replay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("played_at", models.DateTimeField(verbose_name="played")),
                ("differences", models.JSONField(default=list, editable=False)),
                (
                    "battle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replay",
                        to="duels.battle",
                        verbose_name="battle",
                    ),
                ),
            ],
            options={
                "verbose_name": "replay",
                "verbose_name_plural": "replays",
                "indexes": [models.Index(fields=["played_at"], name="replay_longest_ago")],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("label", models.CharField(max_length=12)),
                ("before", models.JSONField(editable=False)),
                ("throws", models.JSONField(default=list, editable=False)),
                ("closed_by", models.CharField(blank=True, default="", max_length=12)),
                ("resolved_at", models.DateTimeField(blank=True, null=True)),
                ("mark", models.CharField(blank=True, default="", editable=False, max_length=16)),
                ("taken_back_by", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="turns", to="duels.battle"
                    ),
                ),
            ],
            options={
                "ordering": ["battle", "seq", "attempt"],
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "seq", "attempt"), name="turn_once_per_key"),
                    models.UniqueConstraint(
                        condition=models.Q(("resolved_at__isnull", True), ("taken_back_by__isnull", True)),
                        fields=("battle",),
                        name="turn_open_once_per_battle",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(default=0)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="duels.battle"
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="duels.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["turn", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=("battle",),
                        name="stage_open_once_per_battle",
                    ),
                    models.UniqueConstraint(fields=("turn", "number"), name="stage_once_per_number"),
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lines", models.JSONField(default=list, editable=False)),
                ("text", models.TextField(blank=True, default="", editable=False)),
                ("draft", models.TextField(blank=True, default="", editable=False)),
                ("ready", models.BooleanField(default=False)),
                (
                    "via",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("web", "Web"),
                            ("mail", "Mail"),
                            ("api", "Api"),
                            ("clock", "Clock"),
                            ("janitor", "Janitor"),
                            ("bot", "Bot"),
                        ],
                        default="",
                        max_length=7,
                    ),
                ),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
                ("clock", models.JSONField(blank=True, editable=False, null=True)),
                ("bot_due_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("commitments", models.JSONField(blank=True, editable=False, null=True)),
                (
                    "combatant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sheets", to="duels.combatant"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sheets", to="duels.stage"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("ready", False)), fields=["stage"], name="sheet_waited_for"),
                    models.Index(
                        condition=models.Q(("bot_due_at__isnull", False), ("ready", False)),
                        fields=["bot_due_at"],
                        name="sheet_bot_due",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "combatant"), name="sheet_once_per_mage_and_stage"),
                    models.CheckConstraint(
                        condition=models.Q(("ready", False), ("submitted_at__isnull", False), _connector="OR"),
                        name="sheet_ready_was_submitted",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MissedTurn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("missed_at", models.DateTimeField()),
                ("excused_at", models.DateTimeField(blank=True, null=True)),
                ("excuse", models.CharField(blank=True, default="", max_length=300)),
                ("never_moved", models.BooleanField(db_default=False, default=False)),
                (
                    "combatant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="missed", to="duels.combatant"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="missed_turns",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="missed", to="duels.stage"
                    ),
                ),
            ],
            options={
                "ordering": ["-missed_at", "-pk"],
                "indexes": [models.Index(fields=["user", "missed_at"], name="missed_by_user")],
                "constraints": [
                    models.UniqueConstraint(fields=("combatant", "stage"), name="missed_once_per_stage"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("excuse", ""), ("excused_at", None)),
                            models.Q(("excused_at__isnull", False), models.Q(("excuse", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="missed_excused_has_its_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Deadline",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("allowed", models.DurationField()),
                ("grace", models.DurationField()),
                ("used", models.DurationField()),
                ("running_since", models.DateTimeField(blank=True, null=True)),
                ("rest", models.JSONField(blank=True, default=dict)),
                (
                    "step",
                    models.CharField(
                        choices=[("remind", "Remind"), ("alarm", "Alarm"), ("final", "Final"), ("forfeit", "Forfeit")],
                        max_length=8,
                    ),
                ),
                ("reminders", models.PositiveSmallIntegerField(default=0)),
                ("extensions", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("alarm_at", models.DateTimeField(blank=True, null=True)),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("forfeit_at", models.DateTimeField(blank=True, null=True)),
                ("settled_at", models.DateTimeField()),
                ("remind_at", models.DateTimeField(blank=True, db_column="nag_at", null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deadlines", to="duels.battle"
                    ),
                ),
                (
                    "combatant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deadline", to="duels.combatant"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deadlines", to="duels.stage"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at", "id"], name="deadline_due"
                    ),
                    models.Index(fields=["settled_at"], name="deadline_settled"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("step__in", ["remind", "alarm", "final", "forfeit"])),
                        name="deadline_step_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("alarm_at", None),
                                ("due_at", None),
                                ("ends_at", None),
                                ("forfeit_at", None),
                                ("remind_at", None),
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
                ],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField()),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="subscriptions", to="duels.battle"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subscriptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("battle", "user"), name="subscription_once")],
            },
        ),
        migrations.CreateModel(
            name="TurnEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("stage", models.PositiveSmallIntegerField()),
                ("n", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("facts", models.JSONField(default=dict)),
                ("audience", models.JSONField(null=True)),
                ("clause", models.CharField(blank=True, default="", max_length=40)),
                ("cause", models.JSONField(default=list)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="duels.battle"
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="duels.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["battle", "n"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("audience__isnull", False)), fields=["battle", "n"], name="event_of_few"
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("battle", "n"), name="event_once_per_number")],
            },
        ),
        migrations.CreateModel(
            name="ChatLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "room",
                    models.CharField(choices=[("players", "Players"), ("spectators", "Spectators")], max_length=10),
                ),
                ("text", models.CharField(max_length=280)),
                ("once", models.CharField(editable=False, max_length=16)),
                ("created_at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chat_lines", to="duels.battle"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chat_lines",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["battle", "id"], name="chat_of_battle")],
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "user", "once"), name="chat_line_once"),
                    models.CheckConstraint(
                        condition=models.Q(("room__in", ["players", "spectators"])), name="chat_room_is_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="chat_line_says_something"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ChatMute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField()),
                (
                    "muted",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_by",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chat_mutes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "muted"), name="chat_mute_once"),
                    models.CheckConstraint(
                        condition=models.Q(("user", models.F("muted")), _negated=True),
                        name="chat_mute_is_of_somebody_else",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Puzzle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rating", models.FloatField(default=1500.0)),
                ("deviation", models.FloatField(default=350.0)),
                ("volatility", models.FloatField(default=0.06)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("key", models.CharField(max_length=40, unique=True)),
                (
                    "kind",
                    models.CharField(choices=[("win", "Win"), ("two", "Two"), ("survive", "Survive")], max_length=8),
                ),
                ("mage", models.CharField(max_length=40)),
                ("state", models.JSONField(editable=False)),
                ("events", models.JSONField(db_column="told", default=list, editable=False)),
                ("solutions", models.JSONField(default=list, editable=False)),
                ("answers", models.JSONField(default=list, editable=False)),
                ("reply", models.TextField(blank=True, default="", editable=False)),
                ("added_on", models.DateField()),
                ("solved", models.PositiveIntegerField(default=0)),
                (
                    "battle",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzles",
                        to="duels.battle",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="PuzzleSkill",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rating", models.FloatField(default=1500.0)),
                ("deviation", models.FloatField(default=350.0)),
                ("volatility", models.FloatField(default=0.06)),
                ("tries", models.PositiveIntegerField(default=0)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_skill",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SearchedBattle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "battle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="searched", to="duels.battle"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PuzzleTry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("solved", models.BooleanField()),
                ("tried_at", models.DateTimeField()),
                ("rating_before", models.FloatField()),
                ("rating_after", models.FloatField()),
                (
                    "puzzle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="first_tries", to="duels.puzzle"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_tries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "puzzle"), name="puzzle_tried_first_once")],
            },
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(
                    name="PuzzleTry",
                ),
                migrations.DeleteModel(
                    name="PuzzleSkill",
                ),
                migrations.DeleteModel(
                    name="SearchedBattle",
                ),
                migrations.DeleteModel(
                    name="Puzzle",
                ),
            ],
        ),
    ]
