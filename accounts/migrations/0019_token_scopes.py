"""Tokens get scopes and an end. Those made before keep what they could do, and end 90 days after this."""

from datetime import timedelta
from typing import Any

from django.db import migrations, models
from django.utils import timezone

DAYS = 90


def give_scopes_and_an_end(apps: Any, schema_editor: Any) -> None:
    tokens = apps.get_model("accounts", "ApiToken").objects.using(schema_editor.connection.alias)
    tokens.update(scopes="read play", expires_at=timezone.now() + timedelta(days=DAYS))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0018_absence_news")]

    operations = [
        migrations.AddField("apitoken", "scopes", models.CharField(default="read", max_length=100)),
        migrations.AddField("apitoken", "expires_at", models.DateTimeField(null=True)),
        migrations.RunPython(give_scopes_and_an_end, migrations.RunPython.noop, elidable=True),
        migrations.AlterField("apitoken", "expires_at", models.DateTimeField()),
    ]
