"""The senders that our mail server has verified (Authentication-Results, RFC 8601).

Only the topmost such header counts, and only if it has the name that the operator gave our server
(FM_MAIL_AUTHSERV_ID): anyone can write more of them into an email.
"""

import re
from collections.abc import Iterator
from email.message import Message

from django.conf import settings

from email_gateway.receive.read_letter import read_address
from email_gateway.text.senders import plain_sender

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
COMMENT = re.compile(r"\((?:[^()\\]|\\.)*\)")
RESULT = re.compile(r"([a-z0-9-]+)(?:/\d+)?=pass\b", re.I)
PROPERTY = re.compile(r"\b([a-z]+\.[a-z]+)=([^\s;]+)", re.I)
LONGEST = 5_000


def find_proven_senders(message: Message, mail_from: str) -> frozenset[str]:
    """Return the addresses, without details, that an email provably comes from: its envelope sender, by SPF, and the
    one address in From, by DMARC or a DKIM signature of its domain."""
    envelope, author = plain_sender(mail_from), _read_author(message)
    proven = set()
    for method, properties in _read_passed(message):
        if method == "spf" and _domain_of(properties.get("smtp.mailfrom", "")) == _domain_of(mail_from):
            proven.add(envelope)
        if author and method == "dmarc" and _domain_of(properties.get("header.from", "")) == _domain_of(author):
            proven.add(plain_sender(author))
        if author and method == "dkim" and _is_signed_by(_domain_of(author), properties):
            proven.add(plain_sender(author))
    return frozenset(proven)


def _read_passed(message: Message) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the methods that passed, each with its properties."""
    header = str(message.get("Authentication-Results", ""))[:LONGEST]
    plain = QUOTED.sub("?", header)
    while (shorter := COMMENT.sub(" ", plain)) != plain:
        plain = shorter
    name, *results = plain.split(";")
    ours = settings.FM_MAIL_AUTHSERV_ID.lower()
    if not ours or name.lower().split()[:1] != [ours]:
        return
    for result in results:
        if found := RESULT.match(result.strip()):
            yield found[1].lower(), {key.lower(): value.lower() for key, value in PROPERTY.findall(result)}


def _read_author(message: Message) -> str:
    """Return the one address in From; "" if there are several or none."""
    headers = message.get_all("From", [])
    if len(headers) != 1 or str(headers[0]).count("@") != 1:
        return ""
    return read_address(str(headers[0]))


def _is_signed_by(domain: str, properties: dict[str, str]) -> bool:
    signer = properties.get("header.d") or _domain_of(properties.get("header.i", ""))
    return bool(signer) and (domain == signer or domain.endswith(f".{signer}"))


def _domain_of(address: str) -> str:
    return address.strip("<>").rpartition("@")[2].lower()
