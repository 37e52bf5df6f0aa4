from django.db import migrations, models
from django.db.models import F, Q

# The battles that are counted already.
BANDS = """
UPDATE ladder_battleside SET band = COALESCE((
  SELECT CASE WHEN entry.rating_before < 1400 THEN 'low' WHEN entry.rating_before < 1600 THEN 'middle' ELSE 'high' END
  FROM ladder_ratingentry entry
  WHERE entry.battle = ladder_battleside.number AND entry.user_id = ladder_battleside.user_id AND entry.kind <> 'melee'
), '') WHERE kind = 'duel'
"""
SUMS = """
INSERT INTO ladder_openingreply (ruleset, mine, theirs, pair, band, played, won, lost, drew)
SELECT side.ruleset, substr(side.opening, 1, {end}), substr(other.opening, 1, {end}), substr(side.opening, {end} + 1, 2),
 side.band, count(*), sum(CASE WHEN side.result = 'won' THEN 1 ELSE 0 END),
 sum(CASE WHEN side.result = 'lost' THEN 1 ELSE 0 END), sum(CASE WHEN side.result = 'drew' THEN 1 ELSE 0 END)
FROM ladder_battleside side JOIN ladder_battleside other ON other.battle_id = side.battle_id AND other.id <> side.id
WHERE side.counts AND side.kind = 'duel' AND length(side.opening) >= {end} + 2 AND length(other.opening) >= {end}
GROUP BY 1, 2, 3, 4, 5
"""


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0004_search_by_bots_and_date"),
    ]

    operations = [
        migrations.AddField(
            model_name="battleside",
            name="band",
            field=models.CharField(
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
                        condition=Q(played=F("won") + F("lost") + F("drew")), name="opening_reply_results_add_up"
                    ),
                ],
            },
        ),
        migrations.RunSQL(BANDS, migrations.RunSQL.noop),
        *(migrations.RunSQL(SUMS.format(end=end), migrations.RunSQL.noop) for end in (0, 2, 4, 6)),
    ]
