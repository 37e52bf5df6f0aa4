"""Replace the limit of absences, and add those of vacations. The old column stays, so that older code can serve."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("operations", "0008_late_orders"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(model_name="sitepolicy", name="policy_battle_pause_most_days"),
                migrations.RemoveField(model_name="sitepolicy", name="battle_pause_most_days"),
            ],
            database_operations=[
                migrations.AlterField(
                    model_name="sitepolicy",
                    name="battle_pause_most_days",
                    field=models.PositiveSmallIntegerField(db_default=35),
                ),
            ],
        ),
        migrations.AddField(
            model_name="sitepolicy",
            name="absence_most_days",
            field=models.PositiveSmallIntegerField(
                default=14,
                help_text="1 to 120 days",
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(120)],
                verbose_name="The others choose what to do once a mage's absences in one battle reach",
            ),
        ),
        migrations.AddField(
            model_name="sitepolicy",
            name="undelivered_mail_days",
            field=models.PositiveSmallIntegerField(
                default=7,
                help_text="0 to 60 days",
                validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(60)],
                verbose_name="Undelivered email stops a mage's clock in one battle for at most",
            ),
        ),
        migrations.AddField(
            model_name="sitepolicy",
            name="vacation_kept_days",
            field=models.PositiveSmallIntegerField(
                default=10,
                help_text="0 to 120 days",
                validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(120)],
                verbose_name="Unused vacation kept for the next year, at most",
            ),
        ),
        migrations.AddField(
            model_name="sitepolicy",
            name="vacation_year_days",
            field=models.PositiveSmallIntegerField(
                default=35,
                help_text="0 to 365 days",
                validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(365)],
                verbose_name="A user's vacation in a calendar year",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("vacation_year_days__gte", 0), ("vacation_year_days__lte", 365)),
                name="policy_vacation_year_days",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("vacation_kept_days__gte", 0), ("vacation_kept_days__lte", 120)),
                name="policy_vacation_kept_days",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("undelivered_mail_days__gte", 0), ("undelivered_mail_days__lte", 60)),
                name="policy_undelivered_mail_days",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitepolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("absence_most_days__gte", 1), ("absence_most_days__lte", 120)),
                name="policy_absence_most_days",
            ),
        ),
    ]
