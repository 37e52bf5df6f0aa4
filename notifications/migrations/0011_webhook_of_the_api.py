"""The webhook of the API is marked. Until now it was its user's first hook with signed JSON."""

from django.conf import settings
from django.db import migrations, models


def mark_webhooks(apps, schema_editor):
    hooks = apps.get_model("notifications", "Hook").objects
    of_users = hooks.filter(scope="user", format="json").order_by("user", "created_at", "pk")
    first = {}
    for pk, user in of_users.values_list("pk", "user"):
        first.setdefault(user, pk)
    hooks.filter(pk__in=first.values()).update(is_webhook=True)


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0010_hooks"),
        # Only then are the webhooks of before among the hooks.
        ("accounts", "0024_webhooks_become_hooks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="hook",
            name="is_webhook",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(mark_webhooks, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="hook",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_webhook", True)), fields=("user",), name="hook_one_webhook_per_user"
            ),
        ),
    ]
