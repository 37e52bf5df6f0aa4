import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CountedBattle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("counts", models.BooleanField()),
                ("ruleset", models.CharField(max_length=40)),
                ("edition", models.PositiveSmallIntegerField()),
                ("turns", models.PositiveIntegerField()),
                ("ending", models.CharField(max_length=40)),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="RatingBook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="CountDue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("battle", models.PositiveBigIntegerField(unique=True)),
                ("times", models.PositiveIntegerField(default=1)),
                ("tried_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["tried_at", "battle"], name="count_due_next")],
            },
        ),
        migrations.CreateModel(
            name="BattleSide",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField()),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("counts", models.BooleanField()),
                ("ruleset", models.CharField(max_length=40)),
                ("finished_at", models.DateTimeField()),
                (
                    "result",
                    models.CharField(choices=[("won", "Won"), ("lost", "Lost"), ("drew", "Drew")], max_length=4),
                ),
                (
                    "end",
                    models.CharField(
                        choices=[("lived", "Lived"), ("died", "Died"), ("surrendered", "Surrendered")], max_length=12
                    ),
                ),
                ("hit_points", models.IntegerField()),
                ("opening", models.CharField(blank=True, max_length=16)),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sides", to="accounts.mage"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sides", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sides", to="ladder.countedbattle"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["mage", "-finished_at", "-number"], name="side_mage_latest"),
                    models.Index(fields=["user", "-finished_at", "-number"], name="side_user_latest"),
                    models.Index(
                        fields=["ruleset", "kind", "opening"],
                        name="side_opening",
                        opclasses=["varchar_pattern_ops", "varchar_pattern_ops", "varchar_pattern_ops"],
                    ),
                    models.Index(fields=["-number"], name="side_latest"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "mage"), name="side_once_per_battle"),
                    models.CheckConstraint(
                        condition=models.Q(("result__in", ["won", "lost", "drew"])), name="side_result_is_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EndingFigure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ruleset", models.CharField(max_length=40)),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("turns", models.PositiveIntegerField()),
                ("ending", models.CharField(max_length=40)),
                ("battles", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("ruleset", "kind", "turns", "ending"), name="ending_figure_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Feat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("mirror_kill", "Killed by a mirror"),
                            ("own_spell", "Killed by their own spell"),
                            ("finger_of_death", "Finger of Death"),
                            ("last_point", "Won with one hit point left"),
                            ("unhurt", "Won unhurt"),
                            ("giant", "Summoned a giant"),
                            ("returned", "Back from the dead"),
                            ("last_of_many", "Last of many"),
                        ],
                        max_length=20,
                    ),
                ),
                ("turn", models.CharField(max_length=12)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="feats", to="ladder.countedbattle"
                    ),
                ),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="feats", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["mage", "kind"], name="feat_of_mage")],
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "mage", "kind"), name="feat_once_per_battle")
                ],
            },
        ),
        migrations.CreateModel(
            name="Ladder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("ruleset", models.CharField(blank=True, max_length=40)),
                ("retired", models.BooleanField(default=False)),
                ("as_of", models.DateTimeField()),
                ("mages", models.PositiveIntegerField()),
                ("last_entry", models.PositiveBigIntegerField(default=0, editable=False)),
                ("last_mage", models.PositiveBigIntegerField(default=0, editable=False)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("kind", "ruleset", "retired"), name="ladder_once")],
            },
        ),
        migrations.CreateModel(
            name="LadderPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField()),
                ("rank", models.PositiveIntegerField()),
                ("score", models.IntegerField()),
                ("gained", models.IntegerField(default=0)),
                ("battles", models.PositiveIntegerField(default=0)),
                ("form", models.CharField(blank=True, max_length=5)),
                ("rating", models.IntegerField(null=True)),
                ("is_provisional", models.BooleanField(default=False)),
                (
                    "ladder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="ladder.ladder"
                    ),
                ),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["ladder", "place"], name="ladder_place_in_order"),
                    models.Index(fields=["ladder", "-gained"], name="ladder_place_movers"),
                ],
                "constraints": [models.UniqueConstraint(fields=("ladder", "mage"), name="ladder_place_once")],
            },
        ),
        migrations.CreateModel(
            name="MageRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("ruleset", models.CharField(blank=True, max_length=40)),
                ("battles", models.PositiveIntegerField()),
                ("won", models.PositiveIntegerField()),
                ("lost", models.PositiveIntegerField()),
                ("drew", models.PositiveIntegerField()),
                ("points", models.IntegerField(default=0)),
                ("form", models.CharField(max_length=5)),
                ("last_at", models.DateTimeField()),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="records", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("mage", "kind", "ruleset"), name="mage_record_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "battles",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("won"), "+", models.F("lost")
                                    ),
                                    "+",
                                    models.F("drew"),
                                ),
                            )
                        ),
                        name="mage_record_adds_up",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Opening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ruleset", models.CharField(max_length=40)),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("line", models.CharField(max_length=16)),
                ("parent", models.CharField(blank=True, max_length=14)),
                ("played", models.PositiveBigIntegerField(default=0)),
                ("won", models.PositiveBigIntegerField(default=0)),
                ("lost", models.PositiveBigIntegerField(default=0)),
                ("drew", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["ruleset", "kind", "parent", "-played"], name="opening_what_followed")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("ruleset", "kind", "line"), name="opening_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "played",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("won"), "+", models.F("lost")
                                    ),
                                    "+",
                                    models.F("drew"),
                                ),
                            )
                        ),
                        name="opening_results_add_up",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Pairing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("battles", models.PositiveIntegerField()),
                ("one_won", models.PositiveIntegerField()),
                ("other_won", models.PositiveIntegerField()),
                ("last_at", models.DateTimeField()),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["other", "one"], name="pairing_of_other")],
                "constraints": [
                    models.UniqueConstraint(fields=("one", "other"), name="pairing_once"),
                    models.CheckConstraint(condition=models.Q(("one__lt", models.F("other"))), name="pairing_in_order"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PairWatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("battles", models.PositiveIntegerField()),
                ("one_won", models.PositiveIntegerField()),
                ("other_won", models.PositiveIntegerField()),
                ("one_share", models.PositiveSmallIntegerField()),
                ("other_share", models.PositiveSmallIntegerField()),
                ("meets_often", models.BooleanField()),
                ("is_one_sided", models.BooleanField()),
                ("same_address", models.BooleanField()),
                ("same_device", models.BooleanField()),
                ("seen_at", models.DateTimeField()),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("one", "other"), name="pair_watch_once"),
                    models.CheckConstraint(
                        condition=models.Q(("one__lt", models.F("other"))), name="pair_watch_in_order"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("meets_often", True),
                            ("is_one_sided", True),
                            ("same_address", True),
                            ("same_device", True),
                            _connector="OR",
                        ),
                        name="pair_watch_has_a_reason",
                    ),
                ],
                "verbose_name": "pair to check",
                "verbose_name_plural": "pairs to check",
            },
        ),
        migrations.CreateModel(
            name="RatingEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("rating", models.FloatField()),
                ("deviation", models.FloatField()),
                ("volatility", models.FloatField(null=True)),
                ("elo", models.IntegerField(null=True)),
                ("battles", models.PositiveIntegerField()),
                ("day", models.DateField()),
                ("start_rating", models.FloatField(null=True)),
                ("start_deviation", models.FloatField(null=True)),
                ("start_volatility", models.FloatField(null=True)),
                ("battle", models.PositiveBigIntegerField()),
                ("ended_at", models.DateTimeField()),
                ("rating_before", models.FloatField()),
                ("deviation_before", models.FloatField()),
                ("volatility_before", models.FloatField(null=True)),
                ("elo_before", models.IntegerField(null=True)),
                ("faced_rating", models.FloatField(null=True)),
                ("faced_deviation", models.FloatField(null=True)),
                ("score", models.FloatField(null=True)),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["user", "kind", "ended_at", "battle"], name="rating_entry_series"),
                    models.Index(fields=["kind", "ended_at", "battle"], name="rating_entry_in_order"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "battle"), name="rating_entry_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind", "melee"),
                            models.Q(("elo__isnull", False), ("score__isnull", False), ("volatility__isnull", False)),
                            _connector="OR",
                        ),
                        name="rating_entry_of_a_duel_is_whole",
                    ),
                ],
                "verbose_name_plural": "rating entries",
                "default_related_name": "rating_entries",
            },
        ),
        migrations.CreateModel(
            name="Remembrance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("battle", models.PositiveBigIntegerField()),
                ("score", models.PositiveIntegerField()),
                ("died_at", models.DateTimeField()),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="remembrances", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "-score"], name="remembrance_highest")],
                "constraints": [models.UniqueConstraint(fields=("mage",), name="remembrance_once")],
            },
        ),
        migrations.CreateModel(
            name="ScoredBattle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("practice", models.BooleanField()),
                ("deadly", models.BooleanField(default=True)),
                (
                    "stakes",
                    models.CharField(
                        choices=[
                            ("ladder", "Ladder"),
                            ("band", "Band"),
                            ("no-gain", "No Gain"),
                            ("friendly", "Friendly"),
                            ("very-friendly", "Very Friendly"),
                        ],
                        default="ladder",
                        max_length=13,
                    ),
                ),
                ("scored_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("annulled_at", models.DateTimeField(blank=True, null=True)),
                ("is_rated", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["kind", "scored_at", "number"], name="scored_battle_in_order"),
                    models.Index(
                        condition=models.Q(("is_rated", False)),
                        fields=["kind", "scored_at", "number"],
                        name="scored_battle_to_rate",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Placing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("won", models.BooleanField()),
                ("died", models.BooleanField()),
                ("is_real_death", models.BooleanField(default=False)),
                ("score_at_start", models.PositiveIntegerField()),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="placings", to="accounts.mage"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="placings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="placings", to="ladder.scoredbattle"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "mage"), name="placing_once"),
                    models.CheckConstraint(
                        condition=models.Q(("died", True), ("won", True), _negated=True), name="placing_no_dead_winner"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("died", True), ("is_real_death", False), _connector="OR"),
                        name="placing_real_death_is_a_death",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ScoreEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("battle", models.PositiveBigIntegerField()),
                ("due", models.IntegerField()),
                ("before", models.PositiveIntegerField()),
                ("change", models.IntegerField()),
                ("after", models.PositiveIntegerField()),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("won", "Won"),
                            ("withheld", "Withheld"),
                            ("shared", "Shared"),
                            ("drew", "Drew"),
                            ("lost", "Lost"),
                            ("died", "Died"),
                            ("surrendered", "Surrendered"),
                        ],
                        max_length=12,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="score_entries", to="accounts.mage"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["battle"], name="score_entry_battle")],
                "constraints": [
                    models.UniqueConstraint(fields=("mage", "battle", "kind", "reason"), name="score_entry_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "after",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("before"), "+", models.F("change")
                                ),
                            )
                        ),
                        name="score_entry_adds_up",
                    ),
                    models.CheckConstraint(condition=models.Q(("after__gte", 0)), name="score_never_below_zero"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("change", models.F("due")),
                            models.Q(("after", 0), ("due__lt", models.F("change"))),
                            _connector="OR",
                        ),
                        name="score_entry_gives_what_is_due",
                    ),
                ],
                "verbose_name_plural": "score entries",
            },
        ),
        migrations.CreateModel(
            name="ScoreRevision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("battle", models.PositiveBigIntegerField()),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("annulled", "Annulled"),
                            ("restored", "Restored"),
                            ("corrected", "Corrected"),
                            ("reopened", "Reopened"),
                        ],
                        max_length=9,
                    ),
                ),
                ("reason", models.TextField(blank=True, default="")),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["battle"], name="score_revision_battle")],
            },
        ),
        migrations.CreateModel(
            name="RevisedEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entry", models.PositiveBigIntegerField()),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("battle", models.PositiveBigIntegerField()),
                ("was", models.JSONField(null=True)),
                ("became", models.JSONField(null=True)),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="revised_entries", to="accounts.mage"
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="ladder.scorerevision"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("revision", "entry"), name="revised_entry_once"),
                    models.CheckConstraint(
                        condition=models.Q(("was__isnull", False), ("became__isnull", False), _connector="OR"),
                        name="revised_entry_says_something",
                    ),
                ],
                "verbose_name_plural": "revised entries",
            },
        ),
        migrations.CreateModel(
            name="SpellFigure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ruleset", models.CharField(max_length=40)),
                ("spell", models.CharField(max_length=40)),
                ("cast", models.PositiveBigIntegerField(default=0)),
                ("worked", models.PositiveBigIntegerField(default=0)),
                ("countered", models.PositiveBigIntegerField(default=0)),
                ("reflected", models.PositiveBigIntegerField(default=0)),
                ("shielded", models.PositiveBigIntegerField(default=0)),
                ("failed", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("ruleset", "spell"), name="spell_figure_once")],
            },
        ),
        migrations.CreateModel(
            name="SpellUse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("spell", models.CharField(max_length=40)),
                ("cast", models.PositiveIntegerField()),
                ("worked", models.PositiveIntegerField(default=0)),
                ("countered", models.PositiveIntegerField(default=0)),
                ("reflected", models.PositiveIntegerField(default=0)),
                ("shielded", models.PositiveIntegerField(default=0)),
                ("failed", models.PositiveIntegerField(default=0)),
                (
                    "side",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="spells", to="ladder.battleside"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("side", "spell"), name="spell_use_once_per_side"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "cast",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("worked"), "+", models.F("countered")
                                            ),
                                            "+",
                                            models.F("reflected"),
                                        ),
                                        "+",
                                        models.F("shielded"),
                                    ),
                                    "+",
                                    models.F("failed"),
                                ),
                            )
                        ),
                        name="spell_use_adds_up",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StaleRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("ended_at", models.DateTimeField()),
                ("battle", models.PositiveBigIntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "ended_at", "battle"], name="stale_rating_in_order")],
            },
        ),
        migrations.CreateModel(
            name="UserRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5)),
                ("rating", models.FloatField()),
                ("deviation", models.FloatField()),
                ("volatility", models.FloatField(null=True)),
                ("elo", models.IntegerField(null=True)),
                ("battles", models.PositiveIntegerField()),
                ("day", models.DateField()),
                ("start_rating", models.FloatField(null=True)),
                ("start_deviation", models.FloatField(null=True)),
                ("start_volatility", models.FloatField(null=True)),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "-rating"], name="user_rating_highest")],
                "constraints": [models.UniqueConstraint(fields=("user", "kind"), name="user_rating_once")],
                "default_related_name": "ratings",
            },
        ),
    ]
