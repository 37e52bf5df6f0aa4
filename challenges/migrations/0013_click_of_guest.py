from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("challenges", "0012_reasons_to_decline")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="once_hash",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=64),
        ),
    ]
