"""The link in a mail that stops mails of its kind: it names its user and what is to stop, and is signed.

Whoever has the mail may use it, as mail providers do for their users (RFC 8058); it stops mails and does nothing else.
"""

from django.core import signing

from accounts.models import User
from email_gateway.links import link_to

SALT = "email_gateway.stop"


def write_stop_link(user: User, what: str) -> str:
    """Return the address of the page. `what` is a preference ("mail_turns"), or "battle.12" for one he follows."""
    return link_to("email_gateway:stop", signing.dumps([user.pk, what], salt=SALT))


def read_stop_token(token: str) -> tuple[int, str] | None:
    """Return the user's id and what is to stop, or None for a token that is not ours."""
    try:
        user_id, what = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return int(user_id), str(what)
