"""What beat wakes: sweeps over rows, which may run late, twice, or on several machines."""

from celery import shared_task
from django.utils import timezone

from challenges.services import decline_elsewhere


@shared_task
def sweep_invitations() -> int:
    """Decline for mages that went elsewhere, should the process that seated them have died before it could."""
    return decline_elsewhere(now=timezone.now())
