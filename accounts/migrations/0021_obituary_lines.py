"""Lines about mages who died."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0020_private_notes"),
    ]

    operations = [
        migrations.CreateModel(
            name="ObituaryLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=140)),
                ("written_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("removed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "mage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="obituary_lines", to="accounts.mage"
                    ),
                ),
                (
                    "writer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="obituary_lines",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("mage", "writer"), name="obituary_line_once"),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="obituary_line_says_something"
                    ),
                ],
            },
        ),
    ]
