"""What beat wakes: sweeps over rows, which may run late, twice, or on several machines."""

from celery import shared_task
from django.utils import timezone

from challenges.services import decline_elsewhere, expire_links, lapse_proposals, part_blocked_users
from challenges.services import sweep_idle_mages as judge_mages
from challenges.services import sweep_stale_challenges as judge_challenges
from fm_site.operations.sweeping import sweep_in_batches


@shared_task
def sweep_invitations() -> int:
    """Decline for mages that went elsewhere, should the process that seated them have died before it could."""
    return decline_elsewhere(now=timezone.now())


@shared_task
def sweep_challenges() -> int:
    """End the proposals and links whose time is over, and part users who block each other."""
    now = timezone.now()
    return lapse_proposals(now=now) + expire_links(now=now) + part_blocked_users(now=now)


@shared_task
def sweep_idle_mages() -> int:
    """Warn, retire and remove mages who rest too long."""
    return sweep_in_batches(judge_mages)


@shared_task
def sweep_stale_challenges() -> int:
    """Remind of challenges in which nothing happens, and close them in the end."""
    return sweep_in_batches(judge_challenges)
