from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_push_devices"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="user",
            index=models.Index(condition=models.Q(("is_bot", True)), fields=["bot_strength"], name="user_bots"),
        ),
    ]
