"""Who went or came back leaves word for the clocks. Of vacations that go on their ends are to be heard."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def note_ends_of_vacations(apps: Any, schema_editor: Any) -> None:
    news, vacations = apps.get_model("accounts", "AbsenceNews"), apps.get_model("accounts", "Vacation")
    alias = schema_editor.connection.alias
    going_on = vacations.objects.using(alias).filter(ended_at=None).values_list("user_id", "until")
    news.objects.using(alias).bulk_create(news(user_id=user, look_at=until) for user, until in going_on)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_janitors_acts"),
    ]

    operations = [
        migrations.CreateModel(
            name="AbsenceNews",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("look_at", models.DateTimeField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absence_news",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["look_at"], name="absence_news_due")]},
        ),
        migrations.RunPython(note_ends_of_vacations, migrations.RunPython.noop),
    ]
