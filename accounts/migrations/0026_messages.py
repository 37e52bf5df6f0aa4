"""Messages between users."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0025_remove_webhook"),
        ("notifications", "0009_news"),
    ]

    operations = [
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                (
                    "channel",
                    models.CharField(choices=[("page", "Page"), ("email", "Email")], default="page", max_length=5),
                ),
                ("battle", models.PositiveBigIntegerField(blank=True, null=True)),
                ("turn", models.PositiveIntegerField(blank=True, null=True)),
                ("written_at", models.DateTimeField()),
                ("once", models.CharField(max_length=40)),
                ("is_to_stranger", models.BooleanField(default=False)),
                ("is_unread", models.BooleanField(default=True)),
                ("is_kept_by_writer", models.BooleanField(default=True)),
                ("is_kept_by_reader", models.BooleanField(default=True)),
                (
                    "notice",
                    models.OneToOneField(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="message",
                        to="notifications.notice",
                    ),
                ),
                (
                    "reader",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages_got",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "writer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages_written",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("is_unread", True)), fields=["reader"], name="message_unread"),
                    models.Index(
                        condition=models.Q(("is_to_stranger", True)),
                        fields=["writer", "written_at"],
                        name="message_to_strangers",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("writer", "reader", "once"), name="message_once"),
                    models.CheckConstraint(
                        condition=models.Q(("writer", models.F("reader")), _negated=True),
                        name="message_is_to_somebody_else",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("is_kept_by_writer", True), ("is_kept_by_reader", True), _connector="OR"),
                        name="message_is_kept_by_someone",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="message_says_something"
                    ),
                ],
            },
        ),
    ]
