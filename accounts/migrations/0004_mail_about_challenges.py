"""Mail about challenges becomes three questions; who wanted none of it goes on getting none."""

from typing import Any

from django.db import migrations

WAS = "mail_challenges"
PARTS = ("mail_seats", "mail_changes")


def part(apps: Any, _editor: Any) -> None:
    preferences = apps.get_model("accounts", "Preference").objects
    chosen = list(preferences.filter(key=WAS).values_list("user_id", "value"))
    model = preferences.model
    rows = [model(user_id=user, key=key, value=value) for user, value in chosen for key in PARTS]
    preferences.bulk_create(rows, ignore_conflicts=True)


def join(apps: Any, _editor: Any) -> None:
    apps.get_model("accounts", "Preference").objects.filter(key__in=PARTS).delete()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_mail_fails_since")]

    operations = [migrations.RunPython(part, join)]
