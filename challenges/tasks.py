"""Background tasks: sweeps over rows, which may run late, twice, or on several machines at once."""

from celery import shared_task
from django.utils import timezone

from challenges.services.answers import decline_elsewhere
from challenges.services.bot_battles import start_due_bot_battle as start_due
from challenges.services.bot_challenges import offer_bot_challenges, seat_bots_in_open_challenges
from challenges.services.close_stale import sweep_stale_challenges as judge_challenges
from challenges.services.expire import expire_links, expire_proposals, part_blocked_users
from challenges.services.hosting import open_notes, pass_on_hosted_duels
from challenges.services.retire_mages import sweep_idle_mages as judge_mages
from challenges.services.room import delete_old_lines
from challenges.services.room_mails import tell_of_talk
from challenges.services.tell_of_seeks import tell_of_seeks as tell_listeners
from operations.sweeps import sweep_in_batches


@shared_task
def sweep_invitations() -> int:
    """Decline invitations of mages who are busy elsewhere, in case the process that seated them died before it
    could."""
    return decline_elsewhere(now=timezone.now())


@shared_task
def sweep_challenges() -> int:
    """Expire proposals and links, and separate users with a block between them."""
    now = timezone.now()
    return expire_proposals(now=now) + expire_links(now=now) + part_blocked_users(now=now)


@shared_task
def sweep_idle_mages() -> int:
    """Warn, retire and remove inactive mages."""
    return sweep_in_batches(judge_mages)


@shared_task
def sweep_stale_challenges() -> int:
    """Remind challengers of stale challenges, and finally close them."""
    return sweep_in_batches(judge_challenges)


@shared_task
def seat_bots() -> int:
    """Let bots join the challenges that are open to them, and open their own; return how many changed.

    Runs when one of them is made or taken, and by the schedule.
    """
    now = timezone.now()
    return seat_bots_in_open_challenges(now=now) + offer_bot_challenges(now=now)


@shared_task
def sweep_hosted_duels() -> int:
    """Ask the next host where one did not answer, and open the notes of duels that are over."""
    now = timezone.now()
    return pass_on_hosted_duels(now=now) + open_notes(now=now)


@shared_task
def tell_of_seeks() -> int:
    """Tell users who asked for it that someone looks for a duel."""
    return tell_listeners(now=timezone.now())


@shared_task
def start_bot_battles() -> int:
    """Start a battle of two bots if the site policy wants one now; return how many."""
    return int(start_due(now=timezone.now()) is not None)


@shared_task
def tell_of_room() -> int:
    """Hand over new lines of the lobby's room to those who get them by email."""
    return tell_of_talk(now=timezone.now())


@shared_task
def delete_old_room_lines() -> int:
    """Delete lines of the lobby's room that have been kept long enough."""
    return sweep_in_batches(delete_old_lines)
