"""Rename a model in the code; its table keeps its name, so that older code can serve."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0006_fewer_rating_figures"),
    ]

    operations = [
        migrations.AlterModelTable(name="ratingbook", table="ladder_ratingbook"),
        migrations.RenameModel(old_name="RatingBook", new_name="RatingLock"),
    ]
