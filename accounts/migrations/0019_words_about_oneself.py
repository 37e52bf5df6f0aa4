"""What users say about themselves on their page."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0018_arms_of_mages")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="about",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=280),
        ),
    ]
