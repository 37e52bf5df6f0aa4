"""Envelope senders as people would write them: mail systems add their own marks to an address."""

import re

# BATV: prvs=0123456789=wil@example.org.
SIGNED = re.compile(r"(?:prvs|btv1)=[^=@]+=+(?P<local>[^=@]+)@(?P<domain>.+)", re.I)
# SRS: srs0=hash=time=domain=local@forwarder, and srs1 around it for each further forwarder.
FORWARDED = re.compile(
    r"srs(?:0[=+-]|1[=+-][^=@]+=[^=@]+=[=+-])[^=@]+=[^=@]+=(?P<domain>[^=@]+)=(?P<local>[^@]+)@.+", re.I
)


def plain_sender(address: str) -> str:
    """Return an envelope sender in lower case without the additions of mail systems and any +detail."""
    address = address.strip().strip("<>").lower()
    found = SIGNED.fullmatch(address) or FORWARDED.fullmatch(address)
    local, domain = (found["local"], found["domain"]) if found else address.rpartition("@")[::2]
    return f"{local.partition('+')[0]}@{domain}"
