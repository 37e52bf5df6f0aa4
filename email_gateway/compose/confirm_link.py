"""The link in the answer to NEWUSER: the page behind it makes the user once a person presses its button."""

from django.core import signing

from email_gateway.links import link_to

SALT = "email_gateway.confirm"


def write_confirm_link(request_id: int) -> str:
    return link_to("email_gateway:confirm", signing.dumps(request_id, salt=SALT))


def read_confirm_token(token: str) -> int | None:
    """Return the request that a link names, or None for one that is not ours."""
    try:
        return int(signing.loads(token, salt=SALT))
    except (signing.BadSignature, ValueError, TypeError):
        return None
