"""Rename two fields and a model in the code; their columns and table keep their names, so that older code can serve."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_pronouns"),
    ]

    operations = [
        migrations.AlterModelTable(name="absencenews", table="accounts_absencenews"),
        migrations.RenameModel(old_name="AbsenceNews", new_name="ClockUpdate"),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(model_name="clockupdate", name="absence_news_due"),
                migrations.RemoveIndex(model_name="mage", name="mage_idle_look"),
                migrations.RemoveIndex(model_name="user", name="user_idle_look"),
                migrations.RenameField(model_name="clockupdate", old_name="look_at", new_name="due_at"),
                migrations.RenameField(model_name="mage", old_name="idle_look_at", new_name="idle_check_at"),
                migrations.RenameField(model_name="user", old_name="idle_look_at", new_name="idle_check_at"),
                migrations.AlterField(
                    model_name="clockupdate", name="due_at", field=models.DateTimeField(db_column="look_at")
                ),
                migrations.AlterField(
                    model_name="clockupdate",
                    name="user",
                    field=models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="clock_update",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="mage",
                    name="idle_check_at",
                    field=models.DateTimeField(
                        db_column="idle_look_at",
                        db_default=django.db.models.functions.datetime.Now(),
                        editable=False,
                    ),
                ),
                migrations.AlterField(
                    model_name="user",
                    name="idle_check_at",
                    field=models.DateTimeField(
                        db_column="idle_look_at",
                        db_default=django.db.models.functions.datetime.Now(),
                        editable=False,
                    ),
                ),
                migrations.AddIndex(
                    model_name="clockupdate", index=models.Index(fields=["due_at"], name="absence_news_due")
                ),
                migrations.AddIndex(
                    model_name="mage",
                    index=models.Index(
                        fields=["idle_check_at"], name="mage_idle_look", condition=models.Q(died_at=None)
                    ),
                ),
                migrations.AddIndex(
                    model_name="user",
                    index=models.Index(
                        fields=["idle_check_at"], name="user_idle_look", condition=models.Q(is_active=True)
                    ),
                ),
            ],
        ),
        migrations.RenameIndex(model_name="clockupdate", old_name="absence_news_due", new_name="clock_update_due"),
        migrations.RenameIndex(model_name="mage", old_name="mage_idle_look", new_name="mage_idle_check"),
        migrations.RenameIndex(model_name="user", old_name="user_idle_look", new_name="user_idle_check"),
    ]
