"""Asking players whether a battle may be rewound, and their answers."""

import datetime

from django.db import transaction

from accounts.models import User
from duels.models import Battle
from duels.services.lock import lock_battle
from duels.services.notify import players_of
from moderation.errors import ModerationRefused
from moderation.models import Consent, JournalEntry
from moderation.selectors.journal import find_open_question
from moderation.services.battles.journal import act_on_battle
from moderation.services.battles.rewind_battle import find_turn


def ask_for_consent(*, battle: Battle, seq: int, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Ask the players whether the battle may go back to the start of turn `seq`.

    Each player is notified and answers on the battle page. Raises ModerationRefused, also for an annulled battle or a
    turn that it does not have.
    """

    with act_on_battle(kind=JournalEntry.Kind.ASKED, battle=battle, by=by, reason=reason, now=now) as (locked, entry):
        turn = find_turn(locked, seq)
        entry.facts |= {"turn": turn.label, "seq": turn.seq}
        Consent.objects.bulk_create(Consent(asked=entry, user=user) for user in players_of(locked) if not user.is_bot)
    return entry


def answer_question(*, battle: Battle, user: User, number: int, agrees: bool, now: datetime.datetime) -> Consent:
    """Save a player's answer to entry `number`; they may change it until the rewind. Raises ModerationRefused."""
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        consent = find_open_question(battle, user)
        if consent is None or consent.asked.number != number:
            raise ModerationRefused("not_asked", number=battle.number)
        if consent.agrees != agrees:
            consent.agrees, consent.answered_at = agrees, now
            consent.save(update_fields=["agrees", "answered_at"])
    return consent
