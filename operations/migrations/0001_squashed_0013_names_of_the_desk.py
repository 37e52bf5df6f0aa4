"""A column of the site policy has no field in PostgreSQL, so that older code can serve. SQLite drops it with the last
constraint, for which it makes the table anew."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("operations", "0001_initial"),
        ("operations", "0002_site_sums"),
        ("operations", "0003_battles_of_bots"),
        ("operations", "0004_lease"),
        ("operations", "0005_reworded_policy"),
        ("operations", "0006_reworded_idle_days"),
        ("operations", "0007_notified_upto"),
        ("operations", "0008_late_orders"),
        ("operations", "0009_absence_and_vacation_days"),
        ("operations", "0010_page_gaps"),
        ("operations", "0011_reminders_of_stuck_turns"),
        ("operations", "0012_limits_on_wins_and_mages"),
        ("operations", "0013_names_of_the_desk"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "part",
                    models.CharField(
                        choices=[
                            ("beat", "background work"),
                            ("site", "pages"),
                            ("mail_in", "incoming email"),
                            ("mail_out", "outgoing email"),
                        ],
                        max_length=8,
                        unique=True,
                        verbose_name="part",
                    ),
                ),
                ("beat_at", models.DateTimeField(verbose_name="last seen")),
                ("failing_since", models.DateTimeField(blank=True, null=True, verbose_name="failing since")),
            ],
            options={
                "verbose_name": "heartbeat",
                "verbose_name_plural": "heartbeats",
            },
        ),
        migrations.CreateModel(
            name="Lease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20, unique=True)),
                ("holder", models.CharField(max_length=100)),
                ("until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="SiteSum",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20, unique=True)),
                ("amount", models.PositiveBigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Chore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20, verbose_name="name")),
                ("day", models.DateField(verbose_name="day")),
                ("claimed_at", models.DateTimeField(verbose_name="claimed")),
                ("done_at", models.DateTimeField(blank=True, null=True, verbose_name="done")),
                ("remark", models.CharField(blank=True, default="", max_length=200, verbose_name="remark")),
            ],
            options={
                "ordering": ["-day", "name"],
                "verbose_name": "chore",
                "verbose_name_plural": "chores",
                "constraints": [models.UniqueConstraint(fields=("name", "day"), name="chore_once_a_day")],
            },
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("part", models.CharField(max_length=60, verbose_name="part")),
                ("started_at", models.DateTimeField(verbose_name="started")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                ("given_back_at", models.DateTimeField(blank=True, null=True, verbose_name="time given back")),
            ],
            options={
                "ordering": ["-started_at", "-pk"],
                "verbose_name": "outage",
                "verbose_name_plural": "outages",
                "indexes": [
                    models.Index(
                        condition=models.Q(("given_back_at", None)), fields=["started_at"], name="outage_waits"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.Value(1), condition=models.Q(("ended_at", None)), name="outage_open_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at", None), ("ended_at__gte", models.F("started_at")), _connector="OR"
                        ),
                        name="outage_ends_after_its_start",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("given_back_at", None), ("ended_at__isnull", False), _connector="OR"),
                        name="outage_is_over_when_given_back",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PageGap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("made_good_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-started_at", "-pk"],
                "indexes": [models.Index(fields=["ended_at"], name="page_gap_ended")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ended_at__gt", models.F("started_at"))),
                        name="page_gap_ends_after_its_start",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PageStamp",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("stamped_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(models.Value(1), name="page_stamp_once")],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=2000, verbose_name="text")),
                ("starts_at", models.DateTimeField(verbose_name="starts")),
                ("until", models.DateTimeField(verbose_name="until")),
                ("is_mailed", models.BooleanField(default=False, verbose_name="also by email")),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True, verbose_name="withdrawn")),
                (
                    "notified_upto",
                    models.PositiveBigIntegerField(blank=True, db_column="told_upto", default=None, null=True),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="written by",
                    ),
                ),
            ],
            options={
                "ordering": ["-starts_at", "-pk"],
                "verbose_name": "announcement",
                "verbose_name_plural": "announcements",
                "indexes": [
                    models.Index(fields=["until"], name="announcement_until"),
                    models.Index(
                        condition=models.Q(("notified_upto__isnull", False)), fields=["id"], name="announcement_to_tell"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("until__gt", models.F("starts_at"))), name="announcement_has_a_length"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Maintenance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        help_text="Everyone sees it on every page.", max_length=300, verbose_name="reason"
                    ),
                ),
                ("started_at", models.DateTimeField(verbose_name="started")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="ended by",
                    ),
                ),
                (
                    "started_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="started by",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "maintenance",
                "ordering": ["-started_at", "-pk"],
                "verbose_name": "maintenance",
                "constraints": [
                    models.UniqueConstraint(
                        models.Value(1), condition=models.Q(("ended_at", None)), name="maintenance_open_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("ended_by", None)),
                            models.Q(("ended_at__gte", models.F("started_at")), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="maintenance_end_has_its_janitor",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SitePolicy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "classic_reminder_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 60 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="A mage who owes orders is reminded after",
                    ),
                ),
                (
                    "classic_remind_every_hours",
                    models.PositiveSmallIntegerField(
                        default=84,
                        help_text="12 to 336 hours",
                        validators=[
                            django.core.validators.MinValueValidator(12),
                            django.core.validators.MaxValueValidator(336),
                        ],
                        verbose_name="A mage who owes orders is reminded again every",
                    ),
                ),
                (
                    "classic_forfeit_days",
                    models.PositiveSmallIntegerField(
                        default=21,
                        help_text="2 to 120 days",
                        validators=[
                            django.core.validators.MinValueValidator(2),
                            django.core.validators.MaxValueValidator(120),
                        ],
                        verbose_name="A mage who owes orders forfeits after",
                    ),
                ),
                (
                    "idle_user_days",
                    models.PositiveSmallIntegerField(
                        default=21,
                        help_text="7 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(7),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A mage is not idle if their user was active in the last",
                    ),
                ),
                (
                    "idle_week_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 90 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(90),
                        ],
                        verbose_name="A mage becomes idle after this long, times (score + 1)",
                    ),
                ),
                (
                    "retired_days",
                    models.PositiveSmallIntegerField(
                        default=28,
                        help_text="7 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(7),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A retired mage can stay away this long, times (score + 1)",
                    ),
                ),
                (
                    "immune_points",
                    models.PositiveSmallIntegerField(
                        default=4,
                        help_text="0 to 50 points",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(50),
                        ],
                        verbose_name="A retired mage stays forever if their score is below the best retired mage's by at most",
                    ),
                ),
                (
                    "mageless_warn_days",
                    models.PositiveSmallIntegerField(
                        default=21,
                        help_text="7 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(7),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A user without a mage is asked to come back after",
                    ),
                ),
                (
                    "mageless_close_days",
                    models.PositiveSmallIntegerField(
                        default=40,
                        help_text="14 to 730 days",
                        validators=[
                            django.core.validators.MinValueValidator(14),
                            django.core.validators.MaxValueValidator(730),
                        ],
                        verbose_name="The account of a user without a mage is closed after",
                    ),
                ),
                (
                    "warning_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 60 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="Time to respond to a warning about a mage or an account",
                    ),
                ),
                (
                    "challenge_prod_days",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="1 to 60 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="Players are reminded of an inactive challenge every",
                    ),
                ),
                (
                    "challenge_close_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="2 to 180 days",
                        validators=[
                            django.core.validators.MinValueValidator(2),
                            django.core.validators.MaxValueValidator(180),
                        ],
                        verbose_name="An inactive challenge is closed after",
                    ),
                ),
                (
                    "vacation_most_days",
                    models.PositiveSmallIntegerField(
                        default=35,
                        help_text="1 to 120 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(120),
                        ],
                        verbose_name="The longest vacation",
                    ),
                ),
                ("battle_pause_most_days", models.PositiveSmallIntegerField(db_default=35)),
                (
                    "practice_deaths",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="0 to 1 mage",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(1),
                        ],
                        verbose_name="A death in practice costs the user",
                    ),
                ),
                (
                    "signup_keep_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="1 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A sign-up with no confirmed address and no mage is kept for",
                    ),
                ),
                (
                    "guest_keep_days",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="1 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="An inactive guest is kept for",
                    ),
                ),
                (
                    "notice_keep_days",
                    models.PositiveSmallIntegerField(
                        default=180,
                        help_text="30 to 3650 days",
                        validators=[
                            django.core.validators.MinValueValidator(30),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="Notices are kept for",
                    ),
                ),
                (
                    "backups_kept",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="1 to 90 backups",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(90),
                        ],
                        verbose_name="Nightly backups kept",
                    ),
                ),
                (
                    "outage_minutes",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="3 to 720 minutes",
                        validators=[
                            django.core.validators.MinValueValidator(3),
                            django.core.validators.MaxValueValidator(720),
                        ],
                        verbose_name="The site counts as down after a silence of",
                    ),
                ),
                (
                    "outbox_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="5 to 1440 minutes",
                        validators=[
                            django.core.validators.MinValueValidator(5),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                        verbose_name="Outgoing email counts as stuck after waiting for",
                    ),
                ),
                ("set_at", models.DateTimeField(verbose_name="set")),
                ("why", models.CharField(max_length=300, verbose_name="reason")),
                (
                    "bot_battles_a_day",
                    models.PositiveSmallIntegerField(
                        default=4,
                        help_text="0 to 48 battles",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(48),
                        ],
                        verbose_name="Battles between bots, each day",
                    ),
                ),
                (
                    "late_orders_seconds",
                    models.PositiveSmallIntegerField(
                        default=2,
                        help_text="0 to 60 seconds",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="Orders still count if they arrive after the forfeit moment by at most",
                    ),
                ),
                (
                    "absence_most_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="1 to 120 days",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(120),
                        ],
                        verbose_name="The others choose what to do once a mage's absences in one battle reach",
                    ),
                ),
                (
                    "undelivered_mail_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="0 to 60 days",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(60),
                        ],
                        verbose_name="Undelivered email stops a mage's clock in one battle for at most",
                    ),
                ),
                (
                    "vacation_kept_days",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="0 to 120 days",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(120),
                        ],
                        verbose_name="Unused vacation kept for the next year, at most",
                    ),
                ),
                (
                    "vacation_year_days",
                    models.PositiveSmallIntegerField(
                        default=35,
                        help_text="0 to 365 days",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="A user's vacation in a calendar year",
                    ),
                ),
                (
                    "stuck_remind_hours",
                    models.PositiveSmallIntegerField(
                        default=24,
                        help_text="1 to 168 hours",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(168),
                        ],
                        verbose_name="Janitors are reminded of a turn that is stuck every",
                    ),
                ),
                (
                    "stuck_remind_live_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="5 to 1440 minutes",
                        validators=[
                            django.core.validators.MinValueValidator(5),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                        verbose_name="In a live battle, janitors are first reminded of a turn that is stuck after",
                    ),
                ),
                (
                    "living_mages",
                    models.PositiveSmallIntegerField(
                        default=12,
                        help_text="1 to 1000 mages",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                        verbose_name="Living mages of one user, at most",
                    ),
                ),
                (
                    "new_mages_a_day",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="1 to 1000 mages",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                        verbose_name="New mages of one user within 24 hours, at most",
                    ),
                ),
                (
                    "wins_that_count",
                    models.PositiveSmallIntegerField(
                        default=3,
                        help_text="1 to 1000 battles",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                        verbose_name="Wins over one user within 30 days that score and rate, at most",
                    ),
                ),
                (
                    "set_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="set by",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "site policy",
                "ordering": ["-pk"],
                "verbose_name": "site policy",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classic_reminder_days__gte", 1), ("classic_reminder_days__lte", 60)),
                        name="policy_classic_reminder_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("classic_remind_every_hours__gte", 12), ("classic_remind_every_hours__lte", 336)
                        ),
                        name="policy_classic_remind_every_hours",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("classic_forfeit_days__gte", 2), ("classic_forfeit_days__lte", 120)),
                        name="policy_classic_forfeit_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("idle_user_days__gte", 7), ("idle_user_days__lte", 365)),
                        name="policy_idle_user_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("idle_week_days__gte", 1), ("idle_week_days__lte", 90)),
                        name="policy_idle_week_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("retired_days__gte", 7), ("retired_days__lte", 365)),
                        name="policy_retired_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("immune_points__gte", 0), ("immune_points__lte", 50)),
                        name="policy_immune_points",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mageless_warn_days__gte", 7), ("mageless_warn_days__lte", 365)),
                        name="policy_mageless_warn_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mageless_close_days__gte", 14), ("mageless_close_days__lte", 730)),
                        name="policy_mageless_close_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("warning_days__gte", 1), ("warning_days__lte", 60)),
                        name="policy_warning_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenge_prod_days__gte", 1), ("challenge_prod_days__lte", 60)),
                        name="policy_challenge_prod_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenge_close_days__gte", 2), ("challenge_close_days__lte", 180)),
                        name="policy_challenge_close_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("vacation_most_days__gte", 1), ("vacation_most_days__lte", 120)),
                        name="policy_vacation_most_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("practice_deaths__gte", 0), ("practice_deaths__lte", 1)),
                        name="policy_practice_deaths",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("signup_keep_days__gte", 1), ("signup_keep_days__lte", 365)),
                        name="policy_signup_keep_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("guest_keep_days__gte", 1), ("guest_keep_days__lte", 365)),
                        name="policy_guest_keep_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("notice_keep_days__gte", 30), ("notice_keep_days__lte", 3650)),
                        name="policy_notice_keep_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("backups_kept__gte", 1), ("backups_kept__lte", 90)),
                        name="policy_backups_kept",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("outage_minutes__gte", 3), ("outage_minutes__lte", 720)),
                        name="policy_outage_minutes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("outbox_minutes__gte", 5), ("outbox_minutes__lte", 1440)),
                        name="policy_outbox_minutes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("classic_reminder_days__lt", models.F("classic_forfeit_days"))),
                        name="policy_classic_reminder_days_first",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mageless_warn_days__lt", models.F("mageless_close_days"))),
                        name="policy_mageless_warn_days_first",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenge_prod_days__lt", models.F("challenge_close_days"))),
                        name="policy_challenge_prod_days_first",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("bot_battles_a_day__gte", 0), ("bot_battles_a_day__lte", 48)),
                        name="policy_bot_battles_a_day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("late_orders_seconds__gte", 0), ("late_orders_seconds__lte", 60)),
                        name="policy_late_orders_seconds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("vacation_year_days__gte", 0), ("vacation_year_days__lte", 365)),
                        name="policy_vacation_year_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("vacation_kept_days__gte", 0), ("vacation_kept_days__lte", 120)),
                        name="policy_vacation_kept_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("undelivered_mail_days__gte", 0), ("undelivered_mail_days__lte", 60)),
                        name="policy_undelivered_mail_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("absence_most_days__gte", 1), ("absence_most_days__lte", 120)),
                        name="policy_absence_most_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("stuck_remind_hours__gte", 1), ("stuck_remind_hours__lte", 168)),
                        name="policy_stuck_remind_hours",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("stuck_remind_live_minutes__gte", 5), ("stuck_remind_live_minutes__lte", 1440)
                        ),
                        name="policy_stuck_remind_live_minutes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("wins_that_count__gte", 1), ("wins_that_count__lte", 1000)),
                        name="policy_wins_that_count",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("living_mages__gte", 1), ("living_mages__lte", 1000)),
                        name="policy_living_mages",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("battle_pause_most_days__gte", 0), ("battle_pause_most_days__lte", 365)),
                        name="policy_battle_pause_most_days",
                    ),
                ],
            },
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name="sitepolicy",
                    name="policy_battle_pause_most_days",
                ),
                migrations.RemoveField(
                    model_name="sitepolicy",
                    name="battle_pause_most_days",
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("new_mages_a_day__gte", 1), ("new_mages_a_day__lte", 1000)),
                name="policy_new_mages_a_day",
            ),
        ),
    ]
