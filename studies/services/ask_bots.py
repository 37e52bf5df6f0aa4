"""Asking bots for their opinion, by page and API alike: who may, and how often."""

from dataclasses import dataclass

from django.core.cache import cache
from django.utils.translation import get_language

from accounts.models import User
from duels.models import Battle
from duels.selectors.viewer import MaybeUser, find_battle, get_combatant_for_user, list_own_combatants
from operations.web.throttle import Throttle
from rules_engine.bots.advice import Hint
from studies.errors import StudyRefused
from studies.selectors.bot_thoughts import BotReason, list_bot_reasons, list_hints, refuse_reasons_near_running

# A hint takes a tenth of a second of computing, a reason up to half a second.
HINTS = Throttle("hints", limit=30, seconds=600)
REASONS = Throttle("bot-reasons", limit=60, seconds=3600)
ANALYSES = Throttle("analyses", limit=20, seconds=3600)
KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Reasons:
    """Why the bots gave their last gestures. `is_running`: only what a player in practice may know."""

    reasons: tuple[BotReason, ...]
    is_running: bool = False


def ask_for_hints(*, number: int, user: MaybeUser, mage: str | None) -> tuple[Hint, ...]:
    """Return the moves that the Magus would consider, to the player of a mage in practice.

    Raises NoHint, BattleNotFound, NotYourCombatant, and TooManyAttempts.
    """
    combatant = get_combatant_for_user(number=number, user=user, mage_name=mage)
    HINTS.check_and_count(str(combatant.mage.user_id))
    return list_hints(combatant=combatant)


def ask_for_reasons(*, number: int, user: MaybeUser, network: str) -> Reasons:
    """Return why the bots gave their last gestures: to anyone after the battle, before that to players in practice.

    Those of a battle that is over are kept for a day; computing them counts for the `network`. Raises NoHint,
    StudyRefused, BattleNotFound, and TooManyAttempts.
    """
    battle = find_battle(number=number)
    if battle.is_over or battle.practice:
        refuse_reasons_near_running(battle=battle, reader=user)
    if not battle.is_over:
        if not battle.practice or not isinstance(user, User) or not list_own_combatants(battle, user):
            raise StudyRefused("reasons_later")
        asker = get_combatant_for_user(number=number, user=user)
        HINTS.check_and_count(str(user.pk))
        return Reasons(list_bot_reasons(battle=battle, asker=asker), is_running=True)
    ended = battle.finished_at.timestamp() if battle.finished_at else 0
    key = f"bot-reasons:{number}:{ended}:{get_language()}"
    reasons: tuple[BotReason, ...] | None = cache.get(key)
    if reasons is None:
        REASONS.check_and_count(network)
        reasons = list_bot_reasons(battle=Battle.objects.get(number=number))
        cache.set(key, reasons, KEPT_SECONDS)
    return Reasons(reasons)
