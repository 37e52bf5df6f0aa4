from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("challenges", "0011_hosted_duels")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="reason",
            field=models.CharField(blank=True, db_default="", default="", max_length=10, verbose_name="reason"),
        ),
    ]
