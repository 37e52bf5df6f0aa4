"""Two columns of rating entries have no field: older code still writes them, and no code reads them."""

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("ladder", "0001_initial"),
        ("ladder", "0002_ratings_with_bots"),
        ("ladder", "0003_search"),
        ("ladder", "0004_search_by_bots_and_date"),
        ("ladder", "0005_opening_replies"),
        ("ladder", "0006_fewer_rating_figures"),
        ("ladder", "0007_rating_lock"),
        ("ladder", "0008_repeated_wins"),
        ("ladder", "0009_recount_late_openings"),
        ("ladder", "0010_mages_who_left"),
        ("ladder", "0011_unranked_mages"),
        ("ladder", "0012_names_of_the_desk"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0016_names_of_the_desk"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RatingLock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("duel", "Duel"), ("melee", "Melee"), ("bots", "Bots")], max_length=5, unique=True
                    ),
                ),
            ],
            options={
                "db_table": "ladder_ratingbook",
            },
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
                ("with_bots", models.BooleanField(db_default=False, default=False)),
            ],
            options={
                "ordering": ["number"],
                "indexes": [
                    models.Index(fields=["ruleset", "-number"], name="counted_ruleset_latest"),
                    models.Index(fields=["ending", "-number"], name="counted_ending_latest"),
                    models.Index(fields=["turns", "-number"], name="counted_length_latest"),
                    models.Index(fields=["with_bots", "-number"], name="counted_bots_latest"),
                    models.Index(fields=["finished_at"], name="counted_date"),
                ],
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
                    "band",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not rated"),
                            ("low", "Below 1400"),
                            ("middle", "1400 to 1599"),
                            ("high", "1600 and above"),
                        ],
                        db_default="",
                        default="",
                        max_length=6,
                    ),
                ),
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
                    models.Index(
                        fields=["opening", "-number"],
                        name="side_any_opening",
                        opclasses=["varchar_pattern_ops", "int8_ops"],
                    ),
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
                "indexes": [
                    models.Index(fields=["mage", "kind"], name="feat_of_mage"),
                    models.Index(fields=["kind", "-battle"], name="feat_latest"),
                ],
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
                ("ranked", models.PositiveIntegerField(db_default=0, default=0)),
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
                ("rank", models.PositiveIntegerField(null=True)),
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
            name="OpeningReply",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ruleset", models.CharField(max_length=40)),
                ("mine", models.CharField(blank=True, max_length=6)),
                ("theirs", models.CharField(blank=True, max_length=6)),
                ("pair", models.CharField(max_length=2)),
                ("band", models.CharField(blank=True, max_length=6)),
                ("played", models.PositiveBigIntegerField(default=0)),
                ("won", models.PositiveBigIntegerField(default=0)),
                ("lost", models.PositiveBigIntegerField(default=0)),
                ("drew", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "opening replies",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("ruleset", "mine", "theirs", "pair", "band"), name="opening_reply_once"
                    ),
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
                        name="opening_reply_results_add_up",
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
                ("battles", models.PositiveIntegerField(verbose_name="battles")),
                ("one_won", models.PositiveIntegerField(verbose_name="won by the one")),
                ("other_won", models.PositiveIntegerField(verbose_name="won by the other")),
                ("one_share", models.PositiveSmallIntegerField(verbose_name="share of the one")),
                ("other_share", models.PositiveSmallIntegerField(verbose_name="share of the other")),
                ("meets_often", models.BooleanField(verbose_name="meet often")),
                ("is_one_sided", models.BooleanField(verbose_name="one-sided")),
                ("same_address", models.BooleanField(verbose_name="same address")),
                ("same_device", models.BooleanField(verbose_name="same device")),
                ("seen_at", models.DateTimeField(verbose_name="last checked")),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="one",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="other",
                    ),
                ),
            ],
            options={
                "verbose_name": "pair to check",
                "verbose_name_plural": "pairs to check",
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
            },
        ),
        migrations.CreateModel(
            name="RatingEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("duel", "Duel"), ("melee", "Melee"), ("bots", "Bots")],
                        max_length=5,
                        verbose_name="kind",
                    ),
                ),
                ("rating", models.FloatField(verbose_name="rating")),
                ("deviation", models.FloatField(verbose_name="deviation")),
                ("volatility", models.FloatField(null=True, verbose_name="volatility")),
                ("elo", models.IntegerField(null=True, verbose_name="Elo")),
                ("battles", models.PositiveIntegerField(verbose_name="battles")),
                ("day", models.DateField(verbose_name="day")),
                ("start_rating", models.FloatField(null=True, verbose_name="rating at the start")),
                ("start_deviation", models.FloatField(null=True, verbose_name="deviation at the start")),
                ("start_volatility", models.FloatField(null=True, verbose_name="volatility at the start")),
                ("battle", models.PositiveBigIntegerField(verbose_name="battle")),
                ("ended_at", models.DateTimeField(verbose_name="ended")),
                ("rating_before", models.FloatField(verbose_name="rating before")),
                ("deviation_before", models.FloatField(null=True)),
                ("volatility_before", models.FloatField(null=True)),
                ("elo_before", models.IntegerField(null=True, verbose_name="Elo before")),
                ("faced_rating", models.FloatField(null=True, verbose_name="rating faced")),
                ("faced_deviation", models.FloatField(null=True, verbose_name="deviation faced")),
                ("score", models.FloatField(null=True, verbose_name="score")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL, verbose_name="user"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "rating entries",
                "default_related_name": "rating_entries",
                "verbose_name": "rating entry",
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
            },
        ),
        migrations.CreateModel(
            name="Remembrance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5, verbose_name="kind"),
                ),
                ("battle", models.PositiveBigIntegerField(verbose_name="battle")),
                ("score", models.PositiveIntegerField(verbose_name="score")),
                ("died_at", models.DateTimeField(verbose_name="died")),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remembrances",
                        to="accounts.mage",
                        verbose_name="mage",
                    ),
                ),
            ],
            options={
                "verbose_name": "remembrance",
                "verbose_name_plural": "remembrances",
                "indexes": [models.Index(fields=["kind", "-score"], name="remembrance_highest")],
                "constraints": [models.UniqueConstraint(fields=("mage",), name="remembrance_once")],
            },
        ),
        migrations.CreateModel(
            name="ScoredBattle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True, verbose_name="number")),
                (
                    "kind",
                    models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5, verbose_name="kind"),
                ),
                ("practice", models.BooleanField(verbose_name="practice")),
                ("deadly", models.BooleanField(default=True, verbose_name="deadly")),
                (
                    "stakes",
                    models.CharField(
                        choices=[
                            ("ladder", "Ladder"),
                            ("band", "Band"),
                            ("no-gain", "No Gain"),
                            ("friendly", "Friendly"),
                            ("very-friendly", "Very Friendly"),
                            ("bots", "Bots"),
                        ],
                        default="ladder",
                        max_length=13,
                        verbose_name="stakes",
                    ),
                ),
                (
                    "scored_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="scored"),
                ),
                ("annulled_at", models.DateTimeField(blank=True, null=True, verbose_name="annulled")),
                ("is_rated", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "verbose_name": "scored battle",
                "verbose_name_plural": "scored battles",
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
                ("won", models.BooleanField(verbose_name="won")),
                ("died", models.BooleanField(verbose_name="died")),
                ("is_real_death", models.BooleanField(default=False, verbose_name="real death")),
                ("score_at_start", models.PositiveIntegerField(verbose_name="score at the start")),
                ("is_repeated", models.BooleanField(db_default=False, default=False)),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="placings",
                        to="accounts.mage",
                        verbose_name="mage",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="placings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="placings",
                        to="ladder.scoredbattle",
                        verbose_name="battle",
                    ),
                ),
            ],
            options={
                "verbose_name": "placing",
                "verbose_name_plural": "placings",
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
                (
                    "kind",
                    models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5, verbose_name="kind"),
                ),
                ("battle", models.PositiveBigIntegerField(verbose_name="battle")),
                ("due", models.IntegerField(verbose_name="points due")),
                ("before", models.PositiveIntegerField(verbose_name="before")),
                ("change", models.IntegerField(verbose_name="change")),
                ("after", models.PositiveIntegerField(verbose_name="after")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("won", "Won"),
                            ("withheld", "Withheld"),
                            ("repeated", "Repeated"),
                            ("shared", "Shared"),
                            ("drew", "Drew"),
                            ("lost", "Lost"),
                            ("died", "Died"),
                            ("surrendered", "Surrendered"),
                        ],
                        max_length=12,
                        verbose_name="reason",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="score_entries",
                        to="accounts.mage",
                        verbose_name="mage",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "score entries",
                "verbose_name": "score entry",
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
            },
        ),
        migrations.CreateModel(
            name="ScoreRevision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("battle", models.PositiveBigIntegerField(verbose_name="battle")),
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
                        verbose_name="what happened",
                    ),
                ),
                ("reason", models.TextField(blank=True, default="", verbose_name="reason")),
                ("created_at", models.DateTimeField(verbose_name="created")),
            ],
            options={
                "verbose_name": "score revision",
                "verbose_name_plural": "score revisions",
                "indexes": [models.Index(fields=["battle"], name="score_revision_battle")],
            },
        ),
        migrations.CreateModel(
            name="RevisedEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entry", models.PositiveBigIntegerField(verbose_name="entry")),
                (
                    "kind",
                    models.CharField(choices=[("duel", "Duel"), ("melee", "Melee")], max_length=5, verbose_name="kind"),
                ),
                ("battle", models.PositiveBigIntegerField(verbose_name="battle")),
                ("was", models.JSONField(null=True, verbose_name="was")),
                ("became", models.JSONField(null=True, verbose_name="became")),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revised_entries",
                        to="accounts.mage",
                        verbose_name="mage",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="ladder.scorerevision",
                        verbose_name="revision",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "revised entries",
                "verbose_name": "revised entry",
                "constraints": [
                    models.UniqueConstraint(fields=("revision", "entry"), name="revised_entry_once"),
                    models.CheckConstraint(
                        condition=models.Q(("was__isnull", False), ("became__isnull", False), _connector="OR"),
                        name="revised_entry_says_something",
                    ),
                ],
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
                ("number", models.PositiveBigIntegerField(db_default=0, default=0)),
                (
                    "side",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="spells", to="ladder.battleside"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["spell", "-number"], name="spell_use_latest")],
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
                (
                    "kind",
                    models.CharField(choices=[("duel", "Duel"), ("melee", "Melee"), ("bots", "Bots")], max_length=5),
                ),
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
                (
                    "kind",
                    models.CharField(
                        choices=[("duel", "Duel"), ("melee", "Melee"), ("bots", "Bots")],
                        max_length=5,
                        verbose_name="kind",
                    ),
                ),
                ("rating", models.FloatField(verbose_name="rating")),
                ("deviation", models.FloatField(verbose_name="deviation")),
                ("volatility", models.FloatField(null=True, verbose_name="volatility")),
                ("elo", models.IntegerField(null=True, verbose_name="Elo")),
                ("battles", models.PositiveIntegerField(verbose_name="battles")),
                ("day", models.DateField(verbose_name="day")),
                ("start_rating", models.FloatField(null=True, verbose_name="rating at the start")),
                ("start_deviation", models.FloatField(null=True, verbose_name="deviation at the start")),
                ("start_volatility", models.FloatField(null=True, verbose_name="volatility at the start")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL, verbose_name="user"
                    ),
                ),
            ],
            options={
                "default_related_name": "ratings",
                "verbose_name": "rating of a user",
                "verbose_name_plural": "ratings of users",
                "indexes": [models.Index(fields=["kind", "-rating"], name="user_rating_highest")],
                "constraints": [models.UniqueConstraint(fields=("user", "kind"), name="user_rating_once")],
            },
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(
                    model_name="RatingEntry",
                    name="deviation_before",
                ),
                migrations.RemoveField(
                    model_name="RatingEntry",
                    name="volatility_before",
                ),
            ],
        ),
    ]
