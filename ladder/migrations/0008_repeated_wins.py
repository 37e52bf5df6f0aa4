"""Note which wins neither score nor rate, because the winner had beaten the same user too often."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0007_rating_lock"),
    ]

    operations = [
        migrations.AddField(
            model_name="placing",
            name="is_repeated",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="scoreentry",
            name="reason",
            field=models.CharField(
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
            ),
        ),
    ]
