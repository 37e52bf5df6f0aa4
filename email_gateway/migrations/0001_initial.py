import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("notifications", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LocalMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message_id", models.CharField(max_length=200, unique=True)),
                ("sealed", models.BinaryField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="InboundMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fingerprint", models.CharField(max_length=64, unique=True)),
                ("sealed", models.BinaryField(blank=True, null=True)),
                ("size", models.PositiveIntegerField()),
                ("content_key", models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True)),
                ("is_vouched_for", models.BooleanField(default=False)),
                ("copies", models.PositiveIntegerField(default=1)),
                ("received_at", models.DateTimeField()),
                ("stage_mark", models.BigIntegerField(default=0, editable=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("received", "Received"),
                            ("claimed", "Claimed"),
                            ("processed", "Processed"),
                            ("automatic", "Automatic"),
                            ("copy", "Copy"),
                            ("stuck", "Stuck"),
                        ],
                        default="received",
                        max_length=9,
                    ),
                ),
                ("due_at", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("processed_at", models.DateTimeField(blank=True, null=True)),
                ("scrubbed", models.TextField(blank=True, default="", editable=False)),
                ("remark", models.CharField(blank=True, default="", max_length=200)),
                (
                    "answer",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="inbound",
                        to="notifications.delivery",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="inbound_mails",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["received", "claimed"])),
                        fields=["due_at"],
                        name="inbound_waiting",
                    ),
                    models.Index(fields=["received_at"], name="inbound_received"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["received", "claimed", "processed", "automatic", "copy", "stuck"])
                        ),
                        name="inbound_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("processed_at__isnull", False),
                                ("sealed__isnull", True),
                                ("state__in", ["processed", "copy"]),
                            ),
                            models.Q(("processed_at__isnull", False), ("state", "automatic")),
                            models.Q(("sealed__isnull", False), ("state__in", ["received", "claimed", "stuck"])),
                            _connector="OR",
                        ),
                        name="inbound_is_unsealed_once_processed",
                    ),
                ],
                "ordering": ["-received_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="MailAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.EmailField(max_length=254, unique=True)),
                ("bounce_score", models.PositiveSmallIntegerField(default=0)),
                ("bounced_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "verbose_name_plural": "mail addresses",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("address", django.db.models.functions.text.Lower("address"))),
                        name="address_is_lower_case",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NewUserRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20)),
                ("address", models.EmailField(max_length=254)),
                ("sealed", models.TextField(blank=True, default="", editable=False)),
                ("created_at", models.DateTimeField()),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "inbound",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="newuser_request",
                        to="email_gateway.inboundmail",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["address", "created_at"], name="newuser_per_address")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("confirmed_at__isnull", False), ("user__isnull", True), _connector="OR"),
                        name="newuser_has_no_user_unconfirmed",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AccountChangeRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("address", "Address"),
                            ("password", "Password"),
                            ("leaving", "Leaving"),
                            ("retire", "Retire"),
                            ("quit", "Quit"),
                            ("surrender", "Surrender"),
                            ("announce", "Announce"),
                        ],
                        max_length=9,
                    ),
                ),
                ("sealed", models.TextField(blank=True, default="", editable=False)),
                ("created_at", models.DateTimeField()),
                ("agreed_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "created_at"], name="change_per_user")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["address", "password", "leaving", "retire", "quit", "surrender", "announce"])
                        ),
                        name="change_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("done_at__isnull", True),
                            models.Q(("agreed_at__isnull", False), ("sealed", "")),
                            _connector="OR",
                        ),
                        name="change_is_done_once_agreed",
                    ),
                ],
            },
        ),
    ]
