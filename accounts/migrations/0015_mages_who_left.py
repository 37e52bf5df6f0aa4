"""Tell mages who left apart from those who died."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_renamed_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="mage",
            name="has_left",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
