from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_index_of_bots"),
    ]

    operations = [
        migrations.AddField(
            model_name="mage",
            name="pronoun",
            field=models.CharField(
                choices=[("they", "they"), ("she", "she"), ("he", "he"), ("it", "it")],
                db_default="they",
                default="they",
                max_length=4,
            ),
        ),
    ]
