"""Policy: how many wins over one user count, and how many mages a user can have."""

import django.core.validators
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("operations", "0011_reminders_of_stuck_turns"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="sitepolicy",
            name="living_mages",
            field=models.PositiveSmallIntegerField(
                default=12,
                help_text="1 to 1000 mages",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
                verbose_name="Living mages of one user, at most",
            ),
        ),
        migrations.AddField(
            model_name="sitepolicy",
            name="new_mages_a_day",
            field=models.PositiveSmallIntegerField(
                default=5,
                help_text="1 to 1000 mages",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
                verbose_name="New mages of one user within 24 hours, at most",
            ),
        ),
        migrations.AddField(
            model_name="sitepolicy",
            name="wins_that_count",
            field=models.PositiveSmallIntegerField(
                default=3,
                help_text="1 to 1000 battles",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
                verbose_name="Wins over one user within 30 days that score and rate, at most",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("wins_that_count__gte", 1), ("wins_that_count__lte", 1000)),
                name="policy_wins_that_count",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("living_mages__gte", 1), ("living_mages__lte", 1000)), name="policy_living_mages"
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("new_mages_a_day__gte", 1), ("new_mages_a_day__lte", 1000)),
                name="policy_new_mages_a_day",
            ),
        ),
    ]
