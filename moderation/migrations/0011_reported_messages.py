"""Reports about the messages between two users."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0010_marks_of_hosts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="messages_to",
            field=models.PositiveBigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(("messages_to__isnull", True), ("about_user__isnull", False), _connector="OR"),
                name="report_of_messages_is_of_a_user",
            ),
        ),
    ]
