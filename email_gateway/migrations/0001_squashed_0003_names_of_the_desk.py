import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("email_gateway", "0001_initial"),
        ("email_gateway", "0002_hold_unproven_mails"),
        ("email_gateway", "0003_names_of_the_desk"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("notifications", "0008_names_of_the_desk"),
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
                ("size", models.PositiveIntegerField(verbose_name="size")),
                ("content_key", models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True)),
                ("is_vouched_for", models.BooleanField(default=False)),
                ("copies", models.PositiveIntegerField(default=1, verbose_name="copies")),
                ("received_at", models.DateTimeField(verbose_name="received")),
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
                            ("held", "Held"),
                        ],
                        default="received",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("due_at", models.DateTimeField(verbose_name="due")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("processed_at", models.DateTimeField(blank=True, null=True, verbose_name="processed")),
                ("scrubbed", models.TextField(blank=True, default="", editable=False)),
                ("remark", models.CharField(blank=True, default="", max_length=200, verbose_name="remark")),
                ("is_confirmed", models.BooleanField(db_default=False, default=False)),
                (
                    "answer",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="inbound",
                        to="notifications.delivery",
                        verbose_name="answer",
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
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "ordering": ["-received_at", "-pk"],
                "verbose_name": "incoming email",
                "verbose_name_plural": "incoming emails",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["received", "claimed"])),
                        fields=["due_at"],
                        name="inbound_waiting",
                    ),
                    models.Index(fields=["received_at"], name="inbound_received"),
                    models.Index(
                        condition=models.Q(("state", "held")), fields=["user", "received_at"], name="inbound_held"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["received", "claimed", "processed", "automatic", "copy", "stuck", "held"])
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
                            models.Q(
                                ("sealed__isnull", False), ("state__in", ["received", "claimed", "stuck", "held"])
                            ),
                            _connector="OR",
                        ),
                        name="inbound_is_unsealed_once_processed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MailAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.EmailField(max_length=254, unique=True, verbose_name="address")),
                ("bounce_score", models.PositiveSmallIntegerField(default=0, verbose_name="bounce score")),
                ("bounced_at", models.DateTimeField(blank=True, null=True, verbose_name="last bounce")),
                ("last_error", models.CharField(blank=True, default="", max_length=200, verbose_name="last error")),
            ],
            options={
                "verbose_name_plural": "addresses with bounces",
                "verbose_name": "address with bounces",
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
