"""Background tasks of the demonstration."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from fm_site.demonstration.playing import play_on as let_them_play_on


@shared_task
def play_on() -> int:
    """Let the people of the demonstration choose their next moves, and begin a duel if they have time; return how many
    chose. Without DEBUG, or with FM_DEMO=0, nobody does."""
    return let_them_play_on(now=timezone.now()) if settings.FM_DEMO else 0
