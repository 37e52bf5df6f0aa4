from django.db import migrations, models

from accounts.models.name import NAME_LENGTH


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0008_removed_chat_lines"),
    ]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="commitment",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="battle",
            name="earlier_seeds",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="combatant",
            name="former_name",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=NAME_LENGTH),
        ),
        migrations.AddField(
            model_name="ordersheet",
            name="commitments",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
