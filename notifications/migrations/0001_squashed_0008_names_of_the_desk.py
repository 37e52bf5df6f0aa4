import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("notifications", "0001_initial"),
        ("notifications", "0002_webhooks"),
        ("notifications", "0003_push"),
        ("notifications", "0004_plainer_reasons"),
        ("notifications", "0005_stored_at"),
        ("notifications", "0006_stopped_email"),
        ("notifications", "0007_reply_key"),
        ("notifications", "0008_names_of_the_desk"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200, unique=True, verbose_name="key")),
                ("kind", models.CharField(max_length=40, verbose_name="kind")),
                ("facts", models.JSONField(blank=True, default=dict)),
                ("sealed", models.TextField(blank=True, default="", editable=False)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
                (
                    "stored_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        default=django.utils.timezone.now,
                        editable=False,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "notice",
                "verbose_name_plural": "notices",
                "indexes": [
                    models.Index(fields=["user", "-created_at"], name="notice_user_newest"),
                    models.Index(fields=["user", "stored_at"], name="notice_user_stored"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "channel",
                    models.CharField(
                        choices=[("mail", "Mail"), ("digest", "Digest"), ("webhook", "Webhook"), ("push", "Push")],
                        default="mail",
                        max_length=8,
                        verbose_name="channel",
                    ),
                ),
                ("address", models.EmailField(blank=True, default="", max_length=254, verbose_name="address")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("due", "Due"),
                            ("claimed", "Claimed"),
                            ("sent", "Sent"),
                            ("skipped", "Skipped"),
                            ("failed", "Failed"),
                        ],
                        default="due",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("seen", "seen on the page"),
                            ("settled", "already settled"),
                            ("no_address", "no address to write to"),
                            ("stopped", "email to this user is stopped"),
                            ("nothing", "nothing to report"),
                        ],
                        default="",
                        max_length=10,
                        verbose_name="reason",
                    ),
                ),
                ("message_id", models.CharField(db_index=True, max_length=200)),
                ("sealed_mail", models.TextField(blank=True, default="", editable=False)),
                ("subject", models.CharField(blank=True, default="", max_length=200, verbose_name="subject")),
                ("text", models.TextField(blank=True, default="", editable=False, verbose_name="text")),
                ("web_text", models.TextField(blank=True, default="", editable=False)),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
                ("due_at", models.DateTimeField(verbose_name="due")),
                ("claimed_at", models.DateTimeField(blank=True, null=True, verbose_name="claimed")),
                ("sent_at", models.DateTimeField(blank=True, null=True, verbose_name="sent")),
                ("error", models.CharField(blank=True, default="", max_length=200, verbose_name="error")),
                ("reply_key", models.CharField(blank=True, default="", editable=False, max_length=60)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="deliveries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
                (
                    "notice",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="notifications.notice",
                        verbose_name="notice",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "verbose_name": "delivery",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["due", "claimed"])),
                        fields=["due_at"],
                        name="delivery_waiting",
                    ),
                    models.Index(
                        condition=models.Q(("notice__isnull", True), ("state__in", ["due", "claimed"])),
                        fields=["due_at"],
                        name="delivery_waiting_answers",
                    ),
                    models.Index(
                        condition=models.Q(("notice__isnull", True)),
                        fields=["address", "created_at"],
                        name="delivery_answers",
                    ),
                    models.Index(fields=["user", "-sent_at"], name="delivery_newest"),
                    models.Index(
                        condition=models.Q(("text", ""), _negated=True), fields=["created_at"], name="delivery_copies"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("notice", "channel"), name="delivery_once_per_channel"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["due", "claimed"]), ("sealed_mail", ""), _connector="OR"),
                        name="delivery_unsealed_once_ended",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("notice__isnull", False),
                            models.Q(
                                models.Q(("address", ""), _negated=True),
                                models.Q(
                                    ("state__in", ["sent", "skipped", "failed"]),
                                    models.Q(("sealed_mail", ""), _negated=True),
                                    _connector="OR",
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="delivery_of_an_answer_is_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("reason__in", ["seen", "settled", "no_address", "stopped", "nothing"]),
                                ("state", "skipped"),
                            ),
                            models.Q(("reason", ""), ("state__in", ["due", "claimed", "sent", "failed"])),
                            _connector="OR",
                        ),
                        name="delivery_skipped_for_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Preference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=40)),
                ("value", models.CharField(max_length=80)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="preferences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="preference_once_per_key")],
            },
        ),
    ]
