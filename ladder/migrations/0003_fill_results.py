"""Write how battles ended that were counted before the ladder kept it."""

from django.db import migrations
from django.db.models import F


def fill_dues(apps, schema_editor):
    rows = apps.get_model("ladder", "ScoreEntry").objects
    rows.update(due=F("change"))
    rows.filter(reason="surrendered").update(due=-1)


def fill_placings(apps, schema_editor):
    ScoredBattle = apps.get_model("ladder", "ScoredBattle")
    ScoredBattle.objects.filter(practice=True).update(deadly=False)
    for battle in ScoredBattle.objects.filter(placings=None).iterator(chunk_size=500):
        _place(apps, battle)


def _place(apps, battle):
    Placing, Remembrance = (apps.get_model("ladder", name) for name in ("Placing", "Remembrance"))
    rows = apps.get_model("ladder", "ScoreEntry").objects.filter(battle=battle.number).select_related("mage")
    starts = {}
    for row in rows.order_by("pk"):
        start = starts.setdefault(row.mage_id, row.before)
        if row.reason == "surrendered":
            continue
        dead = row.reason == "died" and row.mage.died_at is not None
        Placing.objects.create(
            battle=battle,
            mage=row.mage,
            user_id=row.mage.user_id,
            won=row.reason in ("won", "shared"),
            died=row.reason == "died",
            is_real_death=dead,
            score_at_start=start,
        )
        if dead:
            Remembrance.objects.get_or_create(
                mage=row.mage,
                defaults={
                    "kind": row.kind,
                    "battle": battle.number,
                    "score": row.after,
                    "died_at": row.mage.died_at,
                },
            )


class Migration(migrations.Migration):
    dependencies = [("ladder", "0002_results")]

    operations = [
        migrations.RunPython(fill_dues, migrations.RunPython.noop),
        migrations.RunPython(fill_placings, migrations.RunPython.noop),
    ]
