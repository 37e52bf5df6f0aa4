from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0003_fill_results")]

    operations = [
        migrations.AddConstraint(
            model_name="scoreentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("change", models.F("due")),
                    models.Q(("after", 0), ("due__lt", models.F("change"))),
                    _connector="OR",
                ),
                name="score_entry_gives_what_is_due",
            ),
        ),
    ]
