"""The third entry point: a mail provider posts the emails it accepted for us, and the fate of those we sent.

django-anymail knows the providers: it checks their signatures and normalises their requests. Its signals are received
only here. Off unless FM_MAIL_WEBHOOK names the provider.
"""

from datetime import date
from email import policy
from email.message import EmailMessage
from importlib import import_module
from typing import Any

import structlog
from anymail.signals import inbound, tracking
from django.conf import settings
from django.dispatch import receiver
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from email_gateway.addresses import find_mailbox
from email_gateway.deliver.bounces import note_complaint, note_failure
from email_gateway.errors import MailTooLarge, UnknownMailbox
from email_gateway.receive.intake import ingest_mail
from email_gateway.receive.read_letter import read_address

log = structlog.get_logger(__name__)
# Names of anymail's views; Mandrill has one for everything.
ENDINGS = {"inbound": ("InboundWebhookView", "CombinedWebhookView"), "tracking": ("TrackingWebhookView",)}
# Anymail's words for a rejected email: permanently, temporarily.
PERMANENT, TEMPORARY = ("bounced", "rejected", "failed"), ("deferred",)
# Its words for a reader who doesn't want our email, and why the provider rejects email to them from then on.
UNWANTED, REFUSED = ("complained", "unsubscribed"), ("spam", "unsubscribed")


@csrf_exempt
def receive_inbound(request: HttpRequest) -> HttpResponseBase:
    """Handle the provider's request for an email to us."""
    response: HttpResponseBase = find_webhook("inbound")(request)
    return response


@csrf_exempt
def receive_tracking(request: HttpRequest) -> HttpResponseBase:
    """Handle the provider's request about the fate of one of our emails."""
    response: HttpResponseBase = find_webhook("tracking")(request)
    return response


def find_webhook(kind: str) -> Any:
    """Return anymail's view for the provider that this site uses; raise Http404 if there is none."""
    provider = settings.FM_MAIL_WEBHOOK.lower()
    view = find_view_class(provider, kind) if provider else None
    if view is None:
        raise Http404
    return view.as_view()


def find_view_class(provider: str, kind: str) -> Any:
    """Return anymail's view class for this provider's requests, or None."""
    if not provider.isidentifier() or provider == "base":
        return None
    try:
        module = import_module(f"anymail.webhooks.{provider}")
    except ImportError:
        return None
    found = [getattr(module, name) for ending in ENDINGS[kind] for name in vars(module) if name.endswith(ending)]
    return next((one for one in found if one.__module__ == module.__name__), None)


@receiver(inbound, dispatch_uid="email_gateway.take_inbound")
def take_inbound(sender: object, event: Any, **_: object) -> None:
    """Store an email that the provider posts. After an error (status 500) the provider posts the email again."""
    message = event.message
    recipients = find_recipients(message)
    try:
        if not recipients:
            raise UnknownMailbox("nobody here")
        ingest_mail(raw=write_bytes(message), mail_from=find_sender(message), rcpt_tos=recipients, now=timezone.now())
    except (UnknownMailbox, MailTooLarge) as error:
        # The provider has already accepted the email; posting it again would change nothing.
        log.warning("posted mail not taken", error=type(error).__name__)


def find_recipients(message: Any) -> list[str]:
    """Return the recipients among our mailboxes: from the envelope, or from To and Cc if the provider sends none."""
    named = [message.envelope_recipient] if message.envelope_recipient else [*message.to, *message.cc]
    written = [getattr(one, "addr_spec", one) for one in named]
    today = timezone.now().date()
    return [address for text in written for address in str(text).split(",") if is_ours(address, today)]


def is_ours(address: str, today: date) -> bool:
    try:
        find_mailbox(address, today)
    except UnknownMailbox:
        return False
    return True


def find_sender(message: Any) -> str:
    """Return the envelope sender. An empty one is deliberate (a bounce); an unknown one is taken from the headers."""
    if message.envelope_sender is not None:
        return str(message.envelope_sender)
    path = message.get("Return-Path")
    return read_address(str(path if path is not None else message.get("From", "")))


def write_bytes(message: EmailMessage) -> bytes:
    try:
        return message.as_bytes()
    except Exception:  # headers that Python's newer policy cannot write again
        return message.as_bytes(policy=policy.compat32)


@receiver(tracking, dispatch_uid="email_gateway.take_tracking")
def take_tracking(sender: object, event: Any, **_: object) -> None:
    """Count an email that the provider could not deliver, and stop email to someone who doesn't want it."""
    if not event.recipient:
        return
    kind, reason = event.event_type, event.reject_reason or ""
    error, now = f"{kind} {reason}".strip(), timezone.now()
    if kind in UNWANTED or (kind == "rejected" and reason in REFUSED):
        note_complaint(address=event.recipient, error=error, now=now)
    elif kind in (*PERMANENT, *TEMPORARY):
        note_failure(address=event.recipient, error=error, permanent=kind in PERMANENT, now=now)
