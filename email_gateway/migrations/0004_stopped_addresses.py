from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("email_gateway", "0003_names_of_the_desk")]

    operations = [
        migrations.AlterModelOptions(
            name="mailaddress",
            options={
                "verbose_name": "address that email goes to",
                "verbose_name_plural": "addresses that email goes to",
            },
        ),
        migrations.AddField(
            model_name="mailaddress",
            name="stopped_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="email stopped"),
        ),
        migrations.AddField(
            model_name="mailaddress",
            name="stopped_for",
            field=models.CharField(blank=True, db_default="", default="", max_length=300, verbose_name="reason"),
        ),
    ]
