from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0009_commitments"),
    ]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="pronouns",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
