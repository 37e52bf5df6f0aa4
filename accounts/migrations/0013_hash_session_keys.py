"""Replaces the keys of sessions by their hashes, so that nobody has to log in again."""

from django.db import migrations

# The length of Django's keys; hashes are longer.
KEY_LETTERS = 32


def hash_keys(apps, schema_editor):
    from accounts.sessions import hash_session_key

    for app, model in (("sessions", "Session"), ("usersessions", "UserSession"), ("accounts", "PushDevice")):
        rows = apps.get_model(app, model).objects
        for key in rows.values_list("session_key", flat=True).distinct().iterator():
            if len(key) == KEY_LETTERS:
                rows.filter(session_key=key).update(session_key=hash_session_key(key))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_vacation_by_janitor"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]
    operations = [migrations.RunPython(hash_keys, migrations.RunPython.noop)]
