"""Links that open an email to us in the reader's mail program, with the frame of the orders to send."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from django.utils.translation import gettext as _


class MailLink(NamedTuple):
    """The words on a button, and its `mailto:` address."""

    words: str
    link: str


def link_to_email(words: str, *, to: str, subject: str, lines: Sequence[str]) -> MailLink:
    """Return the button that begins an email to a reply address with these lines (RFC 6068)."""
    body = "\r\n".join([*lines, ""])
    return MailLink(words, f"mailto:{to}?subject={quote(f'Re: {subject}', safe='')}&body={quote(body, safe='')}")


def list_links(links: Sequence[MailLink]) -> list[dict[str, str]]:
    """Return buttons as an email keeps them."""
    return [link._asdict() for link in links]


def link_to_orders(order_block: str, *, to: str, subject: str) -> list[MailLink]:
    """Return the button that begins an email with the lines of a block of orders; none without a block."""
    block = order_block.rpartition("\n\n  ")[2] if to else ""
    lines = [row.strip() for row in block.split("\n") if row.strip()]
    return [link_to_email(_("Reply with orders"), to=to, subject=subject, lines=lines)] if lines else []
