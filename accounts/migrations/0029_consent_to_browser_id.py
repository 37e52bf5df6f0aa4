from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0028_network_of_a_trace")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="browser_id_allowed",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="user",
            name="browser_id_answered_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
