"""Background work. Each task may run twice, late, or on several machines; the sweeps are the guarantee."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from email_gateway.commands.account_changes import forget_expired_changes
from email_gateway.commands.held_mails import forget_unconfirmed_mails
from email_gateway.commands.new_users import forget_expired_requests
from email_gateway.compose.outbox import deliver_due, deliver_proofs
from email_gateway.deliver.prune import prune_addresses, prune_copies, prune_mails
from email_gateway.deliver.send import reuse_connection
from email_gateway.receive.process_mail import claim_inbound, claim_some_inbound, process_mail
from operations.models import Heartbeat
from operations.selectors import is_clock_in_doubt, is_site_closed
from operations.services.outages import record_heartbeat
from operations.sweeps import sweep_in_batches
from operations.workers import gather_wake_ups

# Few enough that a claim of half a minute lasts for all of them.
AT_ONCE = 10
# How long one sweep runs; the next one comes after at most 30 seconds.
SWEEP_SECONDS = 30


@shared_task
def process_inbound_mail(mail_id: int) -> None:
    """Process one stored email, unless another worker has it. During maintenance it waits."""
    if is_site_closed():
        return
    now = timezone.now()
    mail = claim_inbound(mail_id=mail_id, now=now)
    if mail is not None:
        process_mail(mail=mail, now=now)


@shared_task
def sweep_inbound_mail() -> None:
    """Process waiting emails: those whose wake-up was lost, and those whose worker died."""
    end = monotonic() + SWEEP_SECONDS
    while monotonic() < end and not is_site_closed():
        mails = claim_some_inbound(now=timezone.now(), limit=AT_ONCE)
        if not mails:
            return
        with gather_wake_ups():
            for mail in mails:
                process_mail(mail=mail, now=timezone.now())


@shared_task
def sweep_deliveries() -> None:
    """Send the answers and notices that are due, each claimed when its turn comes. During maintenance
    only codes and links to log in go out."""
    deliver = deliver_proofs if is_site_closed() else deliver_due
    end = monotonic() + SWEEP_SECONDS
    with reuse_connection():
        while deliver(now=timezone.now()) and monotonic() < end:
            pass
    record_heartbeat(part=Heartbeat.Part.MAIL_OUT, now=timezone.now())


@shared_task
def tidy_mail() -> None:
    """Delete old data: scrubbed copies, expired requests, finally the emails themselves, and the addresses."""
    now = timezone.now()
    if is_clock_in_doubt(now=now):
        return
    forget_expired_requests(now=now)
    forget_expired_changes(now=now)
    forget_unconfirmed_mails(now=now)
    prune_copies(now=now)
    sweep_in_batches(prune_mails)
    prune_addresses(now=now)
