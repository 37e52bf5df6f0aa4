"""The stakes of leagues and cups."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0012_names_of_the_desk"),
    ]

    operations = [
        migrations.AlterField(
            model_name="scoredbattle",
            name="stakes",
            field=models.CharField(
                choices=[
                    ("ladder", "Ladder"),
                    ("band", "Band"),
                    ("no-gain", "No Gain"),
                    ("friendly", "Friendly"),
                    ("very-friendly", "Very Friendly"),
                    ("bots", "Bots"),
                    ("league", "League"),
                    ("cup", "Cup"),
                    ("evening", "Live Evening"),
                ],
                default="ladder",
                max_length=13,
                verbose_name="stakes",
            ),
        ),
    ]
