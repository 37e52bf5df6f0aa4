"""Webhooks are hooks now (notifications.models.Hook)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0024_webhooks_become_hooks"),
    ]

    operations = [
        migrations.DeleteModel(
            name="Webhook",
        ),
    ]
