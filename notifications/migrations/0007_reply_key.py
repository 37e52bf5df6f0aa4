"""What an email's reply address is for. Emails sent before have none: a reply to one is found by its references."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0006_stopped_email"),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="reply_key",
            field=models.CharField(blank=True, default="", editable=False, max_length=60),
        ),
    ]
