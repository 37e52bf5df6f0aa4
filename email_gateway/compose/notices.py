"""Chooses the email for each notice."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accounts.former_users import show_user_names
from accounts.languages import in_language_of
from accounts.models import User
from email_gateway.compose import absence_mail, janitor_mail, moderation_mail
from email_gateway.compose.account_mail import (
    compose_change,
    compose_code,
    compose_confirmation,
    compose_elsewhere,
    compose_held,
    compose_reset,
    compose_unconfirmed,
    compose_user_act,
)
from email_gateway.compose.battle_mail import Earlier, compose_battle_mail
from email_gateway.compose.challenge_mail import ASKING, compose_challenge_mail
from email_gateway.compose.deadline_mail import HEADINGS, compose_deadline_mail
from email_gateway.compose.site_mail import compose_message, compose_site_news
from email_gateway.deliver.mail import Mail
from email_gateway.errors import Unsendable
from notifications.events import CHALLENGE_KINDS

Compose = Callable[[str, Mapping[str, Any], User], Mail]

COMPOSERS: dict[str, Compose] = {
    "confirm_address": compose_confirmation,
    "unconfirmed_reminder": compose_unconfirmed,
    "login_code": compose_code,
    "password_reset": compose_reset,
    "account_changed": compose_change,
    "reply_address_elsewhere": compose_elsewhere,
    "orders_held": compose_held,
    **dict.fromkeys(
        ("battle_started", "turn_resolved", "stage_asked", "turn_stuck", "battle_finished", "battle_intervened"),
        compose_battle_mail,
    ),
    **dict.fromkeys(HEADINGS, compose_deadline_mail),
    **dict.fromkeys(janitor_mail.WORDS, janitor_mail.compose_janitor_mail),
    "user_act": compose_user_act,
    **dict.fromkeys(("message", "announcement"), compose_message),
    "site_news": compose_site_news,
    **dict.fromkeys(moderation_mail.WORDS, moderation_mail.compose_moderation),
    **dict.fromkeys(absence_mail.WORDS, absence_mail.compose_absence),
    **dict.fromkeys(CHALLENGE_KINDS, compose_challenge_mail),
}
# These are skipped if their recipient does what they ask for before they are sent.
SKIPPED_IF_SETTLED = (*HEADINGS, *ASKING)


def compose_notice(*, kind: str, facts: Mapping[str, Any], user: User, earlier: Sequence[Earlier] = ()) -> Mail:
    """Return the email for a notice, as its reader may see it; for a battle, with the stories of `earlier` turns.
    Raises NothingToSend, and Unsendable for an unknown kind."""
    composer = COMPOSERS.get(kind)
    if composer is None:
        raise Unsendable(f"no mail tells of {kind}")
    with in_language_of(user):
        facts = show_user_names(facts)
        return compose_battle_mail(kind, facts, user, earlier=earlier) if earlier else composer(kind, facts, user)
