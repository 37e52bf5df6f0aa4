"""When each notice was stored. Programs know events by this, and knew them by `created_at` before."""

import django.utils.timezone
from django.db import migrations, models
from django.db.models.functions import Now


def copy_times(apps, schema_editor):
    apps.get_model("notifications", "Notice").objects.update(stored_at=models.F("created_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0004_plainer_reasons"),
    ]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="stored_at",
            field=models.DateTimeField(db_default=Now(), default=django.utils.timezone.now, editable=False),
        ),
        migrations.RunPython(copy_times, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["user", "stored_at"], name="notice_user_stored"),
        ),
    ]
