from typing import Any

from django.db import migrations, models


def name_company(apps: Any, schema_editor: Any) -> None:
    """Until now no battle was among bots alone."""
    Battle = apps.get_model("duels", "Battle")
    with_bots = Battle.objects.filter(combatants__mage__user__is_bot=True).values("pk")
    Battle.objects.filter(pk__in=list(with_bots.values_list("pk", flat=True))).update(company="mixed")


class Migration(migrations.Migration):
    dependencies = [("duels", "0002_rematch"), ("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="company",
            field=models.CharField(
                choices=[("people", "People"), ("mixed", "Mixed"), ("bots", "Bots")], default="people", max_length=6
            ),
        ),
        migrations.RunPython(name_company, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(condition=models.Q(("company", "bots")), fields=["-number"], name="battle_of_bots"),
        ),
        migrations.AddConstraint(
            model_name="battle",
            constraint=models.CheckConstraint(
                condition=models.Q(("company__in", ["people", "mixed", "bots"])), name="battle_company_is_known"
            ),
        ),
    ]
