from django.db import migrations, models
from django.db.models import Exists, OuterRef


def mark_studies(apps, schema_editor):
    """Mark the studies that hold only what their owner's mage knows: begun while the battle was running, by that mage's
    user, and without a turn since its end."""
    study, branch, combatant = (
        apps.get_model(*model) for model in (("studies", "Study"), ("studies", "Branch"), ("duels", "Combatant"))
    )
    own = combatant.objects.filter(battle=OuterRef("battle"), mage__name=OuterRef("mage"), mage__user=OuterRef("owner"))
    after_end = branch.objects.filter(
        study=OuterRef("pk"), number__gt=0, created_at__gte=OuterRef("battle__finished_at")
    )
    begun = study.objects.filter(Exists(own), ~Exists(after_end), battle__isnull=False, mage__gt="")
    innocent = [
        pk
        for pk, answers in begun.values_list("pk", "answers")
        # Possible only after the end: the battle was reopened, and the study may show its turns.
        if "record" not in answers.values()
    ]
    study.objects.filter(pk__in=innocent).update(knows_end=False)


class Migration(migrations.Migration):
    dependencies = [
        ("studies", "0009_progress_of_before"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="knows_end",
            field=models.BooleanField(db_default=True, default=True, editable=False),
        ),
        migrations.RunPython(mark_studies, migrations.RunPython.noop),
    ]
