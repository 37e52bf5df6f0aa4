"""Finds out who may have written an email: janitors cannot read email from their opponents."""

import re
from collections.abc import Iterator

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.selectors.engagements import list_users_in_battle_with
from accounts.selectors.users import list_addresses_of
from email_gateway.models import InboundMail
from email_gateway.receive.intake import Envelope, choose_mailbox, unseal_envelope
from email_gateway.receive.read_letter import parse_mail, read_letter
from email_gateway.text.senders import plain_sender

# As in the stored copy (email_gateway.scrub), below the subject.
KEPT_SENDER = re.compile(r"\ASubject: [^\n]*\nFrom: ([^\n]+)")


def list_mails_for(janitor: User, emails: QuerySet[InboundMail]) -> QuerySet[InboundMail]:
    """Return the `emails` without what an opponent has sent, and what comes from someone we don't know yet: its time
    would tell that they have replaced their orders."""
    opponents = list_users_in_battle_with(janitor)
    if not opponents.exists():
        return emails
    unread = Q(user=None, state__in=(InboundMail.State.RECEIVED, InboundMail.State.CLAIMED))
    return emails.exclude(user__in=opponents).exclude(unread)


def find_opponent_behind(mail: InboundMail, janitor: User) -> User | None:
    """Return the user who wrote the email, or seems to have, if they are in a battle with the janitor; else None.

    An email without a known user may be from the owner of its reply address, or of its sender, proven or not.
    """
    opponents = {user.pk: user for user in list_users_in_battle_with(janitor)}
    if mail.user_id is not None:
        return opponents.get(mail.user_id)
    if not opponents:
        return None
    envelope = unseal_envelope(mail.sealed)
    token = choose_mailbox(envelope).token if envelope else None
    if token is not None and token.user_id in opponents:
        return opponents[token.user_id]
    senders = {plain_sender(sender) for sender in _list_senders(mail, envelope)}
    for user in opponents.values():
        if any(plain_sender(one.email) in senders for one in list_addresses_of(user)):
            return user
    return None


def _list_senders(mail: InboundMail, envelope: Envelope | None) -> Iterator[str]:
    if envelope is not None:
        yield envelope.mail_from
        yield read_letter(parse_mail(envelope.raw)).sender
    kept = KEPT_SENDER.match(mail.scrubbed)
    if kept is not None:
        yield kept[1]
