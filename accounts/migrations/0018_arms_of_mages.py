"""Store how the arms of each mage are drawn."""

from django.db import migrations, models

from accounts.arms.design import design

# Mages drawn before this are drawn by the first edition of the rule, which never changes.
EDITION = 1
AT_ONCE = 500
MOST_ARMS = 100


def draw_arms(apps, schema_editor):
    """Draw the arms of every mage, in the order of their registration; those of the living are all different."""
    Mage = apps.get_model("accounts", "Mage")
    taken: set[str] = set()
    changed = []
    for mage in Mage.objects.order_by("pk").only("pk", "name", "died_at").iterator(AT_ONCE):
        number = 1
        if mage.died_at is None:
            while number < MOST_ARMS and design(mage.name, number, EDITION).likeness in taken:
                number += 1
        likeness = design(mage.name, number, EDITION).likeness
        if mage.died_at is None:
            taken.add(likeness)
        mage.arms_text, mage.arms_number, mage.arms_edition, mage.arms_likeness = mage.name, number, EDITION, likeness
        changed.append(mage)
    Mage.objects.bulk_update(changed, ["arms_text", "arms_number", "arms_edition", "arms_likeness"], AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_devices_of_browsers"),
    ]

    operations = [
        migrations.AddField(
            model_name="mage",
            name="arms_text",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=20),
        ),
        migrations.AddField(
            model_name="mage",
            name="arms_number",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False),
        ),
        migrations.AddField(
            model_name="mage",
            name="arms_edition",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False),
        ),
        migrations.AddField(
            model_name="mage",
            name="arms_likeness",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=6),
        ),
        migrations.RunPython(draw_arms, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="mage",
            index=models.Index(
                condition=models.Q(("died_at", None)), fields=["arms_likeness"], name="mage_arms_living"
            ),
        ),
    ]
