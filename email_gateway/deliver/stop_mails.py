"""Mails that their reader wants no more."""

from accounts.models import User
from duels.errors import BattleNotFound
from duels.selectors import find_battle
from duels.services import unfollow_battle
from fm_site.notifications.preferences import NEVER
from fm_site.notifications.services import set_preference


def stop_mails(*, user: User, what: str) -> None:
    """Mail no more of `what` to `user`: a preference about mails, or "battle." and the number of one he follows.

    Stopping twice is stopping once. Raises ValueError for anything else.
    """
    kind, _, number = what.partition(".")
    if kind == "battle" and number.isdecimal():
        try:
            unfollow_battle(battle=find_battle(number=int(number)), user=user)
        except BattleNotFound:
            return
    elif what.startswith("mail_"):
        set_preference(user=user, key=what, value=NEVER)
    else:
        raise ValueError(f"Nothing is mailed about {what}.")
