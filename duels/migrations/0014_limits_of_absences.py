"""Apply the new limits to current absences: undelivered email stops a clock for seven more days at most, and what a
battle allows is computed again by the next sweep."""

from datetime import timedelta

from django.db import migrations
from django.db.models import F
from django.utils import timezone

DAYS = 7


def apply_limits(apps, schema_editor):
    absences = apps.get_model("duels", "ClockStop").objects.filter(ended_at=None, combatant__isnull=False)
    absences.filter(reason="bounce", until=None).update(until=timezone.now() + timedelta(days=DAYS))
    absences.filter(long_at__isnull=False).update(long_at=F("since"))


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0013_never_moved"),
    ]

    operations = [
        migrations.RunPython(apply_limits, migrations.RunPython.noop),
    ]
