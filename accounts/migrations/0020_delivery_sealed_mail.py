from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0019_token_scopes")]

    operations = [
        migrations.AddField("delivery", "sealed_mail", models.TextField(blank=True, default="", editable=False)),
    ]
