"""Apart from the migrations before, since `usersessions` comes between: it needs their users, and its rows are changed here."""

from django.db import migrations, models

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
    replaces = [
        ("accounts", "0013_hash_session_keys"),
        ("accounts", "0014_renamed_at"),
        ("accounts", "0015_mages_who_left"),
        ("accounts", "0016_names_of_the_desk"),
    ]

    dependencies = [
        ("accounts", "0012_vacation_by_janitor"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(hash_keys, migrations.RunPython.noop),
        migrations.AddField(
            model_name="user",
            name="renamed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="mage",
            name="has_left",
            field=models.BooleanField(db_default=False, default=False, verbose_name="left alive"),
        ),
    ]
