"""Who wrote an email: by its reply address, by where it came from, and by what janitors may not read."""

import re
from collections.abc import Iterator

from accounts.models import User
from accounts.selectors import list_addresses_of, list_fellows_of
from email_gateway.addresses import ReplyToken, is_one_address
from email_gateway.compose.account_mail import say_elsewhere
from email_gateway.conversation import Conversation, Done
from email_gateway.deliver.bounces import note_reachable
from email_gateway.models import AccountChangeRequest, InboundMail
from email_gateway.receive.intake import Envelope, choose_mailbox, unseal_envelope
from email_gateway.receive.read_letter import parse_mail, read_letter
from email_gateway.text.senders import plain_sender
from fm_site.operations.sealing import InvalidToken

# As the kept copy says it (scrubbing.scrub_letter), under the subject.
KEPT_SENDER = re.compile(r"\ASubject: [^\n]*\nFrom: ([^\n]+)")
NAMING_ITS_USER = ("turn", "challenge")


def recognise_address(token: ReplyToken | None) -> Done:
    """Find out who owns the reply address that the email came to. One that confirms a NEWUSER is nobody's yet."""
    if token is None or token.kind == "newuser":
        return Done()
    if token.kind == "change":
        return Done(owner=find_change_owner(token))
    user = User.objects.filter(pk=token.numbers[0], is_active=True).first()
    return Done(owner=user, user=user, proof="reply address" if user else None)


def find_change_owner(token: ReplyToken) -> User | None:
    """Return whose change is to be confirmed; nobody we know for the new address, which gets its own answer."""
    request_id, step = token.numbers
    request = AccountChangeRequest.objects.select_related("user").filter(pk=request_id).first()
    return request.user if request is not None and step == 0 else None


def note_where_from(talk: Conversation, user: User) -> None:
    """Note an email that comes from an address that is not the owner's."""
    verified = [one.email for one in list_addresses_of(user) if one.verified]
    if plain_sender(talk.asked.sender) in map(plain_sender, verified):
        note_reachable(user=user, address=verified[0], now=talk.asked.now)
    else:
        talk.done.elsewhere = talk.asked.sender if is_one_address(talk.asked.sender) else ""
        talk.answer.results.append(say_elsewhere(talk.done.elsewhere))


def find_fellow_behind(mail: InboundMail, janitor: User) -> User | None:
    """Return the user who wrote the email, or seems to have, if they are in a battle with the janitor; else None.

    An email without a known user may be from the owner of its reply address, or of its sender, proven or not.
    """
    fellows = {user.pk: user for user in list_fellows_of(janitor)}
    if mail.user_id is not None:
        return fellows.get(mail.user_id)
    if not fellows:
        return None
    envelope = _open_envelope(mail)
    token = choose_mailbox(envelope).token if envelope else None
    if token is not None and token.kind in NAMING_ITS_USER and token.numbers[0] in fellows:
        return fellows[token.numbers[0]]
    senders = {plain_sender(sender) for sender in _list_senders(mail, envelope)}
    return next((user for user in fellows.values() if not senders.isdisjoint(_list_plain_addresses(user))), None)


def _open_envelope(mail: InboundMail) -> Envelope | None:
    """None for what is not kept any more, or was sealed under a key that is gone."""
    try:
        return unseal_envelope(bytes(mail.sealed)) if mail.sealed else None
    except InvalidToken:
        return None


def _list_senders(mail: InboundMail, envelope: Envelope | None) -> Iterator[str]:
    if envelope is not None:
        yield envelope.mail_from
        yield read_letter(parse_mail(envelope.raw)).sender
    kept = KEPT_SENDER.match(mail.scrubbed)
    if kept is not None:
        yield kept[1]


def _list_plain_addresses(user: User) -> Iterator[str]:
    return (plain_sender(one.email) for one in list_addresses_of(user))
