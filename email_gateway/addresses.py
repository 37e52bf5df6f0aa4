"""The mailboxes of this server, including signed reply addresses.

A reply address is the credential for ordinary play: anyone who can read a player's email may answer it. It contains
one user and one subject (a turn of a battle, a challenge, who wrote a message), signed, in lower case and in
fewer than 64 characters, because some mail systems change the case or truncate longer addresses.
"""

import base64
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.crypto import salted_hmac

from email_gateway.errors import UnknownMailbox

ORDERS = ("fm", "orders", "firetop", "referee")
BOUNCES = "bounces"
POSTMASTERS = ("postmaster", "abuse")
SALT = "email_gateway.reply-address"
SIGNATURE_LENGTH = 20
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LONGEST_LOCAL_PART = 63
LONGEST_ADDRESS = 254

TokenKind = Literal["turn", "challenge", "message", "newuser", "change", "held", "bounce", "room"]
# The kinds that begin with their owner.
OWNED: frozenset[TokenKind] = frozenset({"turn", "challenge", "message", "room"})
# The letter that begins the address, and how many numbers follow it.
FORMS: dict[str, tuple[TokenKind, int]] = {
    "t": ("turn", 4),
    "c": ("challenge", 2),
    "m": ("message", 3),
    "n": ("newuser", 1),
    "a": ("change", 2),
    "h": ("held", 2),
    "b": ("bounce", 1),
    "r": ("room", 2),
}
REPLY_ADDRESS = re.compile(
    r"(?:[a-z0-9._]{1,64}\+)?[tcmnahbr](?:-[0-9a-z]{1,13}){1,4}-[a-z2-7]{20}(?:\+[\w.+=-]{0,64})?@[a-z0-9.\-]+", re.I
)


@dataclass(frozen=True)
class ReplyToken:
    """The contents of a reply address: "turn" (user, battle, seq, attempt), "challenge" (user, number), "message"
    (user, ids of the Name of its writer and of that of the mage it was written to, or 0), "newuser" (id), "change" (id,
    0 for the current address and 1 for the new one), "held" (user, ordinal of the day of the email), "bounce" (id of
    a MailAddress) or "room" (user, id of the last RoomLine in the email)."""

    kind: TokenKind
    numbers: tuple[int, ...]

    @property
    def about(self) -> int:
        """The number of the battle or challenge, else of the row."""
        return self.numbers[1] if self.kind in OWNED else self.numbers[0]

    @property
    def user_id(self) -> int | None:
        """The owner of the reply address, or None if it names no user."""
        return self.numbers[0] if self.kind in OWNED else None


@dataclass(frozen=True)
class Mailbox:
    """One of our mailboxes."""

    kind: Literal["orders", "bounces", "postmaster"]
    token: ReplyToken | None = None


COMMON = Mailbox("orders")


def make_turn_address(*, user_id: int, battle: int, seq: int, attempt: int) -> str:
    """Return the address for this user's orders for this turn only."""
    return write_address(ReplyToken("turn", (user_id, battle, seq, attempt)))


def make_challenge_address(*, user_id: int, number: int) -> str:
    return write_address(ReplyToken("challenge", (user_id, number)))


def make_message_address(*, user_id: int, writer: int, mage: int) -> str:
    """Return the address for this user's words to the writer of a message. `writer` is the id of the Name that signed
    it, `mage` that of the user's mage it was written to, or 0."""
    return write_address(ReplyToken("message", (user_id, writer, mage)))


def make_room_address(*, user_id: int, line: int) -> str:
    """Return the address for this user's lines in the lobby's room; `line` is the last one in the email it is for."""
    return write_address(ReplyToken("room", (user_id, line)))


def make_newuser_address(*, request_id: int) -> str:
    return write_address(ReplyToken("newuser", (request_id,)))


def make_change_address(*, request_id: int, step: int) -> str:
    """Return the reply address that confirms a change of address or mail password, for the old or the new address."""
    return write_address(ReplyToken("change", (request_id, step)))


def make_held_address(*, user_id: int, day: int) -> str:
    """Return the reply address that confirms the emails held for a user; `day` is the ordinal of today."""
    return write_address(ReplyToken("held", (user_id, day)))


def make_bounce_address(*, address_id: int) -> str:
    """Return the envelope sender of our emails to one address, so that reports show which address they are about."""
    return write_address(ReplyToken("bounce", (address_id,)))


def name_token(token: ReplyToken) -> str:
    """Return the contents of a reply address without the signature, which makes it a credential."""
    letter = next(letter for letter, (kind, _) in FORMS.items() if kind == token.kind)
    return "-".join([letter, *(write_number(number) for number in token.numbers)])


def write_address(token: ReplyToken) -> str:
    body = name_token(token)
    local = f"{body}-{sign(body, settings.SECRET_KEY)}"
    if len(local) > LONGEST_LOCAL_PART:
        raise ValueError(f"reply address of {len(local)} characters")
    return f"{local}@{settings.FM_MAIL_DOMAIN}"


def is_our_domain(domain: str, on: date | None = None) -> bool:
    """Return whether this is the domain of our addresses, or one that they had before: with `on`, only until its last
    day. What was accepted by then is processed later, too."""
    last_day = settings.FM_FORMER_DOMAINS.get(domain)
    former = last_day is not None and (on is None or on <= last_day)
    return domain == settings.FM_MAIL_DOMAIN.lower() or former


def find_mailbox(address: str, on: date | None = None) -> Mailbox:
    """Return the mailbox with this address, in any case, with or without a `+detail`. Those that accept email give the
    day, `on` which a former domain may have ended.

    Raises UnknownMailbox, also for a reply address whose signature is false.
    """
    local, _, domain = address.strip().strip("<>").lower().rpartition("@")
    if not is_our_domain(domain, on):
        raise UnknownMailbox(address)
    name, _, detail = local.partition("+")
    if token := read_token(detail) or read_token(name):
        return Mailbox("bounces" if token.kind == "bounce" else "orders", token)
    if name in ORDERS:
        return Mailbox("orders")
    if name == BOUNCES:
        return Mailbox("bounces")
    if name in POSTMASTERS:
        return Mailbox("postmaster")
    raise UnknownMailbox(address)


def group_mailboxes(addresses: Iterable[str], on: date | None = None) -> list[tuple[str, ...]]:
    """Group the recipients of one email by reader: each group is processed as a separate email.

    Every signed reply address is a reader. The common mailboxes for orders count as one reader, the same as the first
    reply address if there is one: someone who writes to both means the same thing. Raises UnknownMailbox.
    """
    groups: dict[Mailbox, list[str]] = {}
    for address in addresses:
        groups.setdefault(find_mailbox(address, on), []).append(address)
    common = groups.pop(COMMON, [])
    first = next((mailbox for mailbox in groups if mailbox.kind == "orders"), COMMON)
    if common:
        groups.setdefault(first, []).extend(common)
    return [tuple(group) for group in groups.values()]


def name_reader(addresses: Iterable[str]) -> str:
    """Return one name for all spellings of the mailbox of a group of recipients."""
    mailboxes = [find_mailbox(address) for address in addresses]
    chosen = min(mailboxes, key=lambda one: one.token is None, default=COMMON)
    return f"{chosen.token.kind}{chosen.token.numbers}" if chosen.token else chosen.kind


def is_own_address(address: str) -> bool:
    """Return whether email to this address would come back to this server."""
    try:
        find_mailbox(address)
    except UnknownMailbox:
        local, _, domain = address.strip().lower().rpartition("@")
        return is_our_domain(domain) and bool(REPLY_ADDRESS.fullmatch(f"{local}@{domain}"))
    return True


def is_one_address(address: str) -> bool:
    """Return whether this is a single address that we can write to and store."""
    try:
        validate_email(address)
    except ValidationError:
        return False
    return len(address) <= LONGEST_ADDRESS


def read_token(local: str) -> ReplyToken | None:
    """Parse the local part of a reply address; None if it is not one that we signed."""
    body, _, signature = local.rpartition("-")
    letter, *written = body.split("-")
    kind, count = FORMS.get(letter, ("turn", -1))
    if len(written) != count or not all(re.fullmatch(r"[0-9a-z]{1,13}", one) for one in written):
        return None
    if not is_signed(body, signature, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)):
        return None
    return ReplyToken(kind, tuple(int(one, 36) for one in written))


@lru_cache(maxsize=1000)
def is_signed(body: str, signature: str, keys: tuple[str, ...]) -> bool:
    """Return whether one of the keys made this signature. Called several times for each email."""
    return any(hmac.compare_digest(sign(body, key).encode(), signature.encode()) for key in keys)


def sign(body: str, key: str) -> str:
    digest = salted_hmac(SALT, body, secret=key, algorithm="sha256").digest()
    return base64.b32encode(digest).decode().lower()[:SIGNATURE_LENGTH]


def write_number(number: int) -> str:
    """Write a number in base 36."""
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = DIGITS[rest] + digits
        if not number:
            return digits
