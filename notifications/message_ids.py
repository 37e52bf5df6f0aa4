"""Message-IDs: drawn at random, so that a site restored from a backup never repeats one with another text."""

import hashlib
import secrets

from django.conf import settings

_DAILY = "<daily."


def draw_message_id() -> str:
    """Return a new Message-ID. Its row keeps it, so that an email sent again after a crash has the same one."""
    return f"<{secrets.token_hex(16)}@{settings.FM_MAIL_DOMAIN}>"


def mark_daily_email(key: str) -> str:
    """Return what the rows of a daily email with this key have for a Message-ID until they are claimed. They then get a
    new one together: what comes later is another email."""
    # The key may reveal who and what; its hash does not.
    return f"{_DAILY}{hashlib.sha256(key.encode()).hexdigest()[:32]}@{settings.FM_MAIL_DOMAIN}>"


def is_mark_of_daily_email(message_id: str) -> bool:
    return message_id.startswith(_DAILY)
