"""Mages who never fought have no rank, and ladders know how many have one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0010_mages_who_left"),
    ]

    operations = [
        migrations.AddField(
            model_name="ladder",
            name="ranked",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="ladderplace",
            name="rank",
            field=models.PositiveIntegerField(null=True),
        ),
    ]
