"""Reading the gateway's rows."""

from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

from django.db.models import QuerySet

from accounts.models import User
from email_gateway.models import InboundMail, LocalMail, OutboundMail, SentCopy
from fm_site.operations.sealing import unseal_bytes


@dataclass(frozen=True)
class ShelvedMail:
    """A mail of the local mailbox, readable."""

    pk: int
    created_at: datetime
    message_id: str
    sender: str
    to: str
    reply_to: str
    subject: str
    text: str
    html: str
    source: str


def list_due_inbound(*, now: datetime) -> QuerySet[InboundMail]:
    """Mails that wait to be obeyed, or whose worker died with them, oldest first."""
    waiting = (InboundMail.State.RECEIVED, InboundMail.State.CLAIMED)
    return InboundMail.objects.filter(state__in=waiting, due_at__lte=now).order_by("due_at", "pk")


def list_due_outbound(*, now: datetime) -> QuerySet[OutboundMail]:
    """Answers that wait to be sent, or whose postman died with them, oldest first."""
    waiting = (OutboundMail.State.DUE, OutboundMail.State.CLAIMED)
    return OutboundMail.objects.filter(state__in=waiting, due_at__lte=now).order_by("due_at", "pk")


def list_shelved_mails(*, limit: int = 100, to: str = "") -> list[ShelvedMail]:
    """The newest mails of the local mailbox; with `to`, only those to addresses that contain it."""
    mails = [read_shelved_mail(mail) for mail in LocalMail.objects.all()[: 2000 if to else limit]]
    return [mail for mail in mails if to.lower() in mail.to.lower()][:limit]


def get_shelved_mail(*, pk: int) -> ShelvedMail | None:
    """One mail of the local mailbox, or None."""
    mail = LocalMail.objects.filter(pk=pk).first()
    return read_shelved_mail(mail) if mail else None


def read_shelved_mail(mail: LocalMail) -> ShelvedMail:
    raw = unseal_bytes(bytes(mail.sealed))
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return ShelvedMail(
        pk=mail.pk,
        created_at=mail.created_at,
        message_id=mail.message_id,
        sender=str(message["From"] or ""),
        to=str(message["To"] or ""),
        reply_to=str(message["Reply-To"] or ""),
        subject=str(message["Subject"] or ""),
        text=read_body(message, "plain"),
        html=read_body(message, "html"),
        source=raw.decode("utf-8", "replace"),
    )


def read_body(message: EmailMessage, kind: str) -> str:
    part = message.get_body(preferencelist=(kind,))
    return str(part.get_content()) if part is not None else ""


@dataclass(frozen=True)
class KeptMail:
    """What a mail said that was sent to a user."""

    subject: str
    text: str
    sent_at: datetime


def list_kept_mails(*, user: User, address: str, limit: int) -> list[KeptMail]:
    """The last mails that were sent to this user at this address and of which copies are kept, newest first."""
    answers = OutboundMail.objects.filter(user=user, address=address.lower(), state="sent").exclude(text="")
    notices = SentCopy.objects.filter(user=user, address=address.lower())
    rows: list[OutboundMail | SentCopy] = [*answers.order_by("-sent_at", "-pk")[:limit], *notices[:limit]]
    mails = [KeptMail(row.subject, row.text, row.sent_at) for row in rows if row.sent_at is not None]
    return sorted(mails, key=lambda mail: mail.sent_at, reverse=True)[:limit]
