from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0005_opening_replies")]

    operations = [
        # Old code writes the column while it still serves, and new code doesn't. Nothing reads either of the two; drop
        # them when no code writes them.
        migrations.AlterField("ratingentry", "deviation_before", models.FloatField(null=True)),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("ratingentry", "deviation_before"),
                migrations.RemoveField("ratingentry", "volatility_before"),
            ]
        ),
    ]
