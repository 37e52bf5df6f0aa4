"""Lines of users' news among their notices. Notices of before are none."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0008_names_of_the_desk"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="about",
            field=models.ManyToManyField(editable=False, related_name="+", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name="notice",
            name="is_unseen",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="notice",
            name="news",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=8),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("news", ""), _negated=True), fields=["user", "-created_at"], name="notice_news"
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(condition=models.Q(("is_unseen", True)), fields=["user"], name="notice_unseen_news"),
        ),
    ]
