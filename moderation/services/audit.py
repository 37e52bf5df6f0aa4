"""The janitors' log: who did what to which row, and why. It is Django's own log, which the admin shows as history."""

from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

from accounts.models import User


def log_janitor(*, by: User, about: Model, message: str, now: datetime) -> None:
    """Log that `by` viewed or changed the row `about`. The log contains no secrets of a battle."""
    LogEntry.objects.create(
        action_time=now,
        user_id=by.pk,
        content_type=ContentType.objects.get_for_model(about),
        object_id=str(about.pk),
        object_repr=str(about)[:200],
        action_flag=CHANGE,
        change_message=message,
    )
