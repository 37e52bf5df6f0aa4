"""The signed link in an email that stops emails of its kind; it contains the user and what to stop.

Anyone who has the email may use it, as mail providers do for their users (RFC 8058). It can do nothing else.
"""

from django.core import signing
from django.utils.translation import gettext as _

from accounts.models import User
from duels.errors import BattleNotFound
from duels.selectors.viewer import find_battle
from duels.services.followers import unfollow_battle
from email_gateway.links import link_to
from notifications.preferences import NEVER, PREFERENCES
from notifications.services.preferences import set_preference

SALT = "email_gateway.stop"


def write_stop_link(user: User, what: str) -> str:
    """Return the address of the page. `what` is a preference ("mail_turns"), or "battle.12" for one they follow."""
    return link_to("email_gateway:stop", signing.dumps([user.pk, what], salt=SALT))


def write_settings_line() -> str:
    """Return the line at the end of emails that leads to the email settings."""
    return _("Email settings: %(link)s") % {"link": link_to("accounts:notices")}


def read_stop_token(token: str) -> tuple[int, str] | None:
    """Return the user's id and what to stop, or None for a token that is not ours."""
    try:
        user_id, what = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return int(user_id), str(what)


def stop_mails(*, user: User, what: str) -> None:
    """Stop emails to `user` about `what`: an email preference, or "battle." and the number of one they follow.

    Stopping twice has no further effect. Raises ValueError for anything else.
    """
    kind, __, number = what.partition(".")
    if kind == "battle" and number.isdecimal():
        try:
            unfollow_battle(battle=find_battle(number=int(number)), user=user)
        except BattleNotFound:
            return
    elif what.startswith("mail_"):
        for key in (what, *(kind.key for kind in PREFERENCES.values() if kind.like == what)):
            set_preference(user=user, key=key, value=NEVER)
    else:
        raise ValueError(f"Nothing is mailed about {what}.")
