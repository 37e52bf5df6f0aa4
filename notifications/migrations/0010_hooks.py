"""Hooks, of which a user can have several, and whose deliveries name them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0009_news"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Hook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "scope",
                    models.CharField(
                        choices=[("user", "A user's own"), ("battle", "A battle's"), ("site", "The site's")],
                        max_length=6,
                    ),
                ),
                ("battle", models.PositiveBigIntegerField(blank=True, null=True)),
                ("place", models.CharField(editable=False, max_length=40, unique=True)),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("json", "Signed JSON"),
                            ("discord", "Discord"),
                            ("slack", "Slack"),
                            ("matrix", "Matrix"),
                            ("ntfy", "ntfy"),
                        ],
                        max_length=7,
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("events", models.JSONField(default=list)),
                ("sealed", models.TextField(editable=False)),
                ("created_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failed_events", models.PositiveIntegerField(default=0)),
                ("retry_at", models.DateTimeField(blank=True, null=True)),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("off_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "verbose_name": "hook",
                "verbose_name_plural": "hooks",
            },
        ),
        migrations.RemoveConstraint(
            model_name="delivery",
            name="delivery_once_per_channel",
        ),
        migrations.AddField(
            model_name="hook",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="hooks", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="hook",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to="notifications.hook",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(
                condition=models.Q(("hook__isnull", True)),
                fields=("notice", "channel"),
                name="delivery_once_per_channel",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(
                condition=models.Q(("hook__isnull", False)), fields=("notice", "hook"), name="delivery_once_per_hook"
            ),
        ),
        migrations.AddIndex(
            model_name="hook",
            index=models.Index(condition=models.Q(("battle__isnull", False)), fields=["battle"], name="hook_of_battle"),
        ),
        migrations.AddIndex(
            model_name="hook",
            index=models.Index(condition=models.Q(("scope", "site")), fields=["scope"], name="hook_of_site"),
        ),
        migrations.AddIndex(
            model_name="hook",
            index=models.Index(
                condition=models.Q(("paused_at__isnull", False)), fields=["failing_since"], name="hook_paused"
            ),
        ),
        migrations.AddConstraint(
            model_name="hook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("battle__isnull", False), ("scope", "battle")),
                    models.Q(("battle__isnull", True), ("scope__in", ["user", "site"])),
                    _connector="OR",
                ),
                name="hook_of_battle_names_it",
            ),
        ),
    ]
