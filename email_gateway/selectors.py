"""Reading the gateway's rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

from django.db.models import Q, QuerySet

from accounts.models import User
from email_gateway.models import InboundMail, LocalMail, NewUserRequest
from notifications.models import Delivery, Notice
from operations.encryption import unseal_bytes

# The number of newest emails among which we look for the one that a reply quotes, if it does not say which.
MOST_QUOTABLE = 20
# The same among those with one reply address: a turn's first email may be older than many answers.
MOST_AT_ONE_ADDRESS = 100
KEPT = Delivery.objects.filter(state=Delivery.State.SENT).exclude(text="")


@dataclass(frozen=True)
class OpenedMail:
    """An email of the local mailbox, readable."""

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


def list_local_mails(*, limit: int = 100, to: str = "") -> list[OpenedMail]:
    """Return the newest emails of the local mailbox; with `to`, only those to addresses that contain it."""
    mails = [open_local_mail(mail) for mail in LocalMail.objects.all()[: 2000 if to else limit]]
    return [mail for mail in mails if to.lower() in mail.to.lower()][:limit]


def find_local_mail(*, pk: int) -> OpenedMail | None:
    mail = LocalMail.objects.filter(pk=pk).first()
    return open_local_mail(mail) if mail else None


def list_held_mails(user: User) -> QuerySet[InboundMail]:
    """Return the emails that wait until this user confirms them, the oldest first."""
    return InboundMail.objects.filter(user=user, state=InboundMail.State.HELD).order_by("received_at", "pk")


def open_local_mail(mail: LocalMail) -> OpenedMail:
    raw = unseal_bytes(bytes(mail.sealed))
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return OpenedMail(
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


def list_stored_mails(*, user: User, address: str, limit: int) -> list[Delivery]:
    """Return the last emails to this user at this address that have stored copies, newest first."""
    return list(KEPT.filter(user=user, address=address.lower()).order_by("-sent_at", "-pk")[:limit])


def find_named_email(*, message_ids: Sequence[str]) -> tuple[str, ...] | None:
    """Return the texts of our email that a reply with these references answers, the last one of ours: empty if no copy
    is kept. None if none of them is ours."""
    sent = Delivery.objects.filter(message_id__in=message_ids, state=Delivery.State.SENT)
    texts: dict[str, tuple[str, ...]] = {}
    for message_id, *rows in sent.values_list("message_id", "text", "web_text"):
        texts[message_id] = texts.get(message_id) or tuple(text for text in rows if text)
    return next((texts[one] for one in reversed(message_ids) if one in texts), None)


def find_answered_message(*, message_ids: Sequence[str]) -> Notice | None:
    """Return the message or announcement that the last of our emails with these references brought; None if that is
    another kind of email, or none of ours."""
    sent = Delivery.objects.filter(message_id__in=message_ids, state=Delivery.State.SENT).select_related("notice__user")
    found = {each.message_id: each.notice for each in sent}
    notice = next((found[one] for one in reversed(message_ids) if one in found), None)
    return notice if notice is not None and notice.kind in ("message", "announcement") else None


def list_emails_answered_at(*, user: User, reply_key: str) -> list[tuple[str, ...]]:
    """Return the texts of the last emails to this user that have this reply address, newest first."""
    return _read_texts(KEPT.filter(user=user, reply_key=reply_key), most=MOST_AT_ONE_ADDRESS)


def list_newest_emails(*, user: User | None, address: str) -> list[tuple[str, ...]]:
    """Return the texts of the last emails to this user, or to the owner of the address, newest first."""
    if user is None:
        user = User.objects.filter(emailaddress__email__iexact=address, emailaddress__verified=True).first()
    theirs = Q(notice=None, address=address.lower()) | (Q(user=user) if user else Q(pk=None))
    return _read_texts(KEPT.filter(theirs), most=MOST_QUOTABLE)


def _read_texts(sent: QuerySet[Delivery], *, most: int) -> list[tuple[str, ...]]:
    rows = sent.order_by("-sent_at", "-pk").values_list("text", "web_text")[:most]
    return [tuple(text for text in row if text) for row in rows]


def find_requested_name(*, request_id: int) -> str | None:
    """Return the name that a NEWUSER asked for, or None for a deleted request."""
    return NewUserRequest.objects.filter(pk=request_id).values_list("name", flat=True).first()
