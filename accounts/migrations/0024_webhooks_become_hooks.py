"""Each webhook becomes a hook with signed JSON in its user's first place, and keeps its address, secret and events."""

from django.db import migrations

from operations.encryption import InvalidToken, seal, unseal

EVENTS = ["turns", "deadlines", "ends", "messages", "challenges", "seeks", "seats", "changes"]
KEPT = ("created_at", "answered_at", "failing_since", "failures", "retry_at", "off_at", "error")


def move_webhooks(apps, schema_editor):
    hooks = apps.get_model("notifications", "Hook").objects
    deliveries = apps.get_model("notifications", "Delivery").objects
    for webhook in apps.get_model("accounts", "Webhook").objects.order_by("pk").iterator():
        hook = hooks.create(
            user_id=webhook.user_id,
            scope="user",
            place=f"user/{webhook.user_id}/1",
            format="json",
            name="API",
            events=EVENTS,
            sealed=seal({"url": webhook.url} | read_secret(webhook)),
            **{name: getattr(webhook, name) for name in KEPT},
        )
        deliveries.filter(channel="webhook", user_id=webhook.user_id).update(hook=hook)


def read_secret(webhook):
    """Return the secret, or nothing if it was lost with an old key: then calls fail, as they did."""
    try:
        return unseal(webhook.sealed_secret)
    except InvalidToken:
        return {}


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0023_hosts"),
        ("notifications", "0010_hooks"),
    ]

    operations = [
        migrations.RunPython(move_webhooks, migrations.RunPython.noop),
    ]
