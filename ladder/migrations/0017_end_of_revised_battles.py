from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0016_stakes_of_round_robins"),
    ]

    operations = [
        migrations.AddField(
            model_name="scorerevision",
            name="ended_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="ended"),
        ),
    ]
