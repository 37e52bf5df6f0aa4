"""Chooses the email for each notice."""

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.former_users import show_user_names
from accounts.languages import in_language_of
from accounts.models import User
from email_gateway.compose import (
    absence_mail,
    account_mail,
    battle_mail,
    challenge_mail,
    cup_mail,
    deadline_mail,
    janitor_mail,
    league_mail,
    moderation_mail,
    room_mail,
    site_mail,
)
from email_gateway.compose.battle_mail import Earlier, compose_battle_mail
from email_gateway.compose.composers import COMPOSERS
from email_gateway.deliver.mail import Mail
from email_gateway.errors import Unsendable

# To import them registers their composers.
TEXTS = (
    absence_mail,
    account_mail,
    battle_mail,
    challenge_mail,
    cup_mail,
    deadline_mail,
    janitor_mail,
    league_mail,
    moderation_mail,
    room_mail,
    site_mail,
)


def compose_notice(*, kind: str, facts: Mapping[str, Any], user: User, earlier: Sequence[Earlier] = ()) -> Mail:
    """Return the email for a notice, as its reader may see it; for a battle, with the stories of `earlier` turns.
    Raises NothingToSend, and Unsendable for an unknown kind."""
    composer = COMPOSERS.get(kind)
    if composer is None:
        raise Unsendable(f"no mail tells of {kind}")
    with in_language_of(user):
        facts = show_user_names(facts)
        return compose_battle_mail(kind, facts, user, earlier=earlier) if earlier else composer(kind, facts, user)
